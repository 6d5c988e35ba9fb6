"""Two reports -> the mean change of every metric over paired problems, with its interval."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Optional

import msgspec

from pytest_codecollapse.gate.baseline import environment_changes, staleness
from pytest_codecollapse.gate.format import format_number, plural
from pytest_codecollapse.model import (
    CompareSettings,
    Comparison,
    MetricDelta,
    ProblemReport,
    Report,
    Staleness,
)
from pytest_codecollapse.stats import (
    MEASURED_COVERAGE,
    Resampler,
    mean_defined,
    mean_interval,
    problems_needed,
)

#: One problem measured twice: in the baseline, and now.
Pair = tuple[ProblemReport, ProblemReport]

_FEW_PROBLEMS = 20
_HEADLINE = "E[D_5]"


def compare(
    before: Report, after: Report, settings: CompareSettings, *, headline: str = _HEADLINE
) -> Comparison:
    """Compare a report with its baseline.

    Problems are paired by ``problem_id`` where their identities are equal. Per metric the
    result is the mean of the per-problem deltas, after − before, over the pairs that define the
    metric on both sides, and a bootstrap interval that draws pairs, or whole clusters of them
    where the current report has clusters.

    Parameters
    ----------
    before, after
        The baseline and the current report.
    settings
        How the intervals are made, and what may be missing.
    headline
        The metric that a caution takes for its example.

    Returns
    -------
    Comparison
        A row for each metric that both reports hold, in the current report's order. Reports that
        are stale to one another are compared all the same, over the pairs that are left.
    """
    stale = staleness(before, after, settings.allow_removed)
    pairs = _comparable(pair_problems(before, after), stale)
    resampler = Resampler(settings.resamples, settings.seed)
    held = {name for problem in before.problems for name in problem.statistics}
    names = dict.fromkeys(name for problem in after.problems for name in problem.statistics)
    rows = tuple(_row(name, pairs, settings, resampler) for name in names if name in held)
    return Comparison(
        settings=settings,
        paired=tuple(problem.problem_id for _, problem in pairs),
        metrics=rows,
        staleness=stale,
        caution=_caution(pairs, settings, headline),
        environment=environment_changes(before.environment, after.environment),
    )


def without_new(before: Report, after: Report) -> Report:
    """Return the current report without the problems that the baseline lacks."""
    known = {problem.problem_id for problem in before.problems}
    problems = tuple(each for each in after.problems if each.problem_id in known)
    return msgspec.structs.replace(after, problems=problems)


def pair_problems(before: Report, after: Report) -> tuple[Pair, ...]:
    """Pair the problems of equal id and identity, sorted by id.

    The order of the files does not matter, so neither does it to the resamples.
    """
    old = {problem.problem_id: problem for problem in before.problems}
    pairs = [
        (old[problem.problem_id], problem)
        for problem in after.problems
        if problem.problem_id in old
        and old[problem.problem_id].identity.whole == problem.identity.whole
    ]
    return tuple(sorted(pairs, key=lambda pair: pair[1].problem_id))


def compared_pairs(before: Report, after: Report, comparison: Comparison) -> tuple[Pair, ...]:
    """Return the pairs that a comparison of these reports is over."""
    return _comparable(pair_problems(before, after), comparison.staleness)


def _comparable(pairs: Iterable[Pair], stale: Staleness) -> tuple[Pair, ...]:
    """Leave out pairs of which one side lacks what the other has."""
    left_out = {*stale.fewer, *stale.allowed}
    return tuple(pair for pair in pairs if pair[1].problem_id not in left_out)


def paired_deltas(pairs: Iterable[Pair], metric: str) -> dict[str, Fraction]:
    """Return each problem's delta, after − before, where both sides define the metric.

    Parameters
    ----------
    pairs
        Paired problems.
    metric
        Canonical name of a metric.

    Returns
    -------
    dict
        Problem id -> delta, in the order of the pairs. A float counts as the binary fraction
        that it is.
    """
    deltas = {}
    for old, new in pairs:
        before, after = old.statistics.get(metric), new.statistics.get(metric)
        if before is not None and after is not None:
            deltas[new.problem_id] = Fraction(after) - Fraction(before)
    return deltas


def _row(
    metric: str, pairs: Sequence[Pair], settings: CompareSettings, resampler: Resampler
) -> MetricDelta:
    deltas = paired_deltas(pairs, metric)
    defined = [pair for pair in pairs if pair[1].problem_id in deltas]
    befores = [old.statistics[metric] for old, _ in defined]
    afters = [new.statistics[metric] for _, new in defined]
    irrational = any(isinstance(value, float) for value in befores + afters)
    delta = mean_defined(deltas.values())
    return MetricDelta(
        metric=metric,
        pairs=len(deltas),
        before=mean_defined(befores),
        after=mean_defined(afters),
        delta=float(delta) if irrational and delta is not None else delta,
        interval=mean_interval(
            _groups(defined, deltas),
            resampler,
            confidence=settings.confidence,
            method=settings.interval,
        ),
    )


def _groups(pairs: Iterable[Pair], deltas: Mapping[str, Fraction]) -> list[list[Fraction]]:
    """Group deltas by what is drawn: a cluster, or a problem that is in none."""
    groups: dict[tuple[bool, str], list[Fraction]] = {}
    for _, new in pairs:
        unit = new.problem_id if new.cluster is None else new.cluster
        groups.setdefault((new.cluster is None, unit), []).append(deltas[new.problem_id])
    return list(groups.values())


def _caution(pairs: Sequence[Pair], settings: CompareSettings, headline: str) -> Optional[str]:
    clusters = {new.cluster for _, new in pairs if new.cluster is not None}
    count = len(clusters) + sum(new.cluster is None for _, new in pairs)
    if count >= _FEW_PROBLEMS:
        return None
    units = plural(count, "cluster" if clusters else "problem")
    if count < 2:
        return f"{units} to compare: there is no interval under 2, so no verdict on a change"
    return f"only {units}: {_coverage(count, settings)}{_needed(pairs, settings, headline)}"


def _coverage(count: int, settings: CompareSettings) -> str:
    measured_at = max(size for size in MEASURED_COVERAGE if size <= count)
    coverage = MEASURED_COVERAGE[measured_at]
    covered = coverage.expanded if settings.interval == "expanded" else coverage.percentile
    return (
        f"an interval of nominal 95% ({settings.interval}) covers the true change {covered:.0%}"
        f" of the time, as measured at {measured_at}"
    )


def _needed(pairs: Sequence[Pair], settings: CompareSettings, headline: str) -> str:
    """Say how many problems would tell the change that was seen from none."""
    deltas = tuple(paired_deltas(pairs, headline).values())
    if not deltas:
        return ""
    delta = sum(deltas, Fraction(0)) / len(deltas)
    needed = problems_needed(deltas, abs(delta), settings.confidence)
    if needed is None or needed <= len(deltas):
        return ""
    return (
        f"; about {needed} problems would tell a mean {headline} delta of"
        f" {format_number(delta)} from 0"
    )
