from __future__ import annotations

from fractions import Fraction

import pytest

from pytest_codecollapse.stats import adjusted_rand_index


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("aabb", "xxyy", Fraction(1)),
        ("aabb", "xxyz", Fraction(4, 7)),
        ("aabb", "xyxy", Fraction(-1, 2)),
        ("aaabbb", "xxyyzz", Fraction(8, 33)),
        ("aabb", "xxxx", Fraction(0)),
        ("aabb", "wxyz", Fraction(0)),
        ("aaaa", "wxyz", Fraction(0)),
    ],
)
def test_known_values(a: str, b: str, expected: Fraction) -> None:
    """Full, partial, worse than chance and no agreement have their known values."""
    assert adjusted_rand_index(a, b) == expected


@pytest.mark.parametrize(("a", "b"), [("aaaa", "xxxx"), ("abcd", "wxyz"), ("a", "x")])
def test_one_where_the_formula_is_zero_over_zero(a: str, b: str) -> None:
    """Two groupings that are both one class, or both all singletons, agree fully."""
    assert adjusted_rand_index(a, b) == 1


def test_labels_may_be_of_any_hashable_type() -> None:
    """Ground-truth strings are compared with class numbers."""
    assert adjusted_rand_index(["ok", "ok", "off-by-one"], [0, 0, 1]) == 1


def test_none_without_candidates() -> None:
    """Without candidates there is no agreement."""
    assert adjusted_rand_index([], []) is None


def test_unequal_lengths_are_refused() -> None:
    """Groupings of different numbers of candidates are refused with both numbers."""
    with pytest.raises(ValueError, match=r"\(got 3 and 2\)"):
        adjusted_rand_index("aab", "xy")
