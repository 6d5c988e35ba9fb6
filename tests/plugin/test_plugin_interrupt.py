from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Callable

import pytest
from plugin_corpora import problem, program, write_samples

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/cmdline").exists(), reason="the processes are looked up in /proc"
)

_PATIENCE_S = 30.0
_HANG = "any(iter(int, 1))"

# a process that was started with SIGINT ignored, as in the background of a shell, would keep it so
_PYTEST = """
import signal, sys
import pytest

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(pytest.main())
"""


def processes_naming(folder: Path) -> Iterator[int]:
    """Yield the processes whose command line names a path in a folder, as a zygote's does."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            arguments = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if any(os.fsencode(f"{folder}/") in argument for argument in arguments):
            yield int(process.name)


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds, and fail where it does not in time."""
    deadline_s = time.monotonic() + _PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline_s
        time.sleep(0.02)


@pytest.mark.parametrize(
    "hanging",
    [{"candidates": [program(_HANG)]}, {"reference": program(_HANG)}],
    ids=["candidate", "reference"],
)
def test_an_interrupted_run_leaves_nothing_behind(
    pytester: pytest.Pytester, hanging: dict[str, object]
) -> None:
    """Ctrl-C while a program hangs is exit 2; every process and scratch folder is gone."""
    scratch = pytester.mkdir("scratch")
    write_samples(pytester.path / "after.jsonl", problem("quick"), problem("hangs", **hanging))
    printed = pytester.path / "printed"
    arguments = ("--codecollapse-samples=after.jsonl", "--codecollapse-timeout=600", "-v")
    with printed.open("w") as stdout:
        process = subprocess.Popen(
            [sys.executable, "-c", _PYTEST, "-p", "no:cacheprovider", *arguments],
            env={**os.environ, "TMPDIR": str(scratch), "PYTHONUNBUFFERED": "1"},
            stdout=stdout,
            start_new_session=True,
        )
    try:
        wait_until(lambda: "after.jsonl::hangs " in printed.read_text())
        assert list(processes_naming(scratch))
        process.send_signal(signal.SIGINT)
        assert process.wait(_PATIENCE_S) == pytest.ExitCode.INTERRUPTED
    finally:
        process.kill()
        process.wait()
    pytest.LineMatcher(printed.read_text().splitlines()).fnmatch_lines(
        [
            "after.jsonl::quick PASSED *",
            "=* codecollapse =*",
            "no gate was judged: not every test has run",
            "!* KeyboardInterrupt !*",
            "=* 1 passed in *",
        ]
    )
    wait_until(lambda: not list(processes_naming(scratch)))
    assert list(scratch.iterdir()) == []
