"""Which types a contract asks for, by parsing it.

A contract is statements about a function's parameters, as ``assert isinstance(x, tuple)``. Only
what holds for each call is taken: no statement under a condition, no operand of an ``or`` but
where all are about one place. What is not understood says nothing.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Optional, Union

from pytest_codecollapse.extraction.parse import read

Path = tuple[Union[int, str], ...]
"""A place: the index of an argument, then "member", "key" or "value" for each level inwards."""

_Scope = Mapping[str, Path]
_Finding = tuple[Path, frozenset[type]]

_NAMED: dict[str, type] = {
    each.__name__: each
    for each in (bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset)
}
_LONGEST = 1_000_000  # characters; ast needs a hundred times as many bytes
_INNER = {"values": "value", "keys": "key"}


def allowed_kinds(contract: str, parameters: Sequence[str]) -> dict[Path, frozenset[type]]:
    """Return for each place of which a contract speaks the built-in types that may be there.

    >>> allowed_kinds("assert all(isinstance(i, tuple) for i in x)", ["x"])
    {(0, 'member'): frozenset({<class 'tuple'>})}
    """
    tree = parsed(textwrap.dedent(contract))
    scope = {name: (index,) for index, name in enumerate(parameters)}
    allowed: dict[Path, frozenset[type]] = {}
    for place, kinds in _in_body(tree.body if tree else [], scope):
        allowed[place] = allowed[place] & kinds if place in allowed else kinds
    return allowed


def parsed(source: str) -> Optional[ast.Module]:
    """Parse a benchmark's code; None where it is not Python, or longer than code is."""
    return None if len(source) > _LONGEST else read(source).tree


def _in_body(body: Sequence[ast.stmt], scope: _Scope) -> Iterator[_Finding]:
    for statement in body:
        if isinstance(statement, ast.Assert):
            yield from _in_test(statement.test, scope)
        elif isinstance(statement, ast.For):
            inner = _bound(statement.target, statement.iter, scope)
            yield from _in_body(statement.body, inner)
        elif isinstance(statement, ast.If) and isinstance(statement.body[0], ast.Raise):
            test = statement.test
            if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
                yield from _in_test(test.operand, scope)
        scope = _without(_rebound(statement), scope)


def _rebound(statement: ast.stmt) -> set[str]:
    """Names that a statement may give another value; a comprehension's own names are not."""
    if isinstance(statement, (ast.Assert, ast.FunctionDef)):
        return set()
    names = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
    return {node.id for node in names if isinstance(node.ctx, ast.Store)}


def _without(names: set[str], scope: _Scope) -> dict[str, Path]:
    return {name: place for name, place in scope.items() if name not in names}


def _in_test(test: ast.expr, scope: _Scope) -> Iterator[_Finding]:
    """Yield what is true of the places in scope where the test is true."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        for each in test.values:
            yield from _in_test(each, scope)
    elif isinstance(test, ast.BoolOp):
        yield from _either([list(_in_test(each, scope)) for each in test.values])
    elif isinstance(test, ast.Compare) and len(test.ops) == 1:
        yield from _type_compared(test, scope)
    elif isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.args:
        if test.func.id == "isinstance" and len(test.args) == 2:
            yield from _found(test.args[0], test.args[1], scope)
        elif test.func.id == "all":
            yield from _in_all(test.args[0], scope)


def _either(operands: Sequence[Sequence[_Finding]]) -> Iterator[_Finding]:
    """Yield for ``isinstance(x, tuple) or isinstance(x, list)`` that x is one of the two."""
    places = {place for findings in operands for place, _ in findings}
    if len(places) == 1 and all(operands):
        yield places.pop(), frozenset().union(*(kinds for found in operands for _, kinds in found))


def _in_all(over: ast.expr, scope: _Scope) -> Iterator[_Finding]:
    if not isinstance(over, (ast.GeneratorExp, ast.ListComp)):
        return
    for generator in over.generators:
        if generator.ifs:
            return
        scope = _bound(generator.target, generator.iter, scope)
    yield from _in_test(over.elt, scope)


def _type_compared(test: ast.Compare, scope: _Scope) -> Iterator[_Finding]:
    """Yield for ``type(x) == tuple`` and ``type(x) in (list, tuple)`` what x is."""
    left, right = test.left, test.comparators[0]
    if not isinstance(test.ops[0], (ast.Eq, ast.Is, ast.In)) or not isinstance(left, ast.Call):
        return
    if isinstance(left.func, ast.Name) and left.func.id == "type" and len(left.args) == 1:
        yield from _found(left.args[0], right, scope)


def _found(subject: ast.expr, types: ast.expr, scope: _Scope) -> Iterator[_Finding]:
    place = _place(subject, scope)
    named = types.elts if isinstance(types, (ast.Tuple, ast.List, ast.Set)) else [types]
    kinds = [_NAMED.get(each.id) if isinstance(each, ast.Name) else None for each in named]
    known = frozenset(kind for kind in kinds if kind)
    if place and len(known) == len(kinds):
        yield place, known


def _bound(target: ast.expr, over: ast.expr, scope: _Scope) -> _Scope:
    """Return the scope within a loop: its variables are the members of what it goes over."""
    names = {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}
    inner = _without(names, scope)
    for variable, place in _variables(target, over, scope):
        if isinstance(variable, ast.Name) and place:
            inner[variable.id] = place
    return inner


def _variables(
    target: ast.expr, over: ast.expr, scope: _Scope
) -> Iterator[tuple[ast.expr, Optional[Path]]]:
    targets = target.elts if isinstance(target, (ast.Tuple, ast.List)) else []
    if targets and isinstance(over, ast.Call):
        if isinstance(over.func, ast.Attribute) and over.func.attr == "items":
            owner = _place(over.func.value, scope)
            yield from zip(targets, [_inside(owner, "key"), _inside(owner, "value")])
            return
        if isinstance(over.func, ast.Name) and over.func.id in ("zip", "enumerate"):
            places = [_members(each, scope) for each in over.args]
            yield from zip(targets, places if over.func.id == "zip" else [None, *places])
            return
    members = _members(over, scope)
    yield target, members
    for each in targets:
        yield each, _inside(members, "member")


def _members(over: ast.expr, scope: _Scope) -> Optional[Path]:
    """Return the place of what a loop over an expression meets."""
    if isinstance(over, ast.Call) and isinstance(over.func, ast.Attribute) and not over.args:
        inner = _INNER.get(over.func.attr)
        return _inside(_place(over.func.value, scope), inner) if inner else None
    return _inside(_place(over, scope), "member")


def _place(expression: ast.expr, scope: _Scope) -> Optional[Path]:
    if isinstance(expression, ast.Name):
        return scope.get(expression.id)
    if isinstance(expression, ast.Subscript):
        owner = _place(expression.value, scope)
        if isinstance(expression.slice, ast.Slice):
            return owner
        index = isinstance(expression.slice, ast.Constant) and type(expression.slice.value) is int
        return _inside(owner, "member") if index else None
    return None


def _inside(place: Optional[Path], inner: str) -> Optional[Path]:
    return (*place, inner) if place else None
