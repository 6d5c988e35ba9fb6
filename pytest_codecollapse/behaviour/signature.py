"""Whether the entry point of a program can be called with so many arguments, by its text."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Optional, Union

from pytest_codecollapse.behaviour.scopes import Function

_Callable = Union[Function, ast.ClassDef]
_MOST_ALIASES = 5
_CONSTRUCTORS = ("__init__", "__new__")


def takes(tree: ast.Module, name: str, counts: Sequence[int]) -> bool:
    """Whether what a name stands for can be called with each number of positional arguments.

    A function, a lambda, a class that extends none, or another name for one of them. Also where
    that cannot be told, because it is none of these or is decorated into something else.
    """
    found = _called(tree, name)
    if isinstance(found, ast.ClassDef):
        return _makes(found, counts)
    return found is None or _accepts(found.args, counts)


def _makes(kind: ast.ClassDef, counts: Sequence[int]) -> bool:
    if kind.bases or kind.keywords or kind.decorator_list:
        return True
    made_by = [
        each
        for each in kind.body
        if isinstance(each, ast.FunctionDef) and each.name in _CONSTRUCTORS
    ]
    if not made_by:
        return not any(counts)
    return all(_accepts(each.args, [1 + count for count in counts]) for each in made_by)


def _accepts(given: ast.arguments, counts: Sequence[int]) -> bool:
    positional = len(given.posonlyargs) + len(given.args)
    least = positional - len(given.defaults)
    if any(default is None for default in given.kw_defaults):  # a keyword that has to be given
        return not counts
    return all(
        least <= count and (count <= positional or given.vararg is not None) for count in counts
    )


def _called(tree: ast.Module, name: str) -> Optional[_Callable]:
    """Return what a name is bound to at last, through other names for it."""
    for _ in range(_MOST_ALIASES):
        binding = next((each for each in _backwards(tree.body) if _binds(each, name)), None)
        if isinstance(binding, ast.Assign):
            if isinstance(binding.value, ast.Name) and binding.value.id != name:
                name = binding.value.id
                continue
            return binding.value if isinstance(binding.value, ast.Lambda) else None
        if isinstance(binding, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return binding
        return None
    return None


def _binds(statement: ast.stmt, name: str) -> bool:
    if isinstance(statement, ast.Assign):
        return any(isinstance(each, ast.Name) and each.id == name for each in statement.targets)
    named = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return isinstance(statement, named) and statement.name == name


def _backwards(statements: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the simple statements and definitions of a module and its blocks, the last first."""
    stack: list[ast.AST] = list(statements)
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Assign)):
            yield node
        else:
            for field in ("body", "handlers", "orelse", "finalbody"):
                inner = getattr(node, field, None)  # of a lambda it is an expression
                stack.extend(inner if isinstance(inner, list) else [])
