"""Cutting what follows a program: an unfinished end, a model's chat, the tokens that end a text."""

from __future__ import annotations

import re
from typing import Optional

from pytest_codecollapse.extraction.lines import Layout, indent_of
from pytest_codecollapse.extraction.parse import Parser
from pytest_codecollapse.extraction.quotes import is_quoted

#: A fault is found at a time; a text that has more of them behind each other is no program's tail.
_MAX_CUTS = 16

#: Tokens that a tokeniser has written out, such as <|endoftext|>, and those of Llama and Gemma.
_END_TOKEN = re.compile(r"<[|\uff5c][^\s<>]{1,40}[|\uff5c]>|</s>|<eos>|<end_of_turn>|\[/INST\]")

_NEVER_IN_BRACKETS = re.compile(
    r"\s*(?:assert|break|class|continue|def|del|elif|except|finally|from|global|import|nonlocal"
    r"|pass|raise|return|try|while|with)\b(?!\s*=)"
)

_CLAUSE = re.compile(r"(?:elif|else|except|finally|case)\b")


def before_end_token(text: str) -> Optional[str]:
    """Return what stands before the first end token, None where there is none behind a text."""
    begin, end = len(text) - len(text.lstrip()), len(text.rstrip())
    for token in _END_TOKEN.finditer(text):
        is_first = token.start() <= begin and token.end() != end
        if not is_first and not is_quoted(text, *token.span()):
            return text[: token.start()]
    return None


def longest_program(source: str, parser: Parser) -> str:
    """Return the most lines from the top that parse together; none where what follows is no tail.

    The parser says on which line it gave up: what stands before that line it has accepted, save
    for what waits there for more. So that line is where to cut, or a block's beginning before it,
    and the text need not be tried line by line. A tail begins at the margin, or it is the text's
    last statement, unfinished; a fault in the middle of a function is the program's own.
    """
    layout = Layout(source)
    end, begin, fault = len(layout.lines), 0, len(layout.lines)
    for _ in range(_MAX_CUTS):
        reading = parser.read("".join(layout.lines[begin:end]))
        if reading.tree is not None and begin > 0:
            begin = 0
            continue
        if reading.tree is not None:
            is_tail = _begins_at_margin(layout, end) or _is_unfinished(layout, fault)
            return "".join(layout.lines[:end]) if is_tail else ""
        if reading.fault_line is None:
            return ""
        fault = min(max(begin + reading.fault_line - 1, 0), end - 1)
        end = _complete_end(layout, _first_line(layout, fault))
        if end == 0:
            return ""
        begin = min(begin, end - 1)
        begin = max(begin, _last_at_top(layout, end))
    return ""


def _begins_at_margin(layout: Layout, end: int) -> bool:
    rest = (line for line in layout.lines[end:] if line.strip())
    first = next(rest, "")
    return not indent_of(first)


def _is_unfinished(layout: Layout, fault: int) -> bool:
    """Whether a fault is in the last statement, and that has not swallowed others by a bracket."""
    at = layout.owner[fault]
    if at < len(layout.statements) - 1:
        return False
    statement = layout.statements[at]
    return not any(
        _NEVER_IN_BRACKETS.match(layout.lines[line]) and not layout.in_string[line]
        for line in range(statement.first + 1, statement.end)
    )


def _first_line(layout: Layout, line: int) -> int:
    """Return the first line of the statement that ``line`` is part of."""
    owner = layout.owner[line]
    if owner < 0 or layout.statements[owner].end <= line:
        return line
    return layout.statements[owner].first


def _complete_end(layout: Layout, end: int) -> int:
    """Move an end up to where no statement before it waits for more."""
    at = layout.owner[end - 1] if end else -1
    while at >= 0:
        statement = layout.statements[at]
        if not statement.opens_block and not statement.text.startswith(("@", "try:")):
            opened = _outermost_try(layout, at)
            if opened is None:
                break
            at = opened
        end = layout.statements[at].first
        at -= 1
    return end


def _outermost_try(layout: Layout, at: int) -> Optional[int]:
    """Return the first of the ``try`` blocks around a statement: all are without a handler yet."""
    found = None
    parent = layout.statements[at].parent
    while parent is not None:
        if layout.statements[parent].text.startswith("try:"):
            found = parent
        parent = layout.statements[parent].parent
    return found


def _last_at_top(layout: Layout, end: int) -> int:
    """Return the line of the last statement at the top that begins before ``end``, with decorators.

    What stands before it parses by itself, and need not be parsed again.
    """
    for at in range(layout.owner[end - 1], 0, -1):
        statement, previous = layout.statements[at], layout.statements[at - 1]
        if (
            not indent_of(layout.lines[statement.first])
            and not _CLAUSE.match(statement.text)
            and not previous.text.startswith("@")
        ):
            return statement.first
    return 0
