from __future__ import annotations

from fractions import Fraction

import pytest
from report_records import measured

from pytest_codecollapse.model import CompareSettings
from pytest_codecollapse.report.chart import Plane, round_numbers
from pytest_codecollapse.report.curves import (
    Point,
    distinct_behaviours,
    draws_shown,
    mean_curve,
    mean_stability,
    naive_passing,
    passing,
    stability,
)

SETTINGS = CompareSettings(resamples=500, confidence=Fraction(9, 10), interval="percentile")


def test_every_k_is_shown_up_to_the_smallest_problem() -> None:
    """A curve ends where a problem has no more candidates."""
    problems = [measured("a", [6, 6]), measured("b", [4, 3])]
    assert draws_shown(problems, (1, 5, 10)) == (1, 2, 3, 4, 5, 6, 7)
    assert draws_shown([], (1, 5)) == ()


def test_many_candidates_have_some_of_the_k() -> None:
    """Beyond 20 they are spread by ratio; the last one and those asked for are among them."""
    ks = draws_shown([measured("a", [100, 100])], (50, 150, 300))
    assert ks[:20] == tuple(range(1, 21))
    assert ks[-1] == 200
    assert {50, 150} <= set(ks)
    assert len(ks) <= 34


def test_curves_are_exact_means() -> None:
    """E[D_2] of [6, 3, 3] is 111/66 and of [12] is 1; pass@2 is 51/66 and 1, naively 3/4 and 1."""
    problems = [measured("a", [6, 3, 3]), measured("b", [12])]
    assert mean_curve(problems, distinct_behaviours, [2]) == (Point(2, float(Fraction(177, 132))),)
    assert mean_curve(problems, passing, [2]) == (Point(2, float(Fraction(117, 132))),)
    assert mean_curve(problems, naive_passing, [2]) == (Point(2, 0.875),)


def test_intervals_resample_problems() -> None:
    """Of two problems both, or one twice, are drawn; of one problem there is no interval."""
    problems = [measured("a", [6, 6]), measured("b", [12])]
    (point,) = mean_curve(problems, distinct_behaviours, [12], SETTINGS)
    assert point == Point(12, 1.5, (1.0, 2.0))
    (point,) = mean_curve(problems[:1], distinct_behaviours, [12], SETTINGS)
    assert point == Point(12, 2.0, None)


def test_intervals_resample_clusters() -> None:
    """Problems of one cluster are drawn together, so that two of them are no two units."""
    problems = [measured("a", [6, 6], cluster="c"), measured("b", [12], cluster="c")]
    (point,) = mean_curve(problems, distinct_behaviours, [12], SETTINGS)
    assert point.interval is None


def test_stability_is_a_share_of_the_last_count() -> None:
    """Four behaviours, one more told apart by each of the first inputs."""
    problem = measured("a", [3, 3, 3, 3], inputs=5)
    assert problem.partition.stability_curve == (1, 2, 3, 4, 4)
    assert [point.value for point in stability(problem)] == [0.25, 0.5, 0.75, 1, 1]
    short = measured("b", [12], inputs=2)
    assert [point.value for point in mean_stability([problem, short])] == [0.625, 0.75, 0.875, 1, 1]
    assert mean_stability([]) == ()


def test_a_plane_places_numbers() -> None:
    """The ends of the ranges are the ends of the axes, y upwards; an empty range is the middle."""
    plane = Plane((1, 11), (0, 2))
    assert [plane.x(value) for value in (1, 6, 11)] == [46, 258, 470]
    assert [plane.y(value) for value in (0, 1, 2)] == [244, 128, 12]
    assert Plane((1, 1), (0, 1)).x(1) == 258
    assert plane.line([Point(1, 0), Point(11, 2)]) == "M46.0 244.0L470.0 12.0"
    assert plane.steps([Point(1, 0), Point(2, 0), Point(6, 2), Point(11, 2)]) == (
        "M46.0 244.0H258.0V12.0H470.0"
    )
    assert plane.band([Point(1, 1, (0, 2)), Point(11, 1, (1, 1))]) == (
        "M46.0 12.0L470.0 128.0L470.0 128.0L46.0 244.0Z"
    )
    assert plane.line([]) == plane.steps([]) == plane.band([Point(1, 1)]) == ""


@pytest.mark.parametrize(
    ("low", "high", "numbers"),
    [
        (0, 1.04, (0, 0.2, 0.4, 0.6, 0.8, 1)),
        (0, 12.5, (0, 5, 10)),
        (1, 100, (20, 40, 60, 80, 100)),
        (0, 0.03, (0, 0.01, 0.02, 0.03)),
        (2, 2, (2,)),
    ],
)
def test_axes_have_round_numbers(low: float, high: float, numbers: tuple[float, ...]) -> None:
    """About five of them, none outside."""
    assert round_numbers(low, high) == pytest.approx(numbers)
