from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest
from plugin_corpora import COLLAPSED, DIVERSE, problem, write_checkpoints, write_samples
from plugin_runs import printed, run, section

AGAINST = ("--codecollapse-samples=after.jsonl", "--codecollapse-baseline=before.jsonl")


@pytest.fixture(autouse=True)
def checkpoints(pytester: pytest.Pytester) -> None:
    """Write before.jsonl and after.jsonl, which has collapsed."""
    write_checkpoints(pytester.path)


def gate_results(result: pytest.RunResult) -> dict[str, str]:
    """Return what a verbose run said of each gate of after.jsonl."""
    start = "after.jsonl::gate["
    lines = [line[len(start) :] for line in result.outlines if line.startswith(start)]
    return {rule: rest.split()[0] for rule, _, rest in (line.rpartition("] ") for line in lines)}


def test_a_failed_gate_is_a_failed_test(pytester: pytest.Pytester) -> None:
    """A baseline and no rules judge the two default rules; failing, they exit 1 and count."""
    result = run(pytester, *AGAINST, "-v")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(
        [
            "after.jsonl::two PASSED *[[] 50%]",
            "after.jsonl::gate[[]E[[]D_5] must not drop] FAILED *[[] 75%]",
            "after.jsonl::gate[[]masking_ratio must not rise] FAILED *[[]100%]",
            "FAILED after.jsonl::gate[[]E[[]D_5] must not drop] - *",
            "=* 2 failed, 2 passed in *",
        ]
    )


def test_a_failed_gate_needs_no_terminal_to_fail(pytester: pytest.Pytester) -> None:
    """Without the terminal plugin, a failed gate exits 1 all the same."""
    assert run(pytester, *AGAINST, "-p", "no:terminal").ret == pytest.ExitCode.TESTS_FAILED
    passing = run(
        pytester, *AGAINST, "-p", "no:terminal", "--codecollapse-gate=pass@1 must not drop"
    )
    assert passing.ret == pytest.ExitCode.OK


def test_a_kept_gate_is_a_passed_test(pytester: pytest.Pytester) -> None:
    """Where every gate is kept the run exits 0, and the gates are among the passed tests."""
    result = run(pytester, *AGAINST, "--codecollapse-gate=pass@1 must not drop", "-v")
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=3)
    assert gate_results(result) == {"pass@1 must not drop": "PASSED"}


def test_a_failure_says_all_there_is_to_know(pytester: pytest.Pytester) -> None:
    """A failed gate shows the figures, their split, what was lost where, and how to accept it."""
    result = run(pytester, *AGAINST, "--codecollapse-gate=D@5 must not drop by 10%")
    difference = (
        "      lost: 1 candidate, wrong: (1) -> 3, expected 2",
        "      lost: 1 candidate, wrong: (1) -> 1, expected 2",
        "      lost: 1 candidate, wrong: (1) -> -1, expected 2",
        "      and 1 more lost",
        "      grown: 1 of 6 -> 4 of 6 candidates, correct",
        "      grown: 1 of 6 -> 2 of 6 candidates, wrong: (1) -> 0, expected 2",
    )
    assert section(result, "FAILURES") == [
        "______________________ gate: E[D_5] must not drop by 10% _______________________",
        "E[D_5] must not drop by 10%: 5 -> 2, delta -3 [-3, -3] lies below -0.5",
        "  E[D_5] over 2 problems: baseline 5, now 2, delta -3",
        "  95% interval [-3, -3] (expanded, 2000 resamples), threshold -0.5 (10% of the baseline)",
        "  delta -3 = pass@5 0.1667 (more often right) + E[W_5] -3.167 (fewer wrong ideas)",
        "  dropped most:",
        "    one  E[D_5] 5 -> 2  lost 4 behaviours: 4 wrong (4 candidates)",
        *difference,
        "    two  E[D_5] 5 -> 2  lost 4 behaviours: 4 wrong (4 candidates)",
        *difference,
        "  to accept the change: cp after.jsonl before.jsonl",
    ]


def test_junit_has_a_testcase_a_gate(pytester: pytest.Pytester) -> None:
    """JUnit counts the gates as tests of the samples file, with the message where one fails."""
    gates = ("--codecollapse-gate=pass@1 must not drop", "--codecollapse-gate=D@5 must not drop")
    run(pytester, *AGAINST, *gates, "--junitxml=junit.xml")
    (suite,) = ElementTree.parse(pytester.path / "junit.xml").getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("4", "1", "0")
    cases = {(case.get("classname"), case.get("name")): case for case in suite}
    assert list(cases) == [
        ("after.jsonl", "one"),
        ("after.jsonl", "two"),
        ("after.jsonl", "gate[pass@1 must not drop]"),
        ("after.jsonl", "gate[E[D_5] must not drop]"),
    ]
    failures = suite.findall("testcase/failure")
    assert [failure.get("message") for failure in failures] == [
        "E[D_5] must not drop: 5 -> 2, delta -3 [-3, -3] lies below 0"
    ]
    assert "to accept the change: cp after.jsonl before.jsonl" in (failures[0].text or "")


def test_gates_come_from_the_ini_file(pytester: pytest.Pytester) -> None:
    """The lines of codecollapse_gates take the place of the default rules, in their order."""
    pytester.makeini(
        """
        [pytest]
        codecollapse_samples = after.jsonl
        codecollapse_baseline = before.jsonl
        codecollapse_gates =
            hill_q0 >= 2
            pass@1 must not rise
        """
    )
    result = run(pytester, "-v")
    result.assert_outcomes(passed=3, failed=1)
    assert gate_results(result) == {"hill_q0 >= 2": "PASSED", "pass@1 must not rise": "FAILED"}


def test_gates_of_the_command_line_override_those_of_the_ini_file(
    pytester: pytest.Pytester,
) -> None:
    """Given by the option, gates take the place of all those of the ini file."""
    pytester.makeini("[pytest]\ncodecollapse_gates = hill_q0 >= 100\n")
    result = run(pytester, *AGAINST, "--codecollapse-gate=hill_q0 >= 2", "-v")
    result.assert_outcomes(passed=3)
    assert gate_results(result) == {"hill_q0 >= 2": "PASSED"}


def test_without_baseline_and_rules_there_is_no_gate(pytester: pytest.Pytester) -> None:
    """Samples alone are measured, not judged."""
    result = run(pytester, "--codecollapse-samples=after.jsonl", "-v")
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=2)
    assert "gate[" not in printed(result)


def test_a_bound_on_the_mean_is_a_gate_and_needs_no_baseline(pytester: pytest.Pytester) -> None:
    """A mean under its bound fails the gate, not the problems, and names the lowest problems."""
    write_samples(
        pytester.path / "after.jsonl", problem("one", *DIVERSE), problem("two", *COLLAPSED)
    )
    result = run(pytester, "--codecollapse-samples=after.jsonl", "--codecollapse-gate=D@5 >= 3.51")
    result.assert_outcomes(passed=2, failed=1)
    assert section(result, "FAILURES")[1:] == [
        "E[D_5] >= 3.51: mean 3.5 is below 3.51 (2 problems)",
        "  lowest E[D_5]:",
        "    2 (two)",
        "    5 (one)",
    ]


def test_an_every_rule_fails_the_problem_and_is_no_gate(pytester: pytest.Pytester) -> None:
    """A rule for every problem is checked by each problem's own test, all rules at once."""
    write_samples(
        pytester.path / "after.jsonl", problem("one", *DIVERSE), problem("two", *COLLAPSED)
    )
    result = run(
        pytester,
        "--codecollapse-samples=after.jsonl",
        "--codecollapse-gate=every hill_q0 >= 3",
        "--codecollapse-gate=every masking_ratio <= 2",
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=1, failed=1)
    assert section(result, "FAILURES") == [
        "_____________________________________ two ______________________________________",
        "hill_q0 2 is below 3",
        "masking_ratio 2.5 is above 2",
        "2 of 6 candidates fail: wrong output 2",
    ]


@pytest.mark.parametrize("rule", ["E[D_3] >= 1.8", "every D@3 <= 1.8", "pass@3 must not drop"])
def test_a_rule_may_name_a_number_of_draws_that_k_lacks(
    pytester: pytest.Pytester, rule: str
) -> None:
    """With k = 1 a rule about 3 draws is judged on its exact value, against a baseline too."""
    result = run(pytester, *AGAINST, f"--codecollapse-gate={rule}", "--codecollapse-k=1")
    assert result.ret == pytest.ExitCode.OK
    assert result.parseoutcomes()["passed"] == (2 if rule.startswith("every") else 3)
    assert "E[D_3]" in printed(result)


def test_gates_are_judged_for_each_samples_file(pytester: pytest.Pytester) -> None:
    """Two samples files have a test for each gate each, under the file's name."""
    result = run(
        pytester,
        "--codecollapse-samples=before.jsonl",
        "--codecollapse-samples=after.jsonl",
        "--codecollapse-gate=hill_q0 >= 3",
        "-v",
    )
    result.assert_outcomes(passed=5, failed=1)
    result.stdout.fnmatch_lines(
        [
            "before.jsonl::gate[[]hill_q0 >= 3] PASSED*",
            "after.jsonl::gate[[]hill_q0 >= 3] FAILED*",
            "*- before.jsonl -*",
            "PASS hill_q0 >= 3: mean 6 (2 problems)",
            "*- after.jsonl -*",
            "FAIL hill_q0 >= 3: mean 2 is below 3 (2 problems)",
        ]
    )
