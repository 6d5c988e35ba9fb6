"""How a number is written for people: the one place where exact values are rounded."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Context, Decimal, Inexact
from fractions import Fraction
from math import floor
from typing import Optional

from pytest_codecollapse.model import Number

_DIGITS = 4
_NAMES = 5


def format_number(value: Number, *, beside: Number = None) -> str:
    """Write a statistic with four significant digits, and no cut in its integer part.

    An exact value drops its trailing zeros; a rounded one keeps them, so ``2`` is exactly two
    and ``2.000`` is not.

    Parameters
    ----------
    value
        The statistic; ``None``, where it is not defined, is written ``-``.
    beside
        A threshold it will be read next to: as many digits are added as it takes for the text
        to lie on the same side of the threshold as the value does.

    >>> format_number(Fraction(293, 88)), format_number(Fraction(5, 2)), format_number(None)
    ('3.330', '2.5', '-')
    >>> format_number(Fraction(19999, 10000), beside=Fraction(2))
    '1.9999'
    >>> format_number(Fraction(1999999, 1000000)), format_number(Fraction(123456, 10))
    ('2.000', '12346')
    """
    if value is None:
        return "-"
    exact = Fraction(value)
    digits = max(_DIGITS, len(str(abs(exact.numerator) // exact.denominator)))
    text = _rounded(exact, digits)
    if beside is not None and exact != beside:
        while (Fraction(text) > beside) != (exact > beside) or Fraction(text) == beside:
            digits += 1
            text = _rounded(exact, digits)
    return text


def format_interval(interval: Optional[tuple[Fraction, Fraction]], *, beside: Number = None) -> str:
    """Write an interval as ``[lower, upper]``; ``-`` where there is none.

    >>> format_interval((Fraction(-563, 352), Fraction(-265, 528)))
    '[-1.599, -0.5019]'
    """
    if interval is None:
        return "-"
    lower, upper = (format_number(end, beside=beside) for end in interval)
    return f"[{lower}, {upper}]"


def exact_text(value: Fraction) -> str:
    """Write a fraction without rounding: as a decimal where it has one, else as ``n/d``.

    >>> exact_text(Fraction("0.30")), exact_text(Fraction(2)), exact_text(Fraction(1, 3))
    ('0.3', '2', '1/3')
    """
    remainder, places = value.denominator, 0
    for prime in (2, 5):
        power = 0
        while remainder % prime == 0:
            remainder //= prime
            power += 1
        places = max(places, power)
    if remainder != 1:
        return str(value)
    scaled = abs(value.numerator) * 10**places // value.denominator
    whole, decimals = divmod(scaled, 10**places)
    sign = "-" if value < 0 else ""
    return f"{sign}{whole}.{decimals:0{places}d}" if places else f"{sign}{whole}"


def percent_text(share: Fraction) -> str:
    """Write a share in percent, exactly where it has a decimal, else cut: it claims no more.

    >>> percent_text(Fraction("0.95")), percent_text(1 - Fraction(1, 60))
    ('95%', '98.33%')
    """
    exact = exact_text(100 * share)
    return f"{exact_text(Fraction(floor(10_000 * share), 100)) if '/' in exact else exact}%"


def plural(count: int, noun: str, nouns: Optional[str] = None) -> str:
    """Write a count with its noun.

    >>> plural(1, "problem"), plural(2, "problem"), plural(2, "class", "classes")
    ('1 problem', '2 problems', '2 classes')
    """
    return f"{count} {noun if count == 1 else nouns or noun + 's'}"


def name_some(names: Sequence[str]) -> str:
    """Write the first few names of a list, and how many more there are.

    >>> name_some(["a", "b"]), name_some(list("abcdefg"))
    ('a, b', 'a, b, c, d, e and 2 more')
    """
    shown = ", ".join(names[:_NAMES])
    more = len(names) - _NAMES
    return f"{shown} and {more} more" if more > 0 else shown


def _rounded(exact: Fraction, digits: int) -> str:
    context = Context(prec=digits)
    decimal = context.divide(Decimal(exact.numerator), Decimal(exact.denominator))
    if context.flags[Inexact]:
        return f"{decimal:f}"
    return f"{decimal.normalize():f}"
