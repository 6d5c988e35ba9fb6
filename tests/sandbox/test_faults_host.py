"""The host is told to end, or is killed, at each rung: nothing that it started survives it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Callable

import pytest
from cli_runs import COMMAND, environment
from sandbox_faults import (
    PATIENCE_S,
    RUNGS,
    becomes_true,
    by_depth,
    nothing_is_left,
    processes_of,
    skip_without,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")

#: A shell's background job ignores SIGINT, and so would what is started from one.
_HEEDFUL = "import runpy, signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
_PYTEST = [sys.executable, "-c", f"{_HEEDFUL}import pytest; sys.exit(pytest.main())"]
_SCRIPT = [sys.executable, "-c", f"{_HEEDFUL}runpy.run_module({COMMAND[-1]!r}, None, '__main__')"]

HOSTS = {
    "script": [*_SCRIPT, "measure", "{samples}", "--timeout=600", "--jobs=2", "--isolation={rung}"],
    "pytest": [
        *(*_PYTEST, "-p", "no:cacheprovider", "-c", "{ini}", "--codecollapse-samples={samples}"),
        *("--codecollapse-timeout=600", "--codecollapse-jobs=2", "--codecollapse-isolation={rung}"),
    ],
}

#: How they exit: by the signal itself where they do not handle it.
STATUS = {
    ("script", signal.SIGINT): 130,
    ("pytest", signal.SIGINT): int(pytest.ExitCode.INTERRUPTED),
    **{(host, each): -each for host in HOSTS for each in (signal.SIGTERM, signal.SIGKILL)},
}

DEPTH_OF_A_CHILD = {"process": 2, "namespaces": 3}

HANGING = """
import os, signal
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
os.makedirs("a/b")
open("a/b/c", "w").close()
def f(x):
    while True: pass
"""

Start = Callable[[str, str], "subprocess.Popen[bytes]"]


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """Make the folder that takes every temporary file of a run."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    return folder


@pytest.fixture
def start(tmp_path: Path, scratch: Path) -> Iterator[Start]:
    """Give a function that starts a host at a rung and waits until it runs programs that hang."""
    names = {"samples": tmp_path / "samples.jsonl", "ini": tmp_path / "pytest.ini"}
    names["ini"].write_text("[pytest]\n")
    with names["samples"].open("w") as file:
        for problem_id in ("p", "q"):
            problem = {
                "problem_id": problem_id,
                "entry_point": "f",
                "reference": "def f(x): return x",
                "candidates": [HANGING],
                "inputs": [[1]],
            }
            file.write(json.dumps(problem) + "\n")
    started = []

    def run(host: str, rung: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [argument.format(rung=rung, **names) for argument in HOSTS[host]],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment(TMPDIR=str(scratch)),
            cwd=tmp_path,
        )
        started.append(process)
        depth = DEPTH_OF_A_CHILD[rung]
        assert becomes_true(lambda: list(by_depth(scratch).values()).count(depth) == 2)
        return process

    yield run
    for process in started:
        process.kill()
        process.wait()


@pytest.mark.parametrize(("host", "number"), STATUS)
@pytest.mark.parametrize("rung", RUNGS)
def test_nothing_survives_the_host(
    start: Start, scratch: Path, rung: str, host: str, number: signal.Signals
) -> None:
    """It exits as it should; no process of the two lanes and no scratch directory is left."""
    skip_without(rung)
    process = start(host, rung)
    process.send_signal(number)
    assert process.wait(PATIENCE_S) == STATUS[host, number]
    assert becomes_true(lambda: nothing_is_left(scratch))


def has_as_many(folder: Path, count: int) -> bool:
    """Whether a run has at least so many processes."""
    return len(by_depth(folder)) >= count


@pytest.mark.parametrize("rung", RUNGS)
def test_nothing_survives_a_host_killed_at_any_moment(scratch: Path, rung: str) -> None:
    """Killed as soon as there is a first process, a second, and so on, it leaves none.

    In the moment between making a scratch directory and starting the process that is to remove it,
    a killed host leaves an empty folder; so one of all these kills may.
    """
    skip_without(rung)
    program = f"import sandbox_faults; sandbox_faults.measure_without_end({rung!r})"
    for count in (1, 1, 1, 2, 3, 4, 5):
        with subprocess.Popen(
            [sys.executable, "-c", program],
            env=environment(TMPDIR=str(scratch), PYTHONPATH=":".join(sys.path)),
            stdout=subprocess.DEVNULL,
        ) as process:
            assert becomes_true(partial(has_as_many, scratch, count))
            process.kill()
        assert becomes_true(lambda: not processes_of(scratch))
    left = list(scratch.iterdir())
    assert len(left) <= 1
    assert not any(path for folder in left for path in folder.iterdir())
