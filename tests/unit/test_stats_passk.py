from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

import pytest_codecollapse
from pytest_codecollapse.stats import (
    mean_pass_at_k,
    naive_pass_at_k,
    pass_at_k,
    pass_at_k_exact,
)


@pytest.mark.parametrize(
    ("c", "k", "expected"),
    [
        (5, 2, Fraction(15, 22)),
        (5, 5, Fraction(257, 264)),
        (1, 5, Fraction(5, 12)),
        (8, 5, Fraction(1)),
        (0, 5, Fraction(0)),
        (12, 1, Fraction(1)),
    ],
)
def test_reference_values(c: int, k: int, expected: Fraction) -> None:
    """At n = 12 the exact and the float form give the independently computed values."""
    assert pass_at_k_exact(12, c, k) == expected
    assert pass_at_k(12, c, k) == pytest.approx(float(expected), abs=1e-15)


@pytest.mark.parametrize(("n", "c", "k"), [(0, 0, 1), (3, 1, 4)])
def test_exact_is_none_outside_its_domain(n: int, c: int, k: int) -> None:
    """Where fewer than k candidates exist, exact pass@k has no value."""
    assert pass_at_k_exact(n, c, k) is None


def test_product_form_is_stable_where_binomials_overflow() -> None:
    """At n = 100,000, far beyond what a float binomial holds, the product form is still right."""
    exact = pass_at_k_exact(100_000, 20, 1000)
    assert exact is not None
    assert pass_at_k(100_000, 20, 1000) == pytest.approx(float(exact), rel=1e-12)


def test_mean_is_over_problems_of_different_n() -> None:
    """Each problem counts once, whatever its number of candidates: (5/12 + 1 + 0) / 3."""
    assert mean_pass_at_k([12, 5, 6], [1, 5, 0], 5) == pytest.approx(17 / 36, abs=1e-15)


def test_naive_is_biased_downwards() -> None:
    """At n = 12, c = 1, k = 5 the shortcut says 1 - (11/12)^5 = 0.3527 where pass@k is 0.4167."""
    assert naive_pass_at_k(12, 1, 5) == pytest.approx(87781 / 248832, abs=1e-15)
    assert naive_pass_at_k(12, 1, 5) < pass_at_k(12, 1, 5)


@pytest.mark.parametrize("function", [pass_at_k, naive_pass_at_k])
def test_k_above_n_is_refused(function: Callable[[int, int, int], object]) -> None:
    """The float functions refuse k > n and name the three numbers."""
    with pytest.raises(ValueError, match=r"k > n \(got n=3, c=1, k=5\)"):
        function(3, 1, 5)


@pytest.mark.parametrize("function", [pass_at_k, naive_pass_at_k, pass_at_k_exact])
@pytest.mark.parametrize(
    ("n", "c", "k", "message"),
    [
        (3, 4, 1, r"0 <= c <= n \(got n=3, c=4\)"),
        (3, -1, 1, r"0 <= c <= n \(got n=3, c=-1\)"),
        (-1, 0, 1, r"0 <= c <= n \(got n=-1, c=0\)"),
        (3, 1, 0, r"k >= 1 \(got k=0\)"),
    ],
)
def test_impossible_counts_are_refused(
    function: Callable[[int, int, int], object], n: int, c: int, k: int, message: str
) -> None:
    """Counts that no set of candidates has are refused, by name and number."""
    with pytest.raises(ValueError, match=message):
        function(n, c, k)


@pytest.mark.parametrize(
    ("ns", "cs", "k", "message"),
    [
        ([], [], 1, r"at least one problem \(got 0\)"),
        ([3, 3], [1], 1, r"\(got 2 ns, 1 cs\)"),
        ([9, 3], [1, 1], 5, r"k > n \(got n=3, c=1, k=5\)"),
    ],
)
def test_mean_refuses_what_has_no_mean(ns: list[int], cs: list[int], k: int, message: str) -> None:
    """No problems, unpaired lists and a problem with fewer than k candidates are refused."""
    with pytest.raises(ValueError, match=message):
        mean_pass_at_k(ns, cs, k)


def test_public_names_are_the_library_functions() -> None:
    """The package's lazy names are the functions of stats."""
    assert pytest_codecollapse.pass_at_k is pass_at_k
    assert pytest_codecollapse.mean_pass_at_k is mean_pass_at_k
    assert pytest_codecollapse.naive_pass_at_k is naive_pass_at_k
