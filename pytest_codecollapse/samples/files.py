"""The samples of one run: each opened once, however many stages read in it, and closed together."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Callable, Optional

from pytest_codecollapse.errors import UsageError, Where
from pytest_codecollapse.options import PROBLEM_PACKAGES
from pytest_codecollapse.samples.benchmarks.installed import installed_benchmark
from pytest_codecollapse.samples.closing import Closing
from pytest_codecollapse.samples.reader import SamplesFile


class SamplesFiles(Closing):
    """Opens samples when they are first asked for, and keeps them open.

    Parameters
    ----------
    open_one
        Opens a file or a directory.
    """

    def __init__(self, open_one: Callable[[Path], SamplesFile]) -> None:
        self._open_one = open_one
        self._opened: dict[Path, SamplesFile] = {}

    def open(self, path: Path) -> SamplesFile:
        """Return the samples at a path, for use until all are closed.

        Raises
        ------
        SamplesError
            Where they cannot be read, or are not what their format asks for.
        """
        key = real_path(path)
        if key not in self._opened:
            self._opened[key] = self._open_one(path)
        return self._opened[key]

    @property
    def opened(self) -> tuple[SamplesFile, ...]:
        """What was opened up to now, in that order."""
        return tuple(self._opened.values())

    def close(self) -> None:
        """Close every file."""
        for samples in self._opened.values():
            samples.close()


def check_problems(problems: Optional[str]) -> None:
    """Find out before anything is read whether the problems that were named are there.

    Raises
    ------
    UsageError
        Where there is no such file, or the package is not installed.
    """
    if problems is None or installed_benchmark(problems) or is_there(Path(problems)):
        return
    names = " or ".join(PROBLEM_PACKAGES)
    raise UsageError(
        f"there are no such problems (got no file, expected one, or the name {names})",
        where=Where(problems),
        remedy="check the path",
    )


def real_path(path: Path) -> Path:
    """Return a path without links; a loop of links, for which ``resolve`` raises, as it is."""
    return Path(os.path.realpath(path))


def is_there(path: Path) -> bool:
    """Whether there is anything at a path, be it no path that could be."""
    try:
        return path.exists()
    except OSError:  # a name that is too long, in Python before 3.12
        return False
