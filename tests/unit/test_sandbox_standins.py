"""Stand-ins for the function under test, in tests of many shapes, recorded and judged."""

from __future__ import annotations

import json
from typing import Any, Optional

import pytest

from pytest_codecollapse.sandbox.child.examination import Sources, UnrunnableError, run_tests
from pytest_codecollapse.sandbox.child.standins import MOST_CALLS, Ledger, Oracle, Recorder

Answers = dict[str, list[Any]]


def after(x: Any) -> Any:
    """Return the next number."""
    return x + 1


def run(tests: Any, stand_in: type, *more: Any, setup: str = "") -> Ledger:
    """Run tests of ``f`` with a stand-in; return the ledger."""
    message = {"setup": "", "entry_point": "f", "tests": tests, "test_setup": setup}
    ledger = Ledger()
    run_tests(Sources(message, ""), ledger, {"f": stand_in(ledger, *more), "__name__": "solution"})
    return ledger


def recorded(tests: Any, function: Any = after) -> tuple[Ledger, list[Any]]:
    """Run tests with a recorder; return the ledger and the calls."""
    calls: list[str] = []
    ledger = run(tests, Recorder, function, calls.append)
    return ledger, list(map(json.loads, calls))


def judged(tests: Any, answers: Answers, function: Any = after) -> Ledger:
    """Run tests with what a program did."""
    return run(tests, Oracle, function, answers, lambda text: None)


@pytest.mark.parametrize(
    ("call", "why"),
    [
        ("c(iter([1]))", "an argument is no built-in value, or too large (got list_iterator)"),
        ("c(map(int, [1]))", "an argument is no built-in value, or too large (got map)"),
        ("c(P())", "an argument is no built-in value, or too large (got P)"),
        ("c(Q(1))", "an argument is no built-in value, or too large (got Q)"),
        ("c([1, {2: Q(1)}])", "an argument is no built-in value, or too large (got list)"),
        ("c([1, P()])", "an argument is no built-in value, or too large (got list)"),
        (
            "c(len)",
            "an argument is no built-in value, or too large (got builtin_function_or_method)",
        ),
        ("c(1, k=2)", "arguments are given by names that no position stands for"),
    ],
)
def test_an_assert_about_a_call_out_of_reach_is_left_out(call: str, why: str) -> None:
    """It counts neither with the reference nor for a candidate, and the first is told."""
    tests = (
        "class P: pass\n"
        "class Q(int): value = 7\n"
        "def check(c):\n"
        "    assert c(1) == 2\n"
        f"    assert {call} == 7\n"
        f"    assert {call} == 7 and c(5)\n"
        "    assert c(4) == 5\n"
    )

    def function(x: Any, *, k: int = 0) -> Any:
        return x + 1 if type(x) is int and not k else 7

    ledger, calls = recorded(tests, function)
    assert (ledger.passed, ledger.asserts, ledger.left_out) == (2, 2, 2)
    assert calls == [[1], [5], [4]]
    answers: Answers = {"[1]": ["value", 2], "[4]": ["value", 0]}
    found = judged(tests, answers, function)
    assert (found.passed, found.asserts, found.left_out) == (1, 2, 2)
    assert found.first_left_out == ledger.first_left_out == f"assert {call} == 7: {why}"
    assert found.failure == {
        "assertion": "assert c(4) == 5",
        "got": "returned 0",
        "kind": "value",
    }


def test_a_call_out_of_reach_outside_of_an_assert_ends_no_candidate() -> None:
    """What comes of it is not known, nor are the asserts behind it; none has failed."""
    tests = "def check(c):\n    assert c(1) == 2\n    x = c(iter([1]))\n    assert x == 1\n"
    found = judged(tests, {"[1]": ["value", 2]})
    assert (found.passed, found.asserts, found.left_out, found.failure) == (1, 1, 1, None)


def test_more_calls_than_are_recorded_are_an_error() -> None:
    """A candidate would fail the others, for the reference was not called so."""
    tests = "def check(c):\n    for i in range({}):\n        assert c(i) == i + 1\n"
    ledger, calls = recorded(tests.format(MOST_CALLS))
    assert (ledger.passed, len(calls)) == (MOST_CALLS, MOST_CALLS)
    with pytest.raises(UnrunnableError, match="more than 10000 different calls"):
        recorded(tests.format(MOST_CALLS + 1))


@pytest.mark.parametrize(
    ("tests", "stopped"),
    [
        ("import no_such\ndef check(c): assert c(1)", "import no_such: ModuleNotFoundError: "),
        ("def check(c):\n    a, b = c(1)", "a, b = c(1): TypeError: cannot unpack"),
        ("def check(c):\n    raise AssertionError", "raise AssertionError: AssertionError"),
        ("def test_a(): assert f(1) == 2", "they define test_a, and nothing calls that"),
        ("class A:\n    def g(self): assert f(1)", "they define A, and nothing calls that"),
        (
            "def a(): 1\ndef b(): 1\ndef c(): 1\ndef d(): 1",
            "they define a, b, c, ..., and nothing calls that",
        ),
        ("x = 1", ""),
        ("def check(c): assert c(root) == 2", ""),  # an assert that fails says it
        ("def check(c): assert c(1) == 2", ""),
    ],
)
def test_what_keeps_tests_from_being_run_is_told(tests: str, stopped: str) -> None:
    """The line that ended them, with its exception; or what nobody calls."""
    ledger, _ = recorded(tests)
    assert ledger.stopped.startswith(stopped)
    assert bool(ledger.stopped) == bool(stopped)


@pytest.mark.parametrize(
    ("tests", "got"),
    [
        ("assert c(1) == 2", "returned 1"),
        ("try:\n        assert c(1) == 2\n    except KeyError:\n        pass", "returned 1"),
        ("if c(1) != 2: raise AssertionError", "returned 1"),
        (
            "if c(1) != 2: raise AssertionError('1 != 2')",
            "returned 1; the test raises AssertionError: 1 != 2",
        ),
        (
            "assert c(1) + ''",
            "returned 1; the test raises TypeError: unsupported operand type(s) for +: "
            "'int' and 'str'",
        ),
    ],
)
def test_a_failure_says_what_the_test_raised_where_that_says_more(tests: str, got: str) -> None:
    """An AssertionError without a message says nothing that the assert does not."""
    ledger = judged(f"def check(c):\n    {tests}\n", {"[1]": ["value", 1]})
    assert ledger.failure is not None
    assert ledger.failure["got"] == got


@pytest.mark.parametrize(
    "tests",
    [
        "def check(c): assert c(1) == 2",
        ["def check(c): assert c(1) == 2"],
        ["def helper(c): assert c(1) == 2", "helper(f)"],
        "def check(c): assert c(1) == 2\nif __name__ == '__main__': check(f)",
        "METADATA = {'author': 'x'}\ndef check(candidate): assert f(1) == 2",
    ],
)
def test_shapes_that_tests_have(tests: Any) -> None:
    """A string or a list, with a check or without one, by the function's own name or another."""
    ledger, calls = recorded(tests)
    assert (ledger.passed, ledger.asserts, calls) == (1, 1, [[1]])


def test_no_text_has_an_address() -> None:
    """It would differ from run to run: in what a test raises, and in what a program does."""
    text = "<f object at 0x7f00aa>"
    tests = "def check(c):\n    raise ValueError(f'{c(1)!r} {c(2)}, <f object at 0x7f00aa>')\n"
    ledger = judged(tests, {"[1]": ["value", {"object": "A"}], "[2]": ["value", 2]})
    assert ledger.failure is not None
    raised = "the test raises ValueError: <A object> 2, <f object>"
    assert ledger.failure["got"] == f"returned 2; {raised}"
    assert ledger.stopped.endswith("<f object at 0x7f00aa>'): ValueError: <A object> 2, <f object>")
    raising = judged("assert f(1)", {"[1]": ["exception", "TypeError", "TypeError", [text]]})
    assert raising.failure is not None
    assert raising.failure["got"] == "raises TypeError('<f object>')"


def test_a_stand_in_has_the_name_and_signature_of_the_reference() -> None:
    """What tests print in a message, or look up to know how to call it."""
    tests = (
        "import inspect\n"
        "assert f.__name__ == 'after'\n"
        "assert list(inspect.signature(f).parameters) == ['x']\n"
        "assert f(1) == 2\n"
    )
    assert recorded(tests)[0].passed == 3
    assert judged(tests, {"[1]": ["value", 2]}).passed == 3


@pytest.mark.parametrize("tests", ["assert f(1) == 2", ["assert f(1) == 2"]])
def test_a_check_of_the_references_own_is_not_called(tests: Any) -> None:
    """It is a helper of that name, or the function that the tests are about."""
    called: list[Any] = []
    ledger = Ledger()
    message = {"setup": "", "entry_point": "f", "tests": tests, "test_setup": ""}
    namespace = {"f": Recorder(ledger, after, lambda text: None), "check": called.append}
    run_tests(Sources(message, ""), ledger, namespace)
    assert (ledger.passed, called) == (1, [])


def test_a_call_without_an_answer_is_told_and_asked_where_there_is_no_reference() -> None:
    """With a reference it is one that the reference was not called with, and nobody asks."""
    known: tuple[tuple[Optional[Any], str, list[str]], ...] = (
        (after, "nothing: the reference was not called so", []),
        (None, "nothing: the program was not called so", ["[2]"]),
    )
    for function, got, calls in known:
        asked: list[str] = []
        ledger = run("assert f(f(1)) == 3", Oracle, function, {"[1]": ["value", 2]}, asked.append)
        assert ledger.failure is not None
        assert ledger.failure["got"] == got
        assert asked == calls


@pytest.mark.parametrize(
    ("told", "kind", "got"),
    [
        (["KeyError", "KeyError", ["a"]], KeyError, "raises KeyError('a')"),
        (["Mine", "ValueError", [1, 2]], ValueError, "raises Mine(1, 2)"),
        (["Mine", "ValueError", []], ValueError, "raises Mine"),
        (["Mine"], Exception, "raises Mine"),
        (["UnicodeDecodeError", "ValueError", ["a"]], UnicodeDecodeError, "raises UnicodeDecode"),
        (["ExceptionGroup", "Exception", ["a", []]], Exception, "raises ExceptionGroup"),
        (["Mine", "no such", [1]], Exception, "raises Mine(1)"),
        (["Mine", [], 3], Exception, "raises Mine"),
        (["Mine", "ValueError", [{"float": "x"}]], ValueError, "raises Mine"),
    ],
)
def test_what_a_program_raised_is_raised(told: list[Any], kind: type, got: str) -> None:
    """By its built-in base and arguments; what is forged of these is left out."""
    ledger = Ledger()
    stand_in = Oracle(ledger, after, {"[1]": ["exception", *told]}, lambda text: None)
    with pytest.raises(kind) as caught:
        stand_in(1)
    assert type(caught.value).__name__ == told[0]
    assert ledger.last[0] == "exception"
    assert ledger.last[1].startswith(got)
