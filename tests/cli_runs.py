"""Running the script as a user would: in this process, or in one of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from pytest_codecollapse.cli import main

#: Variables of the environment that change how rich writes.
_STYLING = ("COLUMNS", "FORCE_COLOR", "LINES", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")

#: What is said of where programs run: a line, and where they are not confined others.
RUNG = (
    r"codecollapse: isolation \w+, python [0-9.]+, jobs [0-9]+\n"
    r"(codecollapse: (warning: programs|isolation \w+ is not) .*\n(    .*\n)*)*"
)

COMMAND = (sys.executable, "-m", "pytest_codecollapse")


class Ran(NamedTuple):
    """How a run of the script ended, and what it wrote."""

    status: int
    out: str
    err: str


def run_main(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Ran:
    """Run the script in this process."""
    capsys.readouterr()
    with pytest.MonkeyPatch.context() as patch:
        for name in _STYLING:
            patch.delenv(name, raising=False)
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as end:
            status = int(end.code or 0)
    return Ran(status, *capsys.readouterr())


def after_the_rung(ran: Ran) -> Ran:
    """Return a run that measured without what it said on standard error of where programs run."""
    said = re.match(RUNG, ran.err)
    assert said is not None
    return ran._replace(err=ran.err[said.end() :])


def environment(**variables: str) -> dict[str, str]:
    """Return this process's environment with nothing that styles output, and these variables."""
    kept = {name: value for name, value in os.environ.items() if name not in _STYLING}
    return {**kept, **variables}


def run_process(*arguments: str | Path, **variables: str) -> Ran:
    """Run the script in a process of its own, its output going to pipes."""
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment(**variables),
        timeout=60,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)
