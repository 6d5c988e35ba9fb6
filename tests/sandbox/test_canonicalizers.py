"""Values of a type that the user names are what the user's function makes of them."""

from __future__ import annotations

from typing import Any, Callable

import pytest

from pytest_codecollapse.errors import ProblemError
from pytest_codecollapse.model import Executions, Settings

Execute = Callable[..., Executions]

MONEY = """
class Money:
    def __init__(self, cents, currency="EUR"):
        self.cents, self.currency = cents, currency
"""
BY_CENTS = "def canonicalize(value):\n    return value.cents\n"
PAIR = "class Pair:\n    def __init__(self, *both): self.both = both\n"


def classes(
    execute: Execute, canonicalizers: dict[str, str], *bodies: str, **fields: Any
) -> list[tuple[str, ...]]:
    """Return the tokens of programs ``def f(x)`` with these bodies."""
    programs = [f"def f(x): {body}" for body in bodies]
    settings = Settings(canonicalizers=canonicalizers)
    done = execute(*programs, settings=settings, **{"inputs": ([1], [2]), **fields})
    return [each.tokens for each in done.candidates]


def test_objects_are_compared_by_what_they_are_read_as(execute: Execute) -> None:
    """Without it every Money is alike; with it cents count, the currency does not."""
    bodies = ("return Money(x)", "return Money(x, 'USD')", "return Money(0)", "return x")
    alike = classes(execute, {}, *bodies, setup=MONEY)
    assert alike[0] == alike[1] == alike[2] != alike[3]
    told = classes(execute, {"solution.Money": BY_CENTS}, *bodies, setup=MONEY)
    assert told[0] == told[1] == told[3] != told[2]


def test_it_reads_objects_within_containers_and_iterators(execute: Execute) -> None:
    """Where a value stands does not matter: list, key, what a generator yields, an object."""
    bodies = (
        "return [Money(x)]",
        "return [x]",
        "return {Money(x): [Money(x)]}",
        "return {x: [x]}",
        "return (Money(i) for i in range(x))",
        "return (i for i in range(x))",
        "return Money(Money(x))",
        "return x",
    )
    found = classes(execute, {"solution.Money": BY_CENTS}, *bodies, setup=MONEY)
    assert found[::2] == found[1::2]
    assert len(set(found)) == 4


def test_it_reads_arguments_after_the_call(execute: Execute) -> None:
    """What a program leaves in its arguments is part of what it did."""
    bodies = ("x.append(Money(1))", "x.append(Money(2))", "x.append(1)")
    found = classes(
        execute,
        {"solution.Money": BY_CENTS},
        *bodies,
        setup=MONEY,
        inputs=([[]],),
        reference="def f(x): return x",
    )
    assert found[0] == found[2] != found[1]


def test_subclasses_are_read_and_the_closest_counts(execute: Execute) -> None:
    """A named tuple is a type of its own; a subclass of a type is read like that type."""
    setup = MONEY + (
        "import collections\nPoint = collections.namedtuple('Point', 'x y')\n"
        "class Coin(Money): pass\nclass Note(Money): pass\n"
    )
    canonicalizers = {
        "solution.Money": BY_CENTS,
        "solution.Note": "def canonicalize(value):\n    return 'note'\n",
        "solution.Point": "def canonicalize(value):\n    return value.x\n",
    }
    bodies = ("return Coin(x)", "return Point(x, 0)", "return x", "return Note(x)", "return 'note'")
    found = classes(execute, canonicalizers, *bodies, setup=setup)
    assert found[0] == found[1] == found[2]
    assert found[3] == found[4] != found[0]


def test_cycles_and_sharing_end(execute: Execute) -> None:
    """An object that holds itself is read once on each way down."""
    bodies = (
        "p = Pair(x, []); p.both[1].append(p); return p",
        "p = Pair(x, []); p.both[1].append(p); return p",
        "p = Pair(0, []); p.both[1].append(p); return p",
        "p = Pair(x, 1)\n    for _ in range(60): p = Pair(p, p)\n    return p",
    )
    reader = {"solution.Pair": "def canonicalize(value):\n    return value.both\n"}
    found = classes(execute, reader, *bodies[:3], f"\n    {bodies[3]}", setup=PAIR)
    assert found[0] == found[1] != found[2]
    assert all(len(token) == 16 and ":" not in token for token in found[3])


def test_a_value_can_be_left_alone(execute: Execute) -> None:
    """What the function gives back as it is, is read as without it."""
    reader = {"solution.Money": "def canonicalize(value):\n    return value\n"}
    bodies = ("return Money(x)", "return Money(0)")
    assert classes(execute, reader, *bodies, setup=MONEY) == classes(
        execute, {}, *bodies, setup=MONEY
    )


def test_what_it_raises_and_its_time_are_the_calls(execute: Execute) -> None:
    """An object that it cannot read is an exception, one that hangs it a timeout."""
    reader = {
        "solution.Money": "def canonicalize(value):\n    while value.cents < 0: pass\n"
        "    return value.cents + 0\n"
    }
    bodies = ("return Money(x)", "return Money('x')", "return Money(-1)")
    found = classes(execute, reader, *bodies, setup=MONEY)
    assert found[1:] == [("exc:TypeError",) * 2, ("TIMEOUT",) * 2]


def test_what_it_asks_of_a_hostile_object_costs_that_program_alone(execute: Execute) -> None:
    """A property that ends the process is a crash of its call, and no other program's."""
    bodies = ("return Trap()", "return Money(x)", "return x")
    trap = "import os\nclass Trap(Money):\n    cents = property(lambda self: os._exit(0))\n"
    trap += "    def __init__(self): pass\n"
    found = classes(execute, {"solution.Money": BY_CENTS}, *bodies, setup=MONEY + trap)
    assert found[0] == ("CRASH", "CRASH")
    assert found[1] == found[2]


def test_it_sees_the_builtins_as_they_were(execute: Execute) -> None:
    """A program that replaces a builtin does not reach the function."""
    reader = {"solution.Money": "def canonicalize(value):\n    return str(value.cents)\n"}
    bodies = (
        "return Money(x)",
        "import builtins; builtins.str = lambda value: '1'; return Money(x)",
    )
    found = classes(execute, reader, *bodies, setup=MONEY)
    assert found[0] == found[1]


def test_a_program_does_not_find_it_among_the_modules(execute: Execute) -> None:
    """It is no module that a program could import or change."""
    bodies = ("import sys; return [n for n in sys.modules if 'canonical' in n]", "return []")
    found = classes(execute, {"solution.Money": BY_CENTS}, *bodies, setup=MONEY)
    assert found[0] == found[1]


def test_classes_with_odd_names_are_read_as_without_it(execute: Execute) -> None:
    """A module that is no text, or missing, is of no type; a name that is taken is that type's."""
    bodies = (
        "return type('Money', (), {'__module__': 3, 'cents': x})()",
        "names = {'x': x}; exec('C = type(\\'Money\\', (), {})', names); return names['C']()",
        "return type('Money', (), {'__module__': 'solution', 'cents': x})()",
        "return x",
    )
    found = classes(execute, {"solution.Money": BY_CENTS}, *bodies)
    assert found[2] == found[3]
    assert found[3] not in found[:2]
    assert not any(token.startswith("exc:") for tokens in found for token in tokens)


def test_it_may_import_and_read_what_the_library_defines(execute: Execute) -> None:
    """The type may be one of any module; here of the standard library, without a form of ours."""
    reader = {
        "ipaddress.IPv4Address": "import ipaddress\n\ndef canonicalize(value):\n"
        "    return int(value)\n"
    }
    bodies = (
        "import ipaddress; return ipaddress.IPv4Address(x)",
        "import ipaddress; return ipaddress.IPv4Address(0)",
        "return x",
    )
    found = classes(execute, reader, *bodies)
    assert found[0] == found[2] != found[1]


def test_one_that_does_not_load_is_an_error_of_the_problem(execute: Execute) -> None:
    """The message names the type and what went wrong, and not input_gen."""
    reader = {"solution.Money": "import no_such_module\ndef canonicalize(value): return 1\n"}
    with pytest.raises(ProblemError) as caught:
        classes(execute, reader, "return x")
    assert str(caught.value) == (
        "samples.jsonl:1: problem 'p': the canonicalizer of solution.Money failed:"
        " ModuleNotFoundError: No module named 'no_such_module'; it must load in the candidates'"
        " interpreter and define canonicalize(value)"
    )


def test_the_next_problem_is_read_without_it(execute: Execute) -> None:
    """It holds for the problems of its settings alone, on the same zygotes."""
    bodies = ("return Money(x)", "return Money(0)")
    told = classes(execute, {"solution.Money": BY_CENTS}, *bodies, setup=MONEY)
    alike = classes(execute, {}, *bodies, setup=MONEY)
    assert told[0] != told[1]
    assert alike[0] == alike[1]
