from __future__ import annotations

from fractions import Fraction
from typing import Optional, Union

import pytest

from pytest_codecollapse.gate import exact_text, format_interval, format_number, percent_text
from pytest_codecollapse.gate.format import name_some


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "-"),
        (Fraction(0), "0"),
        (Fraction(2), "2"),
        (Fraction(5, 2), "2.5"),
        (Fraction(1, 3), "0.3333"),
        (Fraction(-1117, 1056), "-1.058"),
        (Fraction(1, 70000), "0.00001429"),
        (Fraction(100), "100"),
        (Fraction(1234567), "1234567"),
        (Fraction(1234567, 10), "123457"),
        (0.5, "0.5"),
        (1.332205691249, "1.332"),
        (3.0, "3"),
    ],
)
def test_four_significant_digits(value: Union[Fraction, float, None], text: str) -> None:
    """Numbers are rounded to four digits, but no integer part is cut and no exponent is used."""
    assert format_number(value) == text


def test_exact_and_rounded_values_differ() -> None:
    """A value that is not two does not read as two."""
    assert format_number(Fraction(2)) == "2"
    assert format_number(Fraction(200001, 100000)) == "2.000"


@pytest.mark.parametrize(
    ("value", "beside", "text"),
    [
        (Fraction(19999, 10000), Fraction(2), "1.9999"),
        (Fraction(200001, 100000), Fraction(2), "2.00001"),
        (Fraction(2), Fraction(2), "2"),
        (Fraction(1, 3), Fraction(1, 3), "0.3333"),
        (Fraction(1, 3), Fraction(3333, 10000), "0.33333"),
        (Fraction(3), Fraction(2), "3"),
        (2.9999999999999996, Fraction(3), "2.9999999999999996"),
    ],
)
def test_the_text_lies_on_the_same_side_of_a_threshold(
    value: Union[Fraction, float], beside: Fraction, text: str
) -> None:
    """Digits are added until the text compares with the threshold as the value does."""
    assert format_number(value, beside=beside) == text


@pytest.mark.parametrize(
    ("interval", "text"),
    [
        (None, "-"),
        ((Fraction(-563, 352), Fraction(-265, 528)), "[-1.599, -0.5019]"),
        ((Fraction(0), Fraction(0)), "[0, 0]"),
    ],
)
def test_intervals(interval: Optional[tuple[Fraction, Fraction]], text: str) -> None:
    """An interval shows both its ends; none is a dash."""
    assert format_interval(interval) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(3, 10), "0.3"),
        (Fraction(2), "2"),
        (Fraction(-5, 4), "-1.25"),
        (Fraction(1, 1024), "0.0009765625"),
        (Fraction(2, 3), "2/3"),
        (Fraction(10**20), "100000000000000000000"),
    ],
)
def test_exact_texts_round_nothing(value: Fraction, text: str) -> None:
    """A fraction with a finite decimal is written as that, every other one as n/d."""
    assert exact_text(value) == text


def test_long_lists_of_names_are_cut() -> None:
    """Five names are shown, and the rest are counted."""
    assert name_some(["a", "b", "c", "d", "e"]) == "a, b, c, d, e"
    assert name_some(["a", "b", "c", "d", "e", "f"]) == "a, b, c, d, e and 1 more"


@pytest.mark.parametrize(
    ("share", "text"),
    [
        ("19/20", "95%"),
        ("999/1000", "99.9%"),
        ("99999/100000", "99.999%"),
        ("2/3", "66.66%"),
        ("59/60", "98.33%"),
        ("2999999/3000000", "99.99%"),
        ("3/20", "15%"),
        ("1", "100%"),
        ("0", "0%"),
    ],
)
def test_a_percentage_claims_no_more_than_there_is(share: str, text: str) -> None:
    """It is exact where it has a decimal, and else cut, not rounded."""
    assert percent_text(Fraction(share)) == text
