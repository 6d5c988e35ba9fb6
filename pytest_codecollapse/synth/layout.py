"""Reformatting: the same tokens, laid out as another author would."""

from __future__ import annotations

import random

from pytest_codecollapse.synth.draws import pick

_UNIT = " " * 4

#: Widths as often as people use them.
_INDENTS = (_UNIT, _UNIT, _UNIT, _UNIT, "  ", "  ", "   ", " " * 8, "\t")

#: Shares of the lines that a blank line, or a comment, goes with; most authors leave most bare.
_SHARES = (0.0, 0.0, 0.15, 0.4)

_HEADINGS = ("", "", "", "# Solution", "# A straightforward implementation.")

_REMARKS = {
    "if": ("check the condition", "only if it applies", "special case"),
    "else:": ("otherwise", "the usual case"),
    "for": ("go through them one by one", "iterate"),
    "return": ("done", "this is the answer", "the result"),
    "raise": ("bad arguments",),
}
_OTHER_REMARKS = ("keep track", "next step", "update")


def reformat(source: str, rng: random.Random, *, summary: str) -> str:
    """Draw another layout: indent width, blank lines, comments, a docstring.

    Parameters
    ----------
    source
        One function, a line a statement, indented by four spaces.
    rng
        Source of the draws.
    summary
        What a docstring would say.

    Returns
    -------
    str
        The function with other whitespace and other comments, and a docstring or none.
    """
    indent = pick(rng, _INDENTS)
    blank_share = pick(rng, _SHARES)
    comment_share = pick(rng, _SHARES)
    signature, *body = source.splitlines()
    heading = pick(rng, _HEADINGS)
    lines = [heading, signature] if heading else [signature]
    lines += pick(rng, _docstrings(summary))
    for line in body:
        if rng.random() < blank_share:
            lines.append("")
        lines += _commented(line, rng) if rng.random() < comment_share else [line]
    return "".join(_indented(line, indent) + "\n" for line in lines)


def _docstrings(summary: str) -> tuple[list[str], ...]:
    """List ways to document a function, most often not at all."""
    one_line = [f'{_UNIT}"""{summary}"""']
    spread = [f'{_UNIT}"""', f"{_UNIT}{summary}", f'{_UNIT}"""']
    short = [f"{_UNIT}'''{summary.partition(';')[0]}'''"]
    return [], [], [], one_line, spread, short


def _commented(line: str, rng: random.Random) -> list[str]:
    """Put a remark on the line or above it."""
    first_word, *_ = line.split()
    remark = "# " + pick(rng, _REMARKS.get(first_word, _OTHER_REMARKS))
    margin = line[: len(line) - len(line.lstrip())]
    return pick(rng, ([f"{line}  {remark}"], [f"{margin}{remark}", line]))


def _indented(line: str, indent: str) -> str:
    text = line.lstrip()
    depth = (len(line) - len(text)) // len(_UNIT)
    return indent * depth + text
