from __future__ import annotations

import json
import math
from typing import Any, Literal

import msgspec
import pytest

from pytest_codecollapse.errors import Where
from pytest_codecollapse.model import Checked, Execution, FailedAssert, Problem
from pytest_codecollapse.sandbox.candidates import Did
from pytest_codecollapse.sandbox.child.values import value_text, write_value
from pytest_codecollapse.sandbox.layout import Layout
from pytest_codecollapse.sandbox.messages import Examined, Ran
from pytest_codecollapse.sandbox.reference import Answers
from pytest_codecollapse.sandbox.requests import Needed
from pytest_codecollapse.sandbox.verdicts import (
    answers_of,
    checked_of,
    is_close,
    within_tolerance,
)

A, B, C = "a" * 16, "b" * 16, "c" * 16
FAILURE = FailedAssert(assertion="assert f(1) == 2", got="returned 1", kind="value")


def problem(equality: Literal["strict", "python"] = "python", atol: float = 0.01) -> Problem:
    """Make a problem with a tolerance."""
    return Problem(
        problem_id="p",
        entry_point="f",
        candidates=("",),
        reference="",
        where=Where("a.jsonl", 1, "p"),
        equality=equality,
        atol=atol,
    )


def ran(tokens: dict[int, str], values: dict[int, Any]) -> Ran:
    """Make what a server says of a run for values."""
    texts = tuple((index, f"[{value_text(value)}]") for index, value in values.items())
    return Ran(tokens=tuple(tokens.items()), events=(), cpu_ns=(), shrunk=(), values=texts)


CLOSE: list[tuple[Any, Any, bool]] = [
    (1.005, 1.0, True),
    (1.02, 1.0, False),
    (1, 1.005, True),
    (1_000_000.1, 1_000_000.0, True),  # a ten millionth of the right value on top
    (1_000_000.2, 1_000_000.0, False),
    ([1.001, "a"], [1.0, "a"], True),
    ([1.001, "a"], [1.0, "b"], False),
    ([1.0], [1.0, 2.0], False),
    ((1.001,), [1.0], False),
    ((1.001,), (1.0,), True),
    ({"a": 1.001, "b": 2}, {"b": 2, "a": 1.0}, True),
    ({"a": 1.001}, {"b": 1.0}, False),
    ({1.0}, {1.001}, True),
    (math.nan, math.nan, True),
    (math.nan, 1.0, False),
    (math.inf, math.inf, True),
    (1.0, math.inf, False),
    (10**400, 1.0, False),
    (2**70, 2.0**70, True),
    ("1.0", 1.0, False),
    (None, 0.0, False),
    (True, 1.0, True),  # as == has it
]


@pytest.mark.parametrize(("mine", "right", "close"), CLOSE)
def test_a_tolerance_is_for_floats_wherever_they_stand(mine: Any, right: Any, close: bool) -> None:
    """Structure and everything else is to be equal."""
    assert is_close(write_value(mine), write_value(right), problem()) is close


def test_strict_equality_tells_an_int_from_a_float() -> None:
    """However close they are."""
    assert is_close(1, 1.0, problem("python"))
    assert not is_close(1, 1.0, problem("strict"))
    assert is_close(1.001, 1.0, problem("strict"))
    assert not is_close(True, 1, problem("strict"))


def test_a_result_within_the_tolerance_has_the_references_token() -> None:
    """Each input by itself; what is no result keeps its token."""
    answers = Answers(
        execution=Execution(tokens=(A, B, "exc:ValueError", A)),
        inputs=[0, 2, 3, 4],
        needed=Needed([], []),
        left_out=(1,),
        layout=Layout([], 0, 0, 0, {}, {}),
        kept=[],
        values={0: "[1.0]", 2: "[2.0]", 4: "[4.0]"},
    )
    execution = Execution(tokens=(C, C, C, "TIMEOUT"), order_dependent=True)
    did = Did(execution, ran({0: C, 2: C, 3: C}, {0: 1.001, 2: 2.5, 3: 1.0}))
    settled = Execution(tokens=(A, C, C, "TIMEOUT"), order_dependent=True)
    assert within_tolerance(problem(), answers, did) == settled
    assert within_tolerance(problem(atol=0.0), answers, did) is execution


def test_answers_are_what_a_program_did_by_the_text_of_the_arguments() -> None:
    """A value, an exception, a timeout, a crash, or that it does not load."""
    calls = {"[1]": 0, "[2]": 3, "[3]": 4, "[4]": 5, "[5]": 6}
    tokens = {0: A, 3: "exc:KeyError", 4: "TIMEOUT", 5: "CRASH", 6: "load:SyntaxError"}
    done = ran(tokens, {0: (1, 2)})
    done = msgspec.structs.replace(done, values=(*done.values, (3, '["KeyError", [7]]')))
    found = answers_of(done, Layout([], 0, 1, 3, calls, {}))
    assert found == {
        "[1]": ["value", {"tuple": [1, 2]}],
        "[2]": ["exception", "KeyError", "KeyError", [7]],
        "[3]": ["timeout", ""],
        "[4]": ["crash", ""],
        "[5]": ["load", "SyntaxError"],
    }


def test_an_exception_is_close_to_no_result() -> None:
    """Nor to another exception, whatever the arguments of both are."""
    answers = Answers(
        execution=Execution(tokens=(A, "exc:Mine")),
        inputs=[0, 1],
        needed=Needed([], []),
        left_out=(),
        layout=Layout([], 0, 0, 0, {}, {}),
        kept=[],
        values={0: '["ValueError", []]'},  # a string, and its argument is a list that is empty now
    )
    execution = Execution(tokens=("exc:ValueError", "exc:Other"))
    told = '["ValueError", []]'
    done = ran({0: "exc:ValueError", 1: "exc:Other"}, {})
    done = msgspec.structs.replace(done, values=((0, told), (1, told)))
    assert within_tolerance(problem(), answers, Did(execution, done)) == execution


FORGED = [
    "no JSON",
    "[1",
    "{}",
    "[]",
    "[1, 2, 3]",
    "3",
    "[" * 5000 + "]" * 5000,
    "[" * 300 + "]" * 300,
    '[{"float": "x"}]',
    '[{"int": 3}]',
    '[{"dict": 7}]',
    '[{"dict": [[]]}]',
    '[{"a": 1, "b": 2}]',
    "[{}]",
]


@pytest.mark.parametrize("text", FORGED, ids=lambda text: text[:12])
@pytest.mark.parametrize("right", [1.0, {"a": 1.0}, (1.0,)], ids=repr)
def test_a_forged_value_is_nothing_but_the_programs_own_loss(text: str, right: Any) -> None:
    """It is no error of the run: an answer of no form is a crash, and no value is close to it."""
    forged = Ran(tokens=((0, A),), events=(), cpu_ns=(), shrunk=(), values=((0, text),))
    (answer,) = answers_of(forged, Layout([], 0, 1, 1, {"[1]": 0}, {})).values()
    assert answer[0] in ("crash", "value")
    answers = Answers(
        execution=Execution(tokens=(A,)),
        inputs=[0],
        needed=Needed([], []),
        left_out=(),
        layout=Layout([], 0, 0, 0, {}, {}),
        kept=[],
        values={0: f"[{value_text(right)}]"},
    )
    execution = Execution(tokens=(B,))
    assert within_tolerance(problem(), answers, Did(execution, forged)) == execution


def examined(**fields: Any) -> Examined:
    """Make what a server says of tests."""
    said = {"calls": (), "passed": 3, "asserts": 3, "failure": None, "error": None, "ended": ""}
    return Examined(**{**said, **fields})


def test_tests_that_pass_are_counted() -> None:
    """Passed is to have come to as many asserts as with the reference, and failed none."""
    assert checked_of(examined(), 3) == Checked(passed=3, asserts=3)
    assert checked_of(examined()).ok


def test_tests_that_come_to_fewer_asserts_have_failed() -> None:
    """A loop over what the code returned may come to none."""
    checked = checked_of(examined(passed=1, asserts=1), 3)
    failure = FailedAssert(assertion="the tests", got="came to 1 of 3 asserts", kind="value")
    assert checked == Checked(passed=1, asserts=3, failure=failure)


def test_a_failure_is_kept_with_the_number_of_asserts_that_there_are() -> None:
    """Where an exception ended the tests, those not come to count as failed."""
    checked = checked_of(examined(passed=1, asserts=2, failure=FAILURE), 5)
    assert checked == Checked(passed=1, asserts=5, failure=FAILURE)


def test_what_is_left_out_counts_for_nothing() -> None:
    """Nor do the asserts behind it, where it ended a part of the tests."""
    first = "assert f(iter([1])): an argument is no built-in value"
    said = examined(passed=1, asserts=1, left_out=1, first_left_out=first)
    assert checked_of(said, 3) == Checked(passed=1, asserts=1, left_out=1, first_left_out=first)


def test_tests_that_do_not_end_have_failed() -> None:
    """By the time that they took, or by the end of their process."""
    checked = checked_of(examined(passed=0, asserts=0, ended="timeout"), 3)
    failure = FailedAssert(assertion="the tests", got="they took too long", kind="timeout")
    assert checked == Checked(passed=0, asserts=3, failure=failure)


def test_values_are_json() -> None:
    """What a run for values says can be read as the list of result and arguments."""
    assert json.loads(dict(ran({}, {0: [1]}).values)[0]) == [[1]]
