"""What a command prints: results on standard output, faults on standard error."""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console

from pytest_codecollapse.model import Report
from pytest_codecollapse.report import (
    Screen,
    extraction_warning,
    measurement_table,
    printable,
    reason_lines,
    unmeasured_lines,
    wrapped,
)

_WIDTH_OF_A_FILE = 160


def screen_of(stderr: bool = False) -> Screen:
    """Return the width and colours of a stream; a file or a pipe takes the usual columns whole."""
    console = Console(stderr=stderr)
    width = console.width if console.file.isatty() else _WIDTH_OF_A_FILE
    return Screen(width, console.color_system is not None)


def print_measurement(report: Report) -> None:
    """Print the table, under what puts it in doubt and above why candidates fail."""
    screen = screen_of()
    doubt = extraction_warning(report)
    parts = [wrapped(doubt, screen)] if doubt else []
    parts += [measurement_table(report, screen), reason_lines(report, screen)]
    print("\n".join(part for part in parts if part))


def print_doubts(*named: tuple[Path, Report]) -> None:
    """Print what puts measurements in doubt, to stand above how they compare."""
    for path, report in named:
        doubt = extraction_warning(report)
        if doubt:
            print(wrapped(f"{printable(str(path))}: {doubt}", screen_of()))


def print_unmeasured(*reports: Report) -> bool:
    """Print which problems could not be measured; whether there are any."""
    screen = screen_of(stderr=True)
    faults = [lines for report in reports if (lines := unmeasured_lines(report, screen))]
    for lines in faults:
        print(lines, file=sys.stderr)
    return bool(faults)
