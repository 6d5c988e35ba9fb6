from __future__ import annotations

import pytest
from plugin_corpora import COLLAPSED, problem, write_checkpoints, write_samples
from plugin_runs import run, section

SAMPLES = "--codecollapse-samples=after.jsonl"
GATE = "--codecollapse-gate=hill_q0 >= 1"
FAIL = "--codecollapse-partial=fail"


@pytest.fixture(autouse=True)
def checkpoints(pytester: pytest.Pytester) -> None:
    """Write before.jsonl and after.jsonl."""
    write_checkpoints(pytester.path)


@pytest.mark.parametrize("where", ["command line", "ini"])
def test_a_partial_run_can_be_made_to_fail(pytester: pytest.Pytester, where: str) -> None:
    """With partial = fail each gate of a partial run is a failed test that says why; exit 1."""
    if where == "ini":
        pytester.makeini("[pytest]\ncodecollapse_partial = fail\n")
    result = run(pytester, SAMPLES, GATE, "-k", "one", *([FAIL] if where != "ini" else []))
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=1, failed=1, deselected=1)
    assert section(result, "FAILURES")[1:] == ["hill_q0 >= 1: not judged: measured 1 of 2 problems"]


def test_the_command_line_has_the_last_word_on_partial_runs(pytester: pytest.Pytester) -> None:
    """Given by the option, skip takes the place of the ini file's fail."""
    pytester.makeini("[pytest]\ncodecollapse_partial = fail\n")
    result = run(pytester, SAMPLES, GATE, "-k", "one", "--codecollapse-partial=skip")
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=1, skipped=1, deselected=1)


def test_a_partial_run_fails_without_any_gate(pytester: pytest.Pytester) -> None:
    """Where no rule is about all problems, that all are measured is a gate of its own."""
    result = run(pytester, SAMPLES, "--codecollapse-gate=every hill_q0 >= 2", FAIL, "-k", "one")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=1, failed=1, deselected=1)
    assert section(result, "FAILURES")[1:] == [
        "every problem is measured: measured 1 of 2 problems"
    ]


def test_a_whole_run_passes(pytester: pytest.Pytester) -> None:
    """With partial = fail a run over every problem is judged as always, with or without gates."""
    result = run(pytester, SAMPLES, FAIL, "-v")
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(
        [
            "after.jsonl::gate[[]every problem is measured] PASSED *[[]100%]",
            "PASS every problem is measured: measured 2 of 2 problems",
        ]
    )
    run(pytester, SAMPLES, FAIL, GATE).assert_outcomes(passed=3)


def test_a_problem_that_cannot_be_measured_fails_the_gates(pytester: pytest.Pytester) -> None:
    """With partial = fail, the gates fail beside the problem's own test."""
    faulty = problem("faulty", reference="def f(x): raise OSError")
    write_samples(pytester.path / "after.jsonl", problem("fine"), faulty)
    run(pytester, SAMPLES, GATE, FAIL).assert_outcomes(passed=1, failed=2)


def test_failures_name_the_samples_file_where_there_are_several(pytester: pytest.Pytester) -> None:
    """Of two files of one name, each gate's failure says which one it is about."""
    for folder in ("a", "b"):
        pytester.mkdir(folder)
        write_samples(pytester.path / folder / "s.jsonl", problem("one", *COLLAPSED))
    files = ("--codecollapse-samples=a/s.jsonl", "--codecollapse-samples=b/s.jsonl")
    result = run(pytester, *files, "--codecollapse-gate=hill_q0 >= 3", "-v", "--junitxml=junit.xml")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(
        [
            "a/s.jsonl::one PASSED *",
            "b/s.jsonl::one PASSED *",
            "a/s.jsonl::gate[[]hill_q0 >= 3] FAILED *",
            "b/s.jsonl::gate[[]hill_q0 >= 3] FAILED *",
        ]
    )
    mean = "hill_q0 >= 3: mean 2 is below 3 (1 problem)"
    failures = [line for line in section(result, "FAILURES") if "mean" in line]
    assert failures == [f"a/s.jsonl: {mean}", f"b/s.jsonl: {mean}"]
    junit = (pytester.path / "junit.xml").read_text()
    assert all(f'message="{folder}/s.jsonl: hill_q0 &gt;= 3: mean 2' in junit for folder in "ab")
