"""``codecollapse measure``: one samples file, a row a problem."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pytest_codecollapse.cli.arguments import (
    SAMPLES_HELP,
    add_measure_options,
    add_report_options,
)
from pytest_codecollapse.cli.output import print_measurement, print_unmeasured
from pytest_codecollapse.cli.pages import check_page, write_page
from pytest_codecollapse.cli.progress import progress_on
from pytest_codecollapse.measure import load_report
from pytest_codecollapse.options import settings_from
from pytest_codecollapse.report import render_report, write_atomically
from pytest_codecollapse.sandbox import open_engine


def add_parser(commands: Any) -> None:
    """Add this command to the script."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "measure",
        help="run the candidates of a samples file and show their diversity",
        description="Run the candidates of a samples file and show their diversity, a row a "
        "problem. The candidates' code is executed.",
    )
    parser.add_argument("samples", metavar="SAMPLES", type=Path, help=SAMPLES_HELP)
    add_report_options(parser, "the report")
    add_measure_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measure, show, and write the report where asked to; 2 where a problem was not measured."""
    check_page(options.html)
    settings = settings_from(vars(options))
    with open_engine(vars(options)) as engine:
        report = load_report(options.samples, settings, engine, progress=progress_on(engine))
    print_measurement(report)
    if options.json is not None:
        write_atomically(options.json, render_report(report))
    write_page(options.html, (options.samples, report))
    return 2 if print_unmeasured(report) else 0
