"""The lines of a text as Python's tokeniser takes them: which of them begin a statement."""

from __future__ import annotations

import re
from typing import NamedTuple, Optional

#: What decides where a logical line ends. No alternative can run back: each quote is closed by its
#: like, by the end of the line or by the end of the text.
_TOKEN = re.compile(
    r"""
    (?P<comment> \#[^\r\n]* )
    | (?P<string> \"\"\" (?: [^"\\] | \\(?:.|\Z) | "(?!"") )* (?: \"\"\" | \Z )
                | ''' (?: [^'\\] | \\(?:.|\Z) | '(?!'') )* (?: ''' | \Z )
                | "(?: [^"\\\r\n] | \\(?:\r\n|.|\Z) )* "?
                | '(?: [^'\\\r\n] | \\(?:\r\n|.|\Z) )* '? )
    | (?P<open> [(\[{] )
    | (?P<close> [)\]}] )
    | (?P<joined> \\(?:\r\n|\r|\n) )
    | (?P<newline> \r\n|\r|\n )
    """,
    re.VERBOSE | re.DOTALL,
)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_INDENT = re.compile(r"[ \t\f]*")


class Statement(NamedTuple):
    """A logical line: the physical lines ``first`` to ``end``, and its text without comments."""

    first: int
    end: int
    text: str
    parent: Optional[int]

    @property
    def opens_block(self) -> bool:
        """Whether indented lines have to follow."""
        return self.text.endswith(":")


class Layout:
    """A text as lines, which keep their line ends, and as the statements that they form."""

    def __init__(self, text: str) -> None:
        self.lines: list[str] = split_lines(text)
        #: Per line, whether it begins inside a string.
        self.in_string = [False] * len(self.lines)
        #: Per line, the number of the last statement that begins on it or before it.
        self.owner = [-1] * len(self.lines)
        self.statements: list[Statement] = []
        self._scan(text)

    def _scan(self, text: str) -> None:
        line = first = depth = start = 0
        pieces: list[str] = []
        ancestors: list[tuple[int, int]] = []

        def end_statement(end: int) -> None:
            code = "".join(pieces)
            indent = _INDENT.match(code).group()  # type: ignore[union-attr]
            if code.strip():
                width = len(indent.expandtabs())
                while ancestors and ancestors[-1][0] >= width:
                    ancestors.pop()
                parent = ancestors[-1][1] if ancestors else None
                ancestors.append((width, len(self.statements)))
                self.statements.append(Statement(first, end, code.strip(), parent))
            for each in range(first, end):
                self.owner[each] = len(self.statements) - 1
            pieces.clear()

        for token in _TOKEN.finditer(text):
            kind = token.lastgroup
            if kind == "open":
                depth += 1
            elif kind == "close":
                depth = max(0, depth - 1)
            elif kind == "comment":
                pieces.append(text[start : token.start()])
                start = token.end()
            elif kind == "string":
                for _ in _line_ends(token.group()):
                    line += 1
                    if line < len(self.lines):
                        self.in_string[line] = True
            elif kind in ("joined", "newline"):
                line += 1
                if kind == "newline" and depth == 0:
                    pieces.append(text[start : token.start()])
                    start = token.end()
                    end_statement(line)
                    first = line
        pieces.append(text[start:])
        end_statement(len(self.lines))


def split_lines(text: str) -> list[str]:
    """Split a text where Python's tokeniser does, with the line ends kept."""
    return _LINE.findall(text)


def indent_of(line: str) -> str:
    """Return the blanks that a line begins with."""
    return _INDENT.match(line).group()  # type: ignore[union-attr]


def statement_end(text: str, start: int, limit: int) -> Optional[int]:
    """Return where the logical line that begins at ``start`` ends, if that is before ``limit``."""
    depth = 0
    for token in _TOKEN.finditer(text, start, limit):
        kind = token.lastgroup
        depth += (kind == "open") - (kind == "close")
        if kind == "newline" and depth <= 0:
            return token.end()
        if kind == "string" and token.end() == limit:
            break
    return limit if limit == len(text) and depth <= 0 else None


def _line_ends(text: str) -> list[str]:
    return re.findall(r"\r\n|\r|\n", text)
