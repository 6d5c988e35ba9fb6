"""Values made of what ``values`` has written: new objects of built-in types alone.

An ``object`` is read as a ``Foreign``, which equals nothing: so a program's own object that says
yes to every ``==`` passes no test.
"""

import array
import collections
import datetime
import decimal
import fractions
from typing import Any, Callable, Dict, List, Tuple

Arguments = Tuple[Any, ...]

#: Types that values can hold, by name; no others are read.
TYPES: Dict[str, type] = {
    kind.__name__: kind
    for kind in (int, float, str, bool, list, tuple, dict, set, frozenset, bytes, complex)
}


class Foreign:
    """What stands for an object of a program's own; a class of that name extends this one."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object>"


_READERS: Dict[str, Callable[[Any], Any]] = {
    "int": lambda text: int(text, 16),
    "float": float,
    "complex": lambda parts: complex(float(parts[0]), float(parts[1])),
    "bytes": bytes.fromhex,
    "bytearray": bytearray.fromhex,
    "Decimal": decimal.Decimal,
    "type": TYPES.__getitem__,
    "object": lambda name: type(name, (Foreign,), {})(),
    "range": lambda bounds: range(*map(read_value, bounds)),
    "tuple": lambda items: tuple(map(read_value, items)),
    "set": lambda items: set(map(read_value, items)),
    "frozenset": lambda items: frozenset(map(read_value, items)),
    "keys": lambda items: dict.fromkeys(map(read_value, items)).keys(),
    "items": lambda items: dict(map(read_value, items)).items(),
    "dict": lambda pairs: {read_value(key): read_value(each) for key, each in pairs},
    "iterator": lambda items: iter(list(map(read_value, items))),
    "deque": lambda items: collections.deque(map(read_value, items)),
    "array": lambda items: array.array(items[0], map(read_value, items[1:])),
    "Fraction": lambda items: fractions.Fraction(*map(read_value, items)),
    "date": lambda items: datetime.date(*map(read_value, items)),
    "timedelta": lambda items: datetime.timedelta(*map(read_value, items)),
    "datetime": lambda items: datetime.datetime(*map(read_value, items[:7])),
}


def read_value(written: Any) -> Any:
    """Make a value of what was written; new objects on each call.

    Raises
    ------
    Exception
        Where nothing writes such a value, as a program that forges its reply may.
    """
    if type(written) is list:
        return list(map(read_value, written))
    if type(written) is not dict:
        return written
    ((kind, content),) = written.items()
    return _READERS[kind](content)


def read_arguments(written: List[Any]) -> Arguments:
    """Make the arguments of one call."""
    return tuple(map(read_value, written))
