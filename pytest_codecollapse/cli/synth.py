"""``codecollapse synth``: write a samples file whose classes are known."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pytest_codecollapse.cli.arguments import add_options
from pytest_codecollapse.options import SYNTH_OPTIONS
from pytest_codecollapse.report import write_atomically
from pytest_codecollapse.synth import make_corpus, render


def add_parser(commands: Any) -> None:
    """Add this command to the script."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "synth",
        help="write a samples file with planted classes, to try things on",
        description="Write candidates for four problems: rewrites of the reference, which do the "
        "same, and planted mutations, which do not; with labels that say which is which.",
    )
    parser.add_argument(
        "-o", "--output", metavar="PATH", type=Path, required=True, help="the file to write"
    )
    add_options(parser, "planting", SYNTH_OPTIONS)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the corpus."""
    corpus = make_corpus(
        candidates=options.candidates, collapse=options.collapse, seed=options.seed
    )
    write_atomically(options.output, "".join(f"{render(line)}\n" for line in corpus))
    count = sum(len(line["candidates"]) for line in corpus)
    print(f"{options.output}: {len(corpus)} problems, {count} candidates")
    return 0
