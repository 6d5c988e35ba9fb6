"""How a command opens samples, and what it says of them on standard error."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_codecollapse.cli.output import screen_of
from pytest_codecollapse.report import reading_lines, wrapped
from pytest_codecollapse.samples import SamplesFile, SamplesFiles, check_problems, open_samples


def samples_files(values: Mapping[str, Any]) -> SamplesFiles:
    """Make the samples of a run from parsed values by key; what is recognised is said once.

    Raises
    ------
    UsageError
        Where the problems that were named are not there.
    """
    check_problems(values["problems"])

    def open_one(path: Path) -> SamplesFile:
        samples = open_samples(path, problems=values["problems"], extract=values["extract"])
        say(*reading_lines(str(path), samples))
        return samples

    return SamplesFiles(open_one)


def say(*lines: str) -> None:
    """Write lines to standard error, where they do not mix with results."""
    for line in lines:
        print(wrapped(f"codecollapse: {line}", screen_of(stderr=True)), file=sys.stderr)
