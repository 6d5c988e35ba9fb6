"""What values say: whether a candidate passes the tests, and is right within a tolerance.

Theory of operation
-------------------
Tests are run in a process of their own, which gets what a candidate did with each call that they
make: an *answer*, by the text of the arguments. Candidates that gave the same answers are judged
once.

A candidate's result that differs from the reference's by no more than the problem's tolerance
counts as the reference's: its token is replaced. Two wrong results that are close to each other
stay two.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Optional

from pytest_codecollapse.model import Checked, Execution, FailedAssert, Problem
from pytest_codecollapse.sandbox.candidates import Did
from pytest_codecollapse.sandbox.child.values import text_of_written
from pytest_codecollapse.sandbox.layout import Layout
from pytest_codecollapse.sandbox.messages import Examined, Ran
from pytest_codecollapse.sandbox.reference import Answers
from pytest_codecollapse.sandbox.server import ProblemServer

_RTOL = 1e-7  # beside the tolerance, as numpy.allclose has it and with it EvalPlus
_DEEPEST = 250  # levels of JSON: of a value's own 60 each may be two
_KINDS = {"TIMEOUT": "timeout", "CRASH": "crash"}

_Answer = list[Any]


def answers_of(ran: Ran, layout: Layout) -> dict[str, _Answer]:
    """Return what a program did in each call that the tests make, by its arguments' text."""
    tokens, values = dict(ran.tokens), dict(ran.values)
    answers: dict[str, _Answer] = {}
    for text, index in layout.calls.items():
        kind, _, name = tokens[index].partition(":")
        if kind in _KINDS:
            answers[text] = [_KINDS[kind], ""]
        elif kind == "load":
            answers[text] = ["load", name]
        else:
            said = read_values(values[index])
            told = ["exception", name] if kind == "exc" else ["value"]
            answers[text] = ["crash", ""] if said is None else [*told, *said]
    return answers


def read_values(text: str) -> Optional[list[Any]]:
    """Read what a reply says of a result and of the arguments after the call, or of an exception.

    Returns
    -------
    list or None
        None where nothing of ours writes such a text: the program has forged its reply.
    """
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, list) or not 1 <= len(said) <= 2:
        return None
    layer: list[Any] = [said]
    for _ in range(_DEEPEST):
        layer = [
            child
            for each in layer
            for child in (each.values() if isinstance(each, dict) else each)
            if isinstance(child, (list, dict))
        ]
    return None if layer else said


class Judge:
    """Judges candidates by the tests of a problem.

    Parameters
    ----------
    server
        A server that has the tests.
    reference
        The reference, None where there is none.
    asserts
        How many asserts come when the tests are run through.

    Attributes
    ----------
    asked
        The arguments of calls that had no answer, where there is no reference.
    """

    def __init__(self, server: ProblemServer, reference: Optional[str], asserts: int) -> None:
        self._server = server
        self._reference = reference
        self._asserts = asserts
        self._known: dict[str, Checked] = {}
        self.asked: dict[str, None] = {}

    def checked(self, answers: Mapping[str, _Answer]) -> Checked:
        """Run the tests on what a candidate did.

        Raises
        ------
        SandboxError
            Where the sandbox fails.
        """
        key = json.dumps(answers)
        if key not in self._known:
            examined = self._server.examine(self._reference, dict(answers))
            self._known[key] = checked_of(examined, self._asserts)
            self.asked.update(dict.fromkeys(examined.calls))
        return self._known[key]


def checked_of(examined: Examined, asserts: int = 0) -> Checked:
    """Say what became of the tests; ``asserts`` come at the least where they are run through."""
    failure = examined.failure
    if examined.ended or examined.error:
        said = (
            examined.error
            or {"timeout": "they took too long", "crash": "they ended"}[examined.ended]
        )
        kind = examined.ended or "exception"
        failure = FailedAssert(assertion="the tests", got=said, kind=kind)
    # what is left out outside of an assert takes those behind it along
    came = examined.asserts if examined.left_out else max(examined.asserts, asserts)
    total = max(came, examined.passed + (failure is not None))
    if failure is None and examined.passed < total:
        failure = FailedAssert(
            assertion="the tests",
            got=f"came to {examined.asserts} of {total} asserts",
            kind="value",
        )
    return Checked(
        passed=examined.passed,
        asserts=total,
        failure=failure,
        left_out=examined.left_out,
        first_left_out=examined.first_left_out,
    )


def within_tolerance(problem: Problem, answers: Answers, did: Did) -> Execution:
    """Give a candidate the reference's token where its result is as good as the reference's."""
    execution = did.execution
    if not problem.atol or execution.tokens == answers.execution.tokens:
        return execution
    values = did.valued.results()
    tokens = list(execution.tokens)
    for at, (index, right) in enumerate(zip(answers.inputs, answers.execution.tokens)):
        mine, its = values.get(index), answers.values.get(index)
        if tokens[at] == right or mine is None or its is None:
            continue
        if _are_as_good(read_values(mine), read_values(its), problem):
            tokens[at] = right
    return Execution(
        tokens=tuple(tokens),
        nondeterministic=execution.nondeterministic,
        order_dependent=execution.order_dependent,
    )


def _are_as_good(mine: Any, right: Any, problem: Problem) -> bool:
    """Whether values are close; what a program has forged is not."""
    try:
        return is_close(mine, right, problem)
    except (TypeError, ValueError, LookupError, AttributeError, RecursionError):
        return False


def is_close(mine: Any, right: Any, problem: Problem) -> bool:
    """Whether two written values are equal, but for floats that the tolerance allows.

    A float may be off by ``atol`` and by a ten millionth of the right one; nan is nan.
    """
    if isinstance(right, list):
        return (
            isinstance(mine, list)
            and len(mine) == len(right)
            and all(is_close(a, b, problem) for a, b in zip(mine, right))
        )
    if isinstance(right, dict) and isinstance(mine, dict) and not {"float", "int"} & {*right}:
        ((kind, its),) = right.items()
        if kind == "dict" and "dict" in mine:
            return is_close(_by_key(mine[kind]), _by_key(its), problem)
        return kind in mine and is_close(mine[kind], its, problem)
    if not _is_number(mine) or not _is_number(right):
        return bool(mine == right) and (problem.equality == "python" or type(mine) is type(right))
    if problem.equality == "strict" and _is_float(mine) != _is_float(right):
        return False
    return _are_close(_number(mine), _number(right), problem.atol)


def _are_close(mine: float, right: float, atol: float) -> bool:
    if mine == right or (mine != mine and right != right):
        return True
    return abs(mine - right) <= atol + _RTOL * abs(right) < float("inf")


def _by_key(pairs: Sequence[Any]) -> list[Any]:
    return sorted(pairs, key=lambda pair: text_of_written(pair[0]))


def _is_number(written: Any) -> bool:
    if isinstance(written, dict):
        return "float" in written or "int" in written
    return isinstance(written, (int, float)) and not isinstance(written, bool)


def _is_float(written: Any) -> bool:
    return isinstance(written, float) or (isinstance(written, dict) and "float" in written)


def _number(written: Any) -> float:
    if not isinstance(written, dict):
        number = written
    elif "float" in written:
        number = float(written["float"])
    else:
        number = int(written["int"], 16)
    try:
        return float(number)
    except OverflowError:  # more than floats go up to
        return float("inf") if number > 0 else -float("inf")
