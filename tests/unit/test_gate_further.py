"""Metrics that are not built in: their names, their values, and rules about them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from gate_records import report
from report_records import KS, measured

from pytest_codecollapse.errors import ProblemError, UsageError, Where
from pytest_codecollapse.gate import checked_metrics, compare, judge, parse_rule, with_metrics
from pytest_codecollapse.measure import assemble, restate
from pytest_codecollapse.model import CompareSettings, ProblemReport, Settings

WHERE = Where("samples.jsonl", 3, "p")


def largest(problem: ProblemReport) -> int:
    """Return the size of the largest class."""
    return len(problem.partition.classes[0].members)


def test_metrics_are_sorted_by_name() -> None:
    """Reports hold them in that order, whoever came first."""
    assert list(checked_metrics([("b", largest), ("a", largest)])) == ["a", "b"]


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ([("a b", largest)], "'a b' has a name that a rule cannot hold"),
        ([("a>=", largest)], "'a>=' has a name that a rule cannot hold"),
        ([("", largest)], "'' has a name that a rule cannot hold"),
        ([("every", largest)], "'every' has a name that a rule cannot hold"),
        ([("größe", largest)], "'größe' has a name that a rule cannot hold"),
        ([(3, largest)], "3 has a name that a rule cannot hold"),
        ([("chao1", largest)], "'chao1' has the name of a metric that is built in"),
        ([("a", largest), ("a", largest)], "'a' is defined twice"),
        ([("a", Fraction(1))], "'a' is no function (got Fraction)"),
    ],
)
def test_a_metric_that_no_rule_could_name_is_refused(
    given: list[tuple[Any, Any]], fault: str
) -> None:
    """The error names the metric and what a name may be."""
    with pytest.raises(UsageError) as caught:
        checked_metrics(given)
    assert str(caught.value) == (
        f"metric {fault}; give each metric a name of its own, an identifier such as 'my_metric',"
        " and a function of a ProblemReport"
    )


@pytest.mark.parametrize(
    ("returned", "value"),
    [(Fraction(1, 3), Fraction(1, 3)), (2, Fraction(2)), (0.5, 0.5), (None, None)],
)
def test_values_are_exact_where_they_can_be(returned: Any, value: Any) -> None:
    """An int becomes a fraction; a float stays one; undefined stays undefined."""
    found = with_metrics(measured(), {"mine": lambda problem: returned}).statistics
    assert found["mine"] == value
    assert type(found["mine"]) is type(value)
    assert list(found)[-1] == "mine"


def test_a_metric_can_be_made_of_the_others() -> None:
    """The function gets the package's own statistics."""
    metrics = {"twice": lambda problem: 2 * problem.statistics["E[D_5]"]}
    assert with_metrics(measured(), metrics).statistics["twice"] == Fraction(293, 44)


@pytest.mark.parametrize("returned", [True, float("nan"), float("inf"), "2", [1]])
def test_what_is_no_number_is_refused(returned: Any) -> None:
    """The error names the place, the metric and what it gave; a bool is a slip, too."""
    with pytest.raises(ProblemError) as caught:
        with_metrics(measured(), {"mine": lambda problem: returned}, WHERE)
    assert str(caught.value) == (
        f"samples.jsonl:3: problem 'p': metric mine is no number (got {returned!r}, expected a"
        " Fraction, an int, a finite float, or None where it is not defined); correct its function"
    )


def test_what_a_metric_raises_is_said() -> None:
    """Of a saved report, which has no lines, the problem is named all the same."""
    with pytest.raises(ProblemError) as caught:
        with_metrics(measured("q"), {"mine": lambda problem: Fraction(1, 0)})
    assert str(caught.value) == (
        "metric mine of problem 'q' raised ZeroDivisionError: Fraction(1, 0); correct its function"
    )


def test_a_rule_can_be_about_it() -> None:
    """It is known where it is given, and listed where another is meant."""
    assert str(parse_rule("every largest>=2", metrics=["largest"])) == "every largest >= 2"
    with pytest.raises(UsageError) as caught:
        parse_rule("larges >= 2", metrics=["largest"])
    assert str(caught.value).startswith(
        "gate 'larges >= 2' names an unknown metric 'larges', did you mean 'largest'?; the metrics"
    )
    assert str(caught.value).endswith("order_dependent and largest")
    with pytest.raises(UsageError, match="unknown metric 'largest'"):
        parse_rule("largest >= 2")


def test_means_and_comparisons_hold_it() -> None:
    """A saved report, whose statistics are made anew, is given it as well."""
    settings, metrics = Settings(k=KS), {"largest": largest}
    environment = report().environment
    problems = [measured("one"), measured("two", (6, 3, 3))]
    after = assemble([with_metrics(each, metrics) for each in problems], settings, environment)
    assert "largest" not in after.mean
    after = assemble(after.problems, settings, environment, metrics)
    assert after.mean["largest"] == Fraction(11, 2)
    saved = assemble([measured("one"), measured("two", (4, 4, 4))], settings, environment)
    before = restate(saved, KS, metrics)
    assert before.mean["largest"] == Fraction(9, 2)
    (row,) = [
        row for row in compare(before, after, CompareSettings()).metrics if row.metric == "largest"
    ]
    assert (row.before, row.after, row.delta) == (Fraction(9, 2), Fraction(11, 2), 1)


def test_a_metric_without_a_value_fails_its_bound() -> None:
    """Where it is not defined for a problem, it does not keep a rule about every problem."""
    rule = parse_rule("every mine <= 2", metrics=["mine"])
    (judged,) = judge([rule], report(with_metrics(measured(), {"mine": lambda problem: None})))
    assert judged.status == "fail"
    assert judged.details == ("p: mine is not defined: no value",)
