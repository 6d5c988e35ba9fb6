"""What is asked of canonicalisers before any is run; see ``child.canonicalizers`` for the rest."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from typing import Any, Optional

from pytest_codecollapse.errors import UsageError

_ENTRY_POINT = "canonicalize"
_TYPE_NAME = re.compile(r"[^\W\d]\w*(\.([^\W\d]\w*|<locals>))+")

#: Their values are read at once, before any other way of reading is looked for.
_READ_ALREADY = re.compile(r"builtins\..*|decimal\.Decimal|numpy\.(float64|complex128)")

_REMEDY = (
    "map 'module.TypeName', the module of the programs and of setup being 'solution', to the text"
    " of a module that defines canonicalize(value)"
)


def checked_canonicalizers(given: Iterable[tuple[Any, Any]]) -> dict[str, str]:
    """Check canonicalisers, and return them sorted by the type that they are for.

    Parameters
    ----------
    given
        Pairs of a type's full name and source; a name must not come twice.

    Raises
    ------
    UsageError
        Where a name is none that a type can have, is taken, or is of a type whose values are read
        without a canonicaliser; where a source is not Python or does not define
        ``canonicalize``.
    """
    found: dict[str, str] = {}
    for name, source in given:
        fault = _fault_of_name(name, name in found) or _fault_of_source(source)
        if fault is not None:
            raise UsageError(f"the canonicalizer of {name!r} {fault}", remedy=_REMEDY)
        found[name] = source
    return dict(sorted(found.items()))


def _fault_of_name(name: Any, is_taken: bool) -> Optional[str]:
    if not isinstance(name, str) or not _TYPE_NAME.fullmatch(name):
        return "is for no type (got that name, expected 'module.TypeName')"
    if _READ_ALREADY.fullmatch(name):
        return "would never be asked: values of that type have an exact form already"
    return "is defined twice" if is_taken else None


def _fault_of_source(source: Any) -> Optional[str]:
    if not isinstance(source, str):
        return f"is no source (got {type(source).__name__}, expected text)"
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError) as error:
        return f"is not Python ({error})"
    functions = (node.name for node in body if isinstance(node, ast.FunctionDef))
    return None if _ENTRY_POINT in functions else f"does not define {_ENTRY_POINT}(value)"
