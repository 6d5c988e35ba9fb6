"""Faults that a test does not catch: what the fixture raises is told, not traced."""

from __future__ import annotations

import pytest
from plugin_corpora import problem, write_samples
from plugin_runs import run, section

SAMPLES = "--codecollapse-samples=after.jsonl"

FAULTS = """
import pytest

@pytest.fixture
def report(codecollapse):
    return codecollapse.measure("nope.jsonl")

def test_setup(report): pass

def test_unknown(codecollapse):
    codecollapse.problem("no\\nsuch")

def test_faulty(codecollapse):
    codecollapse.problem("faulty")
"""


@pytest.fixture(autouse=True)
def samples(pytester: pytest.Pytester) -> None:
    """Write after.jsonl with a problem that cannot be measured."""
    faulty = problem("faulty", reference="def f(x): raise OSError")
    write_samples(pytester.path / "after.jsonl", faulty)


def test_a_fault_is_one_line_that_names_the_line_of_the_test(pytester: pytest.Pytester) -> None:
    """In a fixture's or a test's body: path, line, what is wrong and the remedy; no frames."""
    pytester.makepyfile(test_faults=FAULTS)
    result = run(pytester, SAMPLES, "--deselect=after.jsonl::faulty")
    result.assert_outcomes(errors=1, failed=2, deselected=1)
    (error,) = section(result, "ERRORS")[1:]
    assert error.startswith("test_faults.py:5: nope.jsonl: the file cannot be opened (got 'No such")
    assert [line for line in section(result, "FAILURES") if "____" not in line] == [
        r"test_faults.py:10: no problem 'no\nsuch' in the session's samples; name the file with"
        " --codecollapse-samples or codecollapse_samples",
        "test_faults.py:13: after.jsonl:1: problem 'faulty': the reference raises on every input"
        " (exc:OSError); check that the inputs are argument lists for its entry point",
    ]


def test_a_baseline_that_is_missing_is_told_by_each_test(pytester: pytest.Pytester) -> None:
    """Without samples nobody has read the baseline before the fixture is asked for."""
    pytester.makepyfile(test_first="def test_it(codecollapse): pass\n")
    result = run(pytester, "--codecollapse-baseline=nope.json")
    result.assert_outcomes(errors=1)
    (error,) = section(result, "ERRORS")[1:]
    assert error.startswith("test_first.py:1: nope.json: there is no such baseline (")


def test_other_failures_keep_their_traceback(pytester: pytest.Pytester) -> None:
    """What is no fault of the samples is shown as pytest shows it, and xfail sees the fault."""
    pytester.makepyfile(
        """
        import pytest
        from pytest_codecollapse import CodecollapseError

        def test_zero(codecollapse):
            1 / 0

        @pytest.mark.xfail(raises=CodecollapseError, strict=True)
        def test_expected(codecollapse):
            codecollapse.problem("nope")

        def test_own():
            raise CodecollapseError("raised without the fixture")
        """
    )
    result = run(pytester, SAMPLES, "-k", "not faulty")
    result.assert_outcomes(failed=2, xfailed=1, deselected=1)
    result.stdout.fnmatch_lines(
        [
            ">       1 / 0",
            "E       ZeroDivisionError: *",
            ">       raise CodecollapseError(*",
            "E       pytest_codecollapse.errors.CodecollapseError: raised without the fixture",
        ]
    )
