from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from pytest_codecollapse.stats import expected_distinct, pass_at_k_exact

STRUCTURES = 8
CORRECT = 0


def random_classes(n: int, rng: random.Random) -> list[int]:
    """Return the class of each of n candidates; class 0, which may be empty, is the correct one."""
    return rng.choices(range(rng.randint(1, n + 1)), k=n)


def enumerate_draws(classes: Sequence[int], k: int) -> tuple[Fraction, Fraction, Fraction]:
    """Return the means over all k-subsets of: a correct one drawn, distinct, distinct wrong."""
    passed = distinct = wrong = 0
    for drawn in map(set, combinations(classes, k)):
        passed += CORRECT in drawn
        distinct += len(drawn)
        wrong += len(drawn - {CORRECT})
    subsets = comb(len(classes), k)
    return Fraction(passed, subsets), Fraction(distinct, subsets), Fraction(wrong, subsets)


@pytest.mark.parametrize("n", range(1, 13))
def test_equal_to_enumeration_of_every_subset(n: int) -> None:
    """For every k up to n, pass@k, E[D_k] and E[W_k] equal the enumeration, and add up."""
    rng = random.Random(n)
    for _ in range(STRUCTURES):
        classes = random_classes(n, rng)
        sizes = Counter(classes)
        wrong_sizes = [size for label, size in sizes.items() if label != CORRECT]
        for k in range(1, n + 1):
            pass_at_k, distinct, wrong = enumerate_draws(classes, k)
            assert pass_at_k_exact(n, sizes[CORRECT], k) == pass_at_k
            assert expected_distinct(list(sizes.values()), k) == distinct
            assert expected_distinct(wrong_sizes, k, n=n) == wrong
            assert distinct == pass_at_k + wrong
