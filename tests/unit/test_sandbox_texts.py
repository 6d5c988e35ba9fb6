"""Values as short texts: what is read, what is never asked, and that every text is bounded."""

from __future__ import annotations

import array
import collections
import contextlib
import datetime
import decimal
import enum
import fractions
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Callable, NoReturn

import pytest

from pytest_codecollapse.sandbox import child
from pytest_codecollapse.sandbox.child import program
from pytest_codecollapse.sandbox.child.canon import canonical
from pytest_codecollapse.sandbox.child.snapshot import Input, with_snapshots
from pytest_codecollapse.sandbox.child.texts import (
    MAX_TEXT,
    NO_TEXT,
    Watched,
    arguments_text,
    text_of,
)


def refuse(*arguments: Any, **named: Any) -> NoReturn:
    """Stand in for a method that must not be called."""
    raise AssertionError("a method of the program's own was called")


LIES: dict[str, Any] = dict.fromkeys(
    [
        "__bool__", "__class__", "__eq__", "__format__", "__getattribute__", "__getitem__",
        "__hash__", "__index__", "__int__", "__iter__", "__len__", "__lt__", "__next__",
        "__repr__", "__str__", "bit_length", "items", "keys",
    ],
    refuse,
)  # fmt: skip


def lying(*bases: type) -> Any:
    """Make a class all of whose methods refuse."""
    return type("Liar", bases, LIES)


class Color(enum.IntEnum):
    """An enumeration, whose members have a representation of their own."""

    RED = 1


Point = collections.namedtuple("Point", "x y")

WRITTEN: list[tuple[Any, str]] = [
    (None, "None"),
    (..., "Ellipsis"),
    (True, "True"),
    (-3, "-3"),
    (0.1 + 0.2, "0.30000000000000004"),
    (float("nan"), "nan"),
    (1 + 2j, "(1+2j)"),
    ("it's", '"it\'s"'),
    ("caf\u00e9\n\x1b[31m\u202e", "'caf\\xe9\\n\\x1b[31m\\u202e'"),
    ("\ud800", "'\\ud800'"),
    (b"a\xff", "b'a\\xff'"),
    (bytearray(b"a"), "bytearray(b'a')"),
    (memoryview(b"a"), "memoryview(b'a')"),
    (decimal.Decimal("1.50"), "Decimal('1.50')"),
    (fractions.Fraction(1, 3), "Fraction(1, 3)"),
    (datetime.date(2020, 1, 2), "date(2020, 1, 2)"),
    (array.array("b", [1, 2]), "array('b', 1, 2)"),
    (range(1, 9, 3), "range(1, 9, 3)"),
    (slice(1), "slice(None, 1, None)"),
    ([], "[]"),
    ([1, [2, "a"]], "[1, [2, 'a']]"),
    ((), "()"),
    ((1,), "(1,)"),
    (set(), "set()"),
    ({10, 9, 1}, "{1, 9, 10}"),
    ({"b", 2.5, (1, 2)}, "{'b', (1, 2), 2.5}"),
    (frozenset({1}), "frozenset({1})"),
    (frozenset(), "frozenset()"),
    ({"b": 1, "a": [2]}, "{'a': [2], 'b': 1}"),
    ({2.5: 1, "a": 2}, "{'a': 2, 2.5: 1}"),
    ({"a": 1}.keys(), "dict_keys('a')"),
    (collections.Counter("aab"), "{'a': 2, 'b': 1}"),
    (collections.OrderedDict(a=1), "{'a': 1}"),
    (collections.deque([1, 2]), "deque([1, 2])"),
    (Point(1, 2), "(1, 2)"),
    (Color.RED, "1"),
    (int, "<class int>"),
    (len, "<builtin_function_or_method object>"),
    (iter([1, 2]), "<iterator>"),
    (object(), "<object object>"),
]


@pytest.mark.parametrize(("value", "text"), WRITTEN, ids=[text for _, text in WRITTEN])
def test_values_read_as_python_writes_them(value: Any, text: str) -> None:
    """Built-in values as literals, in an order that no hash decides; others by their type."""
    assert text_of(value) == text


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: lying()(), "<Liar object>"),
        (lambda: lying(int)(7), "7"),
        (lambda: lying(float)(0.5), "0.5"),
        (lambda: lying(str)("a"), "'a'"),
        (lambda: lying(bytes)(b"a"), "b'a'"),
        (lambda: lying(list)([1]), "[1]"),
        (lambda: lying(tuple)([1]), "(1,)"),
        (lambda: lying(dict)(a=1), "{'a': 1}"),
        (lambda: lying(collections.OrderedDict)(), "{}"),
        (lambda: lying(set)([1]), "{1}"),
        (lambda: lying(frozenset)([1]), "frozenset({1})"),
        (lambda: lying(collections.deque)([1]), "deque([1])"),
        (lambda: lying(decimal.Decimal)("1"), "Decimal('1')"),
        (lambda: lying(Exception)("secret"), "<Liar object>"),
        (lambda: type("Meta", (type,), LIES)("Made", (), {}), "<class Made>"),
        (lambda: type("Odd \n\u00e9" + "x" * 900, (), {})(), "<Odd__\\xe9" + "x" * 51 + " object>"),
    ],
)
def test_no_method_of_a_programs_own_is_called(make: Callable[[], Any], text: str) -> None:
    """What lies about itself, or would hang, is read through the slots of the built-in type."""
    assert text_of(make()) == text
    assert text_of([make()]) == f"[{text}]"


def nested(depth: int) -> Any:
    """Nest a list."""
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


def cyclic() -> Any:
    """Make a list that holds itself, beside a dict that holds the list."""
    value: Any = [1]
    value += [value, {"a": value}]
    return value


def shared(depth: int) -> Any:
    """Make a value with 12 ** depth paths through it."""
    value: Any = 1
    for _ in range(depth):
        value = [value] * 12
    return value


def frozen(depth: int) -> Any:
    """Make sets of sets, each of whose members is to be written before they can be sorted."""
    members: list[Any] = [frozenset([0.5, number]) for number in range(300)]
    for _ in range(depth):
        members = [frozenset([*members[:200], number]) for number in range(300)]
    return set(members)


HUGE: list[tuple[Callable[[], Any], str]] = [
    (lambda: 10**6000, "<int of 19932 bits>"),
    (lambda: -(10**6000), "<negative int of 19932 bits>"),
    (lambda: "a" * 10**6, "'" + "a" * 60 + "'... 999940 more"),
    (lambda: b"a" * 10**6, "b'" + "a" * 60 + "'... 999940 more"),
    (lambda: "\U0001f600" * 60, "'" + "\\U0001f600" * 11 + "\\U0001..."),
    (lambda: [0] * 10**6, f"[{'0, ' * 12}... 999988 more]"),
    (lambda: set(range(10**5)), f"{{{', '.join(map(str, range(12)))}, ... 99988 more}}"),
    (lambda: dict.fromkeys(range(10**5)), "{0: None, 1: None, 2: None, 3: None, 4: None"),
    (lambda: {number + 0.5 for number in range(301)}, "{... 301 more}"),
    (lambda: nested(10**5), "[[[[[[[...]]]]]]]"),
    (cyclic, "[1, [1, [1, [1, "),
    (lambda: shared(6), "[[[[[[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], [1, "),
    (lambda: frozen(1), "{... 300 more}"),
]


@pytest.mark.parametrize(("make", "beginning"), HUGE, ids=[text[:20] for _, text in HUGE])
def test_size_depth_and_cycles_are_bounded(make: Callable[[], Any], beginning: str) -> None:
    """The beginning is there, and how much more there is; nothing is longer than the limit."""
    text = text_of(make())
    assert text.startswith(beginning)
    assert len(text) <= MAX_TEXT
    assert re.fullmatch(r"[\x20-\x7e]+", text)


def test_a_text_does_not_depend_on_the_hash_seed() -> None:
    """Sets of strings and of mixed objects read the same in every process."""
    source = "from child.texts import text_of; print(text_of([{*'abc'}, {*'abc', None}, {0.5: 1}]))"
    folder = Path(child.__file__).parents[1]
    said = {
        subprocess.run(
            [sys.executable, "-S", "-c", source],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            cwd=folder,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in range(4)
    }
    assert said == {"[{'a', 'b', 'c'}, {'a', 'b', 'c', None}, {0.5: 1}]\n"}


def test_a_low_recursion_limit_costs_the_text_only() -> None:
    """No exception comes from writing a text, whatever the program did to the interpreter."""
    limit = sys.getrecursionlimit()
    try:
        for depth in range(1, limit):  # frames are not all that counts
            with contextlib.suppress(RecursionError):
                sys.setrecursionlimit(depth)
                break
        sys.setrecursionlimit(depth + 8)
        text = text_of([[[[[1]]]]])
    finally:
        sys.setrecursionlimit(limit)
    assert text == NO_TEXT


def test_arguments_read_as_in_a_call() -> None:
    """They are separated by commas, in the same bounds."""
    assert arguments_text(([1], "a", None)) == "[1], 'a', None"
    assert arguments_text(()) == ""
    assert len(arguments_text(("a" * 100,) * 9)) == MAX_TEXT


def failing() -> Iterator[int]:
    """Yield once and raise."""
    yield 1
    raise KeyError


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (iter([1, "a"]), "<iterator: 1, 'a'>"),
        (map(str, [1]), "<iterator: '1'>"),
        (failing(), "<iterator: 1, raises KeyError>"),
        (iter(()), "<iterator: >"),
        ((number for number in range(1000)), "<iterator: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11"),
        ([iter([1])], "[<iterator>]"),
    ],
)
def test_an_iterator_is_shown_by_what_it_yields(value: Any, text: str) -> None:
    """It is encoded as it would be without being watched, and its items are noted meanwhile."""
    watched = Watched()
    canonical(watched.take(value))
    assert watched.text().startswith(text)


CALLS: list[tuple[Callable[[Any], Any], str]] = [
    (lambda xs: xs, "[1, 2]"),
    (lambda xs: len(xs), "2"),
    (lambda xs: iter(xs), "<iterator: 1, 2>"),
    (lambda xs: (x for x in xs), "<iterator: 1, 2>"),
    (lambda xs: xs.append(3), "None, arguments now [1, 2, 3]"),
    (lambda xs: xs.append(len), "None, arguments now [1, 2, <builtin_function_or_method object>]"),
    (lambda xs: [0] * 99 + [xs.clear()], "[" + "0, " * 12 + "... 88 more], arguments now []"),
    (lambda xs: xs[5], ""),
    (lambda xs: failing(), "<iterator: 1, raises KeyError>"),
]


@pytest.mark.parametrize(("function", "text"), CALLS)
def test_a_shown_outcome_has_the_token_of_the_outcome(
    function: Callable[[Any], Any], text: str
) -> None:
    """Beside the very token is the text, and changed arguments; an exception has no text."""
    outcome_of = program.make_outcome(by_value=False)
    shown_outcome_of = program.make_shown_outcome(by_value=False)

    def given(quick: bool) -> Input:
        (made,) = with_snapshots([([1, 2],)], by_value=False)
        return made if quick else Input(made.arguments, b"", b"")

    for quick in (True, False):
        expected = outcome_of(function, given(quick))
        assert shown_outcome_of(function, given(quick)) == expected + (
            b"\t" + text.encode() if text else b""
        )


def test_the_longest_text_of_a_call_fits() -> None:
    """A long result beside long arguments that have changed is cut to the limit."""
    shown_outcome_of = program.make_shown_outcome(by_value=False)
    given = with_snapshots([(["a" * 100],)], by_value=False)[0]
    _, _, text = shown_outcome_of(lambda xs: xs.append("b" * 100) or "c" * 100, given).partition(
        b"\t"
    )
    assert len(text) <= MAX_TEXT
