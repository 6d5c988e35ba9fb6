from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import pytest

from pytest_codecollapse.stats import chao1

CLASSES = 25
TRIALS = 500


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([5, 3, 2, 1, 1], 5 + Fraction(11, 12) * Fraction(2 * 1, 2 * 2)),
        ([11, 1], Fraction(2)),
        ([12], Fraction(1)),
        ([4, 4, 4], Fraction(3)),
        ([1] * 12, 12 + Fraction(11, 12) * Fraction(12 * 11, 2)),
        ([1], Fraction(1)),
    ],
)
def test_reference_values(sizes: list[int], expected: Fraction) -> None:
    """The estimate has the (n-1)/n factor and the bias-corrected f1 (f1 - 1) / (2 (f2 + 1))."""
    assert chao1(sizes) == expected


def test_none_without_classes() -> None:
    """Without candidates there is no estimate."""
    assert chao1([]) is None


def test_empty_class_is_refused() -> None:
    """A class of size 0 would count as seen, and is refused."""
    with pytest.raises(ValueError, match=r"at least 1 \(got \[2, 0\]\)"):
        chao1([2, 0])


def mean_biases(n: int, rng: random.Random) -> tuple[Fraction, Fraction]:
    """Return the mean error of Chao1 and of the observed richness over the trials."""
    zipf = [1 / rank for rank in range(1, CLASSES + 1)]
    estimated, observed = Fraction(0), 0
    for _ in range(TRIALS):
        sizes = list(Counter(rng.choices(range(CLASSES), weights=zipf, k=n)).values())
        estimate = chao1(sizes)
        assert estimate is not None
        estimated += estimate
        observed += len(sizes)
    return estimated / TRIALS - CLASSES, Fraction(observed, TRIALS) - CLASSES


def test_bias_shrinks_with_n_and_stays_below_that_of_observed_richness() -> None:
    """From 15 to 400 candidates of 25 Zipf-like classes, Chao1 errs ever less, and least."""
    rng = random.Random(0)
    biases = [mean_biases(n, rng) for n in (15, 40, 120, 400)]
    of_chao1 = [abs(estimated) for estimated, _ in biases]
    assert of_chao1[0] > of_chao1[1] > of_chao1[2] > of_chao1[3]
    assert all(abs(estimated) < abs(observed) for estimated, observed in biases)
