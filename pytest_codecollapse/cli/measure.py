"""``codecollapse measure``: one samples file, a row a problem."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pytest_codecollapse.cli.arguments import (
    SAMPLES_HELP,
    add_measure_options,
    add_options,
    add_report_options,
)
from pytest_codecollapse.cli.output import print_measurement, print_unmeasured, screen_of
from pytest_codecollapse.cli.pages import Pages, check_pages, write_pages
from pytest_codecollapse.cli.progress import progress_on
from pytest_codecollapse.cli.reading import samples_files
from pytest_codecollapse.measure import load_report
from pytest_codecollapse.options import COMPARE_OPTIONS, compare_settings_from, settings_from
from pytest_codecollapse.report import (
    curve_object,
    curve_table,
    pass_curve,
    render_report,
    write_atomically,
)
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
    parser.add_argument(
        "--curve",
        action="store_true",
        help="show pass@k over k, unbiased with its interval and naive, and E[D_k]; in --json, too",
    )
    add_report_options(parser, "the report")
    add_measure_options(parser)
    add_options(parser, "intervals of --curve and --html", COMPARE_OPTIONS)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measure, show, and write the report where asked to; 2 where a problem was not measured."""
    pages = Pages(options.html, options.markdown)
    check_pages(pages)
    settings = settings_from(vars(options))
    intervals, screen, added = compare_settings_from(vars(options)), screen_of(), {}
    with samples_files(vars(options)) as files:
        with open_engine(vars(options)) as engine:
            progress = progress_on(engine)
            report = load_report(
                options.samples, settings, engine, progress=progress, open_with=files.open
            )
        print_measurement(report)
        if options.curve:
            points = pass_curve(report, intervals)
            print(f"\n{curve_table(points, report, intervals, screen)}")
            added["curve"] = curve_object(points, intervals)
        if options.json is not None:
            write_atomically(options.json, render_report(report, added=added))
        write_pages(pages, files, (options.samples, report), intervals=intervals)
    return 2 if print_unmeasured(report) else 0
