"""Indentation that was lost on the way: of a whole program, of a completion, of a docstring."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, Optional

from pytest_codecollapse.extraction.lines import Layout, Statement, indent_of, split_lines

_STRING = re.compile(r"[rRbBuUfF]{0,2}['\"]")
_STEP = "    "


class Moved(NamedTuple):
    """A text with other indentation, and the repair's name."""

    text: str
    repair: str


def dedented(text: str) -> Iterator[str]:
    """Yield a text without its first line's indentation: on all lines, and on that line alone.

    A single blank comes first from that line alone: it is one that a tokeniser left there.
    """
    layout = Layout(text)
    if not layout.statements:
        return
    first = layout.statements[0].first
    indent = indent_of(layout.lines[first])
    if not indent:
        return
    without = [line[len(indent) :] if line.startswith(indent) else line for line in layout.lines]
    once = [*layout.lines[:first], without[first], *layout.lines[first + 1 :]]
    ways = ["".join(without), "".join(once)]
    yield from reversed(ways) if indent == " " else ways


def reindented(text: str, body: Optional[str], step: str) -> Iterator[Moved]:
    """Yield a completion with the indentation of the body that it continues.

    First where the first line alone has lost it, then where all lines have another one, then both.

    Parameters
    ----------
    text
        The completion.
    body
        The indentation of the prompt's own statements in the body; None where it has none.
    step
        The indentation where neither the prompt nor the completion says it.
    """
    layout = Layout(text)
    if not layout.statements:
        return
    first = layout.statements[0]
    own = indent_of(layout.lines[first.first])
    others = [indent_of(layout.lines[each.first]) for each in layout.statements[1:]]
    rest = min(filter(None, others), key=len, default=None)
    if body is None:
        body = rest if rest is not None and not first.opens_block else own or step
    repair = "docstring" if not own and _STRING.match(first.text) else "reindent"
    if own != body and (not others or others[0]):
        yield Moved(_with_first_at(layout, first, body), repair)
    if own != body:
        yield Moved(_shifted(layout, own, body), "reindent")
    if rest is not None and rest != body:
        yield Moved(_shifted(Layout(_with_first_at(layout, first, rest)), rest, body), "reindent")


def _with_first_at(layout: Layout, first: Statement, indent: str) -> str:
    lines = list(layout.lines)
    lines[first.first] = indent + lines[first.first].lstrip(" \t\f")
    return "".join(lines)


def _shifted(layout: Layout, old: str, new: str) -> str:
    """Exchange the indentation that lines begin with; what is inside of a string stays."""
    return "".join(
        new + line[len(old) :] if line.startswith(old) and line.strip() and not inside else line
        for line, inside in zip(layout.lines, layout.in_string)
    )


class Form(NamedTuple):
    """A prompt, the indentation of its body where it has one, and what was done to it."""

    text: str
    body: Optional[str]
    repairs: frozenset[str]


class Prompt:
    """What was sampled from, where it ends inside of the function that is to be written."""

    def __init__(self, text: str, entry_point: str) -> None:
        self.text = text
        self._layout = Layout(text)
        self._header = re.compile(rf"(?:async\s+def|def|class)\s+{re.escape(entry_point)}\b")
        self._definition = self._find()
        #: What stands before the function.
        self.preamble = ""
        #: The indentation of what the function's body has already, None where that is nothing.
        self.body: Optional[str] = None
        #: The indentation that a body has where nothing says it.
        self.step = _STEP
        #: Where the body's first statement has no more indentation than the function: its line.
        self._flat: Optional[int] = None
        if self._definition is not None:
            self._look(self._definition)

    def _find(self) -> Optional[int]:
        for at in reversed(range(len(self._layout.statements))):
            if self._header.match(self._layout.statements[at].text):
                return at
        return None

    def is_begun_in(self, text: str) -> bool:
        """Whether a line of a text begins the function, be it that nothing else of it is right."""
        return any(self._header.match(line.lstrip()) for line in split_lines(text))

    def _look(self, at: int) -> None:
        lines, statements = self._layout.lines, self._layout.statements
        first = statements[at].first
        while at > 0 and statements[at - 1].text.startswith("@"):
            at -= 1
        self.preamble = "".join(lines[: statements[at].first])
        outer = indent_of(lines[first])
        self.step = outer + _STEP
        inner = [each for each in statements if each.first > first]
        if inner and len(indent_of(lines[inner[0].first])) > len(outer):
            self.body = indent_of(lines[inner[0].first])
        elif len(inner) == 1 and _STRING.match(inner[0].text):
            self._flat = inner[0].first

    @property
    def opens_function(self) -> bool:
        """Whether it has the function's first line."""
        return self._definition is not None

    def forms(self, completion: str) -> Iterator[Form]:
        """Yield the prompt as a completion on further lines can follow it, with the repairs."""
        ended = self.text.rstrip(" \t\f")
        repairs: frozenset[str] = frozenset()
        if not ended.endswith(("\n", "\r")):
            ended, repairs = f"{ended}\n", frozenset({"newline"})
        elif ended != self.text:
            repairs = frozenset({"reindent"})
        yield Form(ended, self.body, repairs)
        if self._flat is not None:
            layout = Layout(completion)
            first = layout.statements[0].first if layout.statements else None
            body = (indent_of(layout.lines[first]) if first is not None else "") or self.step
            lines = split_lines(ended)
            lines[self._flat] = body + lines[self._flat].lstrip(" \t\f")
            yield Form("".join(lines), body, repairs | {"docstring"})

    def with_docstring_open(self) -> Optional[tuple[str, str]]:
        """Return the prompt without the end of the docstring that it ends with, and that end."""
        ended = self.text.rstrip()
        quotes = ended[-3:]
        last = self._layout.statements[-1] if self.body is not None else None
        if last is None or quotes not in ('"""', "'''") or not _STRING.match(last.text):
            return None
        return f"{ended[:-3].rstrip()}\n", quotes
