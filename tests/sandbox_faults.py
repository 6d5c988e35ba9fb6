"""Hosts that lack something, the processes that a sandbox consists of, and what is left of them.

Theory of operation
-------------------
Zygotes and all that they fork have the path of their scratch directory on their command line, so
a test that gives them directories below its own finds them, wherever they have gone.

A host that may have few descriptors or few processes is a Python process of its own, started by
``run_host``: it takes something away from itself and then runs a problem, again and again, each
time with a little more.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Callable

import msgspec
import pytest
from sandbox_problems import make_problem

from pytest_codecollapse.errors import CodecollapseError, UsageError
from pytest_codecollapse.model import Problem, Settings
from pytest_codecollapse.sandbox import Interpreter, LocalEngine

RUNGS = ("process", "namespaces")

#: Long enough for what must happen, on a busy machine.
PATIENCE_S = 60.0
SETTINGS = Settings(timeout_s=0.5, memory_mb=64)


def becomes_true(condition: Callable[[], bool]) -> bool:
    """Wait for a condition, for as long as a slow machine may need."""
    deadline_s = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > deadline_s:
            return False
        time.sleep(0.01)
    return True


def processes_of(folder: Path) -> list[int]:
    """List the processes whose command line names a folder."""
    found = []
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if os.fsencode(folder) + b"/codecollapse-" in each.read_bytes():
                found.append(int(each.parent.name))
        except OSError:  # it has ended meanwhile
            continue
    return found


def parent_of(pid: int) -> int:
    """Return the parent of a process, 0 where it has ended."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return 0
    return int(stat.rpartition(")")[2].split()[1])


def by_depth(folder: Path) -> dict[int, int]:
    """Return how far the processes of a folder are from the host, which started those at 0."""
    parents = {pid: parent_of(pid) for pid in processes_of(folder)}

    def depth(pid: int) -> int:
        return 1 + depth(parents[pid]) if parents.get(pid) in parents else 0

    return {pid: depth(pid) for pid in parents}


def nothing_is_left(folder: Path) -> bool:
    """Whether neither a process nor a file of a run is there any more."""
    return not processes_of(folder) and not list(folder.iterdir())


@contextmanager
def engine_below(folder: Path, rung: str) -> Iterator[LocalEngine]:
    """Give an engine at a rung, all of whose directories are below a folder; or skip."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(folder))
        with LocalEngine(1, rung) as engine:
            yield engine


def skip_without(rung: str) -> None:
    """Skip where a rung is not to be had, with what is missing."""
    with LocalEngine(1, rung) as engine:
        try:
            assert engine.environment.isolation == rung
        except UsageError as error:
            pytest.skip(str(error))


def run(engine: LocalEngine, problem: Problem, settings: Settings = SETTINGS) -> str:
    """Run a problem; return what came of it as JSON, or the error in words."""
    future = engine.submit(problem, settings, lambda count: None)
    try:
        return msgspec.json.encode(future.result(timeout=PATIENCE_S)).decode()
    except CodecollapseError as error:
        return f"{type(error).__name__}: {error}"


def innocent_problem(**fields: Any) -> Problem:
    """Make a problem of programs that behave; the second keeps state that would show."""
    return make_problem(
        "def f(x): return x",
        "import time\nn = 0\ndef f(x):\n    global n\n    n += 1\n    time.sleep(0.03)\n"
        "    return n",
        "import time\ndef f(x):\n    time.sleep(0.03)\n    return x",
        inputs=([1], [2], [3]),
        **fields,
    )


# -- hosts that lack something ----------------------------------------------------------------


def run_host(task: str, *arguments: object, folder: Path) -> list[str]:
    """Run a function of this module in a process of its own; return what it has to say."""
    done = subprocess.run(
        [sys.executable, "-c", f"import sandbox_faults as s; s.{task}(*{arguments!r})"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(folder)},
        capture_output=True,
        text=True,
        timeout=5 * PATIENCE_S,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    said: list[str] = json.loads(done.stdout)
    return said


def open_descriptors() -> set[str]:
    """Return the numbers of this process's descriptors."""
    return {each.name for each in Path("/proc/self/fd").iterdir()}


def few_descriptors(rung: str, most: int) -> None:
    """Have room for no descriptor more, then for one, and so on; say what came of each."""
    full = resource.getrlimit(resource.RLIMIT_NOFILE)
    outcomes = []
    with LocalEngine(1, rung) as engine:  # imports what is imported late, finds the TMPDIR
        outcomes.append(run(engine, innocent_problem()))
    before = open_descriptors()
    for allowed in range(3, most):
        with LocalEngine(1, rung) as engine:
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, full[1]))
            outcomes.append(run(engine, innocent_problem()))
            resource.setrlimit(resource.RLIMIT_NOFILE, full)
    assert open_descriptors() == before
    print(json.dumps(outcomes))


def few_processes(rung: str, most: int, user: int, python: str) -> None:
    """Be a user who may have many processes, then fewer, down to one; say what came of each."""
    full = resource.getrlimit(resource.RLIMIT_NPROC)
    with LocalEngine(1, rung) as engine:  # imports what is imported late, which a user may not read
        run(engine, innocent_problem())
    os.setgid(user)
    os.setuid(user)
    outcomes = []
    with LocalEngine(1, rung, Interpreter(python)) as engine:
        outcomes.append(run(engine, innocent_problem()))
    for allowed in range(1, most):
        with LocalEngine(1, rung, Interpreter(python)) as engine:
            resource.setrlimit(resource.RLIMIT_NPROC, (allowed, full[1]))
            outcomes.append(run(engine, innocent_problem()))
            resource.setrlimit(resource.RLIMIT_NPROC, full)
    print(json.dumps(outcomes))


def measure_without_end(rung: str) -> None:
    """Run programs until this process is killed."""
    with LocalEngine(1, rung) as engine:
        while True:
            run(engine, innocent_problem())
