"""Means over problems as curves over the number of draws k, and over the number of inputs m."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Callable, NamedTuple, Optional, Union

from pytest_codecollapse.model import CompareSettings, ProblemReport
from pytest_codecollapse.stats import (
    Resampler,
    expected_distinct,
    mean_defined,
    mean_interval,
    naive_pass_at_k,
    pass_at_k_exact,
)

_EVERY_K_UP_TO = 20
_POINTS_BEYOND = 12

Statistic = Callable[[ProblemReport, int], Union[Fraction, float, None]]


class Point(NamedTuple):
    """A mean over problems at k draws, or after k inputs; no interval under two problems."""

    k: int
    value: float
    interval: Optional[tuple[float, float]] = None


class Mean(NamedTuple):
    """A mean over problems, and its interval; none under two problems."""

    value: Union[Fraction, float]
    interval: Optional[tuple[Fraction, Fraction]]


def distinct_behaviours(problem: ProblemReport, k: int) -> Optional[Fraction]:
    """E[D_k] of a problem, from its class sizes."""
    return expected_distinct([len(each.members) for each in problem.partition.classes], k)


def passing(problem: ProblemReport, k: int) -> Optional[Fraction]:
    """pass@k of a problem, unbiased."""
    return pass_at_k_exact(problem.n, problem.correct, k)


def naive_passing(problem: ProblemReport, k: int) -> float:
    """pass@k of a problem by the biased shortcut."""
    return naive_pass_at_k(problem.n, problem.correct, k)


def draws_shown(problems: Iterable[ProblemReport], asked: Iterable[int]) -> tuple[int, ...]:
    """Return the k of a curve: every one up to 20, then some; no more than any problem has.

    An interval at each of hundreds of k would take minutes, and nobody could tell the curve from
    the one through these.
    """
    most = min((problem.n for problem in problems), default=0)
    dense = range(1, min(most, _EVERY_K_UP_TO) + 1)
    ratio = max(most / _EVERY_K_UP_TO, 1.0)
    sparse = (
        round(_EVERY_K_UP_TO * ratio ** (step / _POINTS_BEYOND))
        for step in range(1, _POINTS_BEYOND + 1)
    )
    return tuple(sorted({k for k in (*dense, *sparse, *asked) if 1 <= k <= most}))


def mean_curve(
    problems: Sequence[ProblemReport],
    statistic: Statistic,
    ks: Iterable[int],
    settings: Optional[CompareSettings] = None,
) -> tuple[Point, ...]:
    """Return the mean of a statistic over problems at each k, with a bootstrap interval.

    Parameters
    ----------
    problems
        Each with at least max(ks) candidates.
    statistic
        Of a problem and a k.
    ks
        Numbers of draws.
    settings
        How intervals are made, by resampling problems or whole clusters of them; none where None.
    """
    points = []
    means = exact_means(problems, statistic, ks, settings)
    for k, (mean, interval) in means.items():
        ends = None if interval is None else (float(interval[0]), float(interval[1]))
        points.append(Point(k, float(mean), ends))
    return tuple(points)


def exact_means(
    problems: Sequence[ProblemReport],
    statistic: Statistic,
    ks: Iterable[int],
    settings: Optional[CompareSettings] = None,
) -> dict[int, Mean]:
    """Return the mean of a statistic over problems by k, exact; see ``mean_curve``."""
    resampler = None if settings is None else Resampler(settings.resamples, settings.seed)
    means = {}
    for k in ks:
        values = [statistic(problem, k) for problem in problems]
        mean = mean_defined(values)
        if mean is None:
            continue
        interval = None
        if settings is not None and resampler is not None:
            interval = mean_interval(
                _groups(problems, values),
                resampler,
                confidence=settings.confidence,
                method=settings.interval,
            )
        means[k] = Mean(mean, interval)
    return means


def _groups(
    problems: Sequence[ProblemReport], values: Sequence[Union[Fraction, float, None]]
) -> list[list[Union[Fraction, float]]]:
    """Group values by what is drawn: a cluster, or a problem that is in none."""
    groups: dict[tuple[bool, str], list[Union[Fraction, float]]] = {}
    for problem, value in zip(problems, values):
        unit = problem.problem_id if problem.cluster is None else problem.cluster
        if value is not None:
            groups.setdefault((problem.cluster is None, unit), []).append(value)
    return list(groups.values())


def stability(problem: ProblemReport) -> tuple[Point, ...]:
    """Return the share of a problem's behaviours that the first m inputs tell apart, for each m."""
    curve = problem.partition.stability_curve
    return tuple(Point(m, classes / curve[-1]) for m, classes in enumerate(curve, 1))


def mean_stability(problems: Sequence[ProblemReport]) -> tuple[Point, ...]:
    """Return the mean of the stability curves; one that has ended stays at 1."""
    curves = [curve for problem in problems if (curve := stability(problem))]
    longest = max(map(len, curves), default=0)
    return tuple(
        Point(m + 1, sum(curve[min(m, len(curve) - 1)].value for curve in curves) / len(curves))
        for m in range(longest)
    )
