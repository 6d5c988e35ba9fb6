"""Sources that nobody has read -> syntax trees, without a harm to the process that asks."""

from __future__ import annotations

import ast
import sys
import warnings
from typing import Optional

#: Before Python 3.11 a chain such as ``a.b.b.b…`` of 100,000 links overruns the C stack in
#: ``ast.parse`` and kills the process: longer sources are not parsed there.
MAX_UNCHECKED_CHARACTERS = 100_000


def parsed(source: str) -> Optional[ast.Module]:
    """Return the tree of a source, None where it has none, or where looking would be a risk."""
    if sys.version_info < (3, 11) and len(source) > MAX_UNCHECKED_CHARACTERS:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def has_code(source: str, *, prompt: str = "") -> bool:
    """Whether a source holds anything to be run, beside the prompt that it may begin with."""
    text = source[len(prompt) :] if source.startswith(prompt) else source
    tree = parsed(text) or parsed(f"def f():\n{text}")
    if tree is None:
        return any(parsed(line.strip()) is not None and "=" in line for line in text.splitlines())
    return any(not _says_nothing(each) for each in ast.walk(tree) if isinstance(each, ast.stmt))


def _says_nothing(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, (ast.Constant, ast.Name))
    return isinstance(statement, (ast.Pass, ast.FunctionDef, ast.Import, ast.ImportFrom))
