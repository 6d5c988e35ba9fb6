from __future__ import annotations

import collections
import datetime
import decimal
import fractions
import json
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from pytest_codecollapse.sandbox.child.reading import Foreign, read_arguments, read_value
from pytest_codecollapse.sandbox.child.values import (
    MAX_VALUE,
    TOO_LARGE,
    exception_text,
    is_portable,
    value_text,
    write_value,
)

SAME: list[Any] = [
    None,
    True,
    0,
    -1,
    2**80,
    -(10**40),
    1.5,
    -0.0,
    1e300,
    math.inf,
    -math.inf,
    1 + 2j,
    "",
    "caf\u00e9 \x7f\n\ud800",
    b"\x00\xff",
    bytearray(b"ab"),
    [1, [2, []]],
    (1, (2,), ()),
    {1, 2},
    frozenset({("a", 1)}),
    {"b": 1, "a": [2]},
    {(1, 2): {None: 1.5}, 3: set()},
    range(2, 9, 3),
    collections.deque([1, 2]),
    decimal.Decimal("1.50"),
    fractions.Fraction(-1, 3),
    datetime.date(2020, 2, 29),
    datetime.timedelta(1, 2, 3),
    datetime.datetime(2020, 2, 29, 1, 2, 3, 4),
    int,
    str,
]


def through(value: Any) -> Any:
    """Write a value and read it again."""
    return read_value(json.loads(value_text(value)))


@pytest.mark.parametrize("value", SAME, ids=repr)
def test_a_built_in_value_comes_back(value: Any) -> None:
    """It equals the one that was written, of the same type, and dicts keep their order."""
    back = through(value)
    assert back == value
    assert type(back) is type(value)
    assert repr(back) == repr(value) or isinstance(value, (set, frozenset))
    assert is_portable(write_value(value))


@pytest.mark.parametrize("value", SAME, ids=repr)
def test_the_text_is_printable_ascii_on_one_line(value: Any) -> None:
    """A reply is a line, and a tab ends its token."""
    assert all(" " <= character <= "~" for character in value_text(value))


def test_nan_comes_back_as_nan() -> None:
    """Nan, which equals nothing, is one that still is none."""
    assert math.isnan(through(math.nan))


def test_two_readings_share_nothing() -> None:
    """What one call does to its arguments does not reach another's."""
    written = write_value([[1], {"a": [2]}])
    first, second = read_arguments(written), read_arguments(written)
    first[0].append(9)
    assert second == ([1], {"a": [2]})


def test_sets_are_written_alike_whatever_order_they_came_in() -> None:
    """The text of equal arguments is one text: answers are found by it."""
    assert value_text({"b", "a", "c"}) == value_text({"c", "b", "a"}) == '{"set": ["a", "b", "c"]}'


class Agreeable:
    """Says yes to every comparison."""

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False

    __hash__ = None  # type: ignore[assignment]


class Liar(dict):  # type: ignore[type-arg]
    """A dict that tells other contents to who asks."""

    def items(self) -> Any:
        """Fail whoever asks."""
        raise RuntimeError

    def __iter__(self) -> Any:
        raise RuntimeError

    def __len__(self) -> int:
        raise RuntimeError


class Text(str):
    """A string with methods of its own."""

    def __str__(self) -> str:
        raise RuntimeError

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


class Named(type):
    """A metaclass that answers for its classes."""

    def __getattribute__(cls, name: str) -> Any:
        raise RuntimeError


class Odd(metaclass=Named):
    """A class of which nothing can be asked."""


class Point(NamedTuple):
    """A tuple with names."""

    x: int
    y: int


def test_an_object_of_a_programs_own_equals_nothing() -> None:
    """It is not given to tests, whatever its ``==`` says: a class of its name stands there."""
    back = through(Agreeable())
    assert isinstance(back, Foreign)
    assert type(back).__name__ == "Agreeable"
    others: list[Any] = [1, "a", None, [], Agreeable]
    assert not any(back == other for other in others)
    assert not is_portable(write_value([Agreeable()]))


def test_no_method_of_the_values_own_is_called() -> None:
    """Extensions of built-in types are read as what they extend."""
    assert through(Liar(a=1)) == {"a": 1}
    assert type(through(Text("x"))) is str
    assert type(through(Odd())).__name__ == "Odd"
    assert type(through(Odd)).__name__ == "Odd"
    assert through(collections.Counter("aab")) == {"a": 2, "b": 1}
    assert through(Point(1, 2)) == (1, 2)


def test_an_iterator_is_drained() -> None:
    """What it yields comes back as an iterator, and its exception comes out."""

    def failing() -> Iterator[int]:
        yield 1
        raise KeyError

    assert list(through(x * x for x in range(3))) == [0, 1, 4]
    assert list(through(map(str, [1]))) == ["1"]
    with pytest.raises(KeyError):
        value_text(failing())


def test_what_is_too_large_is_said_to_be() -> None:
    """Depth, cycles, sharing and size cost little; nothing is cut silently."""
    deep: Any = []
    for _ in range(1000):
        deep = [deep]
    cycle: list[Any] = []
    cycle.append(cycle)
    shared: Any = []
    for _ in range(60):
        shared = [shared, shared]
    for value in (deep, cycle, shared, "a" * MAX_VALUE, list(range(30_000)), iter(int, 1)):
        assert value_text(value) == TOO_LARGE
    assert value_text("a" * (MAX_VALUE - 2)) != TOO_LARGE


class MineError(ValueError):
    """An exception of a program's own, which lies about itself."""

    args = property(lambda self: ("a lie",))

    def __str__(self) -> str:
        raise SystemExit


def raising() -> Iterator[int]:
    """Raise when it is drained."""
    yield 1
    raise SystemExit


@pytest.mark.parametrize(
    ("error", "base", "arguments"),
    [
        (ValueError("no", 1), "ValueError", ["no", 1]),
        (MineError("no"), "ValueError", ["no"]),
        (json.JSONDecodeError("no", "text", 0), "ValueError", ["no: line 1 column 1 (char 0)"]),
        (SystemExit(), "SystemExit", []),
        (KeyError((1, 2)), "KeyError", [(1, 2)]),
        (ValueError("a" * MAX_VALUE), "ValueError", []),
        (ValueError(raising()), "ValueError", []),
        (type("Other", (BaseException,), {})(3), "BaseException", [3]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_exception_is_its_builtin_base_and_its_arguments(
    error: BaseException, base: str, arguments: list[Any]
) -> None:
    """No method of a program's own is asked; what cannot be written is left out."""
    name, written = json.loads(exception_text(error))
    assert name == base
    assert read_value(written) == arguments
