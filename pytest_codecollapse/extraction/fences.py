"""The fenced blocks of a chat reply."""

from __future__ import annotations

import re
from typing import NamedTuple, Optional

from pytest_codecollapse.extraction.lines import split_lines

_FENCE = re.compile(r"(?P<before>[^`~]*?)(?P<mark>`{3,}|~{3,})[ \t]*(?P<info>[^\r\n`~]*)[\r\n]*\Z")


class _Open(NamedTuple):
    indent: str
    mark: str
    info: str


class Fenced(NamedTuple):
    """The text before the first fence, and what stands in each block; None where there is none."""

    before: str
    blocks: list[str]


def fenced_blocks(text: str) -> Optional[Fenced]:
    """Find the fenced blocks; the last one may be open.

    Models do not keep to CommonMark: a fence may follow words on its line, and one with an info
    string begins a block even where another is open.
    """
    lines = split_lines(text)
    opened: Optional[_Open] = None
    before: Optional[str] = None
    blocks: list[list[str]] = []
    for at, line in enumerate(lines):
        fence = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if opened is not None and _closes(fence, opened):
            assert fence is not None
            if fence["before"].strip(" \t>"):
                blocks[-1].append(_without(fence["before"], opened.indent) + "\n")
            opened = None
        elif fence is not None and (opened is None or (fence["info"].strip() and not opened.info)):
            words = fence["before"]
            indent = words if not words.strip(" \t>") else words[: len(words) - len(words.lstrip())]
            opened = _Open(indent, fence["mark"], fence["info"].strip())
            before = "".join(lines[:at]) if before is None else before
            blocks.append([])
        elif opened is not None:
            blocks[-1].append(_without(line, opened.indent))
    if before is None:
        return None
    return Fenced(before, ["".join(block) for block in blocks])


def _closes(fence: Optional[re.Match[str]], opened: _Open) -> bool:
    return fence is not None and not fence["info"].strip() and fence["mark"].startswith(opened.mark)


def _without(line: str, indent: str) -> str:
    """Remove a block's own indentation, or the signs of a quotation, from a line that has it."""
    return line[len(indent) :] if line.startswith(indent) else line
