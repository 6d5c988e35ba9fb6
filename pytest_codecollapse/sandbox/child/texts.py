"""A value as a short text for a person: printable ASCII, bounded, and the same on every run.

Theory of operation
-------------------
Like a canonical form the text is written from outside: the exact type of the value, or the first
built-in one that it extends, is looked up in the tables of ``forms``, and no method of a program's
own class is called. What equals in canonical form reads alike, but for the last digits of a
float: a ``Counter`` is a dict, dicts and sets are sorted by their texts, whatever iterator was
returned is ``<iterator: ...>``. An object of a program's own is ``<Name object>``.

The text says what a value is, not all of it: a container shows its first items and how many more
there are, a string its beginning, and a writer that has taken ``_STEPS`` steps or gone ``_DEEPEST``
levels down writes ``...``; so depth, cycles and size cost nothing.
"""

from builtins import (
    BaseException,
    StopIteration,
    all,
    ascii,
    bool,
    bytearray,
    bytes,
    complex,
    dict,
    float,
    frozenset,
    id,
    int,
    len,
    list,
    map,
    memoryview,
    range,
    set,
    slice,
    sorted,
    str,
    tuple,
    type,
)
from collections import deque
from decimal import Decimal
from itertools import repeat
from operator import is_
from typing import Any, Callable, Dict, Iterator, List, Tuple

from .forms import CONTAINERS, ITERATORS, PAIRS_SORTED, SORTED

MAX_TEXT = 120
NO_TEXT = "<cannot be shown>"
_ITEMS = 12  # of a container or an iterator
_CHARACTERS = 60  # of a string
_DEEPEST = 6
_STEPS = 1500
_LONGEST_INT_BITS = 200
_SORTABLE = 300  # items whose texts are all written, to be sorted

_mro_of = type.__dict__["__mro__"].__get__
_name_of = type.__dict__["__name__"].__get__
_decimal_text = Decimal.__str__
_ALL = slice(None)


def _int(value: Any) -> str:
    bits = int.bit_length(value)
    if bits > _LONGEST_INT_BITS:  # more digits take long, and Python refuses very many
        return f"<{'negative ' if int.__lt__(value, 0) else ''}int of {bits} bits>"
    return int.__repr__(value)


def _beginning(value: str) -> str:
    text = ascii(str.__getitem__(value, slice(0, _CHARACTERS)))
    return _with_rest(text, str.__len__(value))


def _bytes(value: bytes) -> str:
    text = bytes.__repr__(bytes.__getitem__(value, slice(0, _CHARACTERS)))
    return _with_rest(text, bytes.__len__(value))


def _with_rest(text: str, length: int) -> str:
    return text if length <= _CHARACTERS else f"{text}... {length - _CHARACTERS} more"


def _name(kind: Any) -> str:
    """Return the printable ASCII name of a type."""
    name = str.encode(_name_of(kind), "ascii", "backslashreplace")[:_CHARACTERS]
    shown = bytes([byte if 0x20 < byte < 0x7F else 0x5F for byte in name])
    return bytes.decode(shown, "ascii") or "_"


_SCALARS: Dict[int, Callable[[Any], str]] = {
    id(type(None)): lambda value: "None",
    id(type(Ellipsis)): lambda value: "Ellipsis",
    id(type(NotImplemented)): lambda value: "NotImplemented",
    id(bool): lambda value: "True" if value else "False",
    id(int): _int,
    id(float): lambda value: float.__repr__(value),
    id(complex): lambda value: complex.__repr__(value),
    id(str): _beginning,
    id(bytes): _bytes,
    id(bytearray): lambda value: f"bytearray({_bytes(bytes(bytearray.__getitem__(value, _ALL)))})",
    id(memoryview): lambda value: f"memoryview({_bytes(memoryview.tobytes(value))})",
    id(Decimal): lambda value: f"Decimal({_beginning(_decimal_text(value))})",
    id(type): lambda value: f"<class {_name(value)}>",
}

#: How the containers that have signs of their own are written; the others by their name.
_SIGNS: Dict[int, Tuple[str, str]] = {
    id(list): ("[", "]"),
    id(tuple): ("(", ")"),
    id(set): ("{", "}"),
    id(frozenset): ("frozenset({", "})"),
    id(dict): ("{", "}"),
    id(deque): ("deque([", "])"),
}
_EMPTY: Dict[int, str] = {id(set): "set()", id(frozenset): "frozenset()"}


class _Writer:
    """Writes one text; what it has no steps left for is ``...``."""

    __slots__ = ("steps",)

    def __init__(self) -> None:
        self.steps = _STEPS

    def write(self, value: Any, depth: int = 0) -> str:
        self.steps -= 1
        if self.steps < 0:
            return "..."
        kind = type(value)
        for base in _mro_of(kind):
            scalar = _SCALARS.get(id(base))
            if scalar is not None:
                return scalar(value)
            if id(base) in CONTAINERS:
                return self.container(value, base, depth)
            if id(base) in ITERATORS:
                return "<iterator>"
        return f"<{_name(kind)} object>"

    def container(self, value: Any, base: Any, depth: int) -> str:
        if base is range:
            return f"range({_int(value.start)}, {_int(value.stop)}, {_int(value.step)})"
        _, way, children = CONTAINERS[id(base)]
        opening, closing = _SIGNS.get(id(base)) or (f"{_name(type(value))}(", ")")
        if depth >= _DEEPEST:
            return f"{opening}...{closing}"
        values = list(children(value))
        if not values and id(base) in _EMPTY:
            return _EMPTY[id(base)]
        if way is PAIRS_SORTED:
            shown, count = self.pairs(values[::2], values[1::2], depth + 1), len(values) // 2
        else:
            order = self.order(values, depth + 1) if way is SORTED else range(len(values))[:_ITEMS]
            shown, count = [self.write(values[at], depth + 1) for at in order], len(values)
        comma = "," if base is tuple and count == 1 else ""
        return f"{opening}{_listed(shown, count)}{comma}{closing}"

    def pairs(self, keys: List[Any], values: List[Any], depth: int) -> List[str]:
        order = self.order(keys, depth)
        return [f"{self.write(keys[at], depth)}: {self.write(values[at], depth)}" for at in order]

    def order(self, values: List[Any], depth: int) -> List[int]:
        """Return the places of the first members of what has no order of its own.

        None are first where that would take too long to find out.
        """
        kind = type(values[0]) if values else None
        plain = (kind is int or kind is str) and all(map(is_, map(type, values), repeat(kind)))
        if not plain and len(values) > _SORTABLE:
            return []
        keys = values if plain else [self.write(each, depth) for each in values]
        return [] if self.steps < 0 else sorted(range(len(keys)), key=keys.__getitem__)[:_ITEMS]


def _listed(texts: List[str], count: int) -> str:
    """Write the first items, and how many more there are."""
    more = count - len(texts)
    return ", ".join([*texts, f"... {more} more"] if more else texts)


def _fitted(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: room - 3]}..."


def text_of(value: Any, room: int = MAX_TEXT) -> str:
    """Write a value of any type, in at most ``room`` characters; no exception comes from here."""
    try:
        return _fitted(_Writer().write(value), room)
    except BaseException:  # the program may have left little memory, or a low recursion limit
        return NO_TEXT


def arguments_text(arguments: Tuple[Any, ...], room: int = MAX_TEXT) -> str:
    """Write arguments as a call has them between its parentheses."""
    try:
        writer = _Writer()
        return _fitted(", ".join([writer.write(each) for each in arguments]), room)
    except BaseException:
        return NO_TEXT


class Watched:
    """What a call returned, to be written after it has been encoded.

    Encoding uses an iterator up, so one is replaced by another that takes note of its items.
    """

    __slots__ = ("count", "items", "value")

    def __init__(self) -> None:
        self.value: Any = None
        self.items: List[str] = []
        self.count = -1  # no iterator

    def take(self, value: Any) -> Any:
        """Return what is to be encoded in the place of the value."""
        self.value = value
        step = ITERATORS.get(id(type(value)))
        return value if step is None else self.noted(value, step)

    def noted(self, value: Any, step: Callable[[Any], Any]) -> Iterator[Any]:
        """Yield the items of an iterator."""
        self.count = 0
        while True:
            try:
                item = step(value)
            except StopIteration:
                return
            except BaseException as error:
                self.items.append(f"raises {_name(type(error))}")
                self.count += 1
                raise
            self.count += 1
            if self.count <= _ITEMS:
                self.items.append(text_of(item))
            yield item

    def text(self, room: int = MAX_TEXT) -> str:
        """Write what was returned."""
        if self.count < 0:
            return text_of(self.value, room)
        return _fitted(f"<iterator: {_listed(self.items, self.count)}>", room)
