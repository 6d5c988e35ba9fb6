from __future__ import annotations

from statistics import NormalDist

import pytest

from pytest_codecollapse.stats.student_t import student_t_critical


@pytest.mark.parametrize(
    ("df", "expected"),
    [
        (1, 12.706204736174694),
        (2, 4.302652729749462),
        (3, 3.1824463052837078),
        (4, 2.7764451051977934),
        (5, 2.5705818356363146),
        (7, 2.364624251592784),
        (30, 2.0422724563012378),
        (79, 1.9904502102301285),
        (1000, 1.9623390808264083),
        (10_000, 1.960201239890626),
    ],
)
def test_critical_values_at_95_percent(df: int, expected: float) -> None:
    """Even and odd degrees of freedom, few and many, have the values that SciPy gives."""
    assert student_t_critical(0.95, df) == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize(
    ("confidence", "df", "expected"),
    [(0.001, 5, 0.0013171532190936188), (0.5, 1, 1.0), (0.999999999, 3, 1301.63713139233)],
)
def test_critical_values_far_from_95_percent(confidence: float, df: int, expected: float) -> None:
    """Confidences near 0 and 1 are served too, to what a float near 1 can tell."""
    assert student_t_critical(confidence, df) == pytest.approx(expected, rel=1e-6)


def test_largest_confidence_is_finite() -> None:
    """The float next to 1 has a critical value; the search for it ends."""
    assert 1e7 < student_t_critical(1 - 2**-53, 2) < 1e9


def test_falls_towards_the_normal_quantile() -> None:
    """More degrees of freedom give a smaller value, never under the normal one."""
    values = [student_t_critical(0.9, df) for df in (*range(1, 60), 500)]
    assert values == sorted(values, reverse=True)
    assert values[-1] > NormalDist().inv_cdf(0.95)


@pytest.mark.parametrize(
    ("confidence", "df", "message"),
    [
        (0.0, 3, r"0 < confidence < 1 \(got 0.0\)"),
        (1.0, 3, r"0 < confidence < 1 \(got 1.0\)"),
        (0.95, 0, r"df >= 1 \(got df=0\)"),
    ],
)
def test_arguments_outside_the_domain_are_refused(confidence: float, df: int, message: str) -> None:
    """A confidence of 0 or 1, and no degree of freedom, are refused."""
    with pytest.raises(ValueError, match=message):
        student_t_critical(confidence, df)
