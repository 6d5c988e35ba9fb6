"""Sources that nobody has read -> syntax trees, without a harm to the process that asks."""

from __future__ import annotations

import ast
import re
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


#: What a line of code begins with, where a text as a whole has no tree.
_CODE = re.compile(r"^[ \t]*(?:(?:async[ \t]+)?def|class|import|from|return|@)\b", re.MULTILINE)


def has_code(source: str) -> bool:
    """Whether a source holds anything to be run: not where it is empty, comments or prose."""
    tree = parsed(source)
    if tree is None:
        return _CODE.search(source) is not None
    return any(not _says_nothing(statement) for statement in tree.body)


def _says_nothing(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, (ast.Constant, ast.Name))
