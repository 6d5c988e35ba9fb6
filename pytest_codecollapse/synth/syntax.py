"""The syntax tree of one function: read it, find the parts of it, put others in, write it.

No tree is changed in place, line numbers apart, so trees may share their parts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any


def parse_function(source: str) -> ast.FunctionDef:
    """Parse a source that is one function."""
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    return function


def parse_expression(source: str) -> ast.expr:
    """Parse an expression."""
    return ast.parse(source, mode="eval").body


def to_source(function: ast.FunctionDef) -> str:
    """Write the source of a function, a line a statement, indented by four spaces.

    ``ast.unparse`` writes tuples, f-strings and lambdas differently from one Python to the next;
    a function without them gives the same source on each.
    """
    return ast.unparse(ast.fix_missing_locations(function)) + "\n"


def substitute(function: ast.FunctionDef, old: object, new: object) -> ast.FunctionDef:
    """Copy the function with ``new`` in the place of ``old``.

    ``old`` is the very node, or the very list of nodes, that stands in the function.
    """
    copy = _copy(function, old, new)
    assert isinstance(copy, ast.FunctionDef)
    return copy


def _copy(part: Any, old: object, new: object) -> Any:
    if part is old:
        return new
    if isinstance(part, list):
        return [_copy(each, old, new) for each in part]
    if isinstance(part, ast.AST):
        fields = ast.iter_fields(part)
        return type(part)(**{name: _copy(value, old, new) for name, value in fields})
    return part


def same(one: ast.AST, other: ast.AST) -> bool:
    """Tell whether two trees are equal, wherever they stand."""
    return ast.dump(one) == ast.dump(other)


def blocks(function: ast.FunctionDef) -> Iterator[list[ast.stmt]]:
    """List the function's blocks: its body, and the bodies and branches in it, outermost first."""
    for node in ast.walk(function):
        for name in ("body", "orelse"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block:
                yield block


def is_guard(statement: ast.stmt) -> bool:
    """Tell whether this is an ``if`` without ``else`` whose body leaves the block."""
    leaves = (ast.Return, ast.Raise, ast.Continue)
    return (
        isinstance(statement, ast.If)
        and not statement.orelse
        and isinstance(statement.body[-1], leaves)
    )
