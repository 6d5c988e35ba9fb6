"""Tests that are of no use: refused with where they stop, what that keeps, and what to do."""

from __future__ import annotations

from typing import Optional

from pytest_codecollapse.errors import ProblemError
from pytest_codecollapse.model import Problem
from pytest_codecollapse.sandbox.messages import Examined

_MISSING = "ModuleNotFoundError"


def refuse_tests(problem: Problem, examined: Examined, limit_s: float) -> None:
    """Refuse tests that cannot be run, or that say nothing of any candidate.

    Parameters
    ----------
    problem
        Whose they are.
    examined
        What became of them beside the reference, if there is one, as calls were recorded.
    limit_s
        The CPU time that they had.

    Raises
    ------
    ProblemError
        Where they are of no use. Alone, without a reference, they have to assert something, or each
        candidate would pass.
    """
    if examined.error is not None:
        raise _refusal(problem, examined.error, "correct it", "leave the tests out")
    if examined.ended == "timeout":
        what = f"the tests took more than {limit_s:g} s of CPU time with the reference"
        raise _refusal(problem, what, "allow more time", "leave the tests out")
    if examined.ended == "crash":
        what = "the tests ended their process"
        raise _refusal(problem, what, "correct them", "leave the tests out")
    alone = problem.reference is None
    if not examined.asserts and not examined.left_out and (alone or not examined.calls):
        what = f"the tests assert nothing{_because(examined)}"
        raise _refusal(problem, what, "give asserts", "code that defines check(candidate)")
    if alone and not examined.calls and not examined.left_out:
        what = f"the tests do not come to call {problem.entry_point}{_because(examined)}"
        raise _refusal(problem, what, "correct them", "give a reference")
    if not examined.asserts and alone:
        what = f"no assert of the tests can be asked of a program{_because(examined)}"
        raise _refusal(problem, what, "give a reference", "tests with built-in values")


def no_inputs(problem: Problem, examined: Optional[Examined]) -> ProblemError:
    """Say why no input can be recorded from the tests of a problem that has no other."""
    what = "no input can be recorded from the tests"
    if examined is not None:
        what += _because(examined) or (
            f" (got {examined.asserts} asserts, expected calls of {problem.entry_point})"
        )
    return _refusal(problem, what, "give inputs", "input_gen")


def _because(examined: Examined) -> str:
    why, failure = examined.stopped or examined.first_left_out, examined.failure
    if not why and failure is not None and not examined.calls:
        why = f"{failure.assertion} -> {failure.got}"
    return f": {why}" if why else ""


def _refusal(problem: Problem, what: str, *remedies: str) -> ProblemError:
    if _MISSING in what:
        remedies = ("have it installed, and allow site-packages", *remedies)
    return ProblemError(what, where=problem.where, remedy=", or ".join(remedies))
