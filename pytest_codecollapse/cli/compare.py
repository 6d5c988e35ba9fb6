"""``codecollapse compare``: two samples files or reports, a row a metric, and gates."""

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
from pytest_codecollapse.cli.output import print_doubts, print_unmeasured, screen_of
from pytest_codecollapse.cli.pages import check_page, write_page
from pytest_codecollapse.cli.progress import progress_on
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
from pytest_codecollapse.samples import is_saved_report
from pytest_codecollapse.sandbox import open_engine


def add_parser(commands: Any) -> None:
    """Add this command to the script."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "compare",
        help="compare two checkpoints, problem by problem, and judge gates",
        description="Compare two checkpoints: the mean change of every metric over paired "
        "problems, with its interval. The candidates' code is executed, unless a report stands in "
        "for it.",
    )
    parser.add_argument("before", metavar="BEFORE", type=Path, help=SAMPLES_HELP)
    parser.add_argument("after", metavar="AFTER", type=Path, help="likewise")
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
    add_options(parser, "comparing", (*COMPARE_OPTIONS, *POLICY_OPTIONS))
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Compare, judge and show; 1 where a gate failed, 2 where a problem was not measured."""
    check_page(options.html)
    rules = [parse_rule(text) for text in options.rules]
    settings = settings_from(vars(options), rule_ks(rules))
    with open_engine(vars(options)) as engine:
        progress = progress_on(engine)
        check_file(options.after)  # a mistake in it must not cost the measurement of the other
        before, after = (
            load_report(path, settings, engine, progress=progress)
            for path in (options.before, options.after)
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
    write_page(options.html, (options.after, after), (options.before, baseline), verdicts)
    if print_unmeasured(before, after):
        return 2
    failed = fails_as_stale(comparison, policy) or any(verdict.failed for verdict in verdicts)
    return 1 if failed else 0
