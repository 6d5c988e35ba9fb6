"""Rewrites that keep what a function does and change how it is built.

They are made for functions like the references in ``problems``: what is added up are numbers, and
a loop's own names are not read after it. A rewrite gives one function for each place it fits.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Callable, Optional

from pytest_codecollapse.synth.syntax import (
    blocks,
    is_guard,
    parse_expression,
    same,
    substitute,
    to_source,
)

Rewrite = Callable[[ast.FunctionDef], Iterator[ast.FunctionDef]]

_MIRROR_IMAGES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.LtE: ast.GtE,
    ast.Gt: ast.Lt,
    ast.GtE: ast.LtE,
}


def structures(function: ast.FunctionDef) -> tuple[ast.FunctionDef, ...]:
    """Find every function that structural rewrites make of this one; itself first, none twice."""
    found = {to_source(function): function}
    queue = [function]
    for current in queue:
        for rewrite in STRUCTURAL_REWRITES:
            for rewritten in rewrite(current):
                if found.setdefault(to_source(rewritten), rewritten) is rewritten:
                    queue.append(rewritten)
    return tuple(queue)


def mirror_comparison(function: ast.FunctionDef) -> Iterator[ast.FunctionDef]:
    """Rewrite ``a < b`` as ``b > a``, a chain ``a <= b < c`` as ``c > b >= a``."""
    for node in ast.walk(function):
        if isinstance(node, ast.Compare) and all(type(op) in _MIRROR_IMAGES for op in node.ops):
            left, *comparators = reversed([node.left, *node.comparators])
            ops: list[ast.cmpop] = [_MIRROR_IMAGES[type(op)]() for op in reversed(node.ops)]
            mirrored = ast.Compare(left=left, ops=ops, comparators=comparators)
            yield substitute(function, node, mirrored)


def expand_augmented(function: ast.FunctionDef) -> Iterator[ast.FunctionDef]:
    """Rewrite ``x += y`` as ``x = x + y``."""
    for node in ast.walk(function):
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            value = ast.BinOp(left=_load(node.target.id), op=node.op, right=node.value)
            yield substitute(function, node, _assign(node.target.id, value))


def guard_to_else(function: ast.FunctionDef) -> Iterator[ast.FunctionDef]:
    """Put what follows a guard, an ``if`` that leaves, under an ``else`` of it."""
    for block in blocks(function):
        for index, statement in enumerate(block[:-1]):
            if isinstance(statement, ast.If) and is_guard(statement):
                rest = block[index + 1 :]
                whole = ast.If(test=statement.test, body=statement.body, orelse=rest)
                yield substitute(function, block, [*block[:index], whole])


def comprehension_to_loop(function: ast.FunctionDef) -> Iterator[ast.FunctionDef]:
    """Rewrite ``return [e for x in xs if c]`` as a loop that appends to ``result``."""
    for block in blocks(function):
        last = block[-1]
        if isinstance(last, ast.Return) and isinstance(last.value, ast.ListComp):
            yield substitute(function, block, [*block[:-1], *_as_loop(last.value, "result")])


def _as_loop(listed: ast.ListComp, name: str) -> list[ast.stmt]:
    (clause,) = listed.generators
    append = ast.Attribute(value=_load(name), attr="append", ctx=ast.Load())
    body: list[ast.stmt] = [
        ast.Expr(value=ast.Call(func=append, args=[listed.elt], keywords=[])),
    ]
    for test in reversed(clause.ifs):
        body = [ast.If(test=test, body=body, orelse=[])]
    return [
        _assign(name, ast.List(elts=[], ctx=ast.Load())),
        ast.For(target=clause.target, iter=clause.iter, body=body, orelse=[]),
        ast.Return(value=_load(name)),
    ]


def loop_to_comprehension(function: ast.FunctionDef) -> Iterator[ast.FunctionDef]:
    """Rewrite a loop that fills a list as a comprehension, one that adds up as a ``sum`` of it.

    Where the result is only returned, ``return`` takes the comprehension itself.
    """
    for block in blocks(function):
        for index in range(len(block) - 1):
            gathered = _gathered(block[index], block[index + 1])
            if gathered is None:
                continue
            name, value = gathered
            after = block[index + 2 :]
            if len(after) == 1 and same(after[0], ast.Return(value=_load(name))):
                rewritten: list[ast.stmt] = [ast.Return(value=value)]
            else:
                rewritten = [_assign(name, value), *after]
            yield substitute(function, block, [*block[:index], *rewritten])


def _gathered(start: ast.stmt, loop: ast.stmt) -> Optional[tuple[str, ast.expr]]:
    """Find the name that a loop gathers into, and the expression that it amounts to."""
    if not (
        isinstance(start, ast.Assign)
        and isinstance(start.targets[0], ast.Name)
        and isinstance(loop, ast.For)
    ):
        return None
    name = start.targets[0].id
    body = loop.body
    tests: list[ast.expr] = []
    if len(body) == 1 and isinstance(body[0], ast.If) and not body[0].orelse:
        tests, body = [body[0].test], body[0].body
    clause = ast.comprehension(target=loop.target, iter=loop.iter, ifs=tests, is_async=0)
    if same(start.value, parse_expression("[]")):
        appended = _appended(body, name)
        if appended is not None:
            return name, ast.ListComp(elt=appended, generators=[clause])
    if same(start.value, parse_expression("0")):
        added = _added(body, name)
        if added is not None:
            listed = ast.ListComp(elt=added, generators=[clause])
            return name, ast.Call(func=_load("sum"), args=[listed], keywords=[])
    return None


def _appended(body: list[ast.stmt], name: str) -> Optional[ast.expr]:
    """``e`` of ``name.append(e)``, or of ``x = e`` and ``name.append(x)``."""
    *before, last = body
    if not (
        isinstance(last, ast.Expr)
        and isinstance(last.value, ast.Call)
        and same(last.value.func, parse_expression(f"{name}.append"))
    ):
        return None
    (appended,) = last.value.args
    if not before:
        return appended
    if len(before) == 1 and isinstance(before[0], ast.Assign) and isinstance(appended, ast.Name):
        (target,) = before[0].targets
        if isinstance(target, ast.Name) and target.id == appended.id:
            return before[0].value
    return None


def _added(body: list[ast.stmt], name: str) -> Optional[ast.expr]:
    """``e`` of ``name += e``."""
    first, *others = body
    if (
        not others
        and isinstance(first, ast.AugAssign)
        and isinstance(first.op, ast.Add)
        and isinstance(first.target, ast.Name)
        and first.target.id == name
    ):
        return first.value
    return None


def _load(name: str) -> ast.Name:
    return ast.Name(id=name, ctx=ast.Load())


def _assign(name: str, value: ast.expr) -> ast.Assign:
    return ast.Assign(targets=[ast.Name(id=name, ctx=ast.Store())], value=value)


#: Applied one place at a time, in any order and number.
STRUCTURAL_REWRITES: tuple[Rewrite, ...] = (
    comprehension_to_loop,
    loop_to_comprehension,
    mirror_comparison,
    expand_augmented,
    guard_to_else,
)
