"""The script's entry point: the commands, and what each way of ending is to the shell."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from typing import Optional

from pytest_codecollapse import __version__
from pytest_codecollapse.cli import compare, convert, measure, synth
from pytest_codecollapse.errors import CodecollapseError

EXIT_USAGE = 2
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141


def make_parser() -> argparse.ArgumentParser:
    """Make the parser of the script and its commands."""
    parser = argparse.ArgumentParser(
        prog="codecollapse",
        description="Measure how many truly different programs a code model samples.",
        epilog="exit status: 0 all is well, 1 a gate failed, 2 malformed input or usage, "
        "130 interrupted",
    )
    parser.add_argument("--version", action="version", version=f"codecollapse {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in (measure, compare, convert, synth):
        command.add_parser(commands)
    return parser


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run the script.

    Parameters
    ----------
    arguments
        The command line without the program's name; that of the process where None.

    Returns
    -------
    int
        The exit status: 0, 1 (a gate failed), 2 (malformed input or usage), 130 (interrupted) or
        141 (nobody reads the output).
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # its encoding may not have a table's lines
    options = make_parser().parse_args(arguments)
    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except CodecollapseError as error:
        print(f"codecollapse: error: {error}", file=sys.stderr)
        return EXIT_USAGE
    except KeyboardInterrupt:
        print("codecollapse: interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:  # as with "| head"; what is left to flush at exit must not fail again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_BROKEN_PIPE
    return status
