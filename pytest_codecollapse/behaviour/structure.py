"""A program's structure: its syntax tree, blind to names, layout, comments and docstrings."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from typing import Any, Optional, Union

from pytest_codecollapse.behaviour.identifiers import ATTRIBUTE_FIELDS, Identifiers
from pytest_codecollapse.behaviour.scopes import VARIABLE_FIELDS, Binding, imported_name
from pytest_codecollapse.extraction.parse import read

#: Trees nested deeper are hashed as text. Every supported parser takes this depth; how much more
#: it takes varies with the Python version and with how deep its caller stands in the stack.
MAX_DEPTH = 500

#: Fields that say nothing about the structure.
_SKIPPED_FIELDS = frozenset({"ctx", "kind", "type_comment", "type_ignores"})

_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)

#: A part of a serialised tree: a token that is ready, or a node that is still to be written.
_Part = Union[str, ast.AST]


def structure_hash(source: str, entry_point: str) -> str:
    r"""Hash a program so that formatting, comments, docstrings and own names do not matter.

    The source is parsed, docstrings are dropped (a body left empty counts as ``pass``), and every
    identifier that the program binds is replaced by the number of its first appearance; the entry
    point keeps its name. So programs of equal hash are equal up to consistent renaming. Source
    that cannot be parsed is hashed as text, apart from all that can.

    Parameters
    ----------
    source
        The program.
    entry_point
        The function that is called.

    Returns
    -------
    str
        64 hex digits, the same for every Python version whose parser builds the same tree.

    Examples
    --------
    >>> mean = structure_hash("def f(xs):\n    return sum(xs) / len(xs)", "f")
    >>> mean == structure_hash("def f(v): return sum( v )/len( v )  # mean", "f")
    True
    >>> mean == structure_hash("def f(xs):\n    return max(xs) / len(xs)", "f")
    False
    """
    tree = read(source).tree
    tokens = None if tree is None else _tokens(tree, Identifiers(tree, entry_point))
    if tokens is None:
        return _digest("text", source)
    return _digest("tree", "\n".join(tokens))


def _digest(domain: str, text: str) -> str:
    return hashlib.sha256(f"{domain}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()


def _tokens(tree: ast.Module, identifiers: Identifiers) -> Optional[list[str]]:
    """Write the tree in pre-order, ``None`` where it is nested too deeply.

    The tokens determine the tree: a node is closed, a field named, a list counted, a value typed.
    """
    writer = _NodeWriter(identifiers)
    tokens: list[str] = []
    depth = 0
    stack: list[_Part] = [tree]
    while stack:
        part = stack.pop()
        if isinstance(part, str):
            depth -= part == ")"
            tokens.append(part)
            continue
        depth += 1
        if depth > MAX_DEPTH:
            return None
        stack.extend(reversed(list(writer.parts(part))))
    return tokens


class _NodeWriter:
    """Splits a node into tokens and children, numbering own identifiers as they first appear."""

    def __init__(self, identifiers: Identifiers) -> None:
        self._identifiers = identifiers
        self._numbers: dict[Binding, int] = {}
        self._groups: dict[int, int] = {}

    def parts(self, node: ast.AST) -> Iterator[_Part]:
        yield f"({type(node).__name__}"
        if isinstance(node, ast.alias):
            yield from self._alias(node)
        elif isinstance(node, ast.Constant) or type(node).__name__ == "MatchSingleton":
            yield _constant(node.value)  # type: ignore[attr-defined]
        else:
            for field, value in self._fields(node):
                yield f".{field}"
                yield from self._value(node, field, value)
        yield ")"

    def _fields(self, node: ast.AST) -> Iterator[tuple[str, Any]]:
        """Yield the fields that hold something.

        Python versions differ in which empty fields and, in f-strings, empty texts they have.
        """
        for field in node._fields:
            value = getattr(node, field, None)
            if field == "body" and isinstance(node, _DOCUMENTED):
                value = _without_docstring(node.body)
            elif isinstance(node, ast.JoinedStr):
                value = [part for part in node.values if not _is_text(part, "")]
            if field not in _SKIPPED_FIELDS and value is not None and value != []:
                yield field, value

    def _value(self, node: ast.AST, field: str, value: Any) -> Iterator[_Part]:
        if not isinstance(value, list):
            yield self._item(node, field, value)
            return
        yield f"[{len(value)}"
        for item in value:
            if isinstance(node, ast.Call) and isinstance(item, ast.keyword):
                yield self._keyword(node, item.arg)
                yield item.value
            else:
                yield self._item(node, field, item)

    def _item(self, node: ast.AST, field: str, item: Any) -> _Part:
        if isinstance(item, ast.AST):
            return item
        kind = type(node).__name__
        if VARIABLE_FIELDS.get(kind) == field:
            return self._name(self._identifiers.variable(node, item), item)
        if ATTRIBUTE_FIELDS.get(kind) == field:
            return self._name(self._identifiers.attribute(item), item)
        return _constant(item)

    def _alias(self, node: ast.alias) -> Iterator[_Part]:
        name = imported_name(node)
        yield ascii(node.name)
        yield self._name(self._identifiers.variable(node, name), name)
        if "." in node.name and node.asname is None:
            yield "package"

    def _keyword(self, call: ast.Call, name: Optional[str]) -> str:
        if name is None:
            return "**"
        parameters, is_spelt = self._identifiers.keyword(call, name)
        spelling = [ascii(name)] if is_spelt else []
        return " ".join([*spelling, *self._group(parameters, name)])

    def _group(self, parameters: list[Binding], name: str) -> list[str]:
        """Write the parameters that a keyword may name; once only, for there may be many."""
        if len(parameters) < 2:
            return [self._name(each, name) for each in parameters]
        known = self._groups.get(id(parameters))
        if known is not None:
            return [f"={known}"]
        self._groups[id(parameters)] = len(self._groups)
        return [self._name(each, name) for each in parameters]

    def _name(self, binding: Optional[Binding], name: str) -> str:
        """Write the number of a name's first appearance, or its spelling where that counts."""
        if binding is None:
            return ascii(name)
        return f"#{self._numbers.setdefault(binding, len(self._numbers))}"


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    if body and isinstance(body[0], ast.Expr) and _is_text(body[0].value):
        body = body[1:]
    return body or [ast.Pass()]


def _is_text(node: ast.expr, text: Optional[str] = None) -> bool:
    """Whether ``node`` is a string literal, and this one if ``text`` is given."""
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and text in (None, node.value)
    )


def _constant(value: object) -> str:
    """Write a value with its type, so that 1, 1.0 and True differ; hex has no digit limit."""
    text = hex(value) if type(value) is int else ascii(value)
    return f"{type(value).__name__} {text}"
