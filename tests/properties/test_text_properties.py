"""Texts of values: bounded, printable, and of the value alone, whatever the value is."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pytest_codecollapse.sandbox.child.canon import canonical
from pytest_codecollapse.sandbox.child.texts import (
    MAX_TEXT,
    NO_TEXT,
    Watched,
    arguments_text,
    text_of,
)

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(st.characters())
    | st.binary()
    | st.complex_numbers(allow_nan=False)
    | st.decimals(allow_nan=False)
)
frozen: st.SearchStrategy[Any] = st.recursive(
    scalars, lambda each: st.tuples(each, each) | st.frozensets(each), max_leaves=4
)
values: st.SearchStrategy[Any] = st.recursive(
    frozen | st.floats(),
    lambda each: st.lists(each) | st.dictionaries(frozen, each) | st.sets(frozen),
    max_leaves=10,
)


def is_fit_to_show(text: str) -> bool:
    """Whether a text is bounded, of printable ASCII, and a text of the value at all."""
    return bool(re.fullmatch(r"[\x20-\x7e]+", text)) and len(text) <= MAX_TEXT and text != NO_TEXT


@given(values)
def test_every_text_is_bounded_and_printable(value: Any) -> None:
    """So is that of arguments, and that of an iterator that is read to its end."""
    watched = Watched()
    canonical(watched.take(iter([value, value])))
    assert is_fit_to_show(text_of(value))
    assert is_fit_to_show(arguments_text((value, value)))
    assert is_fit_to_show(watched.text())


@given(values, st.integers(3, MAX_TEXT))
def test_a_text_keeps_to_the_room_that_it_has(value: Any, room: int) -> None:
    """What is cut begins as the whole does."""
    text, whole = text_of(value, room), text_of(value)
    assert len(text) <= room
    assert text == whole or (text.endswith("...") and whole.startswith(text[:-3]))


@given(st.lists(st.tuples(frozen, scalars), unique_by=lambda pair: pair[0]), st.randoms())
def test_the_order_of_a_dict_or_set_makes_no_difference(
    items: list[tuple[Any, Any]], rng: Any
) -> None:
    """They read the same however they were filled."""
    shuffled = list(items)
    rng.shuffle(shuffled)
    assert text_of(dict(items)) == text_of(dict(shuffled))
    assert text_of({key for key, _ in items}) == text_of({key for key, _ in shuffled})
