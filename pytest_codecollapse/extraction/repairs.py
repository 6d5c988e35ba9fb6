"""What can be done to a text to get a program out of it: the names that reports count."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Repair(NamedTuple):
    """The name of something that is done to a text, and what it means."""

    name: str
    meaning: str


#: All repairs, in the order in which a candidate's are listed.
REPAIRS = (
    Repair("thought", "what the model thought before it answered left out"),
    Repair("fence", "taken out of a fenced block"),
    Repair("prose", "text around the code left out"),
    Repair("tail", "an unfinished end, chat or an end-of-text token cut off"),
    Repair("dedent", "a whole program's own indentation taken away"),
    Repair("reindent", "a completion given the indentation of the body that it continues"),
    Repair("docstring", "a docstring at the margin indented, the completion's or the prompt's"),
    Repair("newline", "a line end put between prompt and completion"),
    Repair("preamble", "the prompt's imports and helpers put before a block that uses them"),
    Repair("prompt", "the prompt put before a completion"),
)


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names once each, in the order of `REPAIRS`."""
    given = set(names)
    return tuple(repair.name for repair in REPAIRS if repair.name in given)
