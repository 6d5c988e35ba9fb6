"""Intervals of a mean by resampling: problems, or clusters of them, are drawn again.

The values are exact and so are the ends of the interval: means are compared as integers over one
common denominator. The only floats are the quantile levels of the expanded method.
"""

from __future__ import annotations

import random
import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import ceil, erfc, lcm, sqrt
from operator import itemgetter
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeVar

from pytest_codecollapse.stats.student_t import student_t_critical

Method = Literal["expanded", "percentile"]

#: One resample: given one item per group, returns those of the groups drawn.
Draw = Callable[[Sequence[int]], tuple[int, ...]]

_Value = TypeVar("_Value", int, Fraction)


class Coverage(NamedTuple):
    """Share of simulated checkpoint pairs whose 95% interval holds the true change, by method."""

    percentile: float
    expanded: float


#: Number of problems -> coverage at a nominal 0.95, over 10,000 simulated pairs a row, made by
#: ``python tests/benchmarks/interval_coverage.py --pairs 10000 --seed 0``.
MEASURED_COVERAGE: Mapping[int, Coverage] = MappingProxyType(
    {
        2: Coverage(0.494, 0.494),
        3: Coverage(0.737, 0.737),
        4: Coverage(0.787, 0.861),
        5: Coverage(0.822, 0.907),
        8: Coverage(0.875, 0.931),
        12: Coverage(0.905, 0.941),
        20: Coverage(0.926, 0.944),
        50: Coverage(0.942, 0.951),
        80: Coverage(0.947, 0.949),
        100: Coverage(0.943, 0.947),
    }
)


class Resampler:
    """Draws groups with replacement; the draws for a number of groups are made once.

    Every mean over that many groups is thus resampled by the same draws, so intervals of
    different metrics come from the same resamples, and one more metric costs no drawing.

    Parameters
    ----------
    resamples
        How many resamples, at least 1.
    seed
        Seed of the draws; the same on every platform and Python.

    Raises
    ------
    ValueError
        If resamples is below 1.
    """

    def __init__(self, resamples: int, seed: int) -> None:
        if resamples < 1:
            raise ValueError(f"expected resamples >= 1 (got {resamples})")
        self._resamples = resamples
        self._seed = seed
        self._draws: dict[int, tuple[Draw, ...]] = {}

    def draws(self, group_count: int) -> tuple[Draw, ...]:
        """Return the resamples, made when first asked for.

        Parameters
        ----------
        group_count
            Number of groups, at least 2; as many are drawn each time.
        """
        if group_count not in self._draws:
            rng = random.Random(self._seed)
            indices = range(group_count)
            self._draws[group_count] = tuple(
                itemgetter(*rng.choices(indices, k=group_count)) for _ in range(self._resamples)
            )
        return self._draws[group_count]


def mean_interval(
    groups: Sequence[Sequence[Fraction | float]],
    resampler: Resampler,
    *,
    confidence: Fraction,
    method: Method = "expanded",
) -> tuple[Fraction, Fraction] | None:
    """Return a bootstrap interval of the mean of the values in all groups.

    A resample draws as many groups as there are, with replacement, each with all its values; its
    mean is the sum of the drawn values over their number. The interval is bounded by the
    quantiles of these means at the level of `tail_probability` from either end.

    Parameters
    ----------
    groups
        The values, grouped by the unit that is drawn: a problem's single value, or the values of
        the problems of one cluster. A float is taken for the binary fraction it is.
    resampler
        Makes the draws.
    confidence
        Nominal coverage, in (0, 1).
    method
        ``percentile`` is the plain percentile bootstrap, which is too short for few groups;
        ``expanded`` corrects the levels for that.

    Returns
    -------
    tuple of Fraction, or None
        Lower and upper end, the same where all values are; None below two groups.

    Raises
    ------
    ValueError
        If a group is empty, confidence is not in (0, 1), or the method is unknown.

    Examples
    --------
    >>> values = [[Fraction(-2)], [Fraction(-1)], [Fraction(0)], [Fraction(-1)]]
    >>> mean_interval(values, Resampler(2000, seed=0), confidence=Fraction(95, 100))
    (Fraction(-2, 1), Fraction(0, 1))
    """
    if not all(groups):
        sizes = [len(group) for group in groups]
        raise ValueError(f"expected at least one value a group (got sizes {sizes})")
    if len(groups) < 2:
        return None
    tail = tail_probability(confidence, len(groups), method)
    means, scale = _resampled_means(groups, resampler.draws(len(groups)))
    low, high = tail_quantiles(means, tail)
    return Fraction(low, scale), Fraction(high, scale)


def _resampled_means(
    groups: Sequence[Sequence[Fraction | float]], draws: Sequence[Draw]
) -> tuple[Counter[int], int]:
    """Count the means of the resamples, as numerators over the one denominator returned too."""
    totals = [sum((Fraction(value) for value in group), Fraction(0)) for group in groups]
    total_scale = lcm(*(total.denominator for total in totals))
    scaled_totals = [int(total * total_scale) for total in totals]
    sizes = [len(group) for group in groups]
    counts = [sum(draw(sizes)) for draw in draws]
    count_scale = lcm(*set(counts))
    means = Counter(
        sum(draw(scaled_totals)) * (count_scale // count) for draw, count in zip(draws, counts)
    )
    return means, total_scale * count_scale


def tail_probability(confidence: Fraction, group_count: int, method: Method) -> Fraction:
    """Return the share of resampled means that an interval leaves out at either end.

    α/2 for ``percentile``, with α = 1 − confidence. For ``expanded`` it is Hesterberg's
    small-sample correction [1]_, Φ(−√(m/(m−1)) · t), with m the number of groups and t the
    1 − α/2 quantile of Student's t at m − 1 degrees of freedom: a resampled mean varies too
    little by the factor √((m−1)/m), and its spread is itself an estimate.

    Parameters
    ----------
    confidence
        Nominal coverage, in (0, 1).
    group_count
        Number of groups m, at least 2.
    method
        ``expanded`` or ``percentile``.

    Returns
    -------
    Fraction
        In [0, 1/2).

    Raises
    ------
    ValueError
        If confidence is not in (0, 1), group_count is below 2, or the method is unknown.

    References
    ----------
    .. [1] Hesterberg, T. C. (2015). What teachers should know about the bootstrap: resampling in
       the undergraduate statistics curriculum. The American Statistician 69(4), 371-386.

    Examples
    --------
    >>> round(float(tail_probability(Fraction(95, 100), 8, "expanded")), 6)
    0.005738
    """
    if not 0 < confidence < 1:
        raise ValueError(f"expected 0 < confidence < 1 (got {confidence})")
    if group_count < 2:
        raise ValueError(f"expected group_count >= 2 (got {group_count})")
    if method == "percentile":
        return (1 - confidence) / 2
    if method == "expanded":
        t = student_t_critical(float(confidence), group_count - 1)
        return Fraction(erfc(t * sqrt(group_count / (group_count - 1)) / sqrt(2)) / 2)
    raise ValueError(f"expected method 'expanded' or 'percentile' (got {method!r})")


def tail_quantiles(weights: Mapping[_Value, int], tail: Fraction) -> tuple[_Value, _Value]:
    """Return the values that cut a tail off either end of a discrete distribution.

    Lower: the smallest value v with P(V <= v) >= tail, the inverse of the empirical distribution
    function. Upper: its mirror image, the largest v with P(V >= v) >= tail. So the quantiles of
    −V are those of V, negated and swapped; no value between two observed ones is made up.

    Parameters
    ----------
    weights
        Value -> how often it was observed; not empty.
    tail
        Probability of either tail, in [0, 1/2].

    Returns
    -------
    tuple
        Lower and upper quantile, both among the values.

    Examples
    --------
    >>> tail_quantiles({1: 1, 2: 2, 3: 4, 4: 2, 5: 1}, Fraction(1, 5))
    (2, 4)
    """
    ascending = sorted(weights)
    needed = tail * sum(weights.values())
    return (
        _first_reaching(needed, ascending, weights),
        _first_reaching(needed, ascending[::-1], weights),
    )


def _first_reaching(
    needed: Fraction, ordered: Sequence[_Value], weights: Mapping[_Value, int]
) -> _Value:
    reached = 0
    for value in ordered:
        reached += weights[value]
        if reached >= needed:
            return value
    raise ValueError(f"expected tail <= 1/2 and at least one value (got {len(ordered)} values)")


def problems_needed(
    deltas: Sequence[Fraction | float], margin: Fraction | float, confidence: Fraction
) -> int | None:
    """Return how many problems would give the mean an interval of half-width `margin`.

    ⌈(z·s/margin)²⌉, with s the standard deviation of the deltas and z the normal quantile of
    level (1 + confidence)/2; each problem by itself, not in clusters.

    Parameters
    ----------
    deltas
        One value a problem.
    margin
        Half-width asked for, in the unit of the deltas.
    confidence
        Nominal coverage, in (0, 1).

    Returns
    -------
    int or None
        At least 2, fewer having no interval; None where the deltas do not vary, are fewer than
        two, or the margin is not positive.

    Raises
    ------
    ValueError
        If confidence is not in (0, 1).

    Examples
    --------
    >>> problems_needed([-1.0, 0.0, 1.0], 0.25, Fraction(95, 100))
    62
    """
    if not 0 < confidence < 1:
        raise ValueError(f"expected 0 < confidence < 1 (got {confidence})")
    if len(deltas) < 2 or margin <= 0:
        return None
    variance = statistics.variance([Fraction(delta) for delta in deltas])
    if variance == 0:
        return None
    z = statistics.NormalDist().inv_cdf(float(1 + confidence) / 2)
    return max(2, ceil(variance * Fraction(z) ** 2 / Fraction(margin) ** 2))
