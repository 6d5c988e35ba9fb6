"""Programs that take too long, and what it costs.

The ways to hang, to end early and to fight the limits are among the hostile programs.
"""

from __future__ import annotations

import resource
from typing import Callable

import pytest
from sandbox_problems import make_problem

from pytest_codecollapse.model import Executions, Settings
from pytest_codecollapse.sandbox import LocalEngine

Execute = Callable[..., Executions]


def test_a_program_that_sleeps_is_timeout(execute: Execute) -> None:
    """Sleeping costs no CPU time; the limit of blocked time ends it."""
    done = execute(
        "import time\ndef f(x):\n    if x == 1: time.sleep(3600)\n    return x",
        settings=Settings(timeout_s=0.05),
        inputs=([0], [1], [2]),
    )
    expected = list(done.reference.tokens)
    expected[1] = "TIMEOUT"
    assert done.candidates[0].tokens == tuple(expected)


def test_the_input_after_a_hang_is_evaluated(execute: Execute) -> None:
    """A hang costs its own input only, so hanging on one is not hanging on all."""
    done = execute(
        "def f(x):\n    while x == 3: pass\n    return x",
        "def f(x):\n    while True: pass",
        settings=Settings(timeout_s=0.05),
    )
    one, every = (each.tokens for each in done.candidates)
    assert one == (*done.reference.tokens[:3], "TIMEOUT", *done.reference.tokens[4:])
    assert every == ("TIMEOUT",) * 10
    assert not done.candidates[0].order_dependent


@pytest.mark.slow
def test_fifty_hanging_inputs_cost_far_less_than_fifty_limits_a_seed() -> None:
    """In CPU time of every process: 3 s of work a seed, by a clock more; whole limits are 50 s."""
    hang = "def f(x):\n    while True: pass"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with LocalEngine(1) as engine:
        problem = make_problem(hang, inputs=tuple([number] for number in range(50)))
        done = engine.submit(problem, Settings(timeout_s=0.5), lambda count: None).result()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.candidates[0].tokens == ("TIMEOUT",) * 50
    spent_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert 2 * 1.5 < spent_s < 2 * 10.0


def test_a_slow_input_after_many_hangs_keeps_its_result(execute: Execute) -> None:
    """A shrunk limit that a slow input overruns is taken back, since the other run got a result."""
    program = """
import time
def f(x):
    while x < 8: pass
    started = time.process_time()
    while x == 9 and time.process_time() - started < 0.15: pass
    return x
"""
    done = execute(program, settings=Settings(timeout_s=0.4))
    assert done.candidates[0].tokens == ("TIMEOUT",) * 8 + done.reference.tokens[8:]
    assert not done.candidates[0].order_dependent
    assert not done.candidates[0].nondeterministic


def test_what_is_slow_and_keeps_state_does_what_it_would_untraced(execute: Execute) -> None:
    """Counting the work of a slow input starts the program again, from its first input."""
    program = """
calls = 0
def f(x):
    global calls
    calls += 1
    if x == 3:
        for _ in range(3_000_000): pass
    return calls
"""
    quick = program.replace("3_000_000", "3")
    done = execute(program, quick, reference=quick, settings=Settings(timeout_s=1.0))
    assert done.candidates[0] == done.candidates[1]
    assert done.candidates[0].tokens == done.reference.tokens
    assert done.candidates[0].order_dependent
