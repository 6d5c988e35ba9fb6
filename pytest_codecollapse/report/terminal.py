"""Report, Comparison, Verdicts -> what a person reads on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Optional

from pytest_codecollapse.gate import exact_text, format_interval, format_number, plural
from pytest_codecollapse.model import (
    Comparison,
    MetricDelta,
    Number,
    ProblemReport,
    Report,
    Verdict,
)
from pytest_codecollapse.report.reasons import main_cause
from pytest_codecollapse.report.text import (
    Column,
    Screen,
    fits_on,
    printable,
    styled,
    table,
    wrapped,
)

_STATUS_STYLES = {
    "pass": "green",
    "skipped": "yellow",
    "inconclusive": "yellow",
    "fail": "bold red",
    "stale": "bold red",
}


def measurement_table(
    report: Report, screen: Screen, problem_ids: Optional[Iterable[str]] = None
) -> str:
    """Show a row a problem and the means under them.

    Parameters
    ----------
    report
        The measurement.
    screen
        What it is shown on.
    problem_ids
        The problems to show, all where None; the means are over all in any case.
    """
    shown = None if problem_ids is None else set(problem_ids)
    rows = [each for each in report.problems if shown is None or each.problem_id in shown]
    names = Column("problem", [printable(each.problem_id) for each in rows], "MEAN")
    columns = list(_measurement_columns(report, rows))
    why = Column("main cause", [main_cause(each) for each in rows])
    differ = len({cause for each in rows for cause in each.causes}) > 1  # else the line below does
    if differ and fits_on(names, columns, why, screen):
        columns.append(why)
    lines = [table(names, columns, screen)]
    unanswered = [each for each in report.problems if each.left_out]
    if unanswered:
        counts = (f"{printable(each.problem_id)} {len(each.left_out)}" for each in unanswered)
        note = f"inputs left out, as the reference does not answer them: {', '.join(counts)}"
        lines.append(wrapped(note, screen))
    if report.ari is not None:
        lines.append(f"adjusted Rand index against the labels: {_fixed(report.ari)}")
    return "\n".join(lines)


def _measurement_columns(report: Report, rows: Sequence[ProblemReport]) -> Iterable[Column]:
    def statistic(title: str, name: str, decimals: int = 3) -> Column:
        return Column(
            title,
            [_fixed(each.statistics[name], decimals) for each in rows],
            _fixed(report.mean[name], decimals),
        )

    yield Column("n", [str(each.n) for each in rows])
    yield Column("correct", [str(each.correct) for each in rows])
    yield statistic("behav", "hill_q0", 0)
    yield statistic("AST", "distinct_ast", 0)
    yield statistic("mask", "masking_ratio", 2)
    for kind in ("pass@{}", "E[D_{}]"):
        for k in report.settings.k:
            yield statistic(kind.format(k), kind.format(k))
    yield statistic("Hill1", "hill_q1", 2)
    yield statistic("Hill2", "hill_q2", 2)
    yield statistic("Chao1", "chao1", 1)
    yield Column("stable@", [_stable_at(each) for each in rows])
    yield statistic("nondet", "nondeterministic", 0)


def _stable_at(problem: ProblemReport) -> str:
    return f"{problem.statistics['stable_at']}/{len(problem.partition.stability_curve)}"


def _fixed(value: Number, decimals: int = 3) -> str:
    """Write a statistic with a fixed number of decimals; a mean of counts keeps one."""
    if value is None:
        return "-"
    if decimals == 0 and value != int(value):
        decimals = 1
    return f"{float(value):.{decimals}f}"


def unmeasured_lines(report: Report, screen: Screen) -> str:
    """Say which problems could not be measured, and why."""
    if not report.unmeasured:
        return ""
    total = len(report.problems) + len(report.unmeasured)
    head = f"{plural(len(report.unmeasured), 'problem')} of {total} could not be measured:"
    lines = [wrapped(printable(each.message), screen, "  ") for each in report.unmeasured]
    return "\n".join([head, *lines])


def comparison_table(comparison: Comparison, screen: Screen) -> str:
    """Show a row a metric, and what the intervals rest on."""
    rows = comparison.metrics
    names = Column("metric", [row.metric for row in rows])
    columns = [
        Column("before", [format_number(row.before) for row in rows]),
        Column("after", [format_number(row.after) for row in rows]),
        Column("delta", [format_number(row.delta) for row in rows]),
        Column(
            f"{exact_text(100 * comparison.settings.confidence)}% interval",
            [format_interval(row.interval) for row in rows],
        ),
        Column("", [_star(row) for row in rows]),
    ]
    paired = plural(len(comparison.paired), "paired problem")
    resamples = plural(comparison.settings.resamples, "resample")
    note = f"{paired}, {resamples} ({comparison.settings.interval}); * the interval excludes zero"
    lines = [table(names, columns, screen), "", wrapped(note, screen)]
    if comparison.caution is not None:
        lines.append(wrapped(comparison.caution, screen))
    return "\n".join(lines)


def environment_line(comparison: Comparison, screen: Screen) -> str:
    """Say where the baseline was measured differently from now; empty where it was not."""
    changes = ", ".join(map(printable, comparison.environment))
    return wrapped(f"the baseline was measured elsewhere: {changes}", screen) if changes else ""


def _star(row: MetricDelta) -> str:
    if row.interval is None:
        return ""
    lower, upper = row.interval
    return "*" if lower > 0 or upper < 0 else ""


def verdict_lines(verdicts: Iterable[Verdict], screen: Screen, *, with_details: bool = True) -> str:
    """Show a line a gate, and the details of those that did not pass."""
    lines: list[str] = []
    for verdict in verdicts:
        head = f"{verdict.status.upper()} {printable(verdict.summary)}"
        lines.extend(
            styled(line, _STATUS_STYLES[verdict.status], screen)
            for line in wrapped(head, screen).splitlines()
        )
        if with_details:
            # not wrapped: a command among them must survive being copied
            lines.extend(f"  {printable(detail)}" for detail in verdict.details)
    return "\n".join(lines)
