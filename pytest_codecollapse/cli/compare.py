"""``codecollapse compare``: two samples files or reports, a row a metric, and gates.

With ``--arms`` it is ``arms`` that compares, a control with several others.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Optional, Union

from pytest_codecollapse.cli.arguments import (
    SAMPLES_HELP,
    add_measure_options,
    add_options,
    add_report_options,
)
from pytest_codecollapse.cli.arms import run_arms
from pytest_codecollapse.cli.output import print_doubts, print_unmeasured, screen_of
from pytest_codecollapse.cli.pages import Pages, check_pages, write_pages
from pytest_codecollapse.cli.progress import progress_on
from pytest_codecollapse.cli.reading import samples_files
from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.gate import (
    Baseline,
    Policy,
    compare,
    describe_allowed,
    describe_staleness,
    fails_as_stale,
    is_stale,
    judge,
    parse_rule,
    rule_ks,
)
from pytest_codecollapse.measure import check_file, load_report
from pytest_codecollapse.options import (
    ALLOW_REMOVED_HELP,
    ARMS_OPTIONS,
    COMPARE_OPTIONS,
    POLICY_OPTIONS,
    accept_command,
    compare_settings_from,
    settings_from,
)
from pytest_codecollapse.report import (
    comparison_table,
    environment_line,
    printable,
    render_comparison,
    verdict_lines,
    wrapped,
    write_atomically,
)
from pytest_codecollapse.samples import SamplesFiles, is_saved_report
from pytest_codecollapse.sandbox import open_engine

_USAGE = """codecollapse compare [-h] [options] BEFORE AFTER
       codecollapse compare [-h] [options] --arms CONTROL ARM [ARM ...]"""


def add_parser(commands: Any) -> None:
    """Add this command to the script."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "compare",
        usage=_USAGE,
        help="compare two checkpoints, problem by problem, and judge gates",
        description="Compare two checkpoints: the mean change of every metric over paired "
        "problems, with its interval. With --arms, compare interventions with a plain retry. The "
        "candidates' code is executed, unless a report stands in for it.",
    )
    two_sides = (
        parser.add_argument("before", metavar="BEFORE", type=Path, help=SAMPLES_HELP),
        parser.add_argument("after", metavar="AFTER", type=Path, help="likewise"),
    )
    parser.add_argument(
        "--arms",
        metavar=("CONTROL", "ARM"),
        action=_in_place_of(*two_sides),
        type=Path,
        nargs="+",
        help="in place of BEFORE and AFTER: a control, which is a plain retry, and one or more "
        "interventions, each judged by 'pass@1 must rise' unless --gate names a rule",
    )
    parser.add_argument(
        "--gate",
        metavar="RULE",
        action="append",
        default=[],
        dest="rules",
        help="a rule such as 'E[D_5] must not drop by 5%%' (repeatable); exit 1 where one fails",
    )
    parser.add_argument(
        "--allow-removed", metavar="ID", action="append", default=[], help=ALLOW_REMOVED_HELP
    )
    add_report_options(parser, "the comparison and the verdicts")
    add_measure_options(parser)
    add_options(parser, "comparing", (*COMPARE_OPTIONS, *POLICY_OPTIONS, *ARMS_OPTIONS))
    parser.set_defaults(run=run)


def _in_place_of(*others: argparse.Action) -> type[argparse.Action]:
    """Make an action that collects values; where there are any, others need not be given."""

    class Collect(argparse.Action):
        def __call__(
            self,
            parser: argparse.ArgumentParser,
            namespace: argparse.Namespace,
            values: Union[str, Sequence[Any], None],
            option_string: Optional[str] = None,
        ) -> None:
            setattr(namespace, self.dest, [*(getattr(namespace, self.dest) or ()), *(values or ())])
            for other in others:
                other.required = False

    return Collect


def run(options: argparse.Namespace) -> int:
    """Compare, judge and show; 1 where a gate failed, 2 where a problem was not measured."""
    if options.arms is None and options.correction is not None:
        raise UsageError("--correction is for --arms", remedy="leave it out")
    pages = Pages(options.html, options.markdown)
    if options.arms is None:
        check_pages(pages)
    with samples_files(vars(options)) as files:
        return _run(options, files, pages) if options.arms is None else run_arms(options, files)


def _run(options: argparse.Namespace, files: SamplesFiles, pages: Pages) -> int:
    rules = [parse_rule(text) for text in options.rules]
    settings = settings_from(vars(options), rule_ks(rules))
    with open_engine(vars(options)) as engine:
        progress = progress_on(engine)
        sides = (options.before, options.after)
        for path in sides:  # a mistake in one must not cost the measurement of the other
            check_file(path, files.open)
        before, after = (
            load_report(path, settings, engine, progress=progress, open_with=files.open)
            for path in sides
        )
    comparison = compare(before, after, compare_settings_from(vars(options)))
    policy = Policy(
        stale=options.stale,
        inconclusive=options.inconclusive,
        accept_command=accept_command(
            options.after,
            options.before,
            is_report=is_saved_report(options.before),
            values=vars(options),
        ),
    )
    baseline = Baseline(report=before, comparison=comparison)
    verdicts = judge(rules, after, baseline=baseline, policy=policy)
    screen = screen_of()
    print_doubts((options.before, before), (options.after, after))
    print(comparison_table(comparison, screen))
    if elsewhere := environment_line(comparison, screen):
        print(elsewhere)
    stale = comparison.staleness
    if is_stale(stale) and not any(verdict.status == "stale" for verdict in verdicts):
        print(wrapped(f"not comparable: {printable(describe_staleness(stale))}", screen))
    if allowed := describe_allowed(stale):
        print(wrapped(f"as allowed: {allowed}", screen))
    if verdicts:
        print()
        print(verdict_lines(verdicts, screen))
    if options.json is not None:
        write_atomically(options.json, render_comparison(comparison, verdicts))
    write_pages(pages, files, (options.after, after), (options.before, baseline), verdicts)
    if print_unmeasured(before, after):
        return 2
    failed = fails_as_stale(comparison, policy) or any(verdict.failed for verdict in verdicts)
    return 1 if failed else 0
