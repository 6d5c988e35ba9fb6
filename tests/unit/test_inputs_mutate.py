from __future__ import annotations

import copy
import math
import random
import sys
from collections import OrderedDict
from collections.abc import Sequence
from itertools import islice
from typing import Any

import pytest

from pytest_codecollapse.inputs import mutated
from pytest_codecollapse.samples.literals import write_arguments


def some(calls: Sequence[Sequence[Any]], number: int = 200, seed: int = 0) -> list[tuple[Any, ...]]:
    """Take mutants of calls."""
    return list(islice(mutated(calls, random.Random(seed)), number))


def test_a_seed_gives_the_same_mutants_everywhere() -> None:
    """These are the first ten of seed 7, in each Python and in each process."""
    calls = [
        ([3, 1, 2], "abc de", {"k": 1.5}, {1, 2}),
        ([5], "xyz", {"j": 2.0, "k": 0.5}, {3}),
    ]
    assert list(map(write_arguments, some(calls, 10, seed=7))) == [
        "[5], 'abc de', {'j': 2.0, 'k': 0.5}, {1, 3}",
        "[3, 1, 2], 'ed cba zyx', {'k': 1.5}, {1, 2}",
        "[1, 8], 'abc de', {'k': 1.5, 'j': 1.0}, {1, 2}",
        "[5], 'de xyz', {'j': 0.5}, {1}",
        "[3, 1, 7], 'zabc abcade', {'k': 0.5}, {1, 2}",
        "[3, 1, 2], 'abc de', {'k': 2.0}, {1, 2}",
        "[5], 'z', {'j': 2.0, 'k': 0.5}, {3}",
        "[3, 1, 2], 'xyz apc de', {'K': 1.5}, {1, 2}",
        "[3, 5, 1, 5], 'xyz', {'j': 2.0, 'k': 0.5}, {3}",
        "[5], 'xyz', {'j': 2.0, 'k': 0.5, 'jk': 1.0}, {1, 3}",
    ]


@pytest.mark.parametrize(
    ("calls", "mutants"),
    [
        ([(True,)], [(False,)]),
        ([(True,), (False,)], []),
        ([(None,)], []),
        ([(list,)], []),
        ([()], []),
        ([], []),
        ([(None,), (True,)], [(False,)]),
        (
            [(True, None), (False, True)],
            [(False, False), (False, None), (True, False), (True, True)],
        ),
    ],
)
def test_it_ends_where_there_is_nothing_new(
    calls: list[tuple[Any, ...]], mutants: list[tuple[Any, ...]]
) -> None:
    """All that can be made is yielded once, and then the iterator is at its end."""
    assert sorted(some(calls), key=repr) == mutants


def test_what_is_of_no_known_type_is_kept() -> None:
    """An object of a class is handed on, the very same; the arguments beside it change."""
    odd = OrderedDict(a=1)
    given = some([(odd, 1), (odd, 5)])
    assert len(given) > 5
    assert all(each[0] is odd for each in given)


def test_one_1_and_true_are_different() -> None:
    """A mutant that is equal to a recorded call, but of other types, is not taken for it."""
    given = some([(1.0,), (True,), (1,)])
    assert (0,) in given
    assert {type(each[0]) for each in given} == {int, float, bool}


def test_nan_is_not_yielded_twice() -> None:
    """Nan is taken to be equal to nan."""
    given = some([(math.nan, True), (1.5, True), (1.5, False)])
    texts = list(map(write_arguments, given))
    assert len(set(texts)) == len(texts)
    assert "nan, True" not in texts


def test_a_flag_is_mostly_kept() -> None:
    """An argument that is the same in all calls changes in few mutants."""
    given = some([([1, 2, 3], True), ([4, 5], True), ([7, 1], True)])
    changed = sum(each[1] is not True for each in given)
    assert 0 < changed < 20


def test_none_stays_or_becomes_what_is_seen() -> None:
    """Where None and numbers are seen, there are both, and nothing else."""
    given = some([(None, 4), (3, 5), (2, 6)])
    assert {type(each[0]) for each in given} == {type(None), int}


def test_integers_stay_within_about_twice_of_what_is_seen() -> None:
    """No integer explodes, and none becomes negative or 0 where all are greater."""
    numbers = [each[0] for each in some([(10,), (4,), (7,)])]
    assert len(numbers) > 10
    assert min(numbers) >= 1
    assert max(numbers) <= 32


def test_huge_numbers() -> None:
    """Integers beyond a float's range, and floats at its end, are mutated without a fault."""
    given = some([(10**400, 1.5), (3, sys.float_info.max), (2, 10**400)])
    assert len(given) == 200
    assert all(math.isfinite(each[1]) for each in given if type(each[1]) is float)


@pytest.mark.parametrize(
    ("calls", "rule"),
    [
        ([((1, "a"),), ((2, "b"),), ((3, "c"),)], lambda v: len(v) == 2 and type(v[1]) is str),
        ([([1, 4],), ([2, 3, 5],), ([0, 9],)], lambda v: v == sorted(v)),
        (
            [([[1, 2], [3, 4]],), ([[5]],), ([[1], [2]],), ([[1, 2, 3], [4, 5, 6]],)],
            lambda v: len(set(map(len, v))) <= 1,
        ),
        ([("()",), ("(())",), ("()()(())",)], lambda v: v.count("(") == v.count(")")),
        (
            [("1/2",), ("10/3",), ("5/17",)],
            lambda v: [p.isdigit() for p in v.split("/")] == [True] * 2,
        ),
        ([("3 apples",), ("10 apples",), ("5 apples",)], lambda v: v.endswith(" apples")),
        ([("0110",), ("101",), ("0011",)], lambda v: set(v) <= set("01")),
        (
            [({"x": 1, "y": 2},), ({"x": 5, "y": 0},), ({"x": 3, "y": 4},)],
            lambda v: set(v) == {"x", "y"},
        ),
        ([([0, 1, 1, 0],), ([0, 0, 1],), ([1, 0, 1, 1, 0],)], lambda v: set(v) <= {0, 1}),
    ],
)
def test_what_all_recorded_calls_have_in_common_is_mostly_kept(
    calls: list[tuple[Any, ...]], rule: Any
) -> None:
    """More than three in four mutants have what can be seen in all of the calls."""
    given = some(calls, 100)
    assert len(given) > 20
    assert sum(bool(rule(each[0])) for each in given) > 0.75 * len(given)


def test_arguments_of_one_length_keep_to_it() -> None:
    """Two strings that are of one length in each call are so in each mutant."""
    given = some([("010", "111"), ("1", "0"), ("0101", "0000")])
    assert len(given) > 50
    assert all(len(one) == len(other) for one, other in given)


def test_an_argument_that_is_the_length_of_another_stays_so() -> None:
    """Where each call says how long its list is, each mutant does."""
    given = some([(3, [1, 2, 3], "a"), (1, [7], "bc"), (2, [4, 4], "")])
    assert len(given) > 50
    assert all(number == len(items) for number, items, _ in given)


def test_an_argument_is_crossed_with_that_of_another_call() -> None:
    """Some mutant has the first argument of one call and the second of another."""
    assert ("spam", 900) in some([("spam", 7), ("eggs", 900)])


def test_calls_of_several_counts_of_arguments() -> None:
    """A mutant has as many arguments as one of the calls."""
    given = some([(1,), (2, "a"), (3, "b", [1])])
    assert {len(each) for each in given} == {1, 2, 3}


def test_recorded_values_are_left_alone() -> None:
    """What is given is not changed, and no list is shared with it or between mutants."""
    calls = [([[1], [2, 3]], {"a": [4]}), ([[5]], {"b": [6], "c": []})]
    before = copy.deepcopy(calls)
    found = [_mutable(each) for each in (*calls, *some(calls))]
    assert calls == before
    identities = [identity for each in found for identity in set(map(id, each))]
    assert len(identities) == len(set(identities))


def _mutable(value: Any) -> list[Any]:
    """List the lists, sets and dicts within a value."""
    inner = list(value.values()) if isinstance(value, dict) else value
    found = [] if isinstance(value, tuple) else [value]
    if isinstance(inner, (list, tuple)):
        found += [each for member in inner for each in _mutable(member)]
    return found if isinstance(value, (list, tuple, dict)) else []


def test_large_values_are_cut() -> None:
    """Of a megabyte and of a hundred thousand members, a small part is mutated."""
    given = some([("ab" * 500_000, list(range(100_000)))], 50)
    assert len(given) == 50
    assert all(len(text) <= 20_000 and len(items) <= 20_000 for text, items in given)


def test_values_without_an_end() -> None:
    """A list within itself, and lists a thousand deep, are mutated down to some level."""
    endless: list[Any] = [1, 2]
    endless.append(endless)
    deep: list[Any] = [1]
    for _ in range(5000):
        deep = [deep, 1]
    assert len(some([(endless,), (deep,)], 20)) == 20
