from __future__ import annotations

from fractions import Fraction

import pytest
from gate_records import chao1, report, sized, valued, verdict

from pytest_codecollapse.gate import BoundRule, breaches, parse_rule
from pytest_codecollapse.model import ProblemReport


def bound(text: str) -> BoundRule:
    """Parse a rule that is a bound."""
    rule = parse_rule(text)
    assert isinstance(rule, BoundRule)
    return rule


@pytest.mark.parametrize(
    ("rule", "status", "summary"),
    [
        ("chao1 >= 2", "pass", "chao1 >= 2: mean 2 (3 problems)"),
        ("chao1 >= 2.001", "fail", "chao1 >= 2.001: mean 2 is below 2.001 (3 problems)"),
        ("chao1 <= 2", "pass", "chao1 <= 2: mean 2 (3 problems)"),
        ("chao1 <= 1.999", "fail", "chao1 <= 1.999: mean 2 is above 1.999 (3 problems)"),
    ],
)
def test_a_bound_on_the_mean_holds_up_to_its_edge(rule: str, status: str, summary: str) -> None:
    """The mean may be the bound itself, and no nearer to the wrong side."""
    found = verdict(rule, chao1(1, 2, 3))
    assert (found.rule, found.status, found.summary) == (rule, status, summary)


def test_a_mean_just_off_its_bound_does_not_read_as_the_bound() -> None:
    """A mean that rounds to the bound is written with the digits that tell them apart."""
    found = verdict("chao1 >= 2", chao1(2, Fraction(19999, 10000)))
    assert found.summary == "chao1 >= 2: mean 1.99995 is below 2 (2 problems)"


def test_a_float_is_held_against_the_exact_bound() -> None:
    """A float metric passes where it is the bound exactly."""
    assert verdict("hill_q1 >= 3", report(valued("a", {"hill_q1": 3.0}))).status == "pass"
    below = report(valued("a", {"hill_q1": 2.9999999999999996}))
    assert verdict("hill_q1 >= 3", below).status == "fail"


def test_a_failed_mean_names_the_furthest_problems() -> None:
    """The five lowest are named for a floor and the five highest for a ceiling, ties by id."""
    after = chao1(6, 1, 5, 2, 2, 3, 4)
    low = verdict("chao1 >= 9", after)
    assert low.problem_ids == ("p1", "p3", "p4", "p5", "p6")
    assert low.details == (
        "lowest chao1:",
        "  1 (p1)",
        "  2 (p3)",
        "  2 (p4)",
        "  3 (p5)",
        "  4 (p6)",
    )
    high = verdict("chao1 <= 0", after)
    assert high.problem_ids == ("p0", "p2", "p6", "p5", "p3")
    assert high.details[0] == "highest chao1:"


def test_a_mean_says_over_how_many_problems_it_is() -> None:
    """Problems that do not define the metric are counted out."""
    found = verdict("chao1 >= 2", chao1(1, None, 5))
    assert (found.status, found.summary) == ("pass", "chao1 >= 2: mean 3 (2 of 3 problems)")


@pytest.mark.parametrize(
    ("rule", "summary"),
    [
        (
            "E[D_5] >= 0",
            "E[D_5] >= 0: not defined for any of 2 problems: fewer than 5 candidates",
        ),
        ("E[D_7] >= 0", "E[D_7] >= 0: not measured"),
        ("every E[D_5] >= 0", "every E[D_5] >= 0: 2 of 2 problems breach it"),
        ("every E[D_7] <= 99", "every E[D_7] <= 99: 2 of 2 problems breach it"),
    ],
)
def test_a_metric_without_a_value_fails(rule: str, summary: str) -> None:
    """Where no problem defines the metric the gate fails, even one that any value would pass."""
    found = verdict(rule, report(sized("a", [2]), sized("b", [1, 1])))
    assert (found.status, found.summary) == ("fail", summary)


@pytest.mark.parametrize("rule", ["chao1 >= 0", "every chao1 >= 0"])
def test_nothing_measured_fails(rule: str) -> None:
    """A report in which no problem could be measured passes no gate."""
    found = verdict(rule, report(unmeasured=["a"]))
    assert (found.status, found.summary) == ("fail", f"{rule}: no problem was measured")


def test_every_passes_with_its_nearest_problem() -> None:
    """A bound that holds everywhere tells how near the nearest problem is."""
    assert verdict("every chao1 >= 2", chao1(3, 2, 2)).summary == (
        "every chao1 >= 2: lowest chao1 2 (p1)"
    )
    assert verdict("every chao1 <= 3", chao1(3, 2, 2)).summary == (
        "every chao1 <= 3: highest chao1 3 (p0)"
    )


def test_every_names_all_that_breach() -> None:
    """All ids are listed, furthest first and undefined ones before; five are explained."""
    found = verdict("every chao1 >= 9", chao1(8, 9, None, 3, 4, 5, 6, 7))
    assert found.status == "fail"
    assert found.summary == "every chao1 >= 9: 7 of 8 problems breach it"
    assert found.problem_ids == ("p2", "p3", "p4", "p5", "p6", "p7", "p0")
    assert found.details == (
        "p2: chao1 is not defined: no value",
        "p3: chao1 3 is below 9",
        "p4: chao1 4 is below 9",
        "p5: chao1 5 is below 9",
        "p6: chao1 6 is below 9",
        "and 2 more",
    )


def test_one_that_breaches_is_singular() -> None:
    """One problem breaches a rule."""
    found = verdict("every chao1 >= 2", chao1(1, 2))
    assert found.summary == "every chao1 >= 2: 1 of 2 problems breaches it"
    assert found.details == ("p0: chao1 1 is below 2",)


@pytest.mark.parametrize(
    ("rule", "problem", "message"),
    [
        ("E[D_5] >= 1", sized("a", [12]), None),
        ("every E[D_5] >= 1", sized("a", [12]), None),
        ("E[D_5] >= 1.5", sized("a", [11, 1]), "E[D_5] 1.417 is below 1.5"),
        ("every E[D_5] <= 17/12", sized("a", [11, 1]), None),
        ("E[D_5] <= 1.4", sized("a", [11, 1]), "E[D_5] 1.417 is above 1.4"),
        ("E[D_10] >= 0", sized("a", [9]), "E[D_10] is not defined: fewer than 10 candidates"),
        (
            "E[A_5] >= 0",
            valued("a", {"E[A_5]": None}),
            "E[A_5] is not defined: fewer than 5 correct candidates",
        ),
        ("E[D_3] >= 0", sized("a", [9]), "E[D_3] is not measured"),
    ],
)
def test_one_problem_breaches_a_bound(
    rule: str, problem: ProblemReport, message: str | None
) -> None:
    """A bound is held against one problem's value, its edge included; no value breaches it."""
    assert breaches(bound(rule), problem) == message
