from __future__ import annotations

from fractions import Fraction

import pytest

from pytest_codecollapse.stats import mean_defined


@pytest.mark.parametrize(
    ("values", "mean"),
    [
        ([], None),
        ([None], None),
        ([Fraction(1), None, Fraction(2)], Fraction(3, 2)),
        ([0.1, 0.2, 0.3], 0.2),
    ],
)
def test_means_are_over_defined_values(
    values: list[Fraction | float | None], mean: Fraction | float | None
) -> None:
    """Undefined values enter no mean, and floats are rounded once."""
    assert mean_defined(values) == mean
