from __future__ import annotations

import math
from typing import Any

import pytest

from pytest_codecollapse.samples.literals import read_arguments, write_arguments

WRITTEN: dict[str, tuple[Any, ...]] = {
    "": (),
    "1, -2.5, True, None": (1, -2.5, True, None),
    "'a', b'\\x00'": ("a", b"\x00"),
    "[(1,), (2, 3)], ()": ([(1,), (2, 3)], ()),
    "{1, 2}, set(), frozenset(), frozenset({3})": ({1, 2}, set(), frozenset(), frozenset({3})),
    "{(1, 2): [3]}, {}": ({(1, 2): [3]}, {}),
    "inf, -inf": (math.inf, -math.inf),
    "(1+2j)": (1 + 2j,),
}


@pytest.mark.parametrize(("text", "arguments"), WRITTEN.items())
def test_arguments_are_read_and_written(text: str, arguments: tuple[Any, ...]) -> None:
    """Each literal is read as Python has it, and written so that it is read again."""
    assert read_arguments(text) == arguments
    assert write_arguments(arguments) == text


def test_nan_is_read_and_written() -> None:
    """Nan, which equals nothing, comes back as nan."""
    (value,) = read_arguments(write_arguments((math.nan,)))
    assert math.isnan(value)


@pytest.mark.parametrize(
    "text",
    [
        "open('x')",
        "x",
        "1 + 2",
        "[i for i in 'ab']",
        "f'{1}'",
        "...",
        "*[1]",
        "a=1",
        "1) + (2",
        "1), f(2",
        "-True",
        "set([1])",
        "{[1]}",
        "{**{}}",
        "(1",
        "\0",
        "[" * 5000 + "]" * 5000,
    ],
    ids=lambda text: text[:20],
)
def test_what_is_no_literal_is_refused(text: str) -> None:
    """Nothing is executed, and no other exception than ValueError comes out."""
    with pytest.raises(ValueError):  # noqa: PT011 (its text depends on Python's parser)
        read_arguments(text)
