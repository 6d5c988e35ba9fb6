"""Arguments written as Python: what JSON has no word for, as tuples, sets and bytes.

``"[(1, 2)], {3}"`` stands for the arguments of a call with a list and a set, as they would be
between its parentheses. Nothing is executed: the text is parsed, and only literals are taken.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from typing import Any, Callable

_NAMED = {"inf": math.inf, "nan": math.nan}
_KINDS: dict[type, Callable[[Any], Any]] = {ast.Tuple: tuple, ast.Set: set}
_EMPTY_CALLS: dict[str, type] = {"set": set, "frozenset": frozenset}
_LONGEST = 1_000_000  # characters; ast needs a hundred times as many bytes


def read_arguments(text: str) -> tuple[Any, ...]:
    """Read what stands between the parentheses of a call.

    >>> read_arguments("[(1, 2)], {'a': -inf}, set()")
    ([(1, 2)], {'a': -inf}, set())

    Raises
    ------
    ValueError
        Where it is not Python, or not a literal; it says what is wrong.
    """
    if len(text) > _LONGEST:
        raise ValueError(f"{len(text)} characters, more than {_LONGEST}")
    try:
        call = ast.parse(f"f({text}\n)", mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise ValueError(f"no Python: {getattr(error, 'msg', error)}") from error
    if not isinstance(call, ast.Call) or call.keywords or not isinstance(call.func, ast.Name):
        raise ValueError("not the arguments of one call, by position")
    try:
        return tuple(_value(each) for each in call.args)
    except (TypeError, RecursionError) as error:  # a set of lists; a million brackets
        raise ValueError(str(error)) from error


def write_arguments(arguments: Sequence[Any]) -> str:
    """Write arguments in the way in which they are read.

    >>> write_arguments(([(1,), frozenset({2})], float("inf"), b"x"))
    "[(1,), frozenset({2})], inf, b'x'"

    Raises
    ------
    ValueError
        Where they hold what is no literal.
    """
    return ", ".join(map(_text, arguments))


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.Constant) and node.value is not Ellipsis:
        return node.value
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        values = [_value(each) for each in node.elts]
        return values if isinstance(node, ast.List) else _KINDS[type(node)](values)
    if isinstance(node, ast.Dict) and None not in node.keys:
        return {_value(key): _value(each) for key, each in zip(node.keys, node.values) if key}
    if isinstance(node, ast.Name) and node.id in _NAMED:
        return _NAMED[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        return _signed(node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        return _complex(node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        kind = _EMPTY_CALLS.get(node.func.id, tuple)
        if kind is not tuple and len(node.args) <= (kind is frozenset):
            return kind(*map(_value, node.args))
    raise ValueError(f"no literal at column {node.col_offset - 1}")


def _signed(node: ast.UnaryOp) -> Any:
    value = _value(node.operand)
    if isinstance(value, bool) or not isinstance(value, (int, float, complex)):
        raise ValueError(f"no number behind the sign at column {node.col_offset - 1}")
    return -value if isinstance(node.op, ast.USub) else value


def _complex(node: ast.BinOp) -> complex:
    left, right = _value(node.left), _value(node.right)
    if not isinstance(left, (int, float)) or not isinstance(right, complex):
        raise ValueError(f"no literal at column {node.col_offset - 1}")
    return left + right if isinstance(node.op, ast.Add) else left - right


def _text(value: Any) -> str:
    kind = type(value)
    if kind is list:
        return f"[{', '.join(map(_text, value))}]"
    if kind is tuple:
        return f"({', '.join(map(_text, value))}{',' if len(value) == 1 else ''})"
    if kind is set and value:
        return f"{{{', '.join(sorted(map(_text, value)))}}}"
    if kind is set or (kind is frozenset and not value):
        return f"{kind.__name__}()"
    if kind is frozenset:
        return f"frozenset({{{', '.join(sorted(map(_text, value)))}}})"
    if kind is dict:
        return f"{{{', '.join(f'{_text(key)}: {_text(each)}' for key, each in value.items())}}}"
    if value is None or kind in (bool, int, float, complex, bytes):
        return repr(value)
    if kind is str:
        return ascii(value)
    raise ValueError(f"a {kind.__name__} is no literal")
