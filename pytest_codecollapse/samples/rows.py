"""The values of a file of another tool: a JSON list, or a JSON object a line, one by one."""

from __future__ import annotations

from collections.abc import Iterator
from io import BufferedIOBase
from pathlib import Path
from typing import Any

from pytest_codecollapse.errors import SamplesError, Where
from pytest_codecollapse.samples.jsonarray import array_items
from pytest_codecollapse.samples.jsonline import decode_line
from pytest_codecollapse.samples.textfile import (
    READ_ERRORS,
    numbered_lines,
    open_file,
    unreadable,
)

_BOM = b"\xef\xbb\xbf"
_HEAD_BYTES = 1 << 12
_REMEDY = "write one JSON object a line, and remove a line that was cut off"


def read_rows(path: Path, shown_as: str) -> Iterator[tuple[int, Any]]:
    """Yield the values of a file with the lines that they begin at.

    What other tools write is read with more patience than the native format: blank lines, a byte
    order mark and the line ends of Windows mean nothing.

    Parameters
    ----------
    path
        A regular file, plain or gzipped.
    shown_as
        The path as messages name it.

    Raises
    ------
    SamplesError
        Where the file cannot be read or is empty; where a line is no JSON object and the file no
        JSON list.
    """
    with open_file(path, shown_as) as file:
        found = False
        rows = array_items if _is_list(file, shown_as) else _objects
        for line, value in rows(file, shown_as):
            found = True
            yield line, value
    if not found:
        raise SamplesError(
            "the file is empty (got nothing, expected a JSON object a line, or a JSON list)",
            where=Where(shown_as, 1),
            remedy="check what wrote it",
        )


def _is_list(file: BufferedIOBase, shown_as: str) -> bool:
    try:
        head = file.read(_HEAD_BYTES)
        file.seek(0)
    except READ_ERRORS as error:
        raise unreadable(error, Where(shown_as, 1)) from error
    return _without_bom(head).lstrip().startswith(b"[")


def _objects(file: BufferedIOBase, shown_as: str) -> Iterator[tuple[int, Any]]:
    for line, raw in numbered_lines(file, shown_as):
        text = (_without_bom(raw) if line == 1 else raw).strip()
        if text:
            yield line, decode_line(text, Where(shown_as, line), remedy=_REMEDY)


def _without_bom(raw: bytes) -> bytes:
    return raw[len(_BOM) :] if raw.startswith(_BOM) else raw
