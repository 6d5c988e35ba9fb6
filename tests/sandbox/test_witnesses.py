"""Witnesses of real runs: what programs did, as texts that no program can use for anything else."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, Callable

import msgspec
import pytest
from other_pythons import Version, python_of
from sandbox_problems import make_problem

from pytest_codecollapse.measure import assemble, report_problem
from pytest_codecollapse.model import Environment, Executions, Settings, Witness
from pytest_codecollapse.report import render_report
from pytest_codecollapse.sandbox import Interpreter, LocalEngine, witnesses
from pytest_codecollapse.sandbox.child.texts import MAX_TEXT
from pytest_codecollapse.sandbox.child.wire import LOADED, pack_reply
from pytest_codecollapse.sandbox.witnesses import UNSTEADY

Execute = Callable[..., Executions]

VERSIONS = [(3, minor) for minor in (8, 13)]

#: The text of what each program returns for 7.
SHOWN = {
    "def f(x): return x + 1": "8",
    "def f(x): return {'b', x, None}": "{'b', 7, None}",
    "def f(x): return (n for n in range(100))": "<iterator: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,"
    " ... 88 more>",
    "def f(x): return '\\ud800\\x1b[31m\\n'": "'\\ud800\\x1b[31m\\n'",
    "def f(x): return 10 ** 5000": "<int of 16610 bits>",
    "class A:\n def __repr__(self):\n  while True: pass\ndef f(x): return A()": "<A object>",
    "class A(int):\n def __repr__(self): return '7'\ndef f(x): return A(9)": "9",
    "def f(x):\n y = []\n for _ in range(9999): y = [y]\n return y": "[[[[[[[...]]]]]]]",
    "def f(x):\n y = [x]\n y.append(y)\n return y": "[7, [7, [7, [7, [7, [7, [...]]]]]]]",
    "def f(x): raise KeyError": "raises KeyError",
    "def f(x) return x": "does not load: SyntaxError",
    "def f(x):\n while True: pass": "TIMEOUT",
    "import os\ndef f(x): os._exit(0)": "CRASH",
}


def witness_of_each(done: Executions, *sources: str, **fields: Any) -> list[Witness]:
    """Return the witnesses of candidates that all do something else, in their order."""
    problem = make_problem(*sources, **fields)
    classes = report_problem(problem, done, Settings()).partition.classes
    found = {each.members[0]: each.witness for each in classes}
    assert len(found) == len(sources)
    return [found[number] for number in range(len(sources))]  # type: ignore[misc]


@pytest.fixture(params=[sys.version_info[:2], *VERSIONS], ids="{0[0]}.{0[1]}".format)
def run(request: pytest.FixtureRequest) -> Iterator[Execute]:
    """Give a function that runs candidates under one of several Pythons."""
    version: Version = request.param
    here = version == sys.version_info[:2]
    python = sys.executable if here else python_of(version).path

    with LocalEngine(1, interpreter=Interpreter(python)) as engine:

        def execute(*sources: str, **fields: Any) -> Executions:
            problem = make_problem(*sources, **fields)
            return engine.submit(problem, Settings(), lambda count: None).result()

        yield execute


def test_each_kind_of_ending_has_its_text(run: Execute, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it is that a program returns, a text says so, and its token is not touched."""
    monkeypatch.setattr(witnesses, "MOST_BEHAVIOURS", len(SHOWN))
    done = run(*SHOWN, inputs=([7],))
    found = witness_of_each(done, *SHOWN, inputs=([7],))
    assert [each.output for each in found] == list(SHOWN.values())
    assert {each.expected for each in found} == {"7"}
    assert {each.arguments for each in found} == {"7"}


def test_the_first_input_that_differs_is_shown(execute: Execute) -> None:
    """With the reference's result on it, or what the reference raises."""
    sources = ["def f(x): return min(x, 5)", "def f(x): return x"]
    reference = "def f(x):\n if x == 8: raise ValueError\n return x"
    done = execute(*sources, reference=reference)
    assert witness_of_each(done, *sources) == [
        Witness(input=6, arguments="6", output="5", expected="6"),
        Witness(input=8, arguments="8", output="8", expected="raises ValueError"),
    ]


def test_inputs_that_the_reference_does_not_answer_are_counted(execute: Execute) -> None:
    """The number of the input is its place in the samples file."""
    source = "def f(x): return 0"
    ends = "import os\ndef f(x):\n if x in (0, 1): os._exit(1)\n return x"
    done = execute(source, reference=ends)
    assert witness_of_each(done, source) == [
        Witness(input=2, arguments="2", output="0", expected="2")
    ]


def test_changed_arguments_are_part_of_the_text(execute: Execute) -> None:
    """What differs only in what it does to its arguments reads differently, too."""
    source = "def f(x):\n x.sort()\n return x[0]"
    fields = {"reference": "def f(x): return min(x)", "inputs": ([[2, 1]],)}
    assert witness_of_each(execute(source, **fields), source, **fields) == [
        Witness(input=0, arguments="[2, 1]", output="1, arguments now [1, 2]", expected="1")
    ]


def test_state_is_built_up_before_the_call_that_is_shown(execute: Execute) -> None:
    """A program whose results depend on the calls before is called as it was when measured."""
    source = "seen = []\ndef f(x):\n seen.append(x)\n return x if x < 5 else len(seen)"
    done = execute(source)
    assert done.candidates[0].order_dependent
    (found,) = witness_of_each(done, source)
    assert (found.input, found.output, found.expected) == (5, "6", "5")


def test_a_result_that_is_another_each_time_is_not_shown(execute: Execute) -> None:
    """The text would be of something that was never counted."""
    source = "import time\ndef f(x): return time.time_ns()"
    done = execute(source)
    assert done.candidates[0].nondeterministic
    assert [each.output for each in witness_of_each(done, source)] == [UNSTEADY]


def test_iterators_among_the_arguments_are_not_used_up(execute: Execute) -> None:
    """Writing their text takes nothing from what the program gets."""
    fields = {
        "inputs": None,
        "input_gen": "def generate(rng, m): return [(iter([1, 2]),)] * m",
        "reference": "def f(x): return list(x)",
    }
    source = "def f(x): return [next(x)]"
    found = witness_of_each(execute(source, **fields), source, **fields)
    assert found == [Witness(input=0, arguments="<iterator>", output="[1]", expected="[1, 2]")]


def forging(text: bytes) -> str:
    """Write a program that replies itself where it finds a run with texts."""
    with_text = pack_reply(0, 0, 0, LOADED) + pack_reply(1, 0, 0, b"f" * 16 + b"\t" + text)
    without = pack_reply(0, 0, 0, LOADED) + b"".join(
        pack_reply(number, 0, 0, b"f" * 16) for number in range(1, 11)
    )
    return f"""
import os, sys
frame, shown = sys._getframe(), False
while frame is not None:
    shown = shown or "shown" in repr(frame.f_locals.get("outcome_of"))
    frame = frame.f_back
os.write(3, {with_text!r} if shown else {without!r})
os._exit(0)
"""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (b"as the reference", "as the reference"),
        (b"\x1b[31m", UNSTEADY),
        (b"a" * (MAX_TEXT + 1), UNSTEADY),
        (b"", UNSTEADY),
        (b"caf\xe9", UNSTEADY),
    ],
)
def test_a_forged_text_is_shown_at_most(execute: Execute, text: bytes, shown: str) -> None:
    """A program can say of itself what it likes, in bounds, and no verdict depends on it."""
    source = forging(text)
    done = execute(source, "def f(x): return x")
    assert done.candidates[0].tokens == ("f" * 16,) * 10
    assert done.candidates[1].tokens == done.reference.tokens
    assert done.shown is not None
    assert done.shown.outputs == {0: shown}


def test_only_the_largest_behaviours_are_asked_for(execute: Execute) -> None:
    """Of many incorrect ones the first ten are shown, larger ones before those that come first."""
    singles = [f"def f(x): return {number}, x" for number in range(12)]
    done = execute(*singles, singles[11], "def f(x): return x", "def f(x): raise ValueError")
    assert done.shown is not None
    assert sorted(done.shown.outputs) == [*range(9), 11]


def test_the_report_is_the_same_each_time(execute: Execute) -> None:
    """Sets, addresses and random numbers make no difference from run to run."""
    sources = [
        "def f(x): return {'a', 'b', 'c', 1.5, None}",
        "import random\ndef f(x): return random.random()",
        "def f(x): return object()",
        "def f(x): return [f, lambda: 0]",
    ]
    environment = Environment(python="3.11", platform="Linux", isolation="process")

    def rendered() -> str:
        done = execute(*sources, inputs=([1], [2]))
        problem = make_problem(*sources, inputs=([1], [2]))
        return render_report(
            assemble([report_problem(problem, done, Settings())], Settings(), environment)
        )

    first = rendered()
    assert '"witness":{"input":0,"arguments":"1","output":"{' in first
    assert [rendered(), rendered()] == [first] * 2


def test_measuring_does_not_depend_on_the_texts(
    execute: Execute, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tokens and flags are the same where nothing is asked."""
    sources = [
        *list(SHOWN)[:6],
        "seen = []\ndef f(x):\n seen.append(x)\n return len(seen)",
        "import random\nr = random.Random()\ndef f(x): return 0 * r.random()",
    ]
    asked = execute(*sources)
    monkeypatch.setattr(witnesses, "MOST_BEHAVIOURS", 0)
    plain = execute(*sources)
    assert plain.shown is not None
    assert plain.shown.outputs == {}
    assert msgspec.structs.replace(asked, shown=None) == msgspec.structs.replace(plain, shown=None)
