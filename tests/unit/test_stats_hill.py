from __future__ import annotations

import decimal
from fractions import Fraction

import pytest

from pytest_codecollapse.stats import hill_number


@pytest.mark.parametrize(
    ("sizes", "q0", "q1", "q2"),
    [
        ([5, 3, 2, 1, 1], 5, 4.154241736156, Fraction(18, 5)),
        ([11, 1], 2, 1.332205691249, Fraction(72, 61)),
        ([12], 1, 1.0, Fraction(1)),
        ([4, 4, 4], 3, 3.0, Fraction(3)),
        ([1] * 12, 12, 12.0, Fraction(12)),
    ],
)
def test_reference_values(sizes: list[int], q0: int, q1: float, q2: Fraction) -> None:
    """The orders 0, 1 and 2 are those of R's vegan and iNEXT."""
    assert hill_number(sizes, 0) == q0
    assert hill_number(sizes, 1) == pytest.approx(q1, abs=5e-13)
    assert hill_number(sizes, 2) == q2


@pytest.mark.parametrize("classes", [1, 2, 3, 7, 12, 49, 400])
def test_q1_of_equal_classes_is_their_number_exactly(classes: int) -> None:
    """The order 1 is rounded once, so equal classes give their number, not 2.9999999999999996."""
    assert hill_number([3] * classes, 1) == float(classes)


def test_q1_does_not_depend_on_the_ambient_decimal_context() -> None:
    """A caller's own decimal precision changes nothing."""
    with decimal.localcontext() as context:
        context.prec = 3
        assert hill_number([11, 1], 1) == 1.3322056912494478


@pytest.mark.parametrize("q", [0, 1, 2])
def test_none_without_classes(q: int) -> None:
    """Without a class there is no Hill number of any order."""
    assert hill_number([], q) is None


def test_empty_class_is_refused() -> None:
    """A class of size 0 would count as one more, and is refused."""
    with pytest.raises(ValueError, match=r"at least 1 \(got \[4, 0\]\)"):
        hill_number([4, 0], 0)


@pytest.mark.parametrize("q", [-1, 3])
@pytest.mark.parametrize("sizes", [[4, 4], []])
def test_other_orders_are_refused(q: int, sizes: list[int]) -> None:
    """Orders other than 0, 1 and 2 are refused, without classes too."""
    with pytest.raises(ValueError, match=rf"q to be 0, 1 or 2 \(got q={q}\)"):
        hill_number(sizes, q)
