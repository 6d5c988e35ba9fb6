"""Planted mutations: one small, named fault put into a reference program."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal, Optional

import msgspec

from pytest_codecollapse.synth.syntax import (
    blocks,
    is_guard,
    parse_expression,
    same,
    substitute,
)


class Mutation(msgspec.Struct, frozen=True):
    """A fault: the expression ``target`` of the reference is written as ``becomes`` instead.

    ``off_by_one`` moves a bound by one, or between strict and not; ``flipped_comparator`` turns a
    comparison around; ``dropped_guard`` has no ``becomes``: its ``target`` is the condition that
    is no longer asked.
    """

    kind: Literal["off_by_one", "flipped_comparator", "dropped_guard"]
    target: str
    becomes: Optional[str] = None

    @property
    def label(self) -> str:
        """Ground truth class of the candidates that carry this fault."""
        change = self.target if self.becomes is None else f"{self.target} -> {self.becomes}"
        return f"{self.kind}: {change}"


def mutant(reference: ast.FunctionDef, mutation: Mutation) -> ast.FunctionDef:
    r"""Plant one mutation.

    Parameters
    ----------
    reference
        The function to plant it in; left as it is.
    mutation
        The fault. Its target stands in the function exactly once.

    Raises
    ------
    ValueError
        If the target stands in the function never or more than once.

    Examples
    --------
    >>> from pytest_codecollapse.synth.syntax import parse_function, to_source
    >>> reference = parse_function("def f(x):\n    return x > 0")
    >>> flip = Mutation("flipped_comparator", "x > 0", "x < 0")
    >>> print(to_source(mutant(reference, flip)), end="")
    def f(x):
        return x < 0
    """
    target = parse_expression(mutation.target)
    if mutation.becomes is None:
        (dropped,) = _without_guard(reference, target)
        return dropped
    (site,) = (node for node in ast.walk(reference) if same(node, target))
    return substitute(reference, site, parse_expression(mutation.becomes))


def _without_guard(function: ast.FunctionDef, test: ast.expr) -> Iterator[ast.FunctionDef]:
    """Drop an ``if`` that asks this, of a statement or of a comprehension, wherever one stands."""
    for block in blocks(function):
        for index, statement in enumerate(block):
            if isinstance(statement, ast.If) and same(statement.test, test):
                unguarded = [] if is_guard(statement) else statement.body
                yield substitute(function, block, [*block[:index], *unguarded, *block[index + 1 :]])
    for node in ast.walk(function):
        if isinstance(node, ast.comprehension):
            kept = [each for each in node.ifs if not same(each, test)]
            if len(kept) < len(node.ifs):
                yield substitute(function, node.ifs, kept)
