from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, prod

import pytest

from pytest_codecollapse.stats import (
    Resampler,
    expected_distinct,
    mean_interval,
    problems_needed,
)
from pytest_codecollapse.stats.intervals import Method, tail_probability, tail_quantiles

CONFIDENCE = Fraction(95, 100)

#: The worked check of the design: class sizes of 8 problems, before and after.
BEFORE = [
    [5, 3, 2, 1, 1],
    [4, 4, 4],
    [11, 1],
    [12],
    [6, 2, 2, 1, 1],
    [2] * 6,
    [1] * 12,
    [4, 4, 4],
]
AFTER = [
    [11, 1],
    [4, 4, 4],
    [12],
    [12],
    [11, 1],
    [5, 3, 2, 1, 1],
    [6, 2, 2, 1, 1],
    [12],
]


def worked_deltas() -> list[Fraction]:
    """Return the change of E[D_5] on each problem of the worked check."""
    deltas = []
    for before, after in zip(BEFORE, AFTER):
        distinct_before, distinct_after = expected_distinct(before, 5), expected_distinct(after, 5)
        assert distinct_before is not None
        assert distinct_after is not None
        deltas.append(distinct_after - distinct_before)
    return deltas


def alone(values: list[Fraction]) -> list[list[Fraction]]:
    """Return each value as a group of its own."""
    return [[value] for value in values]


def all_resampled_means(values: list[Fraction]) -> Counter[Fraction]:
    """Return every mean of m draws out of m values, and how many of the m^m resamples have it."""
    m = len(values)
    means: Counter[Fraction] = Counter()
    for drawn in combinations_with_replacement(range(m), m):
        orders = factorial(m) // prod(factorial(times) for times in Counter(drawn).values())
        means[sum((values[i] for i in drawn), Fraction(0)) / m] += orders
    return means


def test_worked_check_over_all_resamples() -> None:
    """Over all 8^8 resamples the plain 95% interval of the mean -1117/1056 is the design's."""
    deltas = worked_deltas()
    means = all_resampled_means(deltas)
    assert sum(deltas) / 8 == Fraction(-1117, 1056)
    assert sum(means.values()) == 8**8
    tail = tail_probability(CONFIDENCE, 8, "percentile")
    assert tail_quantiles(means, tail) == (Fraction(-563, 352), Fraction(-265, 528))


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("percentile", (Fraction(-1137, 704), Fraction(-545, 1056))),
        ("expanded", (Fraction(-1193, 704), Fraction(-261, 704))),
    ],
)
def test_seeded_interval_is_the_same_everywhere(
    method: Method, expected: tuple[Fraction, Fraction]
) -> None:
    """2000 resamples under seed 0 give these very fractions on every platform and Python."""
    interval = mean_interval(
        alone(worked_deltas()), Resampler(2000, seed=0), confidence=CONFIDENCE, method=method
    )
    assert interval == expected


def test_expanded_is_the_default() -> None:
    """Without a method the interval is the expanded one, which holds the plain one."""
    groups, resampler = alone(worked_deltas()), Resampler(2000, seed=0)
    default = mean_interval(groups, resampler, confidence=CONFIDENCE)
    expanded = mean_interval(groups, resampler, confidence=CONFIDENCE, method="expanded")
    plain = mean_interval(groups, resampler, confidence=CONFIDENCE, method="percentile")
    assert default == expanded
    assert expanded is not None
    assert plain is not None
    assert expanded[0] < plain[0] < plain[1] < expanded[1]


def test_seed_decides_the_resamples() -> None:
    """Another seed draws other resamples, so 50 of them give another interval."""
    groups = alone(worked_deltas())
    intervals = {
        mean_interval(groups, Resampler(50, seed), confidence=CONFIDENCE, method="percentile")
        for seed in range(5)
    }
    assert len(intervals) > 1


def test_order_of_use_does_not_change_the_draws() -> None:
    """A resampler used before, on another number of groups, gives the interval of a new one."""
    groups = alone(worked_deltas())
    used = Resampler(200, seed=3)
    mean_interval(groups[:5], used, confidence=CONFIDENCE)
    assert mean_interval(groups, used, confidence=CONFIDENCE) == mean_interval(
        groups, Resampler(200, seed=3), confidence=CONFIDENCE
    )


@pytest.mark.parametrize("method", ["expanded", "percentile"])
def test_constant_delta_has_a_degenerate_interval(method: Method) -> None:
    """Where every problem changed alike, both ends are that change."""
    interval = mean_interval(
        [[Fraction(-1, 3)]] * 4, Resampler(100, seed=0), confidence=CONFIDENCE, method=method
    )
    assert interval == (Fraction(-1, 3), Fraction(-1, 3))


@pytest.mark.parametrize("groups", [[], [[Fraction(1), Fraction(2)]]])
def test_none_below_two_groups(groups: list[list[Fraction]]) -> None:
    """No problem, one problem and one cluster of problems have no interval."""
    assert mean_interval(groups, Resampler(100, seed=0), confidence=CONFIDENCE) is None


def test_clusters_are_drawn_whole() -> None:
    """Groups [1, 3] and [5] have the resampled means 2, 3 and 5: sum over number of values."""
    groups = [[Fraction(1), Fraction(3)], [Fraction(5)]]
    interval = mean_interval(
        groups, Resampler(400, seed=0), confidence=CONFIDENCE, method="percentile"
    )
    assert interval == (Fraction(2), Fraction(5))
    narrow = mean_interval(
        groups, Resampler(400, seed=0), confidence=Fraction(2, 5), method="percentile"
    )
    assert narrow == (Fraction(3), Fraction(3))


def test_floats_are_taken_exactly() -> None:
    """A float among the values is the binary fraction that it is, so nothing is rounded."""
    interval = mean_interval([[0.1], [0.1]], Resampler(10, seed=0), confidence=CONFIDENCE)
    assert interval == (Fraction(0.1), Fraction(0.1))


@pytest.mark.parametrize(
    ("group_count", "expected"),
    [(5, 0.000954), (8, 0.005738), (10, 0.008551), (20, 0.015881), (100, 0.023064)],
)
def test_expanded_tails(group_count: int, expected: float) -> None:
    """The corrected level rises with the number of groups towards the nominal 0.025."""
    tail = tail_probability(CONFIDENCE, group_count, "expanded")
    assert float(tail) == pytest.approx(expected, abs=5e-7)


def test_percentile_tail_is_exact() -> None:
    """The plain level is half of what the confidence leaves, whatever the number of groups."""
    assert tail_probability(CONFIDENCE, 2, "percentile") == Fraction(1, 40)


def test_vanishing_tail_keeps_every_mean() -> None:
    """At two groups and a confidence of nearly 1 the expanded level is 0: the whole range."""
    confidence = 1 - Fraction(1, 10**6)
    assert tail_probability(confidence, 2, "expanded") == 0
    groups = [[Fraction(0)], [Fraction(1)]]
    interval = mean_interval(groups, Resampler(50, seed=0), confidence=confidence)
    assert interval == (Fraction(0), Fraction(1))


@pytest.mark.parametrize(
    ("tail", "expected"),
    [
        (Fraction(0), (1, 5)),
        (Fraction(1, 10), (1, 5)),
        (Fraction(11, 100), (2, 4)),
        (Fraction(3, 10), (2, 4)),
        (Fraction(1, 2), (3, 3)),
    ],
)
def test_tail_quantiles_invert_the_distribution_function(
    tail: Fraction, expected: tuple[int, int]
) -> None:
    """Each end is the first value, from its own side, at which the tail's mass is reached."""
    assert tail_quantiles({3: 4, 1: 1, 5: 1, 2: 2, 4: 2}, tail) == expected


def test_tail_quantiles_of_nothing_are_refused() -> None:
    """A distribution without a value has no quantiles."""
    weights: dict[int, int] = {}
    with pytest.raises(ValueError, match="at least one value"):
        tail_quantiles(weights, Fraction(1, 40))


@pytest.mark.parametrize(
    ("deltas", "margin", "expected"),
    [
        ([-1, 0, 1], Fraction(1, 4), 62),
        ([-1, 0, 1], Fraction(1, 2), 16),
        ([-1.0, 0.0, 1.0], 0.25, 62),
        ([-1, 0, 1], 100, 2),
        ([1, 1, 1], Fraction(1, 4), None),
        ([1], Fraction(1, 4), None),
        ([-1, 0, 1], 0, None),
        ([-1, 0, 1], -1, None),
    ],
)
def test_problems_needed(
    deltas: list[Fraction | float], margin: Fraction | float, expected: int | None
) -> None:
    """With s = 1 and z = 1.96 it is (1.96 / margin)^2 rounded up; None without spread or margin."""
    assert problems_needed(deltas, margin, CONFIDENCE) == expected


@pytest.mark.parametrize("confidence", [Fraction(0), Fraction(1), Fraction(95)])
def test_confidence_outside_0_to_1_is_refused(confidence: Fraction) -> None:
    """Intervals and sample sizes refuse a confidence that is no probability."""
    message = rf"0 < confidence < 1 \(got {confidence}\)"
    with pytest.raises(ValueError, match=message):
        mean_interval([[0.0], [1.0]], Resampler(10, seed=0), confidence=confidence)
    with pytest.raises(ValueError, match=message):
        problems_needed([0.0, 1.0], 0.5, confidence)


def test_other_faults_are_refused() -> None:
    """An empty group, no resamples, one group and an unknown method are refused by number."""
    resampler = Resampler(10, seed=0)
    with pytest.raises(ValueError, match=r"one value a group \(got sizes \[1, 0\]\)"):
        mean_interval([[0.0], []], resampler, confidence=CONFIDENCE)
    with pytest.raises(ValueError, match=r"resamples >= 1 \(got 0\)"):
        Resampler(0, seed=0)
    with pytest.raises(ValueError, match=r"group_count >= 2 \(got 1\)"):
        tail_probability(CONFIDENCE, 1, "expanded")
    with pytest.raises(ValueError, match=r"'percentile' \(got 'bca'\)"):
        tail_probability(CONFIDENCE, 8, "bca")  # type: ignore[arg-type]
