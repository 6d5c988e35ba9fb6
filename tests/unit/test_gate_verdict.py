from __future__ import annotations

from fractions import Fraction

import pytest
from gate_records import (
    PERCENTILE,
    WORKED_AFTER,
    WORKED_BEFORE,
    chao1,
    identity_with,
    report,
    sized,
    valued,
    verdict,
    worked,
)

from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.gate import Baseline, Policy, accept_changes, compare, judge, parse_rule
from pytest_codecollapse.model import CompareSettings, Report, Settings

INTERSECT = Policy(stale="intersect")
IMPROVED = "; improved: consider updating the baseline"


def test_a_failure_is_explained() -> None:
    """The worked check's failure names all that an engineer needs to judge it."""
    found = verdict(
        "D@5 must not drop",
        worked(WORKED_AFTER),
        worked(WORKED_BEFORE),
        policy=Policy(accept_command="pytest --codecollapse-update-baseline=all"),
    )
    assert found.rule == "E[D_5] must not drop"
    assert found.status == "fail"
    assert found.failed
    assert found.summary == (
        "E[D_5] must not drop: 2.950 -> 1.893, delta -1.058 [-1.615, -0.5161] lies below 0"
    )
    assert found.problem_ids == ("p0", "p6", "p7", "p4", "p5")
    assert found.details == (
        "E[D_5] over 8 problems: baseline 2.950, now 1.893, delta -1.058",
        "95% interval [-1.615, -0.5161] (percentile, 2000 resamples), threshold 0",
        "delta -1.058 = pass@5 0.1215 (more often right) + E[W_5] -1.179 (fewer wrong ideas)",
        "dropped most:",
        "  p0  E[D_5] 3.330 -> 1.417  lost 3 behaviours: 3 wrong (4 candidates)",
        "    lost: 2 candidates, wrong",
        "    lost: 1 candidate, wrong",
        "    lost: 1 candidate, wrong",
        "    grown: 5 of 12 -> 11 of 12 candidates, correct",
        "  p6  E[D_5] 5 -> 3.189  lost 7 behaviours: 7 wrong (7 candidates)",
        *["    lost: 1 candidate, wrong"] * 3,
        "    and 4 more lost",
        "    grown: 1 of 12 -> 6 of 12 candidates, correct",
        "    grown: 1 of 12 -> 2 of 12 candidates, wrong",
        "    and 1 more new or grown",
        "  p7  E[D_5] 2.788 -> 1  lost 2 behaviours: 2 wrong (8 candidates)",
        "    lost: 4 candidates, wrong",
        "    lost: 4 candidates, wrong",
        "    grown: 4 of 12 -> 12 of 12 candidates, correct",
        "  p4  E[D_5] 3.189 -> 1.417  lost 3 behaviours: 3 wrong (4 candidates)",
        "  p5  E[D_5] 4.091 -> 3.330  lost 1 behaviour: 1 wrong (2 candidates)",
        "to accept the change: pytest --codecollapse-update-baseline=all",
    )


@pytest.mark.parametrize(
    ("rule", "deltas", "status", "finding"),
    [
        # constant deltas: the interval is that one number
        ("must not drop", (0, 0), "pass", "0 [0, 0] does not lie below 0"),
        ("must not drop", (-1, -1), "fail", "-1 [-1, -1] lies below 0"),
        ("must not drop", (1, 1), "pass", f"1 [1, 1] does not lie below 0{IMPROVED}"),
        ("must not rise", (1, 1), "fail", "1 [1, 1] lies above 0"),
        ("must not rise", (0, 0), "pass", "0 [0, 0] does not lie above 0"),
        ("must not rise", (-1, -1), "pass", f"-1 [-1, -1] does not lie above 0{IMPROVED}"),
        # two problems: the interval reaches from one delta to the other
        ("must not drop", (-2, 0), "pass", "-1 [-2, 0] does not lie below 0"),
        ("must not rise", (0, 2), "pass", "1 [0, 2] does not lie above 0"),
        ("must not drop by 1", (-1, -1), "pass", "-1 [-1, -1] does not reach below -1"),
        ("must not drop by 1", (-1, 3), "pass", "1 [-1, 3] does not reach below -1"),
        ("must not drop by 1", (-3, -1), "inconclusive", "-2 [-3, -1] lies on both sides of -1"),
        ("must not drop by 1", (-3, 5), "inconclusive", "1 [-3, 5] lies on both sides of -1"),
        ("must not drop by 1", (-3, -2), "fail", "-2.5 [-3, -2] lies below -1"),
        ("must not rise by 1", (1, 1), "pass", "1 [1, 1] does not reach above 1"),
        ("must not rise by 1", (-3, 1), "pass", "-1 [-3, 1] does not reach above 1"),
        ("must not rise by 1", (1, 3), "inconclusive", "2 [1, 3] lies on both sides of 1"),
        ("must not rise by 1", (2, 3), "fail", "2.5 [2, 3] lies above 1"),
        ("must not drop by 0", (-1, 0), "inconclusive", "-0.5 [-1, 0] lies on both sides of 0"),
        ("must not drop by 0", (0, 0), "pass", "0 [0, 0] does not reach below 0"),
        # the baseline's mean is 10, so 20% are 2
        ("must not drop by 20%", (-2, -2), "pass", "-2 [-2, -2] does not reach below -2"),
        ("must not drop by 20%", (-3, -2), "inconclusive", "-2.5 [-3, -2] lies on both sides of"
         " -2"),
        ("must not drop by 20%", (1, 2), "pass", f"1.5 [1, 2] does not reach below -2{IMPROVED}"),
        ("must not drop by 20%", (-4, -3), "fail", "-3.5 [-4, -3] lies below -2"),
        ("must not rise by 20%", (2, 2), "pass", "2 [2, 2] does not reach above 2"),
        ("must not rise by 20%", (3, 4), "fail", "3.5 [3, 4] lies above 2"),
        # what is asked for has to be shown: at the edge it is not
        ("must rise", (1, 1), "pass", "1 [1, 1] lies above 0"),
        ("must rise", (1, 3), "pass", "2 [1, 3] lies above 0"),
        ("must rise", (0, 0), "fail", "0 [0, 0] does not reach above 0"),
        ("must rise", (-2, 0), "fail", "-1 [-2, 0] does not reach above 0"),
        ("must rise", (-2, -1), "fail", "-1.5 [-2, -1] does not reach above 0"),
        ("must rise", (0, 2), "inconclusive", "1 [0, 2] touches 0"),
        ("must rise", (-1, 2), "inconclusive", "0.5 [-1, 2] lies on both sides of 0"),
        ("must rise by 1", (2, 3), "pass", "2.5 [2, 3] lies above 1"),
        ("must rise by 1", (1, 1), "fail", "1 [1, 1] does not reach above 1"),
        ("must rise by 1", (1, 3), "inconclusive", "2 [1, 3] touches 1"),
        ("must rise by 1", (0, 2), "inconclusive", "1 [0, 2] lies on both sides of 1"),
        ("must rise by 20%", (3, 4), "pass", "3.5 [3, 4] lies above 2"),
        ("must rise by 20%", (1, 2), "fail", "1.5 [1, 2] does not reach above 2"),
        ("must drop", (-2, -1), "pass", "-1.5 [-2, -1] lies below 0"),
        ("must drop", (0, 0), "fail", "0 [0, 0] does not reach below 0"),
        ("must drop", (-2, 0), "inconclusive", "-1 [-2, 0] touches 0"),
        ("must drop by 1", (-1, 3), "fail", "1 [-1, 3] does not reach below -1"),
        ("must drop by 20%", (-4, -3), "pass", "-3.5 [-4, -3] lies below -2"),
    ],
)  # fmt: skip
def test_each_verdict_on_both_sides_of_its_edge(
    rule: str, deltas: tuple[int, int], status: str, finding: str
) -> None:
    """A fail lies wholly beyond the threshold; an interval that only touches it does not."""
    before, after = chao1(10, 10), chao1(*(10 + delta for delta in deltas))
    found = verdict(f"chao1 {rule}", after, before)
    assert found.status == status
    assert found.summary.endswith(f", delta {finding}")
    assert found.failed == (status != "pass")


def test_a_percent_margin_names_its_threshold() -> None:
    """The details give the margin in the metric's unit and where it came from."""
    found = verdict("chao1 must not drop by 20%", chao1(6, 7), chao1(10, 10))
    assert found.details[1] == (
        "95% interval [-4, -3] (percentile, 2000 resamples), threshold -2 (20% of the baseline)"
    )


@pytest.mark.parametrize(
    "rule", ["chao1 must not drop", "chao1 must not drop by 5", "chao1 must rise"]
)
def test_one_problem_is_inconclusive(rule: str) -> None:
    """Without an interval there is no pass and no fail, whatever the delta."""
    found = verdict(rule, chao1(3), chao1(3))
    assert (found.status, found.failed) == ("inconclusive", True)
    assert found.summary == f"{rule}: 3 -> 3, delta 0 has no interval: one problem only"


def test_a_rise_that_did_not_come_names_what_dropped_and_no_way_to_accept_it() -> None:
    """Whoever makes the current report the baseline still has no rise, so that is not offered."""
    found = verdict(
        "pass@1 must rise",
        report(sized("a", [3, 9]), sized("b", [12]), sized("c", [4, 8])),
        report(sized("a", [6, 6]), sized("b", [9, 3]), sized("c", [4, 8])),
        policy=Policy(accept_command="cp after before"),
    )
    assert found.status == "inconclusive"
    assert found.summary == (
        "pass@1 must rise: 0.5278 -> 0.5278, delta 0 [-0.25, 0.25] lies on both sides of 0"
    )
    assert found.problem_ids == ("a",)
    assert found.details == (
        "pass@1 over 3 problems: baseline 0.5278, now 0.5278, delta 0",
        "95% interval [-0.25, 0.25] (percentile, 2000 resamples), threshold 0",
        "dropped most:",
        "  a  pass@1 0.5 -> 0.25  lost no behaviour; largest class 6 of 12 -> 9 of 12",
        "    grown: 6 of 12 -> 9 of 12 candidates, wrong",
    )


def test_a_drop_that_did_not_come_names_what_rose() -> None:
    """Where a drop is asked for, the problems that rose went the wrong way."""
    found = verdict("masking_ratio must drop", worked(WORKED_AFTER), worked(WORKED_BEFORE))
    assert found.status == "fail"
    assert "rose most:" in found.details


def test_a_rise_that_is_asked_for_is_stale_like_any_change() -> None:
    """Sides that are not comparable show no rise; no command to accept that is offered."""
    policy = Policy(accept_command="cp after before")
    found = verdict("chao1 must rise", chao1(20), chao1(10, 10), policy=policy)
    assert (found.status, found.failed) == ("stale", True)
    assert found.summary == "chao1 must rise: not comparable: 1 of 2 problems is gone"
    assert not any("accept" in line for line in found.details)
    left = verdict("chao1 must rise", chao1(20, 20, 1), chao1(10, 10), policy=INTERSECT)
    assert left.summary == (
        "chao1 must rise: 10 -> 20, delta 10 [10, 10] lies above 0; left out: 1 problem is new"
    )


def test_one_cluster_is_inconclusive() -> None:
    """Two problems of one cluster give no interval either."""
    sides = [
        report(*(valued(name, {"chao1": Fraction(value)}, "x") for name in ("a", "b")))
        for value in (3, 2)
    ]
    found = verdict("chao1 must not drop", sides[1], sides[0])
    assert found.status == "inconclusive"
    assert found.summary.endswith("3 -> 2, delta -1 has no interval: one cluster only")


def test_inconclusive_can_be_skipped() -> None:
    """On request an inconclusive verdict is skipped, with the same words; a failure is not."""
    policy = Policy(inconclusive="skip")
    margin = "chao1 must not drop by 1"
    skipped = verdict(margin, chao1(7, 9), chao1(10, 10), policy=policy)
    assert (skipped.status, skipped.failed) == ("skipped", False)
    assert skipped.summary == verdict(margin, chao1(7, 9), chao1(10, 10)).summary
    assert verdict(margin, chao1(7, 7), chao1(10, 10), policy=policy).status == "fail"
    rise = "chao1 must rise"
    assert verdict(rise, chao1(9, 12), chao1(10, 10), policy=policy).status == "skipped"
    assert verdict(rise, chao1(10, 10), chao1(10, 10), policy=policy).status == "fail"


def test_an_inconclusive_verdict_says_how_many_problems_would_settle_it() -> None:
    """At the delta seen, the interval has to shrink to the distance from the threshold."""
    found = verdict("chao1 must not drop by 2", chao1(5, 9, 11, 9), chao1(10, 10, 10, 10))
    assert found.status == "inconclusive"
    # delta -3/2, s² = 19/3, distance 1/2: 3.84146 s²/distance² = 97.3
    assert "about 98 problems would settle it, were the delta to stay -1.5" in found.details


@pytest.mark.parametrize(
    ("direction", "before", "after", "line"),
    [
        (
            "drop",
            [6, 6],
            [12],
            "delta -0.9848 = pass@5 0.007576 (more often right)"
            " + E[W_5] -0.9924 (fewer wrong ideas)",
        ),
        (
            "drop",
            [6, 6],
            [1, 11],
            "delta -0.5682 = pass@5 -0.5758 (less often right)"
            " + E[W_5] 0.007576 (more wrong ideas)",
        ),
        (
            "rise",
            [1, 11],
            [1, 5, 6],
            "delta 0.9659 = pass@5 0 (as often right) + E[W_5] 0.9659 (more wrong ideas)",
        ),
        (
            "rise",
            [1, 11],
            [6, 6],
            "delta 0.5682 = pass@5 0.5758 (more often right)"
            " + E[W_5] -0.007576 (fewer wrong ideas)",
        ),
    ],
)
def test_a_change_of_distinct_behaviours_is_split(
    direction: str, before: list[int], after: list[int], line: str
) -> None:
    """E[D_k] moves by what pass@k and E[W_k] move together, exactly."""
    found = verdict(f"E[D_5] must not {direction}", worked([after] * 2), worked([before] * 2))
    assert found.details[2] == line


def test_no_split_where_it_would_not_be_exact() -> None:
    """Where correct candidates are of several classes the parts do not add up, so none is shown."""
    values = {"E[D_5]": Fraction(3), "pass@5": Fraction(1), "E[W_5]": Fraction(1)}
    before = report(valued("a", {**values}), valued("b", {**values}))
    after = report(*(valued(name, {**values, "E[D_5]": Fraction(2)}) for name in ("a", "b")))
    found = verdict("E[D_5] must not drop", after, before)
    assert found.status == "fail"
    assert not [line for line in found.details if "wrong ideas" in line]


def test_a_rise_names_those_that_rose() -> None:
    """The problems behind a rise are those that rose most."""
    found = verdict("masking_ratio must not rise", worked(WORKED_AFTER), worked(WORKED_BEFORE))
    assert found.status == "fail"
    assert found.problem_ids == ("p7", "p2", "p0", "p4", "p6")
    assert "rose most:" in found.details


def stale_pair() -> tuple[Report, Report]:
    """Build a baseline of five problems of which three are comparable, and the current report."""
    before = report(*(sized(name, [6, 6]) for name in "abcde"))
    after = report(
        *(sized(name, [12]) for name in "abc"),
        sized("d", [12], identity=identity_with(inputs="1")),
    )
    return before, after


def test_stale_fails_closed() -> None:
    """By default reports that differ in their problems are not compared at all."""
    before, after = stale_pair()
    found = verdict(
        "E[D_5] must not rise", after, before, policy=Policy(accept_command="codecollapse …")
    )
    assert (found.status, found.failed) == ("stale", True)
    assert found.summary == (
        "E[D_5] must not rise: not comparable: 1 of 5 problems changed its inputs, 1 is gone"
    )
    assert found.details == (
        "1 of 5 problems changed its inputs: d",
        "1 is gone: e",
        "where that was meant: list the problems in allow_removed",
        "to accept the change: codecollapse …",
    )
    assert found.problem_ids == ("d", "e")


@pytest.mark.parametrize(
    ("rule", "status", "finding"),
    [("drop", "fail", "lies below 0"), ("rise", "pass", "does not lie above 0")],
)
def test_intersect_judges_what_is_left(rule: str, status: str, finding: str) -> None:
    """With intersect the three comparable problems are judged and the others counted."""
    before, after = stale_pair()
    improved = IMPROVED if rule == "rise" else ""
    found = verdict(f"E[D_5] must not {rule}", after, before, policy=INTERSECT)
    assert found.status == status
    assert found.summary == (
        f"E[D_5] must not {rule}: 1.985 -> 1, delta -0.9848 [-0.9848, -0.9848] {finding};"
        f" left out: 1 of 5 problems changed its inputs, 1 is gone{improved}"
    )


def test_intersect_fails_where_nothing_is_left() -> None:
    """With every problem changed the verdict is stale under intersect too."""
    before = report(sized("a", [2]), sized("b", [2]))
    after = report(*(sized(name, [2], identity=identity_with(prompt="1")) for name in "ab"))
    found = verdict("pass@1 must not drop", after, before, policy=INTERSECT)
    assert (found.status, found.summary) == (
        "stale",
        "pass@1 must not drop: not comparable: 2 of 2 problems changed their prompt",
    )


def test_intersect_does_not_pass_over_other_settings() -> None:
    """Measured under other settings no problem is comparable, whichever its identity."""
    problems = [sized(name, [2]) for name in "ab"]
    found = verdict(
        "pass@1 must not drop",
        report(*problems, settings=Settings(inputs=20)),
        report(*problems),
        policy=INTERSECT,
    )
    assert (found.status, found.summary) == (
        "stale",
        "pass@1 must not drop: not comparable: inputs 50 -> 20",
    )


def test_a_verdict_counts_the_problems_without_the_metric() -> None:
    """Pairs that lack the metric on either side are counted out in the summary."""
    found = verdict("chao1 must not drop", chao1(1, 2, None), chao1(1, 2, 3))
    assert found.status == "pass"
    assert found.summary.endswith("does not lie below 0 (2 of 3 problems)")


@pytest.mark.parametrize(
    ("before", "after", "summary"),
    [
        (
            report(sized("a", [2]), sized("b", [2])),
            report(sized("a", [9]), sized("b", [9])),
            "E[D_5] must not drop: not defined on both sides of any of 2 problems: fewer than 5"
            " candidates",
        ),
        (
            report(sized("a", [9], ks=(1,))),
            report(sized("a", [9])),
            "E[D_5] must not drop: not measured in the baseline",
        ),
        (
            report(sized("a", [9])),
            report(sized("a", [9], ks=(1,))),
            "E[D_5] must not drop: not measured in the current report",
        ),
    ],
)
def test_a_metric_that_cannot_be_compared_fails(
    before: Report, after: Report, summary: str
) -> None:
    """A gate whose metric is on one side only, or on neither, fails and says which."""
    found = verdict("E[D_5] must not drop", after, before)
    assert (found.status, found.summary) == ("fail", summary)


def test_rules_are_judged_in_order() -> None:
    """There is one verdict a rule, in the order of the rules, under its canonical text."""
    rules = [parse_rule(text) for text in ("chao1>=9", "every chao1 >= 1")]
    assert [(each.rule, each.status) for each in judge(rules, chao1(1, 2))] == [
        ("chao1 >= 9", "fail"),
        ("every chao1 >= 1", "pass"),
    ]


def test_a_comparison_without_a_baseline_is_a_usage_error() -> None:
    """No rule is judged where one of them lacks its baseline."""
    rules = [parse_rule("chao1 >= 1"), parse_rule("chao1 must not drop")]
    with pytest.raises(UsageError, match="'chao1 must not drop' compares with a baseline"):
        judge(rules, chao1(1))


def test_the_interval_in_the_details_is_the_one_asked_for() -> None:
    """Confidence, method and resamples are told as they were set."""
    settings = CompareSettings(resamples=500, confidence=Fraction(9, 10))
    found = verdict("chao1 must not drop", chao1(1, 1), chao1(2, 2), settings=settings)
    assert found.details[1] == ("90% interval [-1, -1] (expanded, 500 resamples), threshold 0")


RULES = [parse_rule("E[D_5] must not drop"), parse_rule("pass@1 >= 0.9")]


def test_without_a_baseline_yet_a_change_is_not_judged() -> None:
    """Where the policy says why there is none, rules that need one are skipped, others are not."""
    policy = Policy(no_baseline="there is none yet")
    found = judge(RULES, worked(WORKED_AFTER), policy=policy)
    assert [each.status for each in found] == ["skipped", "fail"]
    assert found[0].summary == "E[D_5] must not drop: not judged: there is none yet"


def test_an_accepted_change_fails_no_more() -> None:
    """What fails against the baseline is skipped and keeps what it said; a bound still fails."""
    before, after = worked(WORKED_BEFORE), worked(WORKED_AFTER)
    baseline = Baseline(report=before, comparison=compare(before, after, PERCENTILE))
    verdicts = judge(RULES, after, baseline=baseline)
    assert [each.status for each in verdicts] == ["fail", "fail"]
    accepted = accept_changes(RULES, verdicts, "me")
    assert accepted[0].summary == f"{verdicts[0].summary}; accepted by me"
    assert (accepted[0].status, accepted[0].details) == ("skipped", verdicts[0].details)
    assert accepted[1] == verdicts[1]
    kept = judge(
        RULES[:1],
        before,
        baseline=Baseline(report=before, comparison=compare(before, before, PERCENTILE)),
    )
    assert accept_changes(RULES[:1], kept, "me") == kept


def test_a_rise_that_did_not_come_is_no_change_to_accept() -> None:
    """Only where the sides could not be compared is there a change: the one that made them so."""
    rules = [parse_rule("chao1 must rise")]
    for before, after, status in (
        (chao1(10, 10), chao1(10, 10), "fail"),
        (chao1(10, 10), chao1(9, 12), "inconclusive"),
        (chao1(10, 10), chao1(20), "skipped"),
    ):
        baseline = Baseline(report=before, comparison=compare(before, after, PERCENTILE))
        (found,) = accept_changes(rules, judge(rules, after, baseline=baseline), "me")
        assert found.status == status
