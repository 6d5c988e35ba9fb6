"""Values written as JSON, to go from one process to another: arguments and results, never pickled.

Theory of operation
-------------------
None, booleans, numbers, strings and lists are themselves; whatever else there is, is an object with
one key that names its kind: ``{"tuple": [1, 2]}``. So arguments that a recorder saw can be given
to programs, and what those return can be given to tests, in processes that share nothing; the
module ``reading`` makes values of it again.

Writing is done from outside, as for a canonical form: by the exact type of the value, or the first
built-in one that it extends, in tables made before the program was loaded; no method of a
program's own class is called. An iterator is drained. What is none of these kinds, or holds very
much, is ``{"object": "Name"}``.
"""

import array
import builtins
import collections
import datetime
import decimal
import fractions
import json
from builtins import (
    BaseException,
    StopIteration,
    bool,
    bytearray,
    bytes,
    complex,
    dict,
    float,
    frozenset,
    id,
    int,
    isinstance,
    issubclass,
    len,
    list,
    range,
    set,
    slice,
    sorted,
    str,
    tuple,
    type,
)
from typing import Any, Callable, Dict, List, Optional

from .forms import CONTAINERS, ITERATORS
from .reading import TYPES, Arguments

MAX_VALUE = 60_000  # characters of JSON
_STEPS = 20_000
_DEEPEST = 60
_INT_BITS = 60  # more are written in hexadecimal, which knows no limit of digits

_dumps = json.dumps
_mro_of = type.__dict__["__mro__"].__get__
_name_of = type.__dict__["__name__"].__get__
_ALL = slice(None)


class TooLargeError(Exception):
    """A value that is too deep or holds too much to be written."""


def _int(value: Any) -> Any:
    plain = int.__int__(value)
    return plain if int.bit_length(plain) <= _INT_BITS else {"int": hex(plain)}


def _float(value: Any) -> Any:
    plain = float.__float__(value)
    if plain - plain == 0.0:
        return plain
    return {"float": float.__repr__(plain)}


def _complex(value: Any) -> Any:
    plain = complex.__add__(value, 0j)
    return {"complex": [float.__repr__(plain.real), float.__repr__(plain.imag)]}


def _name(kind: Any) -> str:
    """Return a type's name as a plain string, which it need not be."""
    return str.__getitem__(_name_of(kind), _ALL)


def _type(value: Any) -> Any:
    name = _name(value)
    return {"type" if TYPES.get(name) is value else "object": name}


_decimal_text = decimal.Decimal.__str__

_SCALARS: Dict[int, Callable[[Any], Any]] = {
    id(type(None)): lambda value: None,
    id(bool): lambda value: value,  # it has no subclasses
    id(int): _int,
    id(float): _float,
    id(complex): _complex,
    id(str): lambda value: str.__getitem__(value, _ALL),
    id(bytes): lambda value: {"bytes": bytes.hex(bytes.__getitem__(value, _ALL))},
    id(bytearray): lambda value: {"bytearray": bytearray.hex(bytearray.__getitem__(value, _ALL))},
    id(decimal.Decimal): lambda value: {"Decimal": _decimal_text(value)},
    id(type): _type,
}

#: id of a built-in exception -> its name.
EXCEPTIONS: Dict[int, str] = {
    id(kind): kind.__name__
    for kind in vars(builtins).values()
    if isinstance(kind, type) and issubclass(kind, BaseException)
}
_arguments_of = BaseException.__dict__["args"].__get__

#: id of a built-in container -> the name of its kind; those that are not here are opaque.
_KINDS: Dict[int, str] = {
    id(list): "list",
    id(tuple): "tuple",
    id(set): "set",
    id(frozenset): "frozenset",
    id(dict): "dict",
    id(type({}.keys())): "keys",
    id(type({}.values())): "iterator",
    id(type({}.items())): "items",
    id(collections.deque): "deque",
    id(range): "range",
    id(array.array): "array",
    id(fractions.Fraction): "Fraction",
    id(datetime.date): "date",
    id(datetime.timedelta): "timedelta",
    id(datetime.datetime): "datetime",
}
_UNORDERED = ("set", "frozenset", "keys", "items")


class _Writer:
    """Writes one value; ``steps`` bounds how much of it.

    ``is_exact`` says that nothing in it extends a built-in type.
    """

    __slots__ = ("is_exact", "steps")

    def __init__(self) -> None:
        self.is_exact = True
        self.steps = _STEPS

    def write(self, value: Any, depth: int = 0) -> Any:
        self.steps -= 1
        if self.steps < 0 or depth > _DEEPEST:
            raise TooLargeError
        kind = type(value)
        for base in _mro_of(kind):
            scalar = _SCALARS.get(id(base))
            if scalar is not None:
                self.is_exact = self.is_exact and (base is kind or base is type)
                return scalar(value)
            name = _KINDS.get(id(base))
            if name is not None:
                self.is_exact = self.is_exact and base is kind
                return self.container(value, base, name, depth + 1)
            step = ITERATORS.get(id(base))
            if step is not None:
                return {"iterator": self.drained(value, step, depth + 1)}
        return {"object": _name(kind)}

    def container(self, value: Any, base: Any, name: str, depth: int) -> Any:
        if base is range:
            return {"range": [_int(value.start), _int(value.stop), _int(value.step)]}
        children = [self.write(child, depth) for child in CONTAINERS[id(base)][2](value)]
        if name == "list":
            return children
        if name == "dict":
            children = [[key, each] for key, each in zip(children[::2], children[1::2])]
        elif name in _UNORDERED:
            children = sorted(children, key=_dumps)
        return {name: children}

    def drained(self, value: Any, step: Callable[[Any], Any], depth: int) -> List[Any]:
        items: List[Any] = []
        while True:
            try:
                item = step(value)
            except StopIteration:
                return items
            items.append(self.write(item, depth))


def write_value(value: Any) -> Any:
    """Write a value as what JSON can hold.

    Raises
    ------
    TooLargeError
        Where it is too deep, or holds too much.
    BaseException
        Whatever an iterator of the program's own raises.
    """
    return _Writer().write(value)


def value_text(value: Any) -> str:
    """Write a value as printable ASCII on one line, at most ``MAX_VALUE`` characters.

    What is longer is an object without a name, as is what cannot be written.

    Raises
    ------
    BaseException
        Whatever an iterator of the program's own raises.
    """
    try:
        text = text_of_written(write_value(value))
    except TooLargeError:
        return TOO_LARGE
    return text if len(text) <= MAX_VALUE else TOO_LARGE


def call_text(arguments: Arguments) -> Optional[str]:
    """Write the arguments of a call; None where another process cannot be given the same.

    An object of a class that extends a built-in one would be given as what it extends.
    """
    # to write an iterator down would use it up
    if any(id(type(each)) in ITERATORS for each in arguments):
        return None
    writer = _Writer()
    try:
        written = writer.write(list(arguments))
    except TooLargeError:
        return None
    text = text_of_written(written)
    return text if writer.is_exact and is_portable(written) and len(text) <= MAX_VALUE else None


def exception_text(error: Any) -> str:
    """Write an exception: its nearest built-in type by name, and its arguments, as a list.

    They tell what a test's ``except`` and ``str`` do; what the program has made of these is not
    asked. Arguments that cannot be written are none.
    """
    kind = "Exception"
    for base in _mro_of(type(error)):
        if id(base) in EXCEPTIONS:
            kind = EXCEPTIONS[id(base)]
            break
    try:
        arguments = value_text(list(_arguments_of(error)))
    except BaseException:
        arguments = TOO_LARGE
    return f'["{kind}", {"[]" if arguments is TOO_LARGE else arguments}]'


def text_of_written(written: Any) -> str:
    """Return JSON as printable ASCII on one line."""
    return _dumps(written).replace("\x7f", "\\u007f")


TOO_LARGE = '{"object": "a value too large to show"}'


def is_portable(written: Any) -> bool:
    """Whether what was written can be given to another process as the same value."""
    pending: List[Any] = [written]
    while pending:
        each = pending.pop()
        if type(each) is list:
            pending.extend(each)
        elif type(each) is dict:
            ((kind, content),) = each.items()
            if kind in ("object", "iterator", "keys", "items"):
                return False
            if kind not in ("bytes", "bytearray", "int", "float", "complex", "Decimal", "type"):
                pending.extend(content)
    return True
