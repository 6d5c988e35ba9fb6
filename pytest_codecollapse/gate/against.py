"""``METRIC must [not] drop|rise [by AMOUNT]``: judging a report against its baseline."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, Optional, Union

import msgspec

from pytest_codecollapse.gate.baseline import (
    describe_allowed,
    describe_staleness,
    is_stale,
    staleness_details,
)
from pytest_codecollapse.gate.changes import describe_change, moved_most
from pytest_codecollapse.gate.compare import Pair, compared_pairs, paired_deltas
from pytest_codecollapse.gate.difference import describe_difference
from pytest_codecollapse.gate.format import format_interval, format_number, percent_text, plural
from pytest_codecollapse.gate.metrics import metric_k, undefined_reason
from pytest_codecollapse.gate.rules import CompareRule
from pytest_codecollapse.model import Comparison, MetricDelta, Report, Staleness, Verdict
from pytest_codecollapse.stats import problems_needed

_MOST_DIFFERENCES = 3  # problems whose classes are listed


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """What the user asked for where a change cannot plainly be judged.

    ``stale="intersect"`` judges the problems that are still comparable. ``accept_command`` is
    the command that makes the current report the baseline; it is printed with a failure.
    ``no_baseline`` says why there is none yet, where rules that need one are to be skipped.
    ``against`` is what verdicts call the other side; a control is not one to be updated.
    """

    stale: Literal["fail", "intersect"] = "fail"
    inconclusive: Literal["fail", "skip"] = "fail"
    accept_command: Optional[str] = None
    no_baseline: Optional[str] = None
    against: Literal["baseline", "control"] = "baseline"


class Baseline(msgspec.Struct, frozen=True, kw_only=True):
    """The baseline's report, and the comparison of the current report with it."""

    report: Report
    comparison: Comparison


def fails_as_stale(comparison: Comparison, policy: Policy) -> bool:
    """Whether reports are not to be compared: they are stale, and nothing is left or wanted.

    Reports whose settings differ have no comparable problem, whatever the policy.
    """
    stale = comparison.staleness
    if not comparison.paired and stale.allowed:  # all may be gone, but then nothing is judged
        return True
    nothing_left = bool(stale.settings) or not comparison.paired
    return is_stale(stale) and (policy.stale == "fail" or nothing_left)


def judge_change(rule: CompareRule, after: Report, baseline: Baseline, policy: Policy) -> Verdict:
    """Judge how far a metric's mean moved against the baseline.

    Without a margin the rule fails where the interval of the delta lies wholly beyond zero.
    With one it passes where the whole interval is inside the margin, its edge included, fails
    where it is wholly beyond, and is inconclusive else. A rule that asks for the move, ``must
    rise``, passes where the interval lies wholly beyond zero or the margin, fails where it does
    not reach beyond, and is inconclusive else.

    Parameters
    ----------
    rule
        The rule.
    after
        The current report.
    baseline
        The report that it is held against, and their comparison.
    policy
        What becomes of stale and inconclusive verdicts.

    Returns
    -------
    Verdict
        Of a failure ``problem_ids`` are the problems that moved furthest the wrong way.
    """
    comparison = baseline.comparison
    if fails_as_stale(comparison, policy):
        return _stale_verdict(rule, comparison.staleness, policy)
    row = next((row for row in comparison.metrics if row.metric == rule.metric), None)
    if row is None or row.delta is None:
        return _undefined_verdict(rule, row, after, baseline, policy)
    return _verdict(rule, row, after, baseline, policy)


def _verdict(
    rule: CompareRule, row: MetricDelta, after: Report, baseline: Baseline, policy: Policy
) -> Verdict:
    threshold = threshold_of(rule, row)
    status = _status(rule, row.interval, threshold)
    summary = (
        f"{rule}: {_moved(row, threshold)} {_finding(rule, row, threshold, status)}"
        f"{_scope(row, baseline.comparison)}{_improved(rule, row, policy)}"
    )
    if status == "pass":
        return Verdict(rule=str(rule), status="pass", summary=summary)
    pairs = compared_pairs(baseline.report, after, baseline.comparison)
    worst = moved_most(pairs, rule.metric, rule.feared)
    skipped = status == "inconclusive" and policy.inconclusive == "skip"
    return Verdict(
        rule=str(rule),
        status="skipped" if skipped else status,
        summary=summary,
        details=(
            *_evidence(rule, row, threshold, baseline.comparison, policy),
            *_split(row, baseline.comparison),
            *_worst(rule, worst),
            *(_needed(row, threshold, pairs, baseline) if status == "inconclusive" else ()),
            *_accept(rule, policy),
        ),
        problem_ids=tuple(new.problem_id for _, new in worst),
    )


def threshold_of(rule: CompareRule, row: MetricDelta) -> Fraction:
    """Return the delta that the rule is about going beyond; negative where that is a drop."""
    if rule.margin is None:
        return Fraction(0)
    allowed = rule.margin.amount
    if rule.margin.percent:
        allowed *= Fraction(row.before or 0) / 100
    return -allowed if rule.direction == "drop" else allowed


def _status(
    rule: CompareRule, interval: Optional[tuple[Fraction, Fraction]], threshold: Fraction
) -> Literal["pass", "fail", "inconclusive"]:
    if interval is None:
        return "inconclusive"
    lower, upper = interval
    drop = rule.direction == "drop"
    if upper < threshold if drop else lower > threshold:  # wholly beyond
        return "pass" if rule.wanted else "fail"
    if lower >= threshold if drop else upper <= threshold:  # wholly within
        return "fail" if rule.wanted else "pass"
    return "pass" if rule.margin is None and not rule.wanted else "inconclusive"


def _moved(row: MetricDelta, threshold: Fraction) -> str:
    interval = "" if row.interval is None else f" {format_interval(row.interval, beside=threshold)}"
    return (
        f"{format_number(row.before)} -> {format_number(row.after)},"
        f" delta {format_number(row.delta, beside=threshold)}{interval}"
    )


def _finding(rule: CompareRule, row: MetricDelta, threshold: Fraction, status: str) -> str:
    if row.interval is None:
        return f"has no interval: {'one problem' if row.pairs == 1 else 'one cluster'} only"
    side = "below" if rule.direction == "drop" else "above"
    edge = format_number(threshold)
    if status == ("pass" if rule.wanted else "fail"):
        return f"lies {side} {edge}"
    if status == "inconclusive":
        touches = rule.wanted and threshold in row.interval  # and lies beyond it elsewhere
        return f"touches {edge}" if touches else f"lies on both sides of {edge}"
    if rule.wanted:
        return f"does not reach {side} {edge}"
    if rule.margin is None:
        return f"does not lie {side} {edge}"
    return f"does not reach {side} {edge}"


def _scope(row: MetricDelta, comparison: Comparison) -> str:
    """Say what a verdict leaves out: problems without the metric, and stale ones."""
    paired = len(comparison.paired)
    part = "" if row.pairs == paired else f" ({row.pairs} of {plural(paired, 'problem')})"
    left_out = describe_staleness(comparison.staleness)
    allowed = describe_allowed(comparison.staleness)
    return (
        f"{part}{f'; left out: {left_out}' if left_out else ''}"
        f"{f'; as allowed: {allowed}' if allowed else ''}"
    )


def _improved(rule: CompareRule, row: MetricDelta, policy: Policy) -> str:
    """Say so where the change lies wholly on the good side: the old baseline guards less.

    Not for a change that is asked for: against a new baseline it would have to come once more.
    """
    if row.interval is None or rule.wanted or policy.against == "control":
        return ""
    lower, upper = row.interval
    good = lower > 0 if rule.direction == "drop" else upper < 0
    return "; improved: consider updating the baseline" if good else ""


def _evidence(
    rule: CompareRule,
    row: MetricDelta,
    threshold: Fraction,
    comparison: Comparison,
    policy: Policy,
) -> tuple[str, ...]:
    settings = comparison.settings
    percent = rule.margin is not None and rule.margin.percent
    of_baseline = f" ({rule.margin} of the {policy.against})" if percent else ""
    now = "now" if policy.against == "baseline" else "arm"
    return (
        f"{rule.metric} over {plural(row.pairs, 'problem')}:"
        f" {policy.against} {format_number(row.before)},"
        f" {now} {format_number(row.after)}, delta {format_number(row.delta, beside=threshold)}",
        f"{percent_text(settings.confidence)} interval"
        f" {format_interval(row.interval, beside=threshold)} ({settings.interval},"
        f" {plural(settings.resamples, 'resample')}), threshold {format_number(threshold)}"
        f"{of_baseline}",
    )


def _split(row: MetricDelta, comparison: Comparison) -> tuple[str, ...]:
    """Split a delta of E[D_k] into those of pass@k and E[W_k], where that is exact."""
    k = metric_k(row.metric)
    rows = {each.metric: each for each in comparison.metrics}
    right, wrong = rows.get(f"pass@{k}"), rows.get(f"E[W_{k}]")
    if row.metric != f"E[D_{k}]" or right is None or wrong is None:
        return ()
    if right.delta is None or wrong.delta is None or right.delta + wrong.delta != row.delta:
        return ()
    often = _by_sign(right.delta, "less often", "as often", "more often")
    many = _by_sign(wrong.delta, "fewer", "as many", "more")
    return (
        f"delta {format_number(row.delta)}"
        f" = pass@{k} {format_number(right.delta)} ({often} right)"
        f" + E[W_{k}] {format_number(wrong.delta)} ({many} wrong ideas)",
    )


def _by_sign(delta: Union[Fraction, float], negative: str, zero: str, positive: str) -> str:
    return zero if delta == 0 else positive if delta > 0 else negative


def _worst(rule: CompareRule, worst: Sequence[Pair]) -> tuple[str, ...]:
    if not worst:
        return ()
    lines = [f"{'dropped' if rule.feared == 'drop' else 'rose'} most:"]
    for place, (old, new) in enumerate(worst):
        lines.append(f"  {describe_change(old, new, rule.metric)}")
        if place < _MOST_DIFFERENCES:
            lines += [f"    {line}" for line in describe_difference(old, new)]
    return tuple(lines)


def _needed(
    row: MetricDelta, threshold: Fraction, pairs: Sequence[Pair], baseline: Baseline
) -> tuple[str, ...]:
    """Say how many problems would bring the interval clear of the threshold."""
    deltas = tuple(paired_deltas(pairs, row.metric).values())
    distance = abs(Fraction(row.delta or 0) - threshold)
    needed = problems_needed(deltas, distance, baseline.comparison.settings.confidence)
    if needed is None or needed <= len(deltas):
        return ()
    return (
        f"about {needed} problems would settle it, were the delta to stay"
        f" {format_number(row.delta, beside=threshold)}",
    )


def _stale_verdict(rule: CompareRule, stale: Staleness, policy: Policy) -> Verdict:
    return Verdict(
        rule=str(rule),
        status="stale",
        summary=f"{rule}: not comparable: {describe_staleness(stale) or describe_allowed(stale)}",
        details=(*staleness_details(stale), *(_accept(rule, policy) or _intersect(stale))),
        problem_ids=tuple(
            sorted([*stale.changed, *stale.gone, *stale.unmeasured, *stale.new, *stale.fewer])
        ),
    )


def _undefined_verdict(
    rule: CompareRule,
    row: Optional[MetricDelta],
    after: Report,
    baseline: Baseline,
    policy: Policy,
) -> Verdict:
    if row is None:
        held = any(rule.metric in problem.statistics for problem in after.problems)
        why = f"not measured in the {policy.against if held else 'current report'}"
    else:
        count = plural(len(baseline.comparison.paired), "problem")
        why = f"not defined on both sides of any of {count}: {undefined_reason(rule.metric)}"
    return Verdict(rule=str(rule), status="fail", summary=f"{rule}: {why}")


def _accept(rule: CompareRule, policy: Policy) -> tuple[str, ...]:
    """Say how to make the change the baseline; no rise that is asked for comes of that."""
    if policy.accept_command is None or rule.wanted:
        return ()
    return (f"to accept the change: {policy.accept_command}",)


def _intersect(stale: Staleness) -> tuple[str, ...]:
    """Say how to compare the problems that are left, where there are any."""
    if stale.settings or not stale.paired:
        return ()
    return (f"stale=intersect compares what is left: {plural(stale.paired, 'problem')}",)
