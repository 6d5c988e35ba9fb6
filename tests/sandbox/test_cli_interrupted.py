"""The script ended in the middle of its work: whatever ends it, nothing is left behind."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Callable

import pytest
from cli_runs import COMMAND, RUNG, environment

import pytest_codecollapse.sandbox
from pytest_codecollapse.sandbox import Interpreter

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")

Start = Callable[[str], subprocess.Popen[str]]

_DEADLINE_S = 30.0
#: A zygote and a problem server for each seed, and the child that hangs.
_BUSY_PROCESSES = 5


def processes_of(folder: Path) -> list[int]:
    """List the processes that were started with a path in this folder."""
    found = []
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if str(folder).encode() in each.read_bytes():
                found.append(int(each.parent.name))
        except OSError:  # it has ended meanwhile
            continue
    return found


def wait_until(is_so: Callable[[], bool], what: str) -> None:
    """Wait for something that must come to be."""
    deadline_s = time.monotonic() + _DEADLINE_S
    while not is_so():
        assert time.monotonic() < deadline_s, what
        time.sleep(0.02)


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """Make the folder that takes every temporary file of a run."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    return folder


@pytest.fixture
def start(tmp_path: Path, scratch: Path) -> Iterator[Start]:
    """Give a function that measures candidates that hang in some way, once they are at it."""
    started = []

    def run(candidate: str) -> subprocess.Popen[str]:
        problem = {
            "problem_id": "p",
            "entry_point": "f",
            "reference": "def f(x): return x",
            "candidates": [candidate],
            "inputs": [[1]],
        }
        samples = tmp_path / "samples.jsonl"
        samples.write_text(json.dumps(problem) + "\n")
        # a shell's background job ignores SIGINT, and so would what is started here
        ours = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            process = subprocess.Popen(
                [*COMMAND, "measure", str(samples), "--timeout", "600", "--jobs", "1"],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env=environment(TMPDIR=str(scratch)),
            )
        finally:
            signal.signal(signal.SIGINT, ours)
        started.append(process)
        wait_until(lambda: len(processes_of(scratch)) >= _BUSY_PROCESSES, "nothing was run")
        return process

    yield run
    for process in started:
        process.kill()
        process.communicate()


def nothing_is_left(scratch: Path) -> bool:
    """Whether neither a process nor a file of the run is there any more."""
    return not processes_of(scratch) and not list(scratch.iterdir())


HANGING = {
    "busy": "def f(x):\n    while True: pass",
    "asleep": "import time\ndef f(x): time.sleep(3600)",
    "deaf": "import signal\nfor n in range(1, 65):\n    try: signal.signal(n, signal.SIG_IGN)\n"
    "    except (OSError, ValueError): pass\ndef f(x):\n    while True: pass",
}


@pytest.mark.parametrize("candidate", HANGING.values(), ids=HANGING)
def test_ctrl_c_ends_everything(start: Start, scratch: Path, candidate: str) -> None:
    """The script says that it was interrupted, exits 130, and has cleared away what it started."""
    process = start(candidate)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=_DEADLINE_S)
    assert (process.returncode, out) == (130, "")
    assert re.fullmatch(f"{RUNG}codecollapse: interrupted\n", err)
    wait_until(lambda: nothing_is_left(scratch), "processes or files are left")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("candidate", [HANGING["busy"], HANGING["deaf"]], ids=["busy", "deaf"])
def test_what_it_started_ends_with_it(
    start: Start, scratch: Path, candidate: str, number: signal.Signals
) -> None:
    """Ended without a chance to clear up, the script leaves that to what it started."""
    process = start(candidate)
    process.send_signal(number)
    out, err = process.communicate(timeout=_DEADLINE_S)
    assert (process.returncode, out) == (-number, "")
    assert re.fullmatch(RUNG, err)
    wait_until(lambda: nothing_is_left(scratch), "processes or files are left")


def test_what_starts_after_its_host_has_ended_clears_up(scratch: Path) -> None:
    """A zygote that has nobody to say hello to removes the directory that it was given."""
    directory = scratch / "codecollapse-zygote"
    directory.mkdir()
    package = str(Path(pytest_codecollapse.sandbox.__file__).parent)
    python = Interpreter(sys.executable)
    options: dict[str, Any] = {"isolation": ["process"], "scratch": str(directory), "seed": 1}
    ours, theirs = socket.socketpair()
    ours.close()
    with theirs:
        subprocess.run(
            [python.path, *python.arguments(package, **options)],
            stdin=theirs.fileno(),
            stdout=theirs.fileno(),
            env=python.environment(1),
            stderr=subprocess.DEVNULL,
            timeout=_DEADLINE_S,
            check=False,
        )
    assert list(scratch.iterdir()) == []
