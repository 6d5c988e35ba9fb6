from __future__ import annotations

import math
from typing import Any

import pytest

from pytest_codecollapse.inputs.values import cut, digest, fresh, rebuilt, text_of


@pytest.mark.parametrize(
    "values",
    [
        (1, 1.0, True, 1 + 0j, "1", b"1"),
        ([1], (1,), {1}, frozenset({1})),
        (0.0, -0.0),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (["a, b"], ["a", "b"]),
        ([], (), set(), {}, "", None),
    ],
)
def test_values_that_differ(values: tuple[Any, ...]) -> None:
    """Values of other types or contents have other texts and digests."""
    assert len(set(map(text_of, values))) == len(values)
    assert len({digest((each,)) for each in values}) == len(values)


def test_values_that_are_the_same() -> None:
    """Sets have no order, and nan is nan."""
    assert text_of({3, 1, 2}) == text_of({2, 3, 1})
    assert text_of([math.nan]) == text_of([float("nan")])
    assert digest(([1, "é"], 10**5000)) == digest(([1, "é"], 10**5000))


def test_a_copy_shares_nothing_that_can_change() -> None:
    """All lists, sets and dicts within are others; an object of a class is not."""
    odd = object()
    value = [[1], {"a": [2]}, ({3}, [4]), odd]
    copied = fresh(value)
    assert copied == value
    assert copied[0] is not value[0]
    assert copied[1]["a"] is not value[1]["a"]  # type: ignore[index]
    assert copied[2][1] is not value[2][1]  # type: ignore[index]
    assert copied[3] is odd


def test_what_is_large_is_cut() -> None:
    """Characters and members of an argument count together."""
    text, items, flag = cut(["a" * 12_000, ["b" * 6000, *range(6000)], True])
    assert len(text) == 10_000
    assert (len(items[0]), len(items), flag) == (6000, 4000, True)
    assert cut([[1, [2]], "b"]) == ([1, [2]], "b")


def test_a_set_takes_what_has_a_hash() -> None:
    """Members that a set cannot have are left out; a list has them all."""
    members = [1, [2], (3, [4]), (5,)]
    assert rebuilt(set, members) == {1, (5,)}
    assert rebuilt(tuple, members) == (1, [2], (3, [4]), (5,))
