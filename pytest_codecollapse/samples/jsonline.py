"""One line of a JSON Lines file -> one JSON object, refused where it could be misread."""

from __future__ import annotations

import json
from typing import Any, Optional

from pytest_codecollapse.errors import SamplesError, Where

#: Longest quotation of the user's text in a message, in characters.
_MAX_QUOTED = 60

#: Most keys that a message lists.
_MAX_LISTED = 12

_ONE_OBJECT_A_LINE = "write each problem as one JSON object on a line of its own"


def decode_line(raw: bytes, where: Where, *, remedy: str = _ONE_OBJECT_A_LINE) -> dict[str, Any]:
    r"""Decode one line of a JSON Lines file.

    Parameters
    ----------
    raw
        The line, with its ``\n`` if it has one.
    where
        The file and the line's number.
    remedy
        What to do where the line is not one JSON object.

    Returns
    -------
    dict
        The object. ``NaN`` and ``Infinity`` are read as Python's ``json`` writes them, and
        strings may hold lone surrogates, for a token limit can cut an emoji in two.

    Raises
    ------
    SamplesError
        Where the line is blank, not UTF-8, not one JSON object or ends in CRLF; where an object
        repeats a key, of which Python's ``json`` would keep the last; and where Python's limits
        on nesting and on the digits of an integer are passed.
    """
    return _decode_json(_decode_text(raw, where), where, remedy)


def fault(
    where: Where, what: str, *, got: str, expected: str, remedy: Optional[str] = None
) -> SamplesError:
    """Return the error that says what is wrong with a line."""
    return SamplesError(f"{what} (got {got}, expected {expected})", where=where, remedy=remedy)


def quoted(text: str) -> str:
    """Return text as messages quote it: printable, and not too long."""
    return repr(text if len(text) <= _MAX_QUOTED else f"{text[:_MAX_QUOTED]}…")


def printable(name: str) -> str:
    """Return a name as it is where it can be printed, quoted otherwise."""
    return name if name.isprintable() else quoted(name)


def kind_of(value: object) -> str:
    """Return what messages call the kind of a JSON value."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "a list" if isinstance(value, list) else "an object"


def fields_of(value: object) -> str:
    """Return what messages call a value that lacks a field: its first keys, or its kind."""
    if not isinstance(value, dict):
        return kind_of(value)
    return ", ".join(map(quoted, list(value)[:_MAX_LISTED])) or "no fields"


def _decode_text(raw: bytes, where: Where) -> str:
    if raw.startswith(b"\xef\xbb\xbf"):
        raise fault(
            where,
            "the line begins with a byte order mark",
            got="EF BB BF",
            expected="'{'",
            remedy="save the file as UTF-8 without BOM",
        )
    if raw.endswith(b"\r\n"):
        raise fault(
            where,
            "the line ends as on Windows",
            got=r"'\r\n'",
            expected=r"'\n'",
            remedy="convert the file, as dos2unix does",
        )
    if not raw.strip():
        raise fault(
            where,
            "the line is blank",
            got="nothing",
            expected="a JSON object",
            remedy="remove the line",
        )
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise fault(
            where,
            "the line is not UTF-8",
            got=f"byte {raw[error.start]:02X} at byte {error.start + 1} of the line",
            expected="UTF-8",
            remedy="convert the file, as iconv does",
        ) from error


def json_refusal(error: Exception, where: Where, text: str, remedy: str) -> SamplesError:
    """Return the error that says why text could not be decoded; for what :data:`DECODER` raises."""
    if isinstance(error, RepeatedKeyError):
        what = f"an object repeats the key {quoted(error.key)}"
        return fault(where, what, got="it twice", expected="it once", remedy="remove one")
    if isinstance(error, json.JSONDecodeError):
        reason = error.msg[:-3] if error.msg.endswith(" at") else error.msg
        got = f"{quoted(text.rstrip())}: {reason} at column {error.colno}"
        return fault(
            where, "the line is not JSON", got=got, expected="a JSON object", remedy=remedy
        )
    if isinstance(error, RecursionError):
        return fault(
            where,
            "the line is nested too deeply",
            got="more levels than Python reads",
            expected="fewer",
            remedy="leave that out; input_gen can build deep inputs",
        )
    return fault(
        where,
        "an integer is too long",
        got="more digits than Python reads",
        expected="fewer",
        remedy="leave that out; input_gen can build long integers",
    )


def _decode_json(text: str, where: Where, remedy: str) -> dict[str, Any]:
    try:
        value = DECODER.decode(text)
    except (RepeatedKeyError, ValueError, RecursionError) as error:
        raise json_refusal(error, where, text, remedy) from error
    if not isinstance(value, dict):
        what, got = "the line is no object", kind_of(value)
        raise fault(where, what, got=got, expected="a JSON object", remedy=remedy)
    return value


class RepeatedKeyError(Exception):
    """A key stands twice in one object."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for key, value in pairs:
        if key in fields:
            raise RepeatedKeyError(key)
        fields[key] = value
    return fields


#: Decodes JSON as :func:`decode_line` does; see :func:`json_refusal` for what it raises.
DECODER = json.JSONDecoder(object_pairs_hook=_unique_keys)
