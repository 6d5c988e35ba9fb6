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
    """The text before the first fence, what stands in each block, and from first to last fence.

    The last is the block where the fences in between are a string's.
    """

    before: str
    blocks: list[str]
    whole: str


def fenced_blocks(text: str) -> Optional[Fenced]:
    """Find the fenced blocks, the last of which may be open; None where there is none.

    Models do not keep to CommonMark: a fence may follow words on its line, and one with an info
    string begins a block even where one without is open.
    """
    lines = split_lines(text)
    opened: Optional[_Open] = None
    first = last = -1
    blocks: list[tuple[str, list[str]]] = []
    for at, line in enumerate(lines):
        fence = _FENCE.match(line) if "```" in line or "~~~" in line else None
        last = at if fence is not None else last
        if opened is not None and fence is not None and _closes(fence, opened):
            if fence["before"].strip(_QUOTATION):
                blocks[-1][1].append(fence["before"] + "\n")
            opened = None
        elif fence is not None and (opened is None or (fence["info"].strip() and not opened.info)):
            opened = _Open(_indent(fence["before"]), fence["mark"], fence["info"].strip())
            first = at if first < 0 else first
            blocks.append((opened.indent, []))
        elif opened is not None:
            blocks[-1][1].append(line)
    if first < 0:
        return None
    whole = _without(blocks[0][0], lines[first + 1 : last])
    return Fenced("".join(lines[:first]), [*map(_joined, blocks)], "".join(whole))


def _closes(fence: re.Match[str], opened: _Open) -> bool:
    return not fence["info"].strip() and fence["mark"].startswith(opened.mark)


def _indent(before: str) -> str:
    """Return the blanks and the signs of a quotation that the lines of a block begin with."""
    return before if not before.strip(_QUOTATION) else before[: -len(before.lstrip())]


def _joined(block: tuple[str, list[str]]) -> str:
    return "".join(_without(*block))


def _without(indent: str, lines: list[str]) -> list[str]:
    """Remove a fence's indentation from the lines of its block, if the first of them has it."""
    first = next((line for line in lines if line.strip(_QUOTATION + "\r\n")), "")
    if not first.startswith(indent):
        return lines
    return [line[len(indent) :] if line.startswith(indent) else line for line in lines]
