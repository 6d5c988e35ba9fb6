"""The reference: what it does not answer, and how its time measures that of candidates."""

from __future__ import annotations

from typing import Callable

import pytest

from pytest_codecollapse.errors import ProblemError
from pytest_codecollapse.model import Executions, Settings
from pytest_codecollapse.sandbox.child.limits import EVENTS_PER_S

Execute = Callable[..., Executions]
QUICK = Settings(timeout_s=0.1)


@pytest.mark.parametrize("ending", ["while True: pass", "__import__('os')._exit(0)"])
def test_an_input_that_the_reference_does_not_answer_is_left_out(
    execute: Execute, ending: str
) -> None:
    """Nothing is said of inputs 3 and 7: neither that a hang is right, nor that it is wrong."""
    reference = f"def f(x):\n    if x in (3, 7):\n        {ending}\n    return x"
    answers = "def f(x): return x"
    done = execute(answers, reference, "def f(x): return x if x != 4 else 0", reference=reference)
    assert done.left_out == (3, 7)
    assert [len(each.tokens) for each in (done.reference, *done.candidates)] == [8] * 4
    right, same, wrong = (each.tokens for each in done.candidates)
    assert right == same == done.reference.tokens
    assert [a == b for a, b in zip(right, wrong)] == [True] * 3 + [False] + [True] * 4


def test_a_reference_that_answers_nothing_is_refused(execute: Execute) -> None:
    """Then there is nothing to compare with, and the message says what happened."""
    with pytest.raises(ProblemError) as error:
        execute("def f(x): return x", reference="def f(x):\n    while True: pass", settings=QUICK)
    assert str(error.value) == (
        "samples.jsonl:1: problem 'p': the reference answers no input: each takes too long at a"
        " limit of 0.1 s, or ends its process; allow more time, or check the reference"
    )


def test_what_is_left_out_is_counted_and_not_timed(execute: Execute) -> None:
    """A turn of the loop is two trace events: a budget's worth of turns is left out, every time."""
    reference = "def f(turns):\n    for _ in range(turns):\n        pass\n    return turns"
    settings = Settings(timeout_s=0.1)
    budget = int(EVENTS_PER_S * settings.timeout_s)
    inputs = ([budget // 4], [budget], [20])
    found = {
        execute(reference, reference=reference, settings=settings, inputs=inputs).left_out
        for _ in range(3)
    }
    assert found == {(1,)}


def test_a_candidate_may_take_four_times_as_long_as_the_reference(execute: Execute) -> None:
    """Where the reference takes nearly all of the limit, a candidate may exceed it by that much."""
    loop = "def f(x):\n    for _ in range({turns}):\n        pass\n    return x"
    settings = Settings(timeout_s=0.1)
    most = int(EVENTS_PER_S * settings.timeout_s) // 2  # turns, of two trace events each
    done = execute(
        loop.format(turns=int(3.1 * most)),
        loop.format(turns=int(3.3 * most)),
        reference=loop.format(turns=int(0.8 * most)),
        settings=settings,
        inputs=([0], [1]),
    )
    assert done.candidates[0].tokens == done.reference.tokens
    assert done.candidates[1].tokens == ("TIMEOUT",) * 2


def test_state_kept_by_the_reference_does_not_refuse_the_problem(execute: Execute) -> None:
    """Its tokens are those of the first run in order, as for a candidate."""
    counting = "calls = iter(range(100))\ndef f(x): return next(calls)"
    done = execute("def f(x): return x", counting, reference=counting)
    assert done.reference.order_dependent
    assert done.candidates[0].tokens == done.reference.tokens
