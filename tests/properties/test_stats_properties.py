from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codecollapse.stats import (
    Resampler,
    adjusted_rand_index,
    chao1,
    expected_distinct,
    hill_number,
    mean_interval,
    naive_pass_at_k,
    pass_at_k,
    pass_at_k_exact,
)
from pytest_codecollapse.stats.intervals import Method, tail_quantiles

class_sizes = st.lists(st.integers(1, 40), min_size=1, max_size=12)
labels = st.lists(st.integers(0, 5), min_size=1, max_size=30)
deltas = st.lists(st.fractions(-3, 3, max_denominator=24), min_size=2, max_size=10)
methods: st.SearchStrategy[Method] = st.sampled_from(["expanded", "percentile"])
CONFIDENCE = Fraction(9, 10)


@st.composite
def counts(draw: st.DrawFn, max_n: int = 400) -> tuple[int, int, int]:
    """Draw n, c and k with c, k <= n."""
    n = draw(st.integers(1, max_n))
    return n, draw(st.integers(0, n)), draw(st.integers(1, n))


@st.composite
def pairs_of_labels(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Draw two groupings of the same candidates."""
    a = draw(labels)
    return a, draw(st.lists(st.integers(0, 5), min_size=len(a), max_size=len(a)))


def distinct(sizes: list[int], k: int) -> Fraction:
    """Return E[D_k], which must be defined."""
    value = expected_distinct(sizes, k)
    assert value is not None
    return value


@given(counts())
def test_float_pass_at_k_is_the_exact_one(numbers: tuple[int, int, int]) -> None:
    """The product form differs from the exact value by rounding only."""
    exact = pass_at_k_exact(*numbers)
    assert exact is not None
    assert pass_at_k(*numbers) == pytest.approx(float(exact), abs=1e-12)


@given(counts())
def test_pass_at_k_is_a_probability_not_below_the_shortcut(numbers: tuple[int, int, int]) -> None:
    """0 <= naive <= pass@k <= 1, and both ends are met by c = 0 and c = n."""
    n, c, k = numbers
    assert 0 <= naive_pass_at_k(n, c, k) <= pass_at_k(n, c, k) + 1e-12 <= 1 + 1e-12
    assert pass_at_k_exact(n, 0, k) == 0
    assert pass_at_k_exact(n, n, k) == 1


@given(counts(max_n=60))
def test_pass_at_k_rises_with_k_and_c(numbers: tuple[int, int, int]) -> None:
    """Another draw, or another correct candidate, never lowers pass@k."""
    n, c, k = numbers
    value = pass_at_k_exact(n, c, k)
    assert value is not None
    if k < n:
        more_draws = pass_at_k_exact(n, c, k + 1)
        assert more_draws is not None
        assert value <= more_draws
    if c < n:
        more_correct = pass_at_k_exact(n, c + 1, k)
        assert more_correct is not None
        assert value <= more_correct


@given(class_sizes)
def test_distinct_rises_with_k_by_ever_less(sizes: list[int]) -> None:
    """E[D_k] goes from 1 to the number of classes, a further draw adding no more than the last."""
    curve = [distinct(sizes, k) for k in range(1, sum(sizes) + 1)]
    steps = [later - earlier for earlier, later in zip(curve, curve[1:])]
    assert curve[0] == 1
    assert curve[-1] == len(sizes)
    assert all(step >= 0 for step in steps)
    assert steps == sorted(steps, reverse=True)


@given(class_sizes, st.data())
def test_distinct_is_within_its_bounds(sizes: list[int], data: st.DataObject) -> None:
    """1 <= E[D_k] <= min(k, number of classes)."""
    k = data.draw(st.integers(1, sum(sizes)))
    assert 1 <= distinct(sizes, k) <= min(k, len(sizes))


@given(class_sizes, st.randoms(use_true_random=False))
def test_order_of_classes_does_not_matter(sizes: list[int], rng: random.Random) -> None:
    """Every statistic over class sizes is the same for them in another order, to the last bit."""
    shuffled = rng.sample(sizes, len(sizes))
    k = (sum(sizes) + 1) // 2
    assert expected_distinct(sizes, k) == expected_distinct(shuffled, k)
    assert chao1(sizes) == chao1(shuffled)
    for q in (0, 1, 2):
        assert hill_number(sizes, q) == hill_number(shuffled, q)


@given(class_sizes)
def test_merging_two_classes_never_adds_variety(sizes: list[int]) -> None:
    """With two classes made one, E[D_k] and the Hill numbers of every order are not higher."""
    if len(sizes) < 2:
        return
    merged = [sizes[0] + sizes[1], *sizes[2:]]
    k = (sum(sizes) + 1) // 2
    assert distinct(merged, k) <= distinct(sizes, k)
    for q in (0, 1, 2):
        before, after = hill_number(sizes, q), hill_number(merged, q)
        assert before is not None
        assert after is not None
        assert after < before


@given(class_sizes, st.integers(0, 12), st.data())
def test_distinct_splits_into_pass_at_k_and_distinct_wrong(
    wrong: list[int], correct: int, data: st.DataObject
) -> None:
    """E[D_k] = pass@k + E[W_k] exactly, where the correct candidates are one class."""
    n = sum(wrong) + correct
    k = data.draw(st.integers(1, n))
    passed, wrong_distinct = pass_at_k_exact(n, correct, k), expected_distinct(wrong, k, n=n)
    assert passed is not None
    assert wrong_distinct is not None
    sizes = [correct, *wrong] if correct else wrong
    assert distinct(sizes, k) == passed + wrong_distinct


@given(class_sizes)
def test_hill_numbers_fall_with_the_order(sizes: list[int]) -> None:
    """S = q0 >= q1 >= q2 >= 1, all equal exactly where the classes are equally large."""
    q0, q1, q2 = (hill_number(sizes, q) for q in (0, 1, 2))
    assert q0 is not None
    assert q1 is not None
    assert q2 is not None
    assert len(sizes) == q0
    assert q0 >= q1 >= q2 >= 1
    assert (q0 == q1 == q2) == (len(set(sizes)) == 1)


@given(class_sizes)
def test_chao1_is_not_below_the_classes_seen(sizes: list[int]) -> None:
    """Chao1 adds to the observed classes, and nothing where at most one is a singleton."""
    estimate = chao1(sizes)
    assert estimate is not None
    assert (estimate == len(sizes)) == (Counter(sizes)[1] <= 1)
    assert estimate >= len(sizes)


@given(pairs_of_labels())
def test_agreement_is_symmetric_and_at_most_1(pair: tuple[list[int], list[int]]) -> None:
    """The adjusted Rand index is the same either way round, and at most 1."""
    a, b = pair
    index = adjusted_rand_index(a, b)
    assert index is not None
    assert index == adjusted_rand_index(b, a)
    assert index <= 1


@given(labels, st.permutations(range(6)))
def test_agreement_with_relabelled_self_is_1(a: list[int], names: list[int]) -> None:
    """Renaming the classes changes nothing: the index is exactly 1."""
    assert adjusted_rand_index(a, [names[label] for label in a]) == 1


@given(pairs_of_labels())
def test_agreement_is_1_only_for_the_same_grouping(pair: tuple[list[int], list[int]]) -> None:
    """An index of 1 says that one grouping is a relabelling of the other."""
    a, b = pair
    same = len(set(zip(a, b))) == len(set(a)) == len(set(b))
    assert (adjusted_rand_index(a, b) == 1) == same


@given(deltas, methods)
def test_interval_is_within_the_values(values: list[Fraction], method: Method) -> None:
    """Both ends of the interval lie between the smallest and the largest value."""
    interval = mean_interval(
        [[value] for value in values], Resampler(40, 0), confidence=CONFIDENCE, method=method
    )
    assert interval is not None
    assert min(values) <= interval[0] <= interval[1] <= max(values)


@given(deltas, st.fractions(-5, 5, max_denominator=7), methods)
def test_interval_moves_with_the_values(
    values: list[Fraction], shift: Fraction, method: Method
) -> None:
    """A shift of all values shifts the interval; a change of sign mirrors it."""
    resampler = Resampler(40, 0)
    low, high = mean_interval(
        [[value] for value in values], resampler, confidence=CONFIDENCE, method=method
    ) or (None, None)
    assert low is not None
    assert high is not None
    moved = [[shift - value] for value in values]
    mirrored = mean_interval(moved, resampler, confidence=CONFIDENCE, method=method)
    assert mirrored == (shift - high, shift - low)


@given(deltas, methods)
def test_equal_clusters_count_like_their_means(values: list[Fraction], method: Method) -> None:
    """Clusters of the same size give the interval of their means, drawn alone."""
    resampler = Resampler(40, 0)
    clusters = [[value - 1, value + 1] for value in values]
    alone = [[value] for value in values]
    assert mean_interval(
        clusters, resampler, confidence=CONFIDENCE, method=method
    ) == mean_interval(alone, resampler, confidence=CONFIDENCE, method=method)


@given(
    st.dictionaries(st.integers(-9, 9), st.integers(1, 9), min_size=1),
    st.fractions(0, Fraction(1, 2), max_denominator=40),
)
def test_tail_quantiles_are_those_of_the_sorted_values(
    weights: dict[int, int], tail: Fraction
) -> None:
    """They are the value at rank ceil(tail * total) of the values in order, from either end."""
    values = sorted(Counter(weights).elements())
    rank = max(1, -(-tail.numerator * len(values) // tail.denominator))
    assert tail_quantiles(weights, tail) == (values[rank - 1], values[-rank])
