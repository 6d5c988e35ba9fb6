"""A JSON list of any size -> its items one by one, each with the line that it begins at.

The text is held in a window that is as large as the largest item asks for. It grows by doubling,
so an item is decoded again a few times at most.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from io import BufferedIOBase
from typing import Any

from pytest_codecollapse.errors import SamplesError, Where
from pytest_codecollapse.samples.jsonline import (
    DECODER,
    RepeatedKeyError,
    fault,
    json_refusal,
    quoted,
)
from pytest_codecollapse.samples.textfile import READ_ERRORS, unreadable

_CHUNK = 1 << 16
_SPACE = re.compile(r"[ \t\r\n]*")
_BEHIND_VALUES = (",", "]", " ", "\t", "\r", "\n")
_QUOTED = 30  # characters of the text at which a fault was met

#: No token but a string is longer: an error further from the window's end is one of the text.
_LONGEST_TOKEN = 16

_REMEDY = "write one JSON list, as json.dump does"


def array_items(file: BufferedIOBase, shown_as: str) -> Iterator[tuple[int, Any]]:
    """Yield the items of the JSON list that is all of a file, with their lines.

    Parameters
    ----------
    file
        An open file, at its beginning.
    shown_as
        The path as messages name it.

    Raises
    ------
    SamplesError
        Where the file cannot be read, is not UTF-8 or is not one JSON list.
    """
    window = _Window(file, shown_as)
    window.expect("[")
    is_open = window.next_character() != "]"
    if not is_open:
        window.expect("]")
    while is_open:
        window.next_character()
        line = window.line
        yield line, window.value()
        is_open = window.expect(",", "]") == ","
    if window.next_character():
        raise window.fault("there is more text behind the list", expected="the end of the file")


class _Window:
    """The part of a file's text that is being decoded."""

    def __init__(self, file: BufferedIOBase, shown_as: str) -> None:
        self.line = 1
        self._file = file
        self._shown_as = shown_as
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._text = ""
        self._at = 0
        self._ended = False

    def next_character(self) -> str:
        """Go to the next character that is no space, and return it; "" at the file's end."""
        while True:
            found = _SPACE.match(self._text, self._at)
            self._go_to(found.end() if found else self._at)
            if self._at < len(self._text) or self._ended:
                return self._text[self._at : self._at + 1]
            self._grow()

    def expect(self, *characters: str) -> str:
        """Go behind the next character, which has to be one of some, and return it."""
        found = self.next_character()
        if found not in characters:
            expected = " or ".join(map(repr, characters))
            raise self.fault("the list is no JSON", expected=expected)
        self._go_to(self._at + 1)
        return found

    def value(self) -> Any:
        """Decode the value that begins here, and go behind it."""
        while True:
            try:
                value, end = DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                if self._ended or not self._is_cut(error):
                    self._go_to(error.pos)
                    raise self.fault(f"the list is no JSON: {error.msg}", expected="JSON") from None
            except (RepeatedKeyError, RecursionError, ValueError) as error:
                where = Where(self._shown_as, self.line)
                raise json_refusal(error, where, "", _REMEDY) from error
            else:
                if self._ended or not self._could_go_on(end):
                    self._go_to(end)
                    return value
            self._grow()

    def fault(self, what: str, *, expected: str) -> SamplesError:
        """Return the error that says what is wrong here."""
        text = self._text[self._at : self._at + _QUOTED]
        got = quoted(text) if text else "the end of the file"
        where = Where(self._shown_as, self.line)
        return fault(where, what, got=got, expected=expected, remedy=_REMEDY)

    def _is_cut(self, error: json.JSONDecodeError) -> bool:
        is_string = error.msg.startswith("Unterminated string")
        return is_string or error.pos > len(self._text) - _LONGEST_TOKEN

    def _could_go_on(self, end: int) -> bool:
        """Whether a number may have been cut, as ``1.5e7`` in its exponent, which reads as 1.5."""
        is_closed = self._text[end : end + 1] in _BEHIND_VALUES
        return end == len(self._text) or not (is_closed or end < len(self._text) - _LONGEST_TOKEN)

    def _go_to(self, at: int) -> None:
        self.line += self._text.count("\n", self._at, at)
        self._at = at

    def _grow(self) -> None:
        rest = self._text[self._at :]
        try:
            raw = self._file.read(max(_CHUNK, len(rest)))
            more = self._decoder.decode(raw, final=not raw)
        except READ_ERRORS as error:
            raise unreadable(error, Where(self._shown_as, self.line)) from error
        except UnicodeDecodeError as error:
            line = self.line + rest.count("\n") + error.object.count(b"\n", 0, error.start)
            raise fault(
                Where(self._shown_as, line),
                "the line is not UTF-8",
                got=f"byte {error.object[error.start]:02X}",
                expected="UTF-8",
                remedy="convert the file, as iconv does",
            ) from error
        self._text, self._at, self._ended = rest + more, 0, not raw
