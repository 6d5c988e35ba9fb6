"""What a problem's report says of tests, causes and repairs, against what its candidates did."""

from __future__ import annotations

from checked_records import PLAIN, REPAIRS, RIGHT, WRONG, Row, checked
from report_records import measured

from pytest_codecollapse.model import FailedAssert, SharedFailure

ASSERTION = "assert count_vowels('a') == 1"


def failure(got: str, kind: str, *members: int) -> SharedFailure:
    """Build the failure of the one assert."""
    return SharedFailure(assertion=ASSERTION, got=got, kind=kind, members=members)


def test_failures_are_grouped_the_most_frequent_first() -> None:
    """Candidates that failed one assert alike are one group; ties go by the first member."""
    checks = checked().checks
    assert checks is not None
    assert checks.asserts == 3
    assert checks.passed == (3, 3, 2, 3, 2, 0, 0, 0, 1, 2, 2, 0)
    assert checks.failures == (
        failure("2", "value", 2, 4),
        failure("does not load: SyntaxError", "load", 5, 11),
        failure("does not load: NameError", "load", 6),
        failure("does not load: ModuleNotFoundError", "load", 7),
        failure("raises TypeError", "exception", 8),
        failure("TIMEOUT", "timeout", 9),
        failure("CRASH", "crash", 10),
    )


def test_each_disagreement_of_the_oracles_is_listed() -> None:
    """One candidate is right by the reference alone, one by the tests alone."""
    problem = checked()
    assert problem.oracle == "reference"
    assert problem.correct == 3
    assert problem.checks is not None
    assert (problem.checks.only_tests, problem.checks.only_reference) == ((3,), (2,))
    assert problem.checks.reference_failure is None


def test_a_reference_that_fails_its_own_tests_is_told() -> None:
    """With the assert that it fails."""
    checks = checked(reference_fails=True).checks
    assert checks is not None
    assert checks.reference_failure == FailedAssert(assertion=ASSERTION, got="2", kind="value")


def test_what_is_left_out_is_told() -> None:
    """How many asserts, and the first with the reason."""
    checks = checked(left_out=2).checks
    assert checks is not None
    first = "assert f(iter([1])) == 1: an argument is no built-in value"
    assert (checks.left_out, checks.first_left_out) == (2, first)


def test_who_fails_nothing_has_passed_all() -> None:
    """What a test raises outside of an assert is counted for those alone who fail it."""
    rows: list[Row] = [(PLAIN, RIGHT, 2, None), (PLAIN, WRONG, 2, "value")]
    checks = checked(rows=rows).checks
    assert checks is not None
    assert (checks.asserts, checks.passed) == (3, (3, 2))


def test_without_a_reference_the_tests_are_the_oracle() -> None:
    """Those that pass are correct, whichever behaviour they are, and nothing disagrees."""
    problem = checked(by_tests=True)
    assert problem.oracle == "tests"
    assert [each.members for each in problem.partition.classes if each.correct] == [(0, 1), (3,)]
    assert problem.checks is not None
    assert (problem.checks.only_tests, problem.checks.only_reference) == ((), ())


def test_each_incorrect_candidate_has_its_cause() -> None:
    """One candidate fails for each reason; which one, the oracle decides where it has to."""
    causes = {
        "no code": (11,),
        "syntax": (5,),
        "name": (6,),
        "signature": (8,),
        "import": (7,),
        "wrong output": (3, 4),
        "timeout": (9,),
        "crash": (10,),
    }
    problem = checked()
    assert problem.causes == causes
    assert problem.misnamed == {"count_vowel": (6,)}
    assert checked(by_tests=True).causes == {**causes, "wrong output": (2, 4)}


def test_repairs_and_origins_are_told_by_name() -> None:
    """A candidate stands under each of its repairs."""
    problem = checked(repairs=REPAIRS, origins={"tests": 3, "mutation": 1})
    assert problem.repairs == {"fence": (8, 10), "prompt": (6, 7, 8)}
    assert problem.input_origins == {"tests": 3, "mutation": 1}


def test_a_problem_without_tests_has_no_checks() -> None:
    """And its causes all the same."""
    problem = measured()
    assert problem.checks is None
    assert problem.oracle == "reference"
    assert problem.causes == {"wrong output": (5, 6, 7, 8, 9, 10, 11)}
    assert problem.repairs == {}
