"""Whether a mark in a text that does not parse is one, or stands between quotes."""

from __future__ import annotations

import re

_APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)")
_REST = re.compile(r"(?<![\r\n])[^\r\n]*|")
_LINE_END = re.compile(r"[\r\n]")

#: Quotes on a line are looked for no further than this to the left and right.
_MAX_LOOK = 200


def is_quoted(text: str, start: int, end: int) -> bool:
    """Return whether a quote is open before a place and closed behind it, as far as a line tells.

    >>> is_quoted("s = '<s>' + s + '</s>'", 17, 21)
    True
    >>> is_quoted("It's done.</s>", 10, 14)
    False
    """
    before = _APOSTROPHE.sub("", line_before(text, start))
    behind = _REST.match(text, end, end + _MAX_LOOK).group()  # type: ignore[union-attr]
    return any(before.count(quote) % 2 and quote in behind for quote in "\"'`")


def line_before(text: str, place: int) -> str:
    """Return what stands before a place on its line."""
    return _LINE_END.split(text[max(0, place - _MAX_LOOK) : place])[-1]
