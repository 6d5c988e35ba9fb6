"""What a model wrote, as a program: told by parsing which part of it is one."""

from __future__ import annotations

from typing import NamedTuple


class Extracted(NamedTuple):
    """A program, and the names of what was done to get it, in order; none where it stood there."""

    source: str
    repairs: tuple[str, ...] = ()


def extract(text: str, *, prompt: str, entry_point: str) -> Extracted:
    """Find the program in what a model wrote.

    Parameters
    ----------
    text
        A completion of the prompt, a whole program, or a chat reply with code in it.
    prompt
        What was sampled from; "" where nobody knows.
    entry_point
        The function that the program is to define.
    """
    return Extracted(text)
