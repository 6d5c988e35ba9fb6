"""The mean of a statistic over the problems of a suite."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction


def mean_defined(values: Iterable[Fraction | float | None]) -> Fraction | float | None:
    """Return the exact mean of the values that are defined.

    Parameters
    ----------
    values
        One value a problem.

    Returns
    -------
    Fraction, float or None
        A float where one of the values is (rounded once); ``None`` where none is defined.

    Examples
    --------
    >>> mean_defined([Fraction(1), None, Fraction(2)])
    Fraction(3, 2)
    """
    defined = [value for value in values if value is not None]
    if not defined:
        return None
    mean = sum((Fraction(value) for value in defined), Fraction(0)) / len(defined)
    return float(mean) if any(isinstance(value, float) for value in defined) else mean
