"""What is seen at a place of the recorded calls, which mutation keeps to.

A place is an argument, or the members, keys or values of what is at a place. Recorded calls are
all that is known of a function's domain: where all numbers are positive, or all tuples are pairs,
or all lists sorted, a mutant that is not may be outside of it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Optional, Union

from pytest_codecollapse.inputs.text_rules import Texts, texts_of
from pytest_codecollapse.inputs.values import members_of, text_of

_MOST_SEEN = 64  # distinct values that are kept of a place
_MOST_READ = 2000  # values of a place that are looked at
_CONTAINERS = (list, tuple, set, frozenset)
_ENOUGH = 3  # lists that are alike in something before it is taken for a rule


class Place(NamedTuple):
    """What is seen at one place.

    ``low`` and ``high`` are the least and the greatest number, ``decimals`` the most that a float
    has; ``longest`` is the length of the longest string or container. A place has ``positions``
    where all its containers are tuples of one length, ``fields`` where all its dicts have the same
    keys. ``few`` says that strings are repeated, as names are, or that there are no more than three
    numbers, as 0 and 1. Of lists, ``one_length`` says that all have one, ``sorted`` that all are,
    ``unique`` that none has a member twice, and ``even`` that the members of each are of one
    length, as the rows of a matrix.
    """

    seen: tuple[Any, ...]
    low: Union[int, float] = 0
    high: Union[int, float] = 0
    decimals: int = 1
    longest: int = 0
    empty: bool = False
    few: bool = False
    one_length: bool = False
    sorted: bool = False
    unique: bool = False
    even: bool = False
    texts: Texts = Texts()
    members: Optional[Place] = None
    positions: tuple[Place, ...] = ()
    fields: tuple[tuple[Any, Place], ...] = ()
    keys: Optional[Place] = None
    values: Optional[Place] = None


def place_of(values: Sequence[Any]) -> Place:
    """Sum up the values of a place, and of the places within it."""
    values = values[:_MOST_READ]
    place = Place(seen=_distinct(values))
    numbers = [each for each in values if type(each) in (int, float) and _is_finite(each)]
    if numbers:
        decimals = [_decimals(each) for each in numbers if type(each) is float]
        few = len(numbers) >= 12 and len(set(numbers)) <= 3
        place = place._replace(
            low=min(numbers), high=max(numbers), decimals=max(decimals, default=1), few=few
        )
    sized = [each for each in values if type(each) in (str, bytes, *_CONTAINERS, dict)]
    if sized:
        place = place._replace(longest=max(map(len, sized)), empty=min(map(len, sized)) == 0)
    texts = [_characters(each) for each in values if type(each) in (str, bytes)]
    if texts:
        few = len(texts) >= 6 and 2 * len(texts) >= 3 * len(set(texts))
        place = place._replace(texts=texts_of(texts), few=few)
    return _with_dicts(_with_containers(place, values), values)


def _with_containers(place: Place, values: Sequence[Any]) -> Place:
    containers = [each for each in values if type(each) in _CONTAINERS]
    if not containers:
        return place
    lengths = set(map(len, containers))
    if len(lengths) == 1 and all(type(each) is tuple for each in containers):
        return place._replace(positions=tuple(map(place_of, zip(*containers))))
    members = [each for container in containers for each in members_of(container)]
    place = place._replace(members=place_of(members))
    lists = [each for each in containers if type(each) in (list, tuple)]
    long = [each for each in lists if len(each) > 1]
    if len(lists) < _ENOUGH:
        return place
    return place._replace(
        one_length=len(lengths) == 1,
        sorted=len(long) >= _ENOUGH and all(map(_is_sorted, lists)),
        unique=len(long) >= _ENOUGH and all(len(each) == len(_distinct(each)) for each in long),
        even=len(long) >= _ENOUGH and all(map(_is_even, lists)),
    )


def _is_even(members: Sequence[Any]) -> bool:
    """Whether all members are lists, tuples or strings of one length."""
    sized = all(type(each) in (list, tuple, str) for each in members)
    return sized and len(set(map(len, members))) <= 1


def _with_dicts(place: Place, values: Sequence[Any]) -> Place:
    dicts = [each for each in values if type(each) is dict]
    if not dicts:
        return place
    first = dicts[0]
    if len(dicts) >= _ENOUGH and first and all(each.keys() == first.keys() for each in dicts):
        return place._replace(
            fields=tuple((key, place_of([each[key] for each in dicts])) for key in first)
        )
    return place._replace(
        keys=place_of([key for each in dicts for key in each]),
        values=place_of([value for each in dicts for value in each.values()]),
    )


def _distinct(values: Sequence[Any]) -> tuple[Any, ...]:
    found: dict[str, Any] = {}
    for each in values:
        found.setdefault(text_of(each), each)
        if len(found) == _MOST_SEEN:
            break
    return tuple(found.values())


def _is_finite(number: Union[int, float]) -> bool:
    return type(number) is int or math.isfinite(number)


def _decimals(number: Union[int, float]) -> int:
    """Count the digits behind the point, as Python writes the number: at most 6."""
    text = repr(number)
    return min(6, len(text.partition(".")[2])) if "e" not in text else 6


def _characters(text: Union[str, bytes]) -> str:
    return text if isinstance(text, str) else text.decode("latin-1")


def _is_sorted(values: Sequence[Any]) -> bool:
    try:
        return all(one <= other for one, other in zip(values, values[1:]))
    except TypeError:
        return False
