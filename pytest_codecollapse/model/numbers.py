"""Statistics' values: exact, or irrational, or not defined."""

from __future__ import annotations

from fractions import Fraction
from typing import Union

#: A statistic's value; ``None`` where it is not defined (no candidates, k > n).
Number = Union[Fraction, float, None]

#: Name of a statistic -> its value, in the order in which reports show them.
Statistics = dict[str, Number]
