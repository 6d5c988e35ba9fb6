"""Telling code from prose line by line, for texts that do not parse as a whole."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Literal, NamedTuple, Optional

from pytest_codecollapse.extraction.lines import split_lines, statement_end
from pytest_codecollapse.extraction.names import does_something, is_wordlike
from pytest_codecollapse.extraction.parse import read
from pytest_codecollapse.extraction.thoughts import without_thoughts

#: A statement that spans more characters is not looked for between lines of prose.
_MAX_SPAN = 10_000

#: How often, at most, a text's characters are looked at in search of the ends of statements.
_MAX_LOOKS = 8

_BLANK = re.compile(r"\s*(?:#.*)?\Z")
_SPANNING = re.compile(r"[(\[{\\]|'''|\"\"\"")
_QUOTED = re.compile(r"""'[^'\n]*'|"[^"\n]*"|\#.*""")
_STRING = re.compile(r"[rRbBuUfF]{0,2}['\"]")
_KEYWORDS = frozenset({*keyword.kwlist, "match", "case", "type"})
_TWO_WORDS = re.compile(r"\b(\w+)[ \t]+(?=(\w+))")
_WORD = re.compile(r"\w*")

#: What has to stand before a clause for it to parse.
_BEFORE_CLAUSE = {
    "elif": "if 1: pass\n ",
    "else": "if 1: pass\n ",
    "except": "try: pass\n ",
    "finally": "try: pass\n ",
    "case": "match 1:\n  ",
}


class _Part(NamedTuple):
    """A statement, or a line that is none.

    A wordlike statement can be part of a program or of prose. What does not parse is broken code
    where it is indented, or has no two words in a row, which no program has, but calls or assigns.
    """

    text: str
    kind: Literal["code", "wordlike", "blank", "prose", "broken"]
    does_something: bool = False


def code_runs(text: str) -> list[str]:
    """Return the runs of lines that prose does not interrupt, from code to code.

    A run that a broken statement has torn off is left out, but for the text's last statement.
    """
    parts = list(_parts(text))
    last = max((at for at, part in enumerate(parts) if part.kind != "blank"), default=0)
    runs: list[list[_Part]] = [[]]
    after_broken = False
    for at, part in enumerate(parts):
        if part.kind not in ("prose", "broken"):
            if not after_broken:
                runs[-1].append(part)
            continue
        is_broken = part.kind == "broken" and at < last
        if is_broken:
            runs[-1] = []
        after_broken = is_broken
        runs.append([])
    return [run for run in map(_from_code_to_code, runs) if run]


def begins_with_words(text: str) -> bool:
    """Return whether the first statement is a bare expression, and no docstring."""
    first = next((part for part in _parts(text) if part.kind != "blank"), None)
    return first is not None and first.kind == "wordlike" and not _STRING.match(first.text.strip())


def has_code(source: str, *, prompt: str = "") -> bool:
    r"""Return whether a text has a statement that does something.

    Comments, strings, bare expressions that call nothing, ``pass`` and imports do nothing, and
    neither does a function with nothing else in its body; what no parser takes is prose. A text
    that does not parse is looked at line by line, as if each stood in a function, but for what
    the model thought before it answered.

    Parameters
    ----------
    source
        A program or any other text.
    prompt
        What does not count where ``source`` begins with it.

    Examples
    --------
    >>> has_code("    return x +")
    False
    >>> has_code("    y = x + 1\n    return y +")
    True
    >>> has_code("I cannot help with that.")
    False
    """
    text = source[len(prompt) :] if source.startswith(prompt) else source
    tree = read(text).tree
    if tree is not None:
        return does_something(tree.body)
    return any(part.does_something for part in _parts(without_thoughts(text)))


def _from_code_to_code(run: list[_Part]) -> str:
    code = [at for at, part in enumerate(run) if part.kind == "code"]
    if not code:
        return ""
    return "".join(part.text for part in run[code[0] : code[-1] + 1])


def _parts(text: str) -> Iterator[_Part]:
    """Split a text into statements and lines that are none."""
    lines = split_lines(text)
    starts = [0, *accumulate(map(len, lines))]
    known: dict[str, _Part] = {}
    looks = _MAX_LOOKS * len(text)
    at = 0
    while at < len(lines):
        part = known.get(lines[at])
        if part is None:
            part = known[lines[at]] = _classified(lines[at])
        begin, at = starts[at], at + 1
        if part.kind in ("prose", "broken") and looks > 0 and _SPANNING.search(part.text):
            limit = min(len(text), begin + _MAX_SPAN)
            end = statement_end(text, begin, limit)
            looks -= (end or limit) - begin
            spanning = _classified(text[begin:end]) if end is not None else part
            if end is not None and spanning.kind not in ("prose", "broken"):
                part = spanning
                while starts[at] < end:
                    at += 1
        yield part


def _classified(text: str) -> _Part:
    if _BLANK.match(text):
        return _Part(text, "blank")
    code = text.strip()
    has_words = _has_two_words(code)
    if not has_words or _SPANNING.search(code):
        statements = _in_function(code)
        if statements is not None:
            is_code = not all(map(is_wordlike, statements))
            return _Part(text, "code" if is_code else "wordlike", does_something(statements))
        if _opens_block(code):
            return _Part(text, "code")
    is_broken = text[0] in " \t\f" or (not has_words and ("(" in code or "=" in code))
    return _Part(text, "broken" if is_broken else "prose")


def _has_two_words(code: str) -> bool:
    """Whether two words stand in a row, as far as quotes and comments let it be seen."""
    pairs = (found.groups() for found in _TWO_WORDS.finditer(_QUOTED.sub("''", code)))
    return any(first not in _KEYWORDS and second not in _KEYWORDS for first, second in pairs)


def _opens_block(code: str) -> bool:
    """Whether a line is a decorator, or the first one of a block."""
    if code.startswith("@"):
        return _in_function(f"{code}\n def _(): pass") is not None
    word = _WORD.match(code)
    before = _BEFORE_CLAUSE.get(word.group() if word else "", "")
    after = "\n finally: pass" if code.startswith("try") else ""
    return _in_function(f"{before}{code}\n   pass{after}") is not None


def _in_function(code: str) -> Optional[list[ast.stmt]]:
    """Parse what may stand in a function's body."""
    tree = read(f"def _():\n {code}").tree
    if tree is None or len(tree.body) != 1 or not isinstance(tree.body[0], ast.FunctionDef):
        return None
    return tree.body[0].body
