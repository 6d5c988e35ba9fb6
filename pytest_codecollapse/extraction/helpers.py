"""A block of a chat reply together with the other blocks that it needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Optional

from pytest_codecollapse.extraction.names import bound_at_top, missing_names
from pytest_codecollapse.extraction.parse import Parser


def with_helpers(
    blocks: Sequence[str], at: int, entry_point: str, preamble: str, parser: Parser
) -> str:
    """Add the other blocks that bind what a block lacks, in the text's order.

    Parameters
    ----------
    blocks, at
        The blocks of a text, and the number of the one that defines the entry point.
    entry_point
        The function that the program is to define.
    preamble
        What the prompt can put before the block.
    parser
        Reads what is put together.
    """
    needed, further = {at}, {at}
    binders: Optional[dict[str, list[int]]] = None
    source = blocks[at]
    while further:
        source = together(blocks[each] for each in sorted(needed))
        tree = parser.read(source).tree
        missing = missing_names(tree) if tree is not None else set()
        if missing and binders is None:
            binders = _binders(blocks, at, entry_point, preamble, parser)
        further = {each for name in missing for each in (binders or {}).get(name, ())} - needed
        needed |= further
    return source


def together(blocks: Iterable[str]) -> str:
    """Put blocks one behind the other, each on lines of its own."""
    return "".join(block if block.endswith("\n") else f"{block}\n" for block in blocks)


def _binders(
    blocks: Sequence[str], at: int, entry_point: str, preamble: str, parser: Parser
) -> dict[str, list[int]]:
    """Say which blocks bind a name for a block: those before it, or else those behind it.

    Behind it stand uses and tests, too: one that binds the entry point is none, and what the
    prompt binds is not looked for there.
    """
    before: dict[str, list[int]] = {}
    behind: dict[str, list[int]] = {}
    for each, block in enumerate(blocks):
        bound = _bound_by(block, parser)
        if each < at or (each > at and entry_point not in bound):
            for name in bound:
                (before if each < at else behind).setdefault(name, []).append(each)
    for name in _bound_by(preamble, parser):
        behind.pop(name, None)
    return {**behind, **before}


def _bound_by(source: str, parser: Parser) -> set[str]:
    tree = parser.read(source).tree
    return bound_at_top(tree) if tree is not None else set()
