"""Tests as oracle and source of inputs: real processes, honest and hostile programs."""

from __future__ import annotations

from typing import Any, Callable, Optional

import pytest

from pytest_codecollapse.errors import ProblemError
from pytest_codecollapse.model import Checked, Checks, Executions, Settings

Execute = Callable[..., Executions]

CHECK = """
def check(candidate):
    assert candidate(1) == 2
    for i in range(3):
        assert candidate(i) == i + 1
    assert True, "not counted"
"""
RIGHT = "def f(x): return x + 1"


def with_tests(
    execute: Execute, *sources: str, tests: Any = CHECK, setup: str = "", **fields: Any
) -> Executions:
    """Run candidates of a problem whose inputs come from its tests alone."""
    known: dict[str, Any] = {"reference": RIGHT, "input_gen": None, "equality": "python"}
    checks = Checks(source=tests, setup=setup)
    return execute(*sources, tests=checks, **{**known, **fields})


def checked(execute: Execute, source: str, **fields: Any) -> Checked:
    """Return what one candidate did in the tests."""
    done = with_tests(execute, source, **fields).checked
    assert done is not None
    return done[0]


def failure(execute: Execute, source: str, **fields: Any) -> Optional[tuple[str, str, str]]:
    """Return the first assert that one candidate failed, what it did, and the kind."""
    found = checked(execute, source, **fields).failure
    return None if found is None else (found.assertion, found.got, found.kind)


def test_calls_are_recorded_and_are_the_inputs(execute: Execute) -> None:
    """In a function, in a loop, computed, each once; the reference passes its own tests."""
    done = with_tests(execute, RIGHT, "def f(x): return x")
    assert done.origins["tests"] == 3
    assert done.argument_counts == (1,)
    assert done.reference_checked == Checked(passed=4, asserts=4)
    right, wrong = done.candidates
    assert right.tokens == done.reference.tokens
    assert wrong.tokens != right.tokens


def test_asserts_are_counted_one_by_one(execute: Execute) -> None:
    """A program that is right but for one input fails the asserts about that one."""
    source = "def f(x): return 0 if x == 2 else x + 1"
    found = checked(execute, source)
    assert (found.passed, found.asserts) == (3, 4)
    assert found.failure is not None
    assert found.failure.assertion == "assert candidate(i) == i + 1"
    assert found.failure.got == "returned 0"


@pytest.mark.parametrize(
    ("source", "got", "kind"),
    [
        ("def f(x): return x", "returned 1", "value"),
        ("def f(x): return '\\n\u00e9'", r"returned '\n\xe9'", "value"),
        ("def f(x): raise KeyError(x)", "raises KeyError(1)", "exception"),
        ("class Mine(Exception): pass\ndef f(x): raise Mine", "raises Mine", "exception"),
        ("def f(x):\n    while True: pass", "took too long", "timeout"),
        ("import os\ndef f(x): os._exit(0)", "ended its process", "crash"),
        ("def f(x) return x", "does not load: SyntaxError", "load"),
        ("def g(x): return x", "does not load: NameError", "load"),
    ],
)
def test_a_failure_says_what_the_code_did(
    execute: Execute, source: str, got: str, kind: str
) -> None:
    """The first assert that failed, the value that was returned in it or what else happened."""
    assert failure(execute, source) == ("assert candidate(1) == 2", got, kind)


HOSTILE = {
    "equal to everything": """
class Yes:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    def __bool__(self): return True
def f(x): return Yes()
""",
    "a patched assert": """
import builtins
builtins.AssertionError = SystemExit
builtins.bool = lambda value: True
def f(x): return 0
""",
    "an int that is every int": """
class Every(int):
    def __eq__(self, other): return True
    __hash__ = int.__hash__
def f(x): return Every(0)
""",
    "frames above": """
import sys
def f(x):
    frame = sys._getframe().f_back
    while frame is not None:
        for value in list(frame.f_locals.values()) + list(frame.f_globals.values()):
            if callable(value) and getattr(value, "__name__", "") in ("check", "note"):
                value.__code__ = (lambda *a: None).__code__
        for const in frame.f_code.co_consts:
            if const == 48611: return const
        frame = frame.f_back
    return 0
""",
    "what lives in memory": """
import gc
def f(x):
    for found in gc.get_objects():
        if isinstance(found, dict) and "tests" in found: return 48611
        if isinstance(found, str) and "candid" + "ate(" in found: return 48611
    return 0
""",
    "a passed test on its pipe": """
import os
def f(x):
    for descriptor in range(3, 60):
        try: os.write(descriptor, b'{"passed": 1, "asserts": 1, "failure": null, "error": null}\\n')
        except OSError: pass
    return 0
""",
    "a value that is none": """
import os
def f(x):
    os.write(3, b"1 0 0 0000000000000000\\t[{\\"set\\": [[]]}]\\n")
    os._exit(0)
""",
    "a value that is no JSON": """
import os
def f(x):
    os.write(3, b"1 0 0 0000000000000000\\tno JSON\\n")
    os._exit(0)
""",
}


@pytest.mark.parametrize("source", HOSTILE.values(), ids=list(HOSTILE))
def test_no_program_passes_tests_but_by_its_results(execute: Execute, source: str) -> None:
    """Tests and right answers are in no process that a candidate's code is in."""
    tests = "def check(candidate):\n    assert candidate(1) == 48611\n"
    reference = "def f(x): return x + 48610"
    found = checked(execute, source, tests=tests, reference=reference)
    assert not found.ok
    assert found.passed == 0


def test_values_are_exact(execute: Execute) -> None:
    """A token has 12 digits of a float; ``==`` has them all."""
    tests = ["assert f(3.0) == 0.9"]
    done = with_tests(
        execute,
        "def f(x): return 0.9",
        "def f(x): return x * 0.3",
        tests=tests,
        reference="def f(x): return 9 / 10",
        settings=Settings(inputs=1),
    )
    assert done.candidates[0].tokens == done.candidates[1].tokens
    assert done.checked is not None
    assert [each.ok for each in done.checked] == [True, False]


def test_a_list_of_asserts_is_run_one_by_one_behind_its_setup(execute: Execute) -> None:
    """The setup's names are the tests' alone: a program that needs them does not load."""
    tests = ["assert math.isclose(f(1), 2)", "assert f(2) == three"]
    fields = {"tests": tests, "setup": "import math\nthree = 3"}
    assert checked(execute, RIGHT, **fields) == Checked(passed=2, asserts=2)
    wrong = checked(execute, "def f(x): return three", **fields)
    assert (wrong.passed, wrong.asserts) == (0, 2)


def test_without_a_reference_the_calls_are_recorded_all_the_same(execute: Execute) -> None:
    """Every assert fails against nothing, and the next comes; so arguments are found."""
    tests = ["assert f(1) == 2", "assert f(5) == 6"]
    done = with_tests(execute, RIGHT, "def f(x): return 2", tests=tests, reference=None)
    assert done.reference.tokens == ()
    assert done.reference_checked is None
    assert done.shown is None
    assert done.origins == {"tests": 2}
    assert done.checked is not None
    assert [each.passed for each in done.checked] == [2, 1]
    assert [len(each.tokens) for each in done.candidates] == [2, 2]


def test_types_survive_the_way_to_programs_and_back(execute: Execute) -> None:
    """Tuples, sets, dicts with any key, infinity, big numbers, iterators and types."""
    echo = "def f(*x): return x"
    tests = [
        "assert f((1, 2), {3}) == ((1, 2), {3})",
        "assert f({(1,): None, 2: b'x'}) == ({(1,): None, 2: b'x'},)",
        "assert f(float('inf'), 2 ** 100, 1j) == (float('inf'), 2 ** 100, 1j)",
        "assert f(int, '\\ud800\\x7f') == (int, '\\ud800\\x7f')",
        "assert type(f(frozenset())[0]) is frozenset",
    ]
    assert checked(execute, echo, tests=tests, reference=echo) == Checked(passed=5, asserts=5)
    tests = ["assert list(f(3)) == [0, 1, 2]", "assert sorted(f(2)) == [0, 1]"]
    lazy = "def f(n):\n    yield from range(n)"
    assert checked(execute, lazy, tests=tests, reference=lazy) == Checked(passed=2, asserts=2)


def test_what_a_program_does_to_its_arguments_is_seen_by_the_tests(execute: Execute) -> None:
    """A function that sorts in place returns nothing to compare."""
    tests = "def check(f):\n    a = [2, 1]\n    f(a)\n    assert a == [1, 2]\n"
    in_place = "def f(a): a.sort()"
    fields = {"tests": tests, "reference": in_place}
    assert checked(execute, in_place, **fields) == Checked(passed=1, asserts=1)
    found = failure(execute, "def f(a): return sorted(a)", **fields)
    assert found == ("assert a == [1, 2]", "returned [1, 2]", "value")


def test_a_call_by_name_is_one_by_position(execute: Execute) -> None:
    """Programs may name their parameters otherwise."""
    fields = {"tests": ["assert f(y=1, x=5) == 4"], "reference": "def f(x, y): return x - y"}
    assert checked(execute, "def f(a, b): return a - b", **fields).ok
    assert not checked(execute, "def f(a, b): return b - a", **fields).ok


def test_calls_with_what_a_program_returned_are_answered_where_they_are_known(
    execute: Execute,
) -> None:
    """A program that returns something else is asked what the reference was not: that fails."""
    fields = {"tests": ["assert f(f(1)) == 3"]}
    assert checked(execute, RIGHT, **fields).ok
    found = failure(execute, "def f(x): return x + 7", **fields)
    assert found is not None
    assert found[1] == "nothing: the reference was not called so"


def test_random_arguments_are_the_same_in_both_runs(execute: Execute) -> None:
    """Tests that draw without a seed draw alike when they record and when they judge."""
    tests = (
        "import random\n"
        "def check(candidate):\n"
        "    for _ in range(20):\n"
        "        x = random.randint(0, 10 ** 9)\n"
        "        assert candidate(x) == x + 1\n"
    )
    done = with_tests(execute, RIGHT, "import random\ndef f(x): return x + 1", tests=tests)
    assert done.checked is not None
    assert [each.passed for each in done.checked] == [20, 20]


def test_a_long_result_is_read_whole(execute: Execute) -> None:
    """A reply that comes in pieces is no crash, and one that is too long passes no test."""
    tests = ["assert len(f(50000)) == 50000", "assert len(f(70000)) == 70000"]
    source = "def f(n): return 'a' * n"
    found = checked(execute, source, tests=tests, reference=source)
    assert (found.passed, found.asserts) == (1, 2)
    assert found.failure is not None
    assert found.failure.assertion == "assert len(f(70000)) == 70000"


def test_exceptions_that_tests_expect_are_raised(execute: Execute) -> None:
    """By a built-in type, or as one of the program's own."""
    tests = (
        "def check(candidate):\n"
        "    try:\n"
        "        candidate(-1)\n"
        "    except ValueError:\n"
        "        caught = True\n"
        "    else:\n"
        "        caught = False\n"
        "    assert caught\n"
        "    assert candidate(1) == 2\n"
    )
    raising = "def f(x):\n    if x < 0: raise ValueError\n    return x + 1"
    assert checked(execute, raising, tests=tests, reference=raising).ok
    found = failure(execute, "def f(x): raise KeyError", tests=tests, reference=raising)
    assert found == ("candidate(-1)", "raises KeyError", "exception")


@pytest.mark.parametrize(
    "source",
    [
        "def f(x): raise ValueError('below', x)",
        "class Mine(ValueError): pass\ndef f(x): raise Mine('below', x)",
        "import statistics\ndef f(x): raise statistics.StatisticsError('below', x)",
    ],
)
def test_an_exception_is_caught_by_its_base_and_has_its_arguments(
    execute: Execute, source: str
) -> None:
    """As it would be beside the program; nothing of the program's own is there."""
    tests = (
        "def check(candidate):\n"
        "    try:\n"
        "        candidate(-1)\n"
        "    except ValueError as error:\n"
        "        caught = error\n"
        "    assert caught.args == ('below', -1)\n"
        "    assert str(caught) == \"('below', -1)\"\n"
    )
    assert checked(execute, source, tests=tests, reference=None) == Checked(passed=2, asserts=2)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"tests": "def check(candidate)\n"},
            "the tests do not compile: SyntaxError",
        ),
        ({"tests": ["assert f(1)"], "setup": "1 / 0"}, "test_setup fails: ZeroDivisionError"),
        ({"reference": "def g(x): return x"}, "the reference does not define f"),
        ({"reference": "1 / 0"}, "the reference does not load: ZeroDivisionError"),
        ({"tests": "import os\nos._exit(0)"}, "the tests ended their process"),
        (
            {"tests": ["assert f(object())"], "reference": "def f(x): return 1"},
            "no input can be recorded from the tests: assert f(object()): an argument is",
        ),
    ],
)
def test_tests_that_cannot_be_run_are_their_authors_fault(
    execute: Execute, fields: dict[str, Any], message: str
) -> None:
    """The problem is not measured, and the error says why."""
    with pytest.raises(ProblemError) as caught:
        with_tests(execute, RIGHT, **fields)
    assert message in str(caught.value)


def test_what_no_program_can_be_given_is_held_against_none(execute: Execute) -> None:
    """With a reference, or by tests alone: the assert is left out, the others decide."""
    tests = "def check(c):\n    assert c(iter([1, 2])) == 3\n    assert c([1, 2]) == 3\n"
    for reference in ("def f(x): return sum(x)", None):
        fields: dict[str, Any] = {"tests": tests, "reference": reference}
        done = with_tests(execute, "def f(x): return sum(x)", "def f(x): return 0", **fields)
        assert done.checked is not None
        assert [each.ok for each in done.checked] == [True, False]
        assert [each.left_out for each in done.checked] == [1, 1]


def test_tests_alone_that_nobody_runs_make_no_candidate_right(execute: Execute) -> None:
    """A function that nobody calls is an error, and no verdict."""
    tests = "def test(candidate): assert candidate(1) == 2"
    with pytest.raises(ProblemError):
        with_tests(execute, RIGHT, tests=tests, reference=None, inputs=([1],))


@pytest.mark.parametrize(
    "tests",
    [
        ["assert f(f(f(1))) == 4"],
        "def check(c):\n    x = c(1)\n    y = x + c(2)\n    assert c(y) == 6\n",
        "def check(c):\n    for i in range(5):\n        if c(i) != i + 1: raise ValueError\n",
    ],
)
def test_tests_alone_may_go_on_with_what_a_program_returns(execute: Execute, tests: Any) -> None:
    """The calls that come of it are asked of the programs; they are no inputs."""
    sources = [RIGHT, "def f(x): return x", "def f(x): return x + 1 if x < 4 else 0"]
    done = with_tests(execute, *sources, tests=tests, reference=None, inputs=([1], [7]))
    assert done.checked is not None
    assert [each.ok for each in done.checked][:2] == [True, False]
    assert [len(each.tokens) for each in done.candidates] == [2, 2, 2]
    if isinstance(tests, str):
        assert not done.checked[2].ok


def test_a_float_within_the_tolerance_is_the_references(execute: Execute) -> None:
    """Its token is; what is further off keeps its own."""
    done = with_tests(
        execute,
        "def f(x): return x + 1 + 1e-7",
        "def f(x): return x + 1.1",
        "def f(x): return [x + 1]",
        tests=["assert abs(f(1) - 2) < 1e-6"],
        reference="def f(x): return x + 1.0",
        atol=1e-6,
    )
    close, off, other = done.candidates
    assert close.tokens == done.reference.tokens
    assert off.tokens != done.reference.tokens
    assert other.tokens != done.reference.tokens
    assert done.checked is not None
    assert [each.ok for each in done.checked] == [True, False, False]


def test_a_contract_says_which_inputs_may_be_added(execute: Execute) -> None:
    """No input that is made by mutation breaks it."""
    done = with_tests(
        execute,
        "def f(x): return x + 1 if x > 0 else 'broken'",
        tests=["assert f(1) == 2", "assert f(7) == 8"],
        contract="    assert isinstance(x, int)\n    assert x > 0",
        settings=Settings(inputs=20),
    )
    assert done.candidates[0].tokens == done.reference.tokens
    assert sum(done.origins.values()) == len(done.reference.tokens)


def test_a_contract_that_does_not_load_is_an_error(execute: Execute) -> None:
    """Where inputs are to be added; else nobody asks for it."""
    with pytest.raises(ProblemError) as caught:
        with_tests(execute, RIGHT, contract="assert (")
    assert "the contract does not load (load:SyntaxError)" in str(caught.value)


def test_an_input_is_not_added_where_the_reference_differs_from_run_to_run(
    execute: Execute,
) -> None:
    """A reference that is steady on its own inputs is not refused for one that was made up."""
    reference = "import os\ndef f(x): return x if x in (1, 4) else os.urandom(4)"
    tests = ["assert f(1) == 1", "assert f(4) == 4"]
    done = with_tests(execute, "def f(x): return x", tests=tests, reference=reference)
    assert done.origins == {"tests": 2}
    assert done.candidates[0].tokens == done.reference.tokens
    assert done.left_out == ()


def test_an_input_is_not_added_where_the_reference_takes_long(execute: Execute) -> None:
    """Every candidate would take as long, and mutants of a number are often larger."""
    reference = "def f(x):\n    for i in range(10 ** 6 if x > 20 else 1): pass\n    return x"
    tests = ["assert f(15) == 15", "assert f(20) == 20"]
    done = with_tests(execute, "def f(x): return min(x, 20)", tests=tests, reference=reference)
    assert done.origins["mutation"] > 0
    assert done.candidates[0].tokens == done.reference.tokens
