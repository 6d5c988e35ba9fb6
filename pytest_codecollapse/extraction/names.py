"""What a tree binds at its top, what it uses and does not bind, and what does nothing."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Optional

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEFINITIONS = (*_FUNCTIONS, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)
_ACTIVE = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
_BUILTINS = frozenset({*dir(builtins), "__name__", "__file__", "__class__"})


def bound_at_top(tree: ast.Module) -> set[str]:
    """Return the names that the module's own statements bind, also those in its blocks."""
    return {name for node in _own_nodes(tree) for name in _bound_by(node)}


def defined_at_top(tree: ast.Module) -> set[str]:
    """Return the names of the functions and classes that stand at the top of the module."""
    return {node.name for node in tree.body if isinstance(node, _DEFINITIONS)}


def missing_names(tree: ast.Module) -> set[str]:
    """Return the names that are used and that nothing in the tree binds, built-ins apart."""
    used: set[str] = set()
    bound: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            used.add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        else:
            bound.update(_bound_by(node))
    return used - bound - _BUILTINS


def label_lines(tree: ast.Module, lines: Sequence[str]) -> set[int]:
    """Return the lines, from 1, that are words at the top with names which nothing binds.

    A program cannot go on behind ``Done``, ``[BEGIN]``, ``python`` or ``Time: O(n)``.
    """
    labels = [node for node in tree.body if _is_label(node)]
    if not labels or "*" in bound_at_top(tree):
        return set()
    missing = missing_names(tree)
    uses = Counter(each.id for each in ast.walk(tree) if isinstance(each, ast.Name))
    return {
        node.lineno
        for node in labels
        if any(each.id in missing for each in ast.walk(node) if isinstance(each, ast.Name))
        and not (isinstance(node, ast.AnnAssign) and uses[ast.unparse(node.target)] > 1)
        and (node.col_offset, node.end_col_offset) == (0, len(lines[node.lineno - 1].encode()))
    }


def _is_label(node: ast.stmt) -> bool:
    if isinstance(node, ast.Expr):
        parts = node.value.elts if isinstance(node.value, ast.List) else [node.value]
        return all(isinstance(each, ast.Name) for each in parts)
    if isinstance(node, ast.AnnAssign):
        return node.value is None and isinstance(node.target, ast.Name)
    return False


def final_binding(tree: ast.Module, name: str) -> Optional[ast.stmt]:
    """Return the last statement at the top in which a name is bound, with blocks around it."""
    for node in reversed(tree.body):
        if any(name in _bound_by(each) for each in _own_nodes(node)):
            return node
    return None


def can_be_called(binding: ast.stmt) -> bool:
    """Return whether what a statement binds may be a function, as far as its form says."""
    return not isinstance(binding, (ast.Assign, ast.AnnAssign)) or isinstance(
        binding.value, (ast.Lambda, ast.Name, ast.Attribute, ast.Call)
    )


def makes(tree: ast.Module, name: str) -> bool:
    """Return whether something at the top is what a name stands for, and does something.

    An import of the name is not, nor what binds the name again by using it: both are what tests
    and examples do, which have the function elsewhere.
    """
    nodes = [node for top in tree.body for node in _own_nodes(top)]
    again = {
        id(each)
        for node in nodes
        if isinstance(node, ast.Assign) and _loads(node.value, name)
        for target in node.targets
        for each in ast.walk(target)
    }
    return any(id(node) not in again and _makes(node, name) for node in nodes)


def _makes(node: ast.AST, name: str) -> bool:
    if isinstance(node, (ast.alias, *_IMPORTS)) or name not in _bound_by(node):
        return False
    return not (isinstance(node, _FUNCTIONS) and is_stub(node))


def _loads(node: ast.AST, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))


def is_stub(binding: ast.stmt) -> bool:
    """Return whether a statement defines a function whose body does nothing, when it is called."""
    if not isinstance(binding, _FUNCTIONS):
        return False
    return not does_something(node for node in binding.body if not isinstance(node, _DEFINITIONS))


def does_something(statements: Iterable[ast.stmt]) -> bool:
    """Return whether any of the statements is more than prose can be.

    Docstrings, bare expressions that call nothing, annotations without a value, ``pass`` and
    imports do nothing; a function, a class or a block does what its body does.
    """
    stack = list(statements)
    while stack:
        node = stack.pop()
        if isinstance(node, _DEFINITIONS):
            stack.extend(node.body)
        elif not is_wordlike(node) and not isinstance(node, (ast.Pass, *_IMPORTS)):
            return True
    return False


def is_wordlike(node: ast.stmt) -> bool:
    """Return whether a statement is one that words can be by chance: ``Yes`` or ``Note: this``."""
    if isinstance(node, ast.Expr):
        return not any(isinstance(each, _ACTIVE) for each in ast.walk(node.value))
    return isinstance(node, ast.AnnAssign) and node.value is None


def _own_nodes(top: ast.AST) -> Iterator[ast.AST]:
    """Walk what belongs to the scope of ``top``: functions and classes are met, not entered."""
    stack = [top]
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, (*_DEFINITIONS, ast.Lambda)):
            stack.extend(ast.iter_child_nodes(node))


def _bound_by(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Store):
            yield node.id
    elif isinstance(node, _IMPORTS):
        for alias in node.names:
            yield alias.asname or alias.name.split(".")[0]
    else:
        # Definitions, handlers of exceptions and patterns of match name what they bind.
        for field in ("name", "rest"):
            name = getattr(node, field, None)
            if isinstance(name, str):
                yield name
