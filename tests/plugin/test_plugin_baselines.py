from __future__ import annotations

from typing import Any

import pytest
from plugin_corpora import COLLAPSED, DIVERSE, problem, write_samples
from plugin_runs import run, section

from pytest_codecollapse.cli import main

AGAINST = ("--codecollapse-samples=after.jsonl", "--codecollapse-baseline=before.jsonl")
RULE = "hill_q0 must not drop"
GATE = f"--codecollapse-gate={RULE}"
HEADLINE = "_________________________ gate: hill_q0 must not drop __________________________"
ACCEPT = "pytest ... --codecollapse-update-baseline=all"
MEANT = "where that was meant: list the problems in allow_removed"

THREE = [problem(problem_id, *DIVERSE) for problem_id in ("one", "two", "three")]


def write_pair(pytester: pytest.Pytester, before: list[Any], after: list[Any]) -> None:
    """Write the two samples files."""
    write_samples(pytester.path / "before.jsonl", *before)
    write_samples(pytester.path / "after.jsonl", *after)


@pytest.mark.parametrize(
    ("before", "after", "what", "details"),
    [
        (THREE[:2], THREE, "1 problem is new", ["1 problem is new: three"]),
        (THREE, THREE[:2], "1 of 3 problems is gone", ["1 of 3 problems is gone: three", MEANT]),
        (
            THREE,
            [*THREE[:2], problem("three", *DIVERSE, prompt="Double x.", inputs=[[1], [2]])],
            "1 of 3 problems changed its inputs and prompt",
            ["1 of 3 problems changed its inputs and prompt: three"],
        ),
        (
            THREE,
            [problem("one", *DIVERSE, setup="import math"), THREE[1], problem("four", *DIVERSE)],
            "1 of 3 problems changed its setup, 1 is gone, 1 is new",
            [
                "1 of 3 problems changed its setup: one",
                "1 is gone: three",
                "1 is new: four",
                MEANT,
            ],
        ),
    ],
    ids=["new", "gone", "changed", "all-three"],
)
def test_another_set_of_problems_is_stale(
    pytester: pytest.Pytester,
    before: list[Any],
    after: list[Any],
    what: str,
    details: list[str],
) -> None:
    """A gate fails closed where a problem is new, gone or changed, and says which and in what."""
    write_pair(pytester, before, after)
    result = run(pytester, *AGAINST, GATE, "--codecollapse-show=gates")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=len(after), failed=1)
    assert section(result, "FAILURES") == [
        HEADLINE,
        f"{RULE}: not comparable: {what}",
        *(f"  {detail}" for detail in details),
        "  to accept the change: cp after.jsonl before.jsonl",
    ]
    result.stdout.fnmatch_lines([f"STALE {RULE}: not comparable: *"])


def test_intersect_judges_what_is_left(pytester: pytest.Pytester) -> None:
    """With stale=intersect the paired problems are judged, and the verdict names the others."""
    write_pair(pytester, THREE[:2], THREE)
    result = run(
        pytester, *AGAINST, GATE, "--codecollapse-stale=intersect", "--codecollapse-show=gates"
    )
    result.assert_outcomes(passed=4)
    assert section(result, "codecollapse")[-2:] == [
        "PASS hill_q0 must not drop: 6 -> 6, delta 0 [0, 0] does not lie below 0; left",
        "    out: 1 problem is new",
    ]


def test_intersect_fails_where_nothing_is_left(pytester: pytest.Pytester) -> None:
    """With stale=intersect and no problem in common the gate is still stale."""
    write_pair(pytester, THREE[:1], THREE[1:])
    result = run(pytester, *AGAINST, GATE, "--codecollapse-stale=intersect")
    result.assert_outcomes(passed=2, failed=1)
    assert section(result, "FAILURES")[1] == (
        f"{RULE}: not comparable: 1 of 1 problem is gone, 2 are new"
    )


@pytest.mark.parametrize("stale", ["fail", "intersect"])
def test_a_report_measured_with_other_settings_is_stale(
    pytester: pytest.Pytester, stale: str
) -> None:
    """A report of 2 inputs is not comparable with 50, whatever is to be done with stale ones."""
    write_pair(pytester, THREE, THREE)
    assert main(["measure", "before.jsonl", "--json", "before.json", "--inputs", "2"]) == 0
    result = run(
        pytester,
        "--codecollapse-samples=after.jsonl",
        "--codecollapse-baseline=before.json",
        "--codecollapse-timeout=2",
        f"--codecollapse-stale={stale}",
        GATE,
    )
    result.assert_outcomes(passed=3, failed=1)
    assert section(result, "FAILURES") == [
        HEADLINE,
        f"{RULE}: not comparable: inputs 2 -> 50; timeout_s 0.5 -> 2.0",
        "  inputs 2 -> 50",
        "  timeout_s 0.5 -> 2.0",
        f"  to accept the change: {ACCEPT}",
    ]


def test_the_command_that_accepts_makes_the_gate_pass(pytester: pytest.Pytester) -> None:
    """Run with the option that is printed, pytest makes a stale baseline fit."""
    write_pair(pytester, THREE, THREE)
    assert main(["measure", "before.jsonl", "--json", "before.json", "--inputs", "2"]) == 0
    against = ("--codecollapse-samples=after.jsonl", "--codecollapse-baseline=before.json", GATE)
    shown = [line.strip() for line in section(run(pytester, *against), "FAILURES")]
    assert shown[-1] == f"to accept the change: {ACCEPT}"
    run(pytester, *against, *ACCEPT.split()[2:]).assert_outcomes(passed=3, skipped=1)
    run(pytester, *against).assert_outcomes(passed=4)


def test_a_saved_report_is_judged_like_its_samples(pytester: pytest.Pytester) -> None:
    """A report as baseline gives the failures of the samples that it was measured from."""
    write_pair(pytester, THREE[:2], [problem(name, *COLLAPSED) for name in ("one", "two")])
    assert main(["measure", "before.jsonl", "--json", "before.json", "--k", "1"]) == 0
    from_samples = section(run(pytester, *AGAINST), "FAILURES")
    from_report = section(
        run(pytester, "--codecollapse-samples=after.jsonl", "--codecollapse-baseline=before.json"),
        "FAILURES",
    )
    accept = f"  to accept the change: {ACCEPT}"
    assert len(from_samples) == 41
    assert from_report == [
        accept if "to accept the change" in line else line for line in from_samples
    ]


def test_an_interval_across_the_margin_is_inconclusive(pytester: pytest.Pytester) -> None:
    """A margin that the interval crosses fails, and says how many problems would settle it."""
    write_pair(pytester, THREE[:2], [problem("one", *DIVERSE), problem("two", *COLLAPSED)])
    result = run(pytester, *AGAINST, "--codecollapse-gate=hill_q0 must not drop by 30%")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=2, failed=1)
    lines = section(result, "FAILURES")
    assert lines[1] == (
        "hill_q0 must not drop by 30%: 6 -> 4, delta -2 [-4, 0] lies on both sides of -1.8"
    )
    assert lines[3] == (
        "  95% interval [-4, 0] (expanded, 2000 resamples), threshold -1.8 (30% of the baseline)"
    )
    assert lines[4:6] == [
        "  dropped most:",
        "    two  hill_q0 6 -> 2  lost 4 behaviours: 4 wrong (4 candidates)",
    ]
    assert lines[6] == "      lost: 1 candidate, wrong: (1) -> 3, expected 2"
    assert lines[12].endswith(" problems would settle it, were the delta to stay -2")
    result.stdout.fnmatch_lines(["INCONCLUSIVE hill_q0 must not drop by 30%: *"])


def test_an_inconclusive_gate_can_be_skipped(pytester: pytest.Pytester) -> None:
    """With inconclusive=skip the gate is a skipped test with its figures, and the run exits 0."""
    write_pair(pytester, THREE[:2], [problem("one", *DIVERSE), problem("two", *COLLAPSED)])
    rule = "hill_q0 must not drop by 30%"
    result = run(
        pytester, *AGAINST, f"--codecollapse-gate={rule}", "--codecollapse-inconclusive=skip", "-rs"
    )
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=2, skipped=1)
    figures = "6 -> 4, delta -2 [[]-4, 0] lies on both sides of -1.8"
    result.stdout.fnmatch_lines([f"SKIPPED *after.jsonl*: {rule}: {figures}"])


def test_one_problem_has_no_interval(pytester: pytest.Pytester) -> None:
    """With a single problem no change can be judged, whatever it is."""
    write_pair(pytester, THREE[:1], THREE[:1])
    result = run(pytester, *AGAINST, GATE)
    result.assert_outcomes(passed=1, failed=1)
    assert section(result, "FAILURES")[1] == (
        f"{RULE}: 6 -> 6, delta 0 has no interval: one problem only"
    )
    result.stdout.fnmatch_lines(
        ["caution: 1 problem to compare: there is no interval under 2, so no verdict on a", "*"]
    )


def test_how_intervals_are_made_is_an_option(pytester: pytest.Pytester) -> None:
    """Confidence, method and resamples are taken over, and shown with the interval."""
    write_pair(pytester, THREE[:2], [problem("one", *DIVERSE), problem("two", *COLLAPSED)])
    pytester.makeini(
        """
        [pytest]
        codecollapse_confidence = 0.4
        codecollapse_interval = percentile
        codecollapse_resamples = 1000
        """
    )
    result = run(pytester, *AGAINST, "--codecollapse-gate=hill_q0 must not drop by 1")
    assert section(result, "FAILURES")[3] == (
        "  40% interval [-2, -2] (percentile, 1000 resamples), threshold -1"
    )
