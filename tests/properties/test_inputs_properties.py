"""What holds of the mutants of any recorded calls."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pytest_codecollapse.inputs import mutated
from pytest_codecollapse.inputs.values import text_of

HASHABLE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.binary(),
    lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3),
    max_leaves=4,
)
VALUES = st.recursive(
    HASHABLE | st.complex_numbers() | st.sampled_from([int, list]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner)
        | st.sets(HASHABLE, max_size=3)
        | st.dictionaries(HASHABLE, inner, max_size=3)
    ),
    max_leaves=8,
)
CALLS = st.lists(st.lists(VALUES, max_size=3).map(tuple), min_size=1, max_size=4)
SEEDS = st.integers(0, 2**32)
CONTAINERS = (list, tuple, set, frozenset, dict)


def some(calls: list[tuple[Any, ...]], seed: int) -> list[tuple[Any, ...]]:
    """Take the first mutants of calls."""
    return list(islice(mutated(calls, random.Random(seed)), 12))


@given(CALLS, SEEDS)
def test_types_and_counts_are_those_recorded(calls: list[tuple[Any, ...]], seed: int) -> None:
    """A mutant has as many arguments as a call, each of a type that a call has at its place."""
    for mutant in some(calls, seed):
        assert len(mutant) in set(map(len, calls))
        for index, value in enumerate(mutant):
            assert type(value) in {type(call[index]) for call in calls if len(call) > index}


@given(CALLS, SEEDS)
def test_nothing_new_is_of_a_type_that_no_call_has(calls: list[tuple[Any, ...]], seed: int) -> None:
    """However deep a value is, values of its type are in the recorded calls."""
    kinds = {type(each) for call in calls for each in _inside(call)}
    assert {type(each) for mutant in some(calls, seed) for each in _inside(mutant)} <= kinds


@given(CALLS, SEEDS)
def test_lengths_are_bounded(calls: list[tuple[Any, ...]], seed: int) -> None:
    """No string and no container is longer than two, or than twice the longest recorded one."""
    longest = max(_lengths(calls), default=0)
    assert max(_lengths(some(calls, seed)), default=0) <= max(2, 2 * longest)


@given(CALLS, SEEDS)
def test_no_mutant_is_a_recorded_call_or_comes_twice(
    calls: list[tuple[Any, ...]], seed: int
) -> None:
    """Compared by type and content, with nan equal to nan."""
    texts = [text_of(each) for each in some(calls, seed)]
    assert len(set(texts)) == len(texts)
    assert not set(texts) & set(map(text_of, calls))


@given(CALLS, SEEDS)
def test_calls_are_not_changed_and_mutants_do_not_depend_on_them(
    calls: list[tuple[Any, ...]], seed: int
) -> None:
    """Equal calls and one seed give equal mutants, also where those before were changed."""
    before = text_of(calls)
    again = copy.deepcopy(calls)
    texts = []
    for mutant in islice(mutated(calls, random.Random(seed)), 12):
        texts.append(text_of(mutant))
        for value in list(_inside(mutant)):
            if type(value) in (list, set, dict):
                value.clear()
    assert text_of(calls) == before
    assert texts == list(map(text_of, some(again, seed)))


def _inside(value: Any) -> Iterator[Any]:
    members = [*value, *value.values()] if type(value) is dict else value
    if type(value) in CONTAINERS:
        for each in members:
            yield each
            yield from _inside(each)


def _lengths(calls: list[tuple[Any, ...]]) -> list[int]:
    values = [each for call in calls for each in _inside(call)]
    return [len(each) for each in values if type(each) in (str, bytes, *CONTAINERS)]
