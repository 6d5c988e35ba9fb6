"""Parsing of texts that nobody vouches for: none raises, none brings the interpreter down."""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Iterator
from typing import NamedTuple, Optional, Union

#: Before Python 3.11 a chain such as ``a.b.b.b…`` of 100,000 links overruns the C stack in
#: ``ast.parse`` and kills the process: longer sources are not parsed there.
MAX_UNCHECKED_CHARACTERS = 100_000

#: Characters that may be parsed in the search for one program: two seconds' worth or so.
MAX_PARSED_CHARACTERS = 1_500_000

#: What a call of the parser costs beside the characters, in characters.
_CALL_CHARACTERS = 100

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_OWN_SCOPE = (*_FUNCTIONS, ast.Lambda)
_ONLY_IN_FUNCTIONS = (ast.Return, ast.Yield, ast.YieldFrom, ast.Await)


class Reading(NamedTuple):
    """The tree of a source, or, where it has none, the line of the fault if that is known."""

    tree: Optional[ast.Module]
    fault_line: Optional[int] = None


def read(source: str) -> Reading:
    """Parse a source as a module; see `Reading`."""
    if sys.version_info < (3, 11) and len(source) > MAX_UNCHECKED_CHARACTERS:
        return Reading(None)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Reading(ast.parse(source))
    except SyntaxError as error:
        return Reading(None, error.lineno)
    except (ValueError, RecursionError, MemoryError):
        return Reading(None)


def compiles(source: str) -> bool:
    """Whether a source that has a tree is a program, too: ``break`` outside a loop is none."""
    if sys.version_info < (3, 11) and len(source) > MAX_UNCHECKED_CHARACTERS:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "<source>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


class Parser:
    """Reads the candidates for one program, each once, and no more than a few seconds allow.

    Where the characters are used up nothing parses any more. They are counted, not the time, so
    that a text has the same program on every machine.
    """

    def __init__(self, characters: int = MAX_PARSED_CHARACTERS) -> None:
        self._left = characters
        self._known: dict[str, Reading] = {}

    def read(self, source: str) -> Reading:
        """Parse a source as a program: what stands where it cannot is a fault, too."""
        known = self._known.get(source)
        if known is None:
            known = self._known[source] = self._read(source)
        return known

    def _read(self, source: str) -> Reading:
        cost = len(source) + _CALL_CHARACTERS
        if cost > self._left:
            return Reading(None)
        self._left -= cost
        reading = read(source)
        if reading.tree is not None:
            line = _first_misplaced(reading.tree, source)
            if line is not None:
                return Reading(None, line)
        return reading


def _first_misplaced(tree: ast.Module, source: str) -> Optional[int]:
    """Return the line of what parses but does not compile: ``return`` outside a function, say."""
    found = [node.lineno for node in _outside_functions(tree, source)]
    if "__future__" in source:
        found += _misplaced_futures(tree)
    return min(found, default=None)


def _outside_functions(tree: ast.Module, source: str) -> Iterator[Union[ast.stmt, ast.expr]]:
    looks_inside = "yield" in source or "await" in source
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, _ONLY_IN_FUNCTIONS):
            yield node
        elif isinstance(node, ast.expr) and not looks_inside:
            continue
        elif not isinstance(node, _OWN_SCOPE):
            stack.extend(ast.iter_child_nodes(node))


def _misplaced_futures(tree: ast.Module) -> Iterator[int]:
    """Yield the lines of imports from ``__future__`` with more than a docstring before them."""
    first: set[ast.AST] = set()
    for at, node in enumerate(tree.body):
        if not _is_future(node) and (at > 0 or ast.get_docstring(tree, clean=False) is None):
            break
        first.add(node)
    for each in ast.walk(tree):
        if isinstance(each, ast.ImportFrom) and _is_future(each) and each not in first:
            yield each.lineno


def _is_future(node: ast.AST) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"
