"""Mutation of any value: of containers here, and of what they hold."""

from __future__ import annotations

import random
from typing import Any

from pytest_codecollapse.inputs.places import Place
from pytest_codecollapse.inputs.scalars import (
    mutated_bytes,
    mutated_complex,
    mutated_float,
    mutated_int,
    mutated_text,
)
from pytest_codecollapse.inputs.values import hashable, members_of, rebuilt, text_of

_TO_ANOTHER = 0.12  # how often a value becomes another one that is seen at its place
_KEPT_UNIQUE = 0.6  # few tests have a member twice where they may: it is what they forget
_KEPT_RULE = 0.9  # how often what all recorded lists have in common is kept


def mutated_value(value: Any, place: Place, rng: random.Random) -> Any:
    """Return a value like one at its place. It may be the same, and share members with it."""
    kind = type(value)
    if len(place.seen) > 1 and rng.random() < (0.5 if value is None else _TO_ANOTHER):
        return rng.choice(place.seen)
    if place.few and kind in (int, float, str) and rng.random() < _KEPT_RULE:
        return rng.choice([each for each in place.seen if type(each) is kind] or [value])
    if kind is bool:
        return not value
    if kind is int:
        return mutated_int(value, place, rng)
    if kind is float:
        return mutated_float(value, place, rng)
    if kind is complex:
        return mutated_complex(value, rng)
    if kind is str:
        return mutated_text(value, place, rng)
    if kind is bytes:
        return mutated_bytes(value, place, rng)
    if kind is dict:
        return _mutated_dict(value, place, rng)
    if kind in (list, tuple, set, frozenset):
        return _mutated_sequence(value, place, rng)
    return value


def _mutated_sequence(value: Any, place: Place, rng: random.Random) -> Any:
    members = members_of(value)
    if place.positions and type(value) is tuple:
        index = rng.randrange(len(members))
        members[index] = mutated_value(members[index], place.positions[index], rng)
        return tuple(members)
    inner = place.members or Place(seen=())
    step = _resized if not place.one_length or rng.random() > _KEPT_RULE else _rearranged
    for _ in range(rng.choice((1, 1, 2, 3))):
        members = step(members, place, inner, rng)
    members = members[: max(2, 2 * place.longest)]
    if not members and not place.empty and rng.random() < 0.8:
        return value
    if rng.random() < _KEPT_RULE:
        members = _ruled(members, place, rng)
    return rebuilt(type(value), members)


def _ruled(members: list[Any], place: Place, rng: random.Random) -> list[Any]:
    """Give members what all recorded lists have in common."""
    if place.unique and rng.random() < _KEPT_UNIQUE:
        members = list({text_of(each): each for each in members}.values())
    if place.even and all(type(each) in (list, tuple, str) for each in members):
        shortest = min(map(len, members), default=0)
        members = [each[:shortest] for each in members]
    return _sorted(members) if place.sorted else members


def _resized(members: list[Any], place: Place, inner: Place, rng: random.Random) -> list[Any]:
    """Return members of which some are lost, new, or there twice; or see ``_rearranged``."""
    draw = rng.random()
    if inner.seen and (not members or draw < 0.2):
        new = mutated_value(rng.choice(inner.seen), inner, rng)
        members.insert(rng.randint(0, len(members)), new)
        return members
    if not members or draw > 0.5:
        return _rearranged(members, place, inner, rng)
    start = rng.randrange(len(members))
    if draw < 0.3:
        del members[start]
    elif draw < 0.38:
        members.insert(rng.randint(0, len(members)), members[start])
    elif draw < 0.43:
        members = members[start:]
    elif draw < 0.48:
        other = rng.choice(place.seen)
        members = members[:start] + (members_of(other) if type(other) in (list, tuple) else [])
    else:
        members = members + members if draw < 0.495 else []
    return members


def _rearranged(members: list[Any], place: Place, inner: Place, rng: random.Random) -> list[Any]:
    """Return as many members, of which some are others, or in another order."""
    if not members:
        return members
    draw, index = rng.random(), rng.randrange(len(members))
    if draw < 0.6:
        members[index] = mutated_value(members[index], inner, rng)
    elif draw < 0.75 and inner.seen:
        members[index] = rng.choice(inner.seen)
    elif draw < 0.8 and inner.low < 0:
        members = [-each if type(each) in (int, float) else each for each in members]
    elif draw < 0.85:
        other = rng.randrange(len(members))
        members[index], members[other] = members[other], members[index]
    elif draw < 0.9:
        members.reverse()
    elif draw < 0.95:
        members = _sorted(members)
    else:
        rng.shuffle(members)
    return members


def _sorted(members: list[Any]) -> list[Any]:
    try:
        return sorted(members)
    except TypeError:
        return members


def _mutated_dict(value: dict[Any, Any], place: Place, rng: random.Random) -> dict[Any, Any]:
    new = dict(value)
    if place.fields and new.keys() == dict(place.fields).keys():
        key, inner = rng.choice(place.fields)
        new[key] = mutated_value(new[key], inner, rng)
        return new
    keys, values = place.keys or Place(seen=()), place.values or Place(seen=())
    for _ in range(rng.choice((1, 1, 2))):
        new = _dict_step(new, keys, values, rng)
    if len(new) > max(2, 2 * place.longest) or not (new or place.empty or rng.random() < 0.2):
        return value
    return new


def _dict_step(
    pairs: dict[Any, Any], keys: Place, values: Place, rng: random.Random
) -> dict[Any, Any]:
    draw = rng.random()
    if not pairs or draw < 0.25:
        if keys.seen and values.seen:
            key = mutated_value(rng.choice(keys.seen), keys, rng)
            if hashable(key):
                pairs[key] = mutated_value(rng.choice(values.seen), values, rng)
        return pairs
    key = rng.choice(list(pairs))
    if draw < 0.7:
        pairs[key] = mutated_value(pairs[key], values, rng)
    elif draw < 0.85:
        del pairs[key]
    else:
        other = mutated_value(key, keys, rng)
        if hashable(other):
            return {(other if each is key else each): pairs[each] for each in pairs}
    return pairs
