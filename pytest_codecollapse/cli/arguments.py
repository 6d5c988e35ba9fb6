"""Arguments that commands share, made from the one table of options."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Callable

from pytest_codecollapse.options import MEASURE_OPTIONS, READ_OPTIONS, SANDBOX_OPTIONS, Option

SAMPLES_HELP = "samples, a file or a directory, or a report written by --json"


def _reported(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    """Let argparse show what a parser expected."""

    def parse_argument(text: str) -> Any:
        try:
            return parse(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return parse_argument


def add_options(parser: argparse.ArgumentParser, title: str, options: Iterable[Option]) -> None:
    """Add a group of options to a command."""
    group = parser.add_argument_group(title)
    for option in options:
        group.add_argument(
            f"--{option.name}",
            metavar=option.metavar,
            type=_reported(option.parse),
            default=option.default,
            help=option.help if option.default is None else f"{option.help} (%(default)s)",
        )


def add_measure_options(parser: argparse.ArgumentParser) -> None:
    """Add what every command that measures takes."""
    add_options(parser, "reading samples", READ_OPTIONS)
    add_options(parser, "measuring", MEASURE_OPTIONS)
    add_options(parser, "running programs", SANDBOX_OPTIONS)


def add_report_options(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the options that write files."""
    parser.add_argument("--json", metavar="PATH", type=Path, help=f"write {what} to a file")
    parser.add_argument(
        "--html",
        metavar="PATH",
        type=Path,
        help="write one page with charts and code to a file; needs pytest-codecollapse[html]",
    )
    parser.add_argument(
        "--markdown",
        metavar="PATH",
        type=Path,
        help="write verdicts, metrics and what changed most to a file, as GitHub shows them",
    )
