"""Two thousand hostile programs: nothing of them is left, and the host is what it was."""

from __future__ import annotations

import ctypes
import gc
import itertools
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Callable, NamedTuple

import pytest
from hostile_programs import HOSTILE
from hostile_programs_record import HUNG, REFERENCE, RUNGS, Hostile
from hostile_programs_runs import HEALTHY
from sandbox_leftovers import KEY, Leftovers, descendants, orphans_come_here
from sandbox_problems import make_problem

from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.sandbox import LocalEngine

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")

LIBC = ctypes.CDLL(None, use_errno=True)

PROGRAMS = 2000
BATCH = 50
WARM_UP = 4  # batches, after which allocators and caches have what they need

#: A tenth of what it would be if a kilobyte were kept of each program.
GROWTH_KB = PROGRAMS / 10


class Footprint(NamedTuple):
    """What this process and those below it hold."""

    leftovers: Leftovers
    descriptors: dict[int, int]

    @classmethod
    def below(cls, folder: Path) -> Footprint:
        """Look at this process, its descendants, and the places where something can be left."""
        processes = [os.getpid(), *descendants(os.getpid())]
        return cls(Leftovers.below(folder), {pid: descriptors_of(pid) for pid in processes})


def descriptors_of(pid: int) -> int:
    """Count the open descriptors of a process."""
    return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())


def resident_kb() -> int:
    """Return how much memory this process has, but for what it has freed."""
    gc.collect()
    if hasattr(LIBC, "malloc_trim"):  # glibc keeps what was freed, and gives it out again
        LIBC.malloc_trim(0)
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


# -- what can be seen ---------------------------------------------------------------------------

#: What is left on purpose, so that no test at the same time takes it for something else.
PLANTED_NAME = f"codecollapse-planted-{os.getpid()}"
PLANTED_KEY = KEY + os.getpid()


def see(folder: Path) -> Leftovers:
    """Look for what is planted."""
    return Leftovers.below(folder, PLANTED_NAME, PLANTED_KEY)


@contextmanager
def _orphan() -> Iterator[None]:
    daemon = (
        "import os, sys, time\n"
        "if os.fork(): os._exit(0)\n"
        "os.setsid()\n"
        "print(os.getpid(), flush=True)\n"
        "os.close(1)\n"
        "time.sleep(600)\n"
    )
    done = subprocess.run([sys.executable, "-c", daemon], stdout=subprocess.PIPE, check=True)
    pid = int(done.stdout)
    yield
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


@contextmanager
def _zombie() -> Iterator[None]:
    process = subprocess.Popen(["/bin/true"])
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    yield
    process.wait()


@contextmanager
def _file(path: Path) -> Iterator[None]:
    path.write_text("left")
    yield
    path.unlink()


@contextmanager
def _segment() -> Iterator[None]:
    segment = LIBC.shmget(PLANTED_KEY, 4096, 0o1600)
    assert segment >= 0, os.strerror(ctypes.get_errno())
    yield
    LIBC.shmctl(segment, 0, None)


PLANTED: dict[str, tuple[Callable[[Path], AbstractContextManager[None]], str]] = {
    "an orphan in a session of its own": (lambda folder: _orphan(), "processes"),
    "a process that nobody reaped": (lambda folder: _zombie(), "processes"),
    "a temporary file": (lambda folder: _file(folder / "left"), "files"),
    "a file in /tmp": (lambda folder: _file(Path("/tmp", PLANTED_NAME)), "files"),
    "a file in shared memory": (lambda folder: _file(Path("/dev/shm", PLANTED_NAME)), "files"),
    "a segment of shared memory": (lambda folder: _segment(), "segments"),
}


@pytest.mark.parametrize(("plant", "kind"), PLANTED.values(), ids=PLANTED)
def test_what_is_left_would_be_seen(
    plant: Callable[[Path], AbstractContextManager[None]], kind: str, tmp_path: Path
) -> None:
    """Each kind of leftover, made on purpose, changes what is looked at, and nothing else does."""
    with orphans_come_here():
        before = see(tmp_path)
        with plant(tmp_path):
            during = see(tmp_path)
        assert see(tmp_path) == before
    assert getattr(during, kind) > getattr(before, kind)
    assert during._replace(**{kind: getattr(before, kind)}) == before


def test_an_open_descriptor_would_be_seen(tmp_path: Path) -> None:
    """One more is one more."""
    before = Footprint.below(tmp_path).descriptors
    with Path(os.devnull).open("rb"):
        during = Footprint.below(tmp_path).descriptors
    assert during == {**before, os.getpid(): before[os.getpid()] + 1}
    assert Footprint.below(tmp_path).descriptors == before


def test_memory_that_is_kept_would_be_seen() -> None:
    """A kilobyte for each program is many times the growth that is let pass."""
    before = resident_kb()
    kept = [os.urandom(1024) for _ in range(PROGRAMS)]
    assert resident_kb() - before > 2 * GROWTH_KB
    assert len(kept) == PROGRAMS


# -- what there is ------------------------------------------------------------------------------

PLAIN = Hostile("", "", "")

#: Their end is found out by looking once a second, on each input: run once by ``test_hostile``.
WAITED_FOR = {
    "a forked child that keeps the line open, while the program ends",
    "a daemon, forked twice and in a session of its own",
    "a thread that forges replies while the program goes on",
    "changes our functions, found by way of exit()",
}


def quick_ones(rung: str) -> list[Hostile]:
    """List the programs that cost little, and run with the same settings on the same inputs."""
    return [
        each
        for each in HOSTILE
        if each.at(rung) is not None
        and each.expected != HUNG
        and each.name not in WAITED_FOR
        and (each.settings, each.inputs) == (PLAIN.settings, PLAIN.inputs)
    ]


def batches(rung: str) -> Iterator[list[str]]:
    """Yield the sources of one problem after the other, each different from all others."""
    sources = itertools.cycle(each.source for each in quick_ones(rung))
    for first in itertools.count(0, BATCH):
        yield [f"{next(sources)}\n# {number}" for number in range(first, first + BATCH)]


def run_batch(engine: LocalEngine, sources: list[str], outside: Path) -> int:
    """Run a batch and a healthy program after it; return how many programs that were."""
    problem = make_problem(
        *sources,
        HEALTHY,
        reference=REFERENCE,
        inputs=PLAIN.inputs,
        setup=f"OUTSIDE = {str(outside)!r}\n",
    )
    done = engine.submit(problem, PLAIN.settings, lambda count: None).result()
    assert done.candidates[-1].tokens == done.reference.tokens
    return len(set(sources))


@pytest.mark.slow
@pytest.mark.parametrize("rung", RUNGS)
def test_two_thousand_hostile_programs_leave_nothing(
    rung: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No process, descriptor, file or segment, and no memory; the zygotes are the same ones."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "victim").write_text("untouched")
    assert {each.name for each in HOSTILE} >= WAITED_FOR
    waiting = batches(rung)
    with orphans_come_here(), LocalEngine(1, rung) as engine:
        try:
            for _ in range(WARM_UP):
                run_batch(engine, next(waiting), outside)
        except UsageError as error:
            pytest.skip(str(error))
        before, before_kb = Footprint.below(tmp_path), resident_kb()
        count = sum(run_batch(engine, next(waiting), outside) for _ in range(PROGRAMS // BATCH))
        after_kb, after = resident_kb(), Footprint.below(tmp_path)
    assert count == PROGRAMS
    assert after == before
    assert after_kb - before_kb < GROWTH_KB
