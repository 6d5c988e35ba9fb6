from __future__ import annotations

from fractions import Fraction

import pytest

from pytest_codecollapse.stats import expected_distinct


@pytest.mark.parametrize(
    ("sizes", "at_2", "at_5", "at_10"),
    [
        ([5, 3, 2, 1, 1], Fraction(59, 33), Fraction(293, 88), Fraction(307, 66)),
        ([11, 1], Fraction(7, 6), Fraction(17, 12), Fraction(11, 6)),
        ([12], Fraction(1), Fraction(1), Fraction(1)),
        ([4, 4, 4], Fraction(19, 11), Fraction(92, 33), Fraction(3)),
        ([1] * 12, Fraction(2), Fraction(5), Fraction(10)),
    ],
)
def test_reference_values(
    sizes: list[int], at_2: Fraction, at_5: Fraction, at_10: Fraction
) -> None:
    """E[D_2], E[D_5] and E[D_10] are those of subset enumeration and of R's vegan and iNEXT."""
    assert [expected_distinct(sizes, k) for k in (2, 5, 10)] == [at_2, at_5, at_10]


def test_incorrect_classes_are_drawn_from_all_candidates() -> None:
    """E[W_2] of 5 correct and classes [3, 2, 1, 1] is E[D_2] - pass@2 = 59/33 - 15/22 = 73/66."""
    assert expected_distinct([3, 2, 1, 1], 2, n=12) == Fraction(73, 66)


def test_no_incorrect_class_is_a_zero() -> None:
    """Where every candidate is correct no wrong behaviour is expected, which is a value."""
    assert expected_distinct([], 5, n=12) == 0


@pytest.mark.parametrize(("sizes", "k", "n"), [([], 1, None), ([3, 1], 5, None), ([3, 1], 13, 12)])
def test_none_outside_its_domain(sizes: list[int], k: int, n: int | None) -> None:
    """Without candidates, or with fewer than k, there is no value."""
    assert expected_distinct(sizes, k, n=n) is None


@pytest.mark.parametrize(
    ("sizes", "k", "n", "message"),
    [
        ([3, 0], 1, None, r"at least 1 \(got \[3, 0\]\)"),
        ([3, 1], 0, None, r"k >= 1 \(got k=0\)"),
        ([3, 1], 1, 3, r"\(got n=3, sizes=\[3, 1\]\)"),
    ],
)
def test_impossible_arguments_are_refused(
    sizes: list[int], k: int, n: int | None, message: str
) -> None:
    """An empty class, k = 0 and classes larger than n are refused with the numbers got."""
    with pytest.raises(ValueError, match=message):
        expected_distinct(sizes, k, n=n)
