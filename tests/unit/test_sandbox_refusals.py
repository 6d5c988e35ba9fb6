"""Tests that are of no use are refused, with the reason and a remedy."""

from __future__ import annotations

from typing import Any, Optional

import pytest

from pytest_codecollapse.errors import ProblemError, Where
from pytest_codecollapse.model import FailedAssert, Problem
from pytest_codecollapse.sandbox.messages import Examined
from pytest_codecollapse.sandbox.refusals import no_inputs, refuse_tests

CALLED = ("[1]",)
OUT_OF_REACH = "assert f(iter([1])): an argument is no built-in value"
NO_ROOT = FailedAssert(assertion="assert f(root)", got="nothing: it was not called", kind="value")
NO_NUMPY = "import numpy: ModuleNotFoundError: No module named 'numpy'"


def problem(reference: Optional[str]) -> Problem:
    """Build a problem that needs its tests."""
    return Problem(
        problem_id="p",
        entry_point="f",
        candidates=("",),
        reference=reference,
        where=Where("a.jsonl", 1, "p"),
    )


def examined(**fields: Any) -> Examined:
    """Make what a server says of tests."""
    said = {"calls": CALLED, "passed": 3, "asserts": 3, "failure": None}
    return Examined(**{**said, "error": None, "ended": "", **fields})


def refusal(fields: dict[str, Any], reference: Optional[str] = "def f(x): return x") -> str:
    """Return why tests are refused."""
    with pytest.raises(ProblemError) as caught:
        refuse_tests(problem(reference), examined(**fields), 30)
    said = str(caught.value)
    assert said.startswith("a.jsonl:1: problem 'p': ")
    return said[len("a.jsonl:1: problem 'p': ") :]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"error": "the tests do not compile: SyntaxError"},
            "the tests do not compile: SyntaxError; correct it, or leave the tests out",
        ),
        (
            {"ended": "timeout"},
            "the tests took more than 30 s of CPU time with the reference; "
            "allow more time, or leave the tests out",
        ),
        (
            {"ended": "crash"},
            "the tests ended their process; correct them, or leave the tests out",
        ),
        (
            {"error": f"test_setup fails: {NO_NUMPY}"},
            f"test_setup fails: {NO_NUMPY}; have it installed, and allow site-packages, "
            "or correct it, or leave the tests out",
        ),
        (
            {"asserts": 0, "calls": (), "stopped": "they define T, and nothing calls that"},
            "the tests assert nothing: they define T, and nothing calls that; "
            "give asserts, or code that defines check(candidate)",
        ),
    ],
)
def test_tests_that_cannot_be_run_are_refused(fields: dict[str, Any], message: str) -> None:
    """The error names the problem and what to do, with a reference and without one."""
    assert refusal(fields) == message
    assert refusal(fields, None) == message


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"asserts": 1, "calls": (), "stopped": NO_NUMPY},
            f"the tests do not come to call f: {NO_NUMPY}; have it installed, and allow "
            "site-packages, or correct them, or give a reference",
        ),
        (
            {"calls": (), "failure": NO_ROOT},
            "the tests do not come to call f: assert f(root) -> nothing: it was not called; "
            "correct them, or give a reference",
        ),
        (
            {"asserts": 0},
            "the tests assert nothing; give asserts, or code that defines check(candidate)",
        ),
        (
            {"asserts": 0, "left_out": 1, "first_left_out": OUT_OF_REACH},
            f"no assert of the tests can be asked of a program: {OUT_OF_REACH}; "
            "give a reference, or tests with built-in values",
        ),
    ],
)
def test_tests_alone_have_to_say_what_is_right(fields: dict[str, Any], message: str) -> None:
    """Without a reference every candidate would pass these, or none; a reference decides itself."""
    assert refusal(fields, None) == message
    refuse_tests(problem("def f(x): return x"), examined(**fields), 30)


def test_tests_that_run_through_are_taken() -> None:
    """With a reference and without one, and also where some asserts are left out."""
    for reference in ("def f(x): return x", None):
        refuse_tests(problem(reference), examined(), 30)
        refuse_tests(problem(reference), examined(left_out=1, first_left_out=OUT_OF_REACH), 30)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (None, "; "),
        (
            {"failure": NO_ROOT},
            ": assert f(root) -> nothing: it was not called; ",
        ),
        ({"asserts": 2}, " (got 2 asserts, expected calls of f); "),
        ({"first_left_out": OUT_OF_REACH}, f": {OUT_OF_REACH}; "),
        ({"stopped": NO_NUMPY}, f": {NO_NUMPY}; have it installed, and allow site-packages, or "),
    ],
)
def test_where_there_are_no_inputs_the_error_says_what_kept_them(
    said: Optional[dict[str, Any]], why: str
) -> None:
    """A module that is missing, a call that no program can be given, or asserts without calls."""
    found = no_inputs(problem(None), None if said is None else examined(calls=(), **said))
    assert str(found) == (
        f"a.jsonl:1: problem 'p': no input can be recorded from the tests{why}"
        "give inputs, or input_gen"
    )
