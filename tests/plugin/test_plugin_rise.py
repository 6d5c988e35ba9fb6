"""``must rise`` as a gate of a run: after.jsonl is right more often, and its ideas are fewer."""

from __future__ import annotations

import json

import pytest
from plugin_corpora import DIVERSE, problem, write_checkpoints, write_samples
from plugin_runs import SERIAL_AND_WORKERS, run, run_apart, section

AGAINST = ("--codecollapse-samples=after.jsonl", "--codecollapse-baseline=before.jsonl")
RISES = "--codecollapse-gate=pass@1 must rise"
DROPS = "--codecollapse-gate=E[D_5] must rise"


@pytest.fixture(autouse=True)
def checkpoints(pytester: pytest.Pytester) -> None:
    """Write before.jsonl and after.jsonl."""
    write_checkpoints(pytester.path)


@SERIAL_AND_WORKERS
def test_a_rise_is_judged_like_any_gate(
    pytester: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    """A rise passes without a word on the baseline; none fails, and there is none to accept."""
    arguments = (*AGAINST, RISES, DROPS)
    result = run_apart(pytester, *arguments, *workers) if workers else run(pytester, *arguments)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=3, failed=1)
    failure = section(result, "FAILURES")
    assert failure[1:6] == [
        "E[D_5] must rise: 5 -> 2, delta -3 [-3, -3] does not reach above 0",
        "  E[D_5] over 2 problems: baseline 5, now 2, delta -3",
        "  95% interval [-3, -3] (expanded, 2000 resamples), threshold 0",
        "  delta -3 = pass@5 0.1667 (more often right) + E[W_5] -3.167 (fewer wrong ideas)",
        "  dropped most:",
    ]
    assert not any("to accept" in line for line in failure)
    assert "PASS pass@1 must rise: 0.1667 -> 0.6667, delta 0.5 [0.5, 0.5] lies above 0" in section(
        result, "codecollapse"
    )


def test_a_margin_and_what_is_inconclusive(pytester: pytest.Pytester) -> None:
    """From an ini file, with a margin; on both sides of it the policy decides."""
    write_samples(
        pytester.path / "after.jsonl",
        problem("one", "2 * x", *["0"] * 5),
        problem("two", *["2 * x"] * 6),
    )
    pytester.makeini(
        """
        [pytest]
        codecollapse_samples = after.jsonl
        codecollapse_baseline = before.jsonl
        codecollapse_gates = pass@1 must rise by 1/10
        """
    )
    result = run(pytester)
    result.assert_outcomes(passed=2, failed=1)
    assert section(result, "FAILURES")[1] == (
        "pass@1 must rise by 0.1: 0.1667 -> 0.5833, delta 0.4167 [0, 0.8333] lies on both sides of"
        " 0.1"
    )
    run(pytester, "--codecollapse-inconclusive=skip").assert_outcomes(passed=2, skipped=1)


def test_a_marker_can_ask_for_a_rise(pytester: pytest.Pytester) -> None:
    """A test holds its samples to a rise over the session's baseline."""
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.diversity_floor("pass@1 must rise by 0.4")
        def test_right_more_often(): pass

        @pytest.mark.diversity_floor("E[W_5] must rise")
        def test_more_wrong_ideas(): pass
        """
    )
    result = run(pytester, *AGAINST, RISES)
    result.assert_outcomes(passed=4, failed=1)
    result.stdout.fnmatch_lines(["E[[]W_5] must rise: 4.167 -> 1, *does not reach above 0"])


@pytest.mark.parametrize(
    ("partial", "counts"),
    [("skip", {"passed": 1, "skipped": 1}), ("fail", {"passed": 1, "failed": 1})],
)
def test_a_part_of_the_problems_shows_no_rise(
    pytester: pytest.Pytester, partial: str, counts: dict[str, int]
) -> None:
    """Under ``-k`` the gate is skipped, or fails in CI, as any other."""
    result = run(pytester, *AGAINST, RISES, "-k", "one", f"--codecollapse-partial={partial}")
    result.assert_outcomes(**counts, deselected=1)


def test_no_new_baseline_is_made_of_what_did_not_rise(pytester: pytest.Pytester) -> None:
    """An update accepts changes; a rise that is missing is none, so nothing is written."""
    baseline = pytester.path / "before.json"
    write = ("--codecollapse-baseline=before.json", "--codecollapse-update-baseline=missing")
    first = run(pytester, "--codecollapse-samples=before.jsonl", *write, RISES)
    first.assert_outcomes(passed=2, skipped=1)
    old = baseline.read_bytes()
    update = (
        "--codecollapse-samples=after.jsonl",
        "--codecollapse-baseline=before.json",
        "--codecollapse-update-baseline=all",
    )
    result = run(pytester, *update, DROPS)
    result.assert_outcomes(passed=2, failed=1)
    assert section(result, "codecollapse")[-1] == "baseline before.json not updated: 1 test failed"
    assert baseline.read_bytes() == old
    run(pytester, *update, RISES).assert_outcomes(passed=3)
    assert {each["correct"] for each in json.loads(baseline.read_text())["problems"]} == {4}


def test_an_update_accepts_that_a_rise_could_not_be_judged(pytester: pytest.Pytester) -> None:
    """Where the baseline is stale, to renew it is the remedy."""
    write = ("--codecollapse-baseline=before.json", "--codecollapse-update-baseline=missing")
    run(pytester, "--codecollapse-samples=before.jsonl", *write, RISES)
    changed = [problem(each, *DIVERSE, setup="import re") for each in ("one", "two")]
    write_samples(pytester.path / "after.jsonl", *changed)
    arguments = ("--codecollapse-samples=after.jsonl", "--codecollapse-baseline=before.json", RISES)
    run(pytester, *arguments).assert_outcomes(passed=2, failed=1)
    result = run(pytester, *arguments, "--codecollapse-update-baseline=all")
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=2, skipped=1)
    assert section(result, "codecollapse")[-1] == (
        "baseline before.json updated: 2 problems replaced, 0 added"
    )
