"""The rungs bwrap and docker, for real: where there is an engine, as .ci/containers starts one."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Callable

import pytest
from container_engines import Rung, bwrap_rung, docker_rung, docker_says
from rung_runs import (
    NOBODY,
    PROGRAMS_TILL_PROGRESS,
    different,
    hanging_host,
    ignore,
    measure,
    measure_as,
    public_folder,
)
from sandbox_leftovers import descendants, orphans_come_here
from sandbox_problems import make_problem

from pytest_codecollapse.errors import ProblemError
from pytest_codecollapse.model import Environment, Execution, Settings
from pytest_codecollapse.sandbox import CANONICAL_FORM, Interpreter, LocalEngine

#: Long enough for an engine to remove a container, on a busy machine.
PATIENCE_S = 60.0


@pytest.fixture(scope="module", params=[bwrap_rung, docker_rung], ids=["bwrap", "docker"])
def rung(request: pytest.FixtureRequest) -> Rung:
    """Give each of the rungs."""
    make: Callable[[], Rung] = request.param
    return make()


@pytest.fixture(scope="module")
def engine(rung: Rung) -> Iterator[LocalEngine]:
    """Give the tests of a rung one engine."""
    with rung.engine() as running:
        yield running


@pytest.fixture(scope="module")
def baseline() -> dict[str, Execution]:
    """Return what comes of the corpus at the lowest rung."""
    with LocalEngine(1, "process") as running:
        return measure(running)


def seen(engine: LocalEngine, expression: str) -> Any:
    """Evaluate an expression where an ``input_gen`` runs, which may read what programs may not."""
    generator = (
        "import json, os\ndef options(line): return line.split()[5].split(',')\n"
        f"def generate(rng, m): raise LookupError(json.dumps({expression}))"
    )
    with pytest.raises(ProblemError) as error:
        engine.submit(make_problem(input_gen=generator), Settings(), ignore).result()
    return json.loads(error.value.what.removeprefix("input_gen failed: LookupError: "))


def outcome(engine: LocalEngine, source: str, settings: Settings | None = None) -> set[str]:
    """Return the tokens that a program got, "right" for those of the reference."""
    done = engine.submit(make_problem(source), settings or Settings(), ignore).result()
    return {
        "right" if token == right else token
        for token, right in zip(done.candidates[0].tokens, done.reference.tokens)
    }


def becomes_true(condition: Callable[[], bool]) -> bool:
    """Wait for a condition, for as long as a slow machine may need."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def test_programs_get_the_tokens_that_they_get_at_process(
    engine: LocalEngine, baseline: dict[str, Execution]
) -> None:
    """A container changes nothing about what an honest program does, nor about its flags."""
    assert measure(engine) == baseline


def test_an_ordinary_user_has_the_rung_bwrap(baseline: dict[str, Execution]) -> None:
    """It takes no privileges."""
    bwrap_rung()
    if os.geteuid():
        pytest.skip("whoever runs this test is an ordinary user, for whom the other tests hold")
    with public_folder() as folder:
        result = measure_as(NOBODY, "bwrap", folder)
    assert result.refusal == ""
    assert result.environment is not None
    assert result.environment.isolation == "bwrap"
    assert result.executions == baseline


def test_the_environment_tells_where_programs_ran(rung: Rung, engine: LocalEngine) -> None:
    """The rung asked for, and the Python that is inside."""
    python = platform.python_version()
    if rung.name == "docker":
        ask = "import platform; print(platform.python_version())"
        python = docker_says("run", "--rm", "--network=none", rung.image, "python3", "-c", ask)
    assert engine.environment == Environment(
        python=python,
        platform=f"Linux-{platform.machine()}",
        isolation=rung.name,
        canonical_form=CANONICAL_FORM,
    )


def test_there_is_no_network_inside(engine: LocalEngine) -> None:
    """The only interface leads back to itself."""
    names = "[line.split(':')[0].strip() for line in open('/proc/net/dev') if ':' in line]"
    assert seen(engine, names) == ["lo"]


def test_the_file_system_is_read_only(rung: Rung, engine: LocalEngine) -> None:
    """The root and our own files are mounted so; only the scratch directory can be written to.

    Beside it is what programs cannot make files in: terminals, and Docker's message queues.
    """
    mounts = "[line for line in open('/proc/self/mountinfo') if {}]"
    fixed = mounts.format("line.split()[4] in ('/', '/codecollapse/child')")
    assert seen(engine, f"['ro' in options(line) for line in {fixed}]") == [True, True]
    folder = "os.path.isdir(line.split()[4]) and os.access(line.split()[4], os.W_OK)"
    writable = seen(engine, f"[line.split()[4] for line in {mounts.format(folder)}]")
    expected = {"bwrap": ["/dev/pts", "/scratch"], "docker": ["/dev/mqueue", "/scratch"]}
    assert sorted(writable) == expected[rung.name]


def test_the_host_is_out_of_sight(engine: LocalEngine) -> None:
    """Inside, the zygote is the first process, and the host's files are not there."""
    assert seen(engine, "os.getppid()") == 1
    assert not seen(engine, f"os.path.exists({__file__!r})")


def test_nothing_inside_has_privileges(engine: LocalEngine) -> None:
    """No capability is left, or could be gained."""
    lines = "[line.split() for line in open('/proc/self/status')]"
    status = dict(
        seen(engine, f"[each for each in {lines} if each[0][:6] in ('CapBnd', 'NoNewP')]")
    )
    assert status == {"CapBnd:": "0" * 16, "NoNewPrivs:": "1"}


def test_a_program_has_its_memory_and_no_more(engine: LocalEngine) -> None:
    """The budget is that of the settings, as at every rung."""
    settings = Settings(memory_mb=64)
    fits = "def f(x):\n    bytes(48 << 20)\n    return x"
    assert outcome(engine, fits, settings) == {"right"}
    bursts = "def f(x):\n    bytes(128 << 20)\n    return x"
    assert outcome(engine, bursts, settings) == {"exc:MemoryError"}


@pytest.mark.parametrize(
    "program",
    [
        "import os\ndef f(x):\n    while True: os.fork()",
        "import subprocess\ndef f(x): subprocess.run(['/bin/true'])",
        "import _socket\ndef f(x): _socket.socket()",
        "import os\ndef f(x): os.kill(1, 9)",
        "def f(x): open('/codecollapse/child/main.py')",
        "def f(x): open('/etc/passwd')",
    ],
)
def test_a_program_is_confined_inside(engine: LocalEngine, program: str) -> None:
    """Landlock and the filter of system calls are in force there, too: no fork, no bomb."""
    assert outcome(engine, program) <= {"exc:PermissionError", "exc:FileNotFoundError"}


def test_a_program_cannot_write_to_our_files(engine: LocalEngine) -> None:
    """The mount would refuse it where Landlock does not."""
    program = "def f(x): open('/codecollapse/child/main.py', 'a')"
    assert outcome(engine, program) <= {"exc:PermissionError", "exc:OSError"}


def test_the_number_of_processes_is_limited_in_docker() -> None:
    """What an ``input_gen`` may do, fork, comes to an end and costs others nothing."""
    rung = docker_rung()
    bomb = """
import os, time
def generate(rng, m):
    count = 0
    try:
        while True:
            if os.fork() == 0: time.sleep(600)
            count += 1
    except OSError:
        pass
    raise LookupError(count < 1024)
"""
    with rung.engine() as engine:
        with pytest.raises(ProblemError, match="input_gen failed: LookupError: True"):
            engine.submit(make_problem(input_gen=bomb), Settings(), ignore).result()
        assert outcome(engine, "def f(x): return x") == {"right"}


def test_containers_are_as_small_as_can_be() -> None:
    """What the engine itself says of the limits."""
    rung = docker_rung()
    before = rung.containers()
    with rung.engine() as engine:
        assert engine.environment.isolation == "docker"
        (name,) = set(rung.containers()).difference(before)
        assert name.startswith("codecollapse-")
        (told,) = json.loads(docker_says("inspect", name))
    host = told["HostConfig"]
    memory_bytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    assert host["Memory"] == host["MemorySwap"]
    assert abs(host["Memory"] - memory_bytes) < 4096
    assert host["PidsLimit"] == 1024
    assert host["NetworkMode"] == "none"
    assert host["ReadonlyRootfs"] is True
    assert host["CapDrop"] == ["ALL"]
    assert host["SecurityOpt"] == ["no-new-privileges"]
    assert told["Config"]["User"] == f"{NOBODY}:{NOBODY}"
    assert [(each["Destination"], each["RW"]) for each in told["Mounts"]] == [
        ("/codecollapse/child", False)
    ]


def test_the_image_s_environment_is_not_the_zygote_s() -> None:
    """An image that turns off assertions does not turn off those of the candidates."""
    rung = docker_rung()
    name = f"{rung.image}-optimised"
    holder = docker_says("create", "--network=none", rung.image, "true")
    try:
        docker_says("commit", "--change=ENV PYTHONOPTIMIZE=1 PYTHONHASHSEED=7", holder, name)
        with LocalEngine(1, "docker", image=name) as engine:
            program = "def f(x):\n    assert x is None\n    return x"
            assert outcome(engine, program) == {"exc:AssertionError"}
    finally:
        docker_says("rm", holder)
        docker_says("rmi", name)


def test_installed_packages_are_the_image_s_in_docker(tmp_path: Path) -> None:
    """A folder of the host is not there, and the zygote looks for its own."""
    (tmp_path / "ours.py").write_text("value = 7")
    rung = docker_rung()
    with rung.engine(Interpreter(sys.executable, (str(tmp_path),))) as engine:
        assert outcome(engine, "import ours\ndef f(x): return x") == {"load:ModuleNotFoundError"}


def test_installed_packages_are_mounted_by_bwrap(tmp_path: Path) -> None:
    """A folder that programs may import from is there, and read-only."""
    (tmp_path / "ours.py").write_text("value = 7")
    rung = bwrap_rung()
    with rung.engine(Interpreter(sys.executable, (str(tmp_path),))) as engine:
        program = "import ours\ndef f(x): return x if ours.value == 7 else ours.value"
        assert outcome(engine, program) == {"right"}
        options = (
            f"[options(line) for line in open('/proc/self/mountinfo') if '{tmp_path}' in line]"
        )
        ((*found,),) = seen(engine, options)
        assert "ro" in found


def test_nothing_is_left_when_the_engine_is_closed(
    rung: Rung, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No container, no process, no file; while it runs there are two zygotes to be seen."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before, processes = rung.containers(), set(descendants(os.getpid()))
    with orphans_come_here():
        engine = rung.engine()
        assert outcome(engine, "def f(x): return x") == {"right"}
        assert len(set(descendants(os.getpid())) - processes) >= 2
        if rung.name == "docker":
            assert len(rung.containers()) == len(before) + 2
        engine.close()
        assert set(descendants(os.getpid())) <= processes
    assert rung.containers() == before
    assert list(tmp_path.iterdir()) == []


def test_a_zygote_that_is_killed_is_replaced(rung: Rung) -> None:
    """In the middle of a problem, both at once, from outside: the results are right."""
    before, processes = rung.containers(), set(descendants(os.getpid()))
    killed: list[Any] = []

    def kill(count: int) -> None:
        if not killed and rung.name == "docker":
            killed.extend(set(rung.containers()).difference(before))
            docker_says("kill", *killed)
        elif not killed:
            killed.extend(set(descendants(os.getpid())) - processes)
            for pid in killed:
                with contextlib.suppress(ProcessLookupError):  # it ended with another one
                    os.kill(pid, signal.SIGKILL)

    with rung.engine() as engine:
        problem = make_problem(*different(2 * PROGRAMS_TILL_PROGRESS))
        done = engine.submit(problem, Settings(), kill).result()
        assert len(killed) >= 2
        assert {each.tokens for each in done.candidates} == {done.reference.tokens}
    assert rung.containers() == before


def test_nothing_outlives_a_host_that_is_killed(rung: Rung) -> None:
    """No process and no container, although a program is in an endless loop."""
    before, processes = rung.containers(), set(descendants(os.getpid()))

    def is_all_gone() -> bool:
        left = set(descendants(os.getpid())) - processes
        for pid in left:  # an orphan that has ended is ours to be reaped
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        return not left and rung.containers() == before

    with orphans_come_here(), hanging_host(rung.name, rung.image) as host:
        assert host.stdout is not None
        assert host.stdout.readline() == b"running\n"
        assert len(set(descendants(os.getpid())) - processes) >= 3
        host.kill()
        host.wait()
        assert becomes_true(is_all_gone)
