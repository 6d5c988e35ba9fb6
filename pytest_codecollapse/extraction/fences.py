"""The fenced blocks of a chat reply."""

from __future__ import annotations

import re
from typing import NamedTuple, Optional

from pytest_codecollapse.extraction.lines import split_lines

_FENCE = re.compile(r"(?P<before>[^`~]*?)(?P<mark>`{3,}|~{3,})[ \t]*(?P<info>[^\r\n`~]*)[\r\n]*\Z")

_QUOTATION = " \t>"


class _Open(NamedTuple):
    indent: str
    mark: str
    info: str


class Fenced(NamedTuple):
    """The text before the first fence, and what stands in each block."""

    before: str
    blocks: list[str]


def fenced_blocks(text: str) -> Optional[Fenced]:
    """Find the fenced blocks, the last of which may be open; None where there is none.

    Models do not keep to CommonMark: a fence may follow words on its line, and one with an info
    string begins a block even where one without is open.
    """
    lines = split_lines(text)
    opened: Optional[_Open] = None
    before: Optional[str] = None
    blocks: list[list[str]] = []
    for at, line in enumerate(lines):
        fence = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if opened is not None and fence is not None and _closes(fence, opened):
            if fence["before"].strip(_QUOTATION):
                blocks[-1].append(_without(fence["before"], opened.indent) + "\n")
            opened = None
        elif fence is not None and (opened is None or (fence["info"].strip() and not opened.info)):
            opened = _Open(_indent(fence["before"]), fence["mark"], fence["info"].strip())
            before = "".join(lines[:at]) if before is None else before
            blocks.append([])
        elif opened is not None:
            blocks[-1].append(_without(line, opened.indent))
    if before is None:
        return None
    return Fenced(before, ["".join(block) for block in blocks])


def _closes(fence: re.Match[str], opened: _Open) -> bool:
    return not fence["info"].strip() and fence["mark"].startswith(opened.mark)


def _indent(before: str) -> str:
    """Return the blanks and the signs of a quotation that the lines of a block begin with."""
    return before if not before.strip(_QUOTATION) else before[: -len(before.lstrip())]


def _without(line: str, indent: str) -> str:
    """Remove a block's own indentation from a line that has it."""
    return line[len(indent) :] if line.startswith(indent) else line
