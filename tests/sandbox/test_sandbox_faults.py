"""Programs that attack the sandbox itself, interrupted runs, and what is left afterwards."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from concurrent.futures import wait
from pathlib import Path
from typing import Callable

import pytest
from sandbox_problems import make_problem

from pytest_codecollapse.errors import SandboxError
from pytest_codecollapse.model import Settings
from pytest_codecollapse.sandbox import Interpreter, LocalEngine, server, zygote

needs_proc = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")

#: Long enough for a process that was told to end, on a busy machine.
PATIENCE_S = 30.0


@pytest.fixture
def own_tmp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give zygotes started in this test directories below a path that names it."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def processes_of(folder: Path) -> list[int]:
    """List the processes whose command line names a folder, as zygotes and their children do."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = process.joinpath("cmdline").read_bytes()
        except OSError:
            continue
        if os.fsencode(folder) in command:
            found.append(int(process.name))
    return found


def becomes_true(condition: Callable[[], bool]) -> bool:
    """Wait for a condition, for as long as a slow machine may need."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def ignore(count: int) -> None:
    """Take no notice of progress."""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_a_program_that_kills_its_server_is_an_error_that_names_it(number: int) -> None:
    """It is tried twice, then the problem fails with one clear error; the engine goes on."""
    killer = f"import os\ndef f(x):\n    if x == 3: os.kill(os.getppid(), {int(number)})"
    with LocalEngine(1, "process") as engine:
        problem = make_problem("def f(x): return x", killer)
        future = engine.submit(problem, Settings(), ignore)
        with pytest.raises(SandboxError) as error:
            future.result()
        assert str(error.value) == (
            "samples.jsonl:1: problem 'p': candidate 1 brought the sandbox down 2 times"
            f" (its server ended with {signal.Signals(number).name})"
        )
        healthy = engine.submit(make_problem("def f(x): return x"), Settings(), ignore).result()
        assert healthy.candidates[0].tokens == healthy.reference.tokens


def test_a_program_that_stops_its_server_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that says nothing is given up after a while, however alive it looks."""
    monkeypatch.setattr(server, "SILENCE_S", 1.5)
    monkeypatch.setattr(zygote, "_END_S", 0.1)
    stopper = "import os, signal\ndef f(x): os.kill(os.getppid(), signal.SIGSTOP)"
    with LocalEngine(1, "process") as engine:
        future = engine.submit(make_problem(stopper), Settings(), ignore)
        with pytest.raises(SandboxError, match="candidate 0 brought the sandbox down 2 times"):
            future.result()


def test_a_program_that_takes_long_is_not_taken_for_silence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Twelve inputs in time take longer together than a server may be silent; it is not."""
    monkeypatch.setattr(server, "SILENCE_S", 2.5)
    slow = "import time\ndef f(x):\n    time.sleep(0.25)\n    return x"
    inputs = tuple([number] for number in range(12))
    with LocalEngine(1) as engine:
        done = engine.submit(make_problem(slow, inputs=inputs), Settings(), ignore).result()
    assert done.candidates[0].tokens == done.reference.tokens


def test_many_short_timeouts_are_not_taken_for_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each child ends before its server would wake up; the host hears of it all the same."""
    monkeypatch.setattr(server, "SILENCE_S", 2.5)
    hang = "def f(x):\n    while True: pass"
    inputs = tuple([number] for number in range(60))
    settings = Settings(timeout_s=0.02, inputs=60)
    with LocalEngine(1) as engine:
        done = engine.submit(make_problem(hang, inputs=inputs), settings, ignore).result()
    assert done.candidates[0].tokens == ("TIMEOUT",) * 60


def test_an_interpreter_that_does_not_start_is_an_error() -> None:
    """A path that is none, and a program that is no Python, are told apart from candidates."""
    for python, message in [
        ("/no/such/python", r"cannot start /no/such/python \(.*No such file or directory.*\)"),
        ("/bin/false", "/bin/false did not start as a sandbox: it has ended"),
    ]:
        with LocalEngine(1, interpreter=Interpreter(python)) as engine:
            future = engine.submit(make_problem("def f(x): return x"), Settings(), ignore)
            with pytest.raises(SandboxError, match=message):
                future.result()


@needs_proc
def test_nothing_is_left_when_the_engine_is_closed(own_tmp: Path) -> None:
    """Idle zygotes end, and their directories are removed."""
    engine = LocalEngine(2, "process")
    engine.submit(make_problem("def f(x): return x"), Settings(), ignore).result()
    assert len(processes_of(own_tmp)) == 2
    engine.close()
    assert processes_of(own_tmp) == []
    assert list(own_tmp.iterdir()) == []


@needs_proc
def test_closing_the_engine_ends_what_runs(own_tmp: Path) -> None:
    """Closing in the middle of a hang ends the program, its servers and the waiting thread."""
    hang = "def f(x):\n    while True: pass"
    engine = LocalEngine(1, "process")
    future = engine.submit(make_problem(hang), Settings(timeout_s=600.0), ignore)
    assert becomes_true(lambda: len(processes_of(own_tmp)) >= 5)  # 2 zygotes, 2 servers, a child
    engine.close()
    assert wait([future], timeout=PATIENCE_S).done
    assert isinstance(future.exception(), SandboxError)
    assert becomes_true(lambda: processes_of(own_tmp) == [])
    assert list(own_tmp.iterdir()) == []


@needs_proc
def test_processes_that_a_program_leaves_behind_are_ended(own_tmp: Path) -> None:
    """A daemon, forked twice and in a session of its own, does not outlive its program."""
    daemon = """
import os, time
def f(x):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(3600)
        os._exit(0)
    return x
"""
    with LocalEngine(1, "process") as engine:
        done = engine.submit(make_problem(daemon), Settings(), ignore).result()
        assert done.candidates[0].tokens == done.reference.tokens
        assert becomes_true(lambda: len(processes_of(own_tmp)) == 2)  # the zygotes


def test_files_of_one_program_are_not_seen_by_the_next() -> None:
    """What a program writes into its directory is gone before the next one starts."""
    writer = """
import os
os.makedirs('a/b')
os.symlink('/', 'link')
open('a/b/file', 'w').write('x')
def f(x): return sorted(os.listdir('.'))
"""
    looker = "import os\ndef f(x): return os.listdir('.')"
    remover = "import os\nos.rmdir(os.getcwd())\ndef f(x): return x"
    with LocalEngine(1) as engine:
        problem = make_problem(writer, looker, remover, looker + "\n", reference=looker)
        done = engine.submit(problem, Settings(), ignore).result()
    wrote, looked, _, looked_again = (each.tokens for each in done.candidates)
    assert wrote != done.reference.tokens
    assert looked == looked_again == done.reference.tokens


def test_limits_are_hard() -> None:
    """A program can neither raise its limits nor exceed them."""
    greedy = """
import resource
def f(x):
    found = []
    for what in (resource.RLIMIT_AS, resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE,
                 resource.RLIMIT_CPU, resource.RLIMIT_CORE):
        soft, hard = resource.getrlimit(what)
        found.append(hard != resource.RLIM_INFINITY)
    return found
"""
    files = """
def f(x):
    opened = []
    try:
        while True:
            opened.append(open('/dev/null'))
    except OSError as error:
        return error.errno, len(opened) < 64
"""
    disk = """
def f(x):
    with open('file', 'wb') as file:
        try:
            for _ in range(100):
                file.write(bytes(1 << 20))
                file.flush()
        except OSError as error:
            return error.errno
"""
    expected = {
        greedy: "def f(x): return [True] * 5",
        files: "def f(x): return 24, True",
        disk: "def f(x): return 27",
    }
    with LocalEngine(1) as engine:
        for program, reference in expected.items():
            problem = make_problem(program, reference=reference)
            done = engine.submit(problem, Settings(), ignore).result()
            assert done.candidates[0].tokens == done.reference.tokens, program


def test_memory_is_a_budget_over_what_is_mapped() -> None:
    """A program gets what it was promised, and not much more."""
    fits = "def f(x): return len(bytes(48 << 20))"
    bursts = "def f(x): return len(bytes(128 << 20))"
    with LocalEngine(1) as engine:
        problem = make_problem(fits, bursts, reference="def f(x): return 48 << 20")
        done = engine.submit(problem, Settings(memory_mb=64), ignore).result()
    assert done.candidates[0].tokens == done.reference.tokens
    assert done.candidates[1].tokens == ("exc:MemoryError",) * 10


def test_lanes_run_in_parallel() -> None:
    """Two lanes have two programs in flight at the same moment: each waits for the other."""
    meet = """
import os, time
def f(mine, other):
    open(mine, 'w').close()
    for _ in range(2000):
        if os.path.exists(other):
            return True
        time.sleep(0.002)
    return False
"""
    with tempfile.TemporaryDirectory() as folder, LocalEngine(2, "process") as engine:
        a, b = str(Path(folder, "a")), str(Path(folder, "b"))
        futures = [
            engine.submit(
                make_problem(meet, reference=meet + "\n", inputs=([mine, other],)),
                Settings(timeout_s=1.0),
                ignore,
            )
            for mine, other in [(a, b), (b, a)]
        ]
        first, second = (future.result() for future in futures)
    assert first.reference.tokens != second.reference.tokens  # the arguments differ
    expected = "def f(mine, other): return True"
    with LocalEngine(1) as engine:
        for done, mine, other in [(first, a, b), (second, b, a)]:
            problem = make_problem(expected, reference=expected, inputs=([mine, other],))
            met = engine.submit(problem, Settings(), ignore).result()
            assert done.reference.tokens == met.reference.tokens


def test_progress_counts_every_candidate() -> None:
    """Candidates of identical source are reported together, and all of them in the end."""
    counts: list[int] = []
    same, other = "def f(x): return x", "def f(x): return 1"
    with LocalEngine(1) as engine:
        problem = make_problem(same, other, same)
        engine.submit(problem, Settings(), counts.append).result()
    assert counts == [2, 1]
