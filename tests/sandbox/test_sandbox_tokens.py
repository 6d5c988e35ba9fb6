"""What programs do, as tokens: results, exceptions, and what keeps a program from starting."""

from __future__ import annotations

import re
import signal
from typing import Any, Callable

import pytest
from sandbox_problems import make_problem

from pytest_codecollapse.model import Executions, Settings
from pytest_codecollapse.sandbox import LocalEngine

Execute = Callable[..., Executions]


def tokens(execute: Execute, source: str, **fields: Any) -> tuple[str, ...]:
    """Return the tokens of one candidate."""
    return execute(source, **fields).candidates[0].tokens


def test_a_result_is_sixteen_hex_digits(execute: Execute) -> None:
    """Every input that returns has a digest, and different results have different ones."""
    found = tokens(execute, "def f(x): return x")
    assert all(re.fullmatch("[0-9a-f]{16}", token) for token in found)
    assert len(set(found)) == 10


def test_a_digest_is_the_same_on_every_machine_and_python(execute: Execute) -> None:
    """The token of a known call is pinned: a change of it is a change of the canonical form."""
    assert tokens(execute, "def f(x): return x", inputs=([1],)) == ("751209163f6fcf95",)


def test_what_equals_the_reference_has_its_tokens(execute: Execute) -> None:
    """Another program that does the same on every input has the reference's tokens."""
    done = execute("def f(x):\n    y = [x]\n    return y.pop()", "def f(x): return x + 1")
    assert done.candidates[0].tokens == done.reference.tokens
    assert done.candidates[1].tokens != done.reference.tokens


@pytest.mark.parametrize(
    ("source", "token"),
    [
        ("def f(x) return x", "load:SyntaxError"),
        ("def f(x):\n\treturn 1\n        return 2", "load:TabError"),
        ("import no_such_module", "load:ModuleNotFoundError"),
        ("import pytest_codecollapse", "load:ModuleNotFoundError"),
        ("import canon", "load:ModuleNotFoundError"),
        ("from child import canon", "load:ModuleNotFoundError"),
        ("1 / 0", "load:ZeroDivisionError"),
        ("def g(x): return x", "load:NameError"),
        ("f = 3", "load:TypeError"),
        ("exit()", "load:SystemExit"),
        ("quit(3)", "load:SystemExit"),
        ("class Odd(Exception): pass\nraise Odd", "load:Odd"),
        ("'\ud800'", "load:UnicodeEncodeError"),
        ("from __future__ import no_such_feature", "load:SyntaxError"),
    ],
)
def test_a_program_that_does_not_load_says_why_for_every_input(
    execute: Execute, source: str, token: str
) -> None:
    """A source that does not compile, raises, or defines no function is ``load:<TypeName>``."""
    assert tokens(execute, source) == (token,) * 10


@pytest.mark.parametrize(
    ("body", "token"),
    [
        ("raise ValueError(x)", "exc:ValueError"),
        ("raise KeyboardInterrupt", "exc:KeyboardInterrupt"),
        ("raise GeneratorExit", "exc:GeneratorExit"),
        ("raise BaseException", "exc:BaseException"),
        ("exit(x)", "exc:SystemExit"),
        ("return f(x)", "exc:RecursionError"),
        ("return 'a' * 10**10", "exc:MemoryError"),
        ("return input()", "exc:EOFError"),
        ("import socket; return socket.socket()", "exc:PermissionError"),
        ("raise type('Odd name\\n', (Exception,), {})", "exc:Odd_name_"),
        ("raise type('\\u00e9' * 50, (Exception,), {})", "exc:" + ("\\xe9" * 50)[:80]),
        ("return f(x, x)", "exc:TypeError"),
    ],
)
def test_an_exception_is_its_type(execute: Execute, body: str, token: str) -> None:
    """A call that raises is ``exc:<TypeName>``, printable and of bounded length."""
    assert tokens(execute, f"def f(x):\n    {body}") == (token,) * 10


def test_the_message_of_an_exception_is_not_behaviour(execute: Execute) -> None:
    """Exceptions are classed by type; ``str(e)`` is never called."""
    program = """
class Loud(Exception):
    def __str__(self):
        while True:
            pass
    __repr__ = __str__
def f(x):
    raise Loud(x)
"""
    done = execute(program, "class Loud(Exception): pass\ndef f(x): raise Loud('other')")
    assert done.candidates[0].tokens == done.candidates[1].tokens == ("exc:Loud",) * 10


def test_changing_an_argument_is_behaviour(execute: Execute) -> None:
    """Sorting in place and returning None differs from doing nothing and returning None."""
    inputs = ([[3, 1, 2]], [[1]], [[2, 1]])
    reference = "def f(xs): xs.sort()"
    done = execute("def f(xs): return None", reference, reference=reference, inputs=inputs)
    idle, sorts = (each.tokens for each in done.candidates)
    assert sorts == done.reference.tokens
    assert [a == b for a, b in zip(idle, sorts)] == [False, True, False]


def test_a_change_reaches_no_other_input_and_no_other_program(execute: Execute) -> None:
    """Inputs that share a list in ``input_gen`` are copies; each program gets fresh ones."""
    input_gen = """
shared = [1, 2]
def generate(rng, m):
    return [(shared, shared) for _ in range(m)]
"""
    program = "def f(a, b):\n    a.append(3)\n    return list(b)"
    again = "def f(a, b):\n    c = a\n    c.append(3)\n    return list(b)"
    done = execute(program, again, reference=program, input_gen=input_gen)
    assert len(set(done.reference.tokens)) == 1
    assert {each.tokens for each in done.candidates} == {done.reference.tokens}


def test_a_program_sees_an_empty_world(execute: Execute) -> None:
    """No arguments, no environment, an empty directory, the standard library alone."""
    program = """
import os, sys
world = (sys.argv, dict(os.environ), os.listdir('.'), __name__, sys.stdin.read())
print('to nowhere', file=sys.stderr)
def f(x):
    return world + (any('site-packages' in path for path in sys.path),)
"""
    expected = "def f(x): return ([''], {}, [], 'solution', '', False)"
    done = execute(program, reference=expected)
    assert done.candidates[0].tokens == done.reference.tokens


def test_nothing_of_ours_is_importable(execute: Execute) -> None:
    """None of the package's modules is reachable in ``sys.modules``."""
    program = (
        "import sys\ndef f(x): return [m for m in sys.modules if 'child' in m or 'canon' in m]"
    )
    done = execute(program, reference="def f(x): return []")
    assert done.candidates[0].tokens == done.reference.tokens


def test_classes_of_the_program_can_be_looked_up(execute: Execute) -> None:
    """A dataclass with postponed annotations works: the program's module can be found."""
    program = """
from __future__ import annotations
from dataclasses import dataclass
@dataclass
class Box:
    content: int
def f(x):
    return Box(x).content
"""
    done = execute(program)
    assert done.candidates[0].tokens == done.reference.tokens


def test_setup_comes_before_every_program(execute: Execute) -> None:
    """``setup`` is executed first, in the same namespace, and leaves future imports alone."""
    done = execute(
        "from __future__ import annotations\ndef f(x): return twice(x)",
        setup="def twice(x): return 2 * x",
        reference="def f(x): return twice(x)",
    )
    assert done.candidates[0].tokens == done.reference.tokens
    assert not done.candidates[0].tokens[0].startswith(("exc:", "load:"))


def test_asyncio_works_without_a_network(execute: Execute) -> None:
    """An event loop needs a socket pair, and gets one."""
    program = """
import asyncio
async def answer(x):
    await asyncio.sleep(0)
    return x
def f(x):
    return asyncio.run(answer(x))
"""
    done = execute(program)
    assert done.candidates[0].tokens == done.reference.tokens


def test_python_equality_takes_numbers_by_value(execute: Execute) -> None:
    """``equality: python`` makes 1, 1.0 and True one result; strict keeps them apart."""
    candidates = ("def f(x): return float(x)", "def f(x): return complex(x)")
    loose = execute(*candidates, equality="python")
    strict = execute(*candidates, equality="strict")
    assert {each.tokens for each in loose.candidates} == {loose.reference.tokens}
    assert len({strict.reference.tokens, *(each.tokens for each in strict.candidates)}) == 3


def test_identical_sources_have_one_execution(execute: Execute) -> None:
    """A source that occurs twice runs once, and both candidates get what it did."""
    program = "import os\ndef f(x): return os.getpid()"
    done = execute(program, "def f(x): return x", program)
    assert done.candidates[0] is done.candidates[2]
    assert done.candidates[0].nondeterministic


SIGNALS = """
import _thread, os, signal
def handlers():
    return [str(signal.getsignal(each)) for each in sorted(signal.valid_signals())]
blocked = signal.pthread_sigmask(signal.SIG_BLOCK, [])
def f(x):
    if x == 1: os.kill(os.getpid(), signal.SIGINT)
    if x == 2: _thread.interrupt_main()
    return handlers(), sorted(blocked)
"""


def test_a_host_in_the_background_changes_no_verdict() -> None:
    """It ignores SIGINT, and others where it was started with nohup; a host can block some, too."""
    problem = make_problem(SIGNALS, inputs=([0], [1], [2]))
    found = []
    for ignored in ((), (signal.SIGINT, signal.SIGHUP, signal.SIGTERM)):
        before = {each: signal.signal(each, signal.SIG_IGN) for each in ignored}
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ignored and [signal.SIGUSR1])
        try:
            with LocalEngine(1) as engine:
                done = engine.submit(problem, Settings(), lambda count: None).result()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
            for each, handler in before.items():
                signal.signal(each, handler)
        found.append(done.candidates[0].tokens)
    assert found[0] == found[1]
    assert found[0][1:] == ("exc:KeyboardInterrupt",) * 2
