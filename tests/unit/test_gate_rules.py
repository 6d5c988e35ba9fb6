from __future__ import annotations

from fractions import Fraction

import pytest

from pytest_codecollapse.errors import UsageError, Where
from pytest_codecollapse.gate import (
    DEFAULT_COMPARE_RULES,
    BoundRule,
    CompareRule,
    Margin,
    parse_rule,
    refuse_without_baseline,
    rule_ks,
)

METRICS = (
    "the metrics are pass@k, E[D_k], E[W_k] and E[A_k] for any k from 1 (D@5 is short for"
    " E[D_5]), hill_q0, hill_q1, hill_q2, chao1, distinct_ast, masking_ratio, stable_at,"
    " nondeterministic and order_dependent"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "E[D_5] >= 2",
            BoundRule(metric="E[D_5]", op=">=", bound=Fraction(2)),
        ),
        (
            "masking_ratio <= 1.75",
            BoundRule(metric="masking_ratio", op="<=", bound=Fraction(7, 4)),
        ),
        (
            "every pass@1 >= 0.1",
            BoundRule(metric="pass@1", op=">=", bound=Fraction(1, 10), every=True),
        ),
        (
            "every nondeterministic <= 0",
            BoundRule(metric="nondeterministic", op="<=", bound=Fraction(0), every=True),
        ),
        (
            "E[D_5] must not drop",
            CompareRule(metric="E[D_5]", direction="drop"),
        ),
        (
            "hill_q1 must not drop by 0.3",
            CompareRule(metric="hill_q1", direction="drop", margin=Margin(amount=Fraction(3, 10))),
        ),
        (
            "chao1 must not drop by 5%",
            CompareRule(
                metric="chao1",
                direction="drop",
                margin=Margin(amount=Fraction(5), percent=True),
            ),
        ),
        (
            "E[W_10] must not rise",
            CompareRule(metric="E[W_10]", direction="rise"),
        ),
        (
            "E[A_7] must not rise by 1/3",
            CompareRule(metric="E[A_7]", direction="rise", margin=Margin(amount=Fraction(1, 3))),
        ),
        (
            "pass@1 must rise",
            CompareRule(metric="pass@1", direction="rise", wanted=True),
        ),
        (
            "pass@10 must rise by 2.5%",
            CompareRule(
                metric="pass@10",
                direction="rise",
                margin=Margin(amount=Fraction(5, 2), percent=True),
                wanted=True,
            ),
        ),
        (
            "masking_ratio must drop by 0.1",
            CompareRule(
                metric="masking_ratio",
                direction="drop",
                margin=Margin(amount=Fraction(1, 10)),
                wanted=True,
            ),
        ),
    ],
)
def test_each_form_is_read_and_written_back(text: str, expected: BoundRule | CompareRule) -> None:
    """A line in its canonical spelling gives its rule, whose text is the line."""
    assert parse_rule(text) == expected
    assert str(expected) == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("  D@5>=2.50 ", "E[D_5] >= 2.5"),
        ("W@10 <= 3.", "E[W_10] <= 3"),
        ("A@1 >= .5", "E[A_1] >= 0.5"),
        ("E[ D_5 ] >= 2", "E[D_5] >= 2"),
        ("every\tD@5  >=  2e0", "every E[D_5] >= 2"),
        ("pass@1   must  not\tdrop   by  5 %", "pass@1 must not drop by 5%"),
        ("stable_at must not rise by 2/4", "stable_at must not rise by 0.5"),
        (" pass@1\tmust   rise  by 1/20", "pass@1 must rise by 0.05"),
        ("D@5 must rise", "E[D_5] must rise"),
        ("chao1 must not drop by 0", "chao1 must not drop by 0"),
        ("hill_q0 >= 12e-1", "hill_q0 >= 1.2"),
        ("order_dependent <= 0", "order_dependent <= 0"),
        ("distinct_ast >= 007", "distinct_ast >= 7"),
    ],
)
def test_spelling_is_free_and_the_canonical_text_is_one(text: str, canonical: str) -> None:
    """Blanks, the short names and the form of a number do not matter."""
    assert str(parse_rule(text)) == canonical


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("pss@3 >= 1", "names an unknown metric 'pss@3', did you mean 'pass@3'?"),
        ("d@5 >= 1", "names an unknown metric 'd@5', did you mean 'E[D_5]'?"),
        ("E[D_0] >= 1", "names an unknown metric 'E[D_0]', did you mean 'E[D_5]'?"),
        ("E[D_05] >= 1", "names an unknown metric 'E[D_05]', did you mean 'E[D_5]'?"),
        ("maskingratio must not rise", "names an unknown metric 'maskingratio', did you mean"
         " 'masking_ratio'?"),
        ("coverage >= 1", "names an unknown metric 'coverage'"),
        ("E[D_5] >= -1", "has a bad number: got '-1', expected a number of at least 0 such as"
         " 2, 0.3 or 1/3"),
        ("E[D_5] >= 5%", "has a bad number: got '5%', expected a number of at least 0 such as"
         " 2, 0.3 or 1/3"),
        ("E[D_5] >= ", "has a bad number: got '', expected a number of at least 0 such as"
         " 2, 0.3 or 1/3"),
        ("E[D_5] >= nan", "has a bad number: got 'nan', expected a number of at least 0 such as"
         " 2, 0.3 or 1/3"),
        ("E[D_5] >= 1/0", "has a bad number: got '1/0', expected a number of at least 0 such as"
         " 2, 0.3 or 1/3"),
        ("E[D_5] >= ٣", "has a bad number: got '٣', expected a number of at least 0 such as"
         " 2, 0.3 or 1/3"),
        ("E[D_5] must not drop by -0.1", "has a bad number: got '-0.1', expected a margin of at"
         " least 0 such as 2, 0.3 or 1/3"),
        ("E[D_5] must not drop by inf", "has a bad number: got 'inf', expected a margin of at"
         " least 0 such as 2, 0.3 or 1/3"),
        ("E[D_5] must not drop by %", "has a bad number: got '', expected a margin of at"
         " least 0 such as 2, 0.3 or 1/3"),
        ("every E[D_5] must not drop", "is not a rule: 'every' goes with >= and <= only"),
        ("every pass@1 must rise", "is not a rule: 'every' goes with >= and <= only"),
        ("pass@1 must rise by -1", "has a bad number: got '-1', expected a margin of at"
         " least 0 such as 2, 0.3 or 1/3"),
        ("pas@1 must rise", "names an unknown metric 'pas@1', did you mean 'pass@1'?"),
    ],
)  # fmt: skip
def test_a_wrong_part_is_named(text: str, problem: str) -> None:
    """The error names the place, the line, what is wrong in it, and the metrics there are."""
    with pytest.raises(UsageError) as caught:
        parse_rule(text, where=Where("pytest.ini", 4))
    assert str(caught.value) == f"pytest.ini:4: gate {text!r} {problem}; {METRICS}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "E[D_5]",
        "E[D_5] > 2",
        "E[D_5] == 2",
        ">= 2",
        "must not drop",
        "E[D_5] must not fall",
        "E[D_5] must fall",
        "E[D_5] mustrise",
        "E[D_5] must notrise",
        "E[D_5] must not",
        "E[D_5] must rise by",
        "E[D_5] must rise 0.3",
        "must rise",
        "E[D_5] must not drop by",
        "E[D_5] must not drop 0.3",
        "E[D_5] >= 2\nE[D_1] >= 1",
    ],
)
def test_what_is_no_rule_is_refused_with_the_forms(text: str) -> None:
    """A line of no form is refused with the forms there are, here without a place."""
    with pytest.raises(UsageError) as caught:
        parse_rule(text)
    assert str(caught.value) == (
        f"gate {text!r} is not a rule: expected 'METRIC >= NUMBER', 'METRIC <= NUMBER', either of"
        " them after 'every', or 'METRIC must not drop', 'METRIC must rise' or the other way, alone"
        f" or with 'by NUMBER' or 'by NUMBER%'; {METRICS}"
    )


def test_a_number_too_long_to_convert_is_a_bad_number() -> None:
    """More digits than int() converts is a usage error, not a ValueError."""
    with pytest.raises(UsageError, match="has a bad number: got '1/999"):
        parse_rule(f"E[D_5] >= 1/{'9' * 5000}")


def test_numbers_are_exact() -> None:
    """0.1 is a tenth, not the float nearest to it."""
    rule = parse_rule("pass@1 >= 0.1")
    assert isinstance(rule, BoundRule)
    assert rule.bound == Fraction(1, 10)
    assert rule.bound != Fraction(0.1)


def test_the_default_rules_are_the_two_of_the_design() -> None:
    """With a baseline and no rules, behaviours must not drop and masking must not rise."""
    assert [str(rule) for rule in DEFAULT_COMPARE_RULES] == [
        "E[D_5] must not drop",
        "masking_ratio must not rise",
    ]


def test_rules_tell_which_k_they_need() -> None:
    """Every k that a rule names is returned once; metrics without one add nothing."""
    texts = [
        *("D@7 >= 2", "pass@3 must not drop", "every A@7 >= 1", "hill_q1 >= 2"),
        "pass@4 must rise",
    ]
    assert rule_ks([parse_rule(text) for text in texts]) == {3, 4, 7}


@pytest.mark.parametrize("change", ["E[D_5] must not drop", "pass@1 must rise"])
def test_a_comparison_without_a_baseline_is_refused(change: str) -> None:
    """The first rule that needs a baseline is named, with the option that gives one."""
    rules = [parse_rule("E[D_5] >= 2"), parse_rule(change)]
    refuse_without_baseline(rules[:1])
    with pytest.raises(UsageError) as caught:
        refuse_without_baseline(rules)
    assert str(caught.value) == (
        f"gate '{change}' compares with a baseline, and there is none;"
        " give one with --codecollapse-baseline=PATH (a report or a samples file)"
        " or write the gate as 'METRIC >= NUMBER'"
    )
