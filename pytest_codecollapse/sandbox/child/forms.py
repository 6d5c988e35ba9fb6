"""How each built-in type is read, through its own slots, without asking the value anything.

A table's keys are ids of types: hashing a type would run its metaclass's methods, and the types
below live as long as the interpreter. Every builtin used here or in ``canon`` is bound by import,
so that a program that replaces one in ``builtins`` does not reach this code.
"""

import array
import collections
import datetime
import decimal
import fractions
import importlib
import itertools
import sys
import types
from builtins import (
    AttributeError,
    ImportError,
    all,
    bool,
    bytearray,
    bytes,
    complex,
    dict,
    enumerate,
    filter,
    float,
    frozenset,
    hasattr,
    id,
    int,
    iter,
    len,
    list,
    map,
    max,
    memoryview,
    min,
    next,
    object,
    range,
    reversed,
    set,
    slice,
    str,
    tuple,
    type,
    vars,
    zip,
)
from itertools import repeat
from operator import is_
from typing import Any, Callable, Dict, Iterator, List, Tuple


def _own_sha256() -> Callable[[bytes], Any]:
    """Return CPython's own SHA-256: hashlib would map OpenSSL into every child."""
    try:
        module = importlib.import_module("_sha2" if sys.version_info >= (3, 12) else "_sha256")
    except ImportError:  # an interpreter built without it
        module = importlib.import_module("hashlib")
    function: Callable[[bytes], Any] = module.sha256
    return function


sha256 = _own_sha256()

INLINE_BYTES = 64

# -- scalars: the whole encoding at once -------------------------------------------------------


def digested(encoded: bytes) -> bytes:
    """Return a digest in the place of an encoding."""
    digest: bytes = sha256(encoded).digest()
    return b"#" + digest


def bounded(encoded: bytes) -> bytes:
    """Replace an encoding that is too long to carry along by its digest."""
    return encoded if len(encoded) <= INLINE_BYTES else digested(encoded)


def sealed(tag: bytes, content: bytes) -> bytes:
    """Delimit the content of a scalar."""
    return bounded(b"%b%d:%b" % (tag, len(content), content))


def _int(value: Any) -> bytes:
    return bounded(b"i%x;" % int.__int__(value))  # hexadecimal knows no digit limit


def _digits(value: float) -> bytes:
    return b"0" if value == 0.0 else b"%.12g" % value


def _float(value: Any) -> bytes:
    return sealed(b"f", _digits(float.__float__(value)))


def _complex(value: Any) -> bytes:
    plain = complex.__add__(value, 0j)
    return sealed(b"c", b"%b,%b" % (_digits(plain.real), _digits(plain.imag)))


def _float_by_value(value: Any) -> bytes:
    rounded = float(_digits(float.__float__(value)))
    return _int(int(rounded)) if rounded.is_integer() else _float(rounded)


def _complex_by_value(value: Any) -> bytes:
    plain = complex.__add__(value, 0j)
    return _complex(plain) if plain.imag != 0.0 else _float_by_value(plain.real)


def _text(value: str) -> bytes:
    return str.encode(value, "utf-8", "surrogatepass")


def _decimal(value: Any) -> bytes:
    """Write a Decimal alike in every context: one that has no capitals writes 1e+5."""
    return _text(_decimal_text(value)).replace(b"e", b"E")


def _by_id(table: Dict[Any, Any]) -> Dict[int, Any]:
    """Key a table of types by their ids: hashing a type would run its metaclass's methods."""
    return {id(kind): entry for kind, entry in table.items()}


# a program may put something else into the modules, so what is called is bound here
_decimal_text = decimal.Decimal.__str__
_deque_items = collections.deque.__iter__
_array_items = array.array.tolist
_chain, _flatten = itertools.chain, itertools.chain.from_iterable

_Scalar = Callable[[Any], bytes]

SCALARS: Dict[int, _Scalar] = _by_id(
    {
        type(None): lambda value: b"N",
        type(Ellipsis): lambda value: b"E",
        type(NotImplemented): lambda value: b"I",
        bool: lambda value: b"T" if value else b"F",
        int: _int,
        float: _float,
        complex: _complex,
        str: lambda value: sealed(b"s", _text(value)),
        bytes: lambda value: sealed(b"b", bytes.__getitem__(value, slice(None))),
        bytearray: lambda value: sealed(b"B", bytes(bytearray.__getitem__(value, slice(None)))),
        memoryview: lambda value: sealed(b"M", memoryview.tobytes(value)),
        decimal.Decimal: lambda value: sealed(b"D", _decimal(value)),
        type: lambda value: sealed(b"C", _text(type.__repr__(value))),
    }
)

#: Numbers that compare equal are alike, and so are the mutable and immutable kinds of bytes.
SCALARS_BY_VALUE: Dict[int, _Scalar] = {
    **SCALARS,
    **_by_id(
        {
            bool: _int,
            float: _float_by_value,
            complex: _complex_by_value,
            bytearray: lambda value: sealed(b"b", bytes(bytearray.__getitem__(value, slice(None)))),
        }
    ),
}


#: Full name of a type -> the user's function that reads its values; see ``canonicalizers``.
FURTHER: Dict[str, Callable[[Any], Any]] = {}

_module_of = type.__dict__["__module__"].__get__
_qualified_name_of = type.__dict__["__qualname__"].__get__


def full_name(kind: type) -> str:
    """Return a type's full name, ``module.TypeName``; "" where it has none that is text."""
    try:
        module, name = _module_of(kind), _qualified_name_of(kind)
    except AttributeError:  # it was made where there is no __name__
        return ""
    return module + "." + name if type(module) is str and type(name) is str else ""


def opaque(value: Any) -> bytes:
    """Encode an object of the program's own: its type's name, without its address."""
    return sealed(b"o", _text(object.__repr__(value).rpartition(" at 0x")[0]))


# -- sequences of one kind of scalar, most of what programs return: encoded by few calls ------

_LONG = 1 << 200  # ints below it need no digest


def uniform_sequence(tag: bytes, values: List[Any]) -> bytes:
    """Encode a list or tuple of ints that are not long, or of strings; return b"" for others."""
    kind = type(values[0]) if values else None
    if (kind is not int and kind is not str) or not all(map(is_, map(type, values), repeat(kind))):
        return b""
    if kind is str:
        texts = [_text(value) for value in values]
        items = b"".join(
            [b"s%d:%b" % (len(t), t) if len(t) < 57 else sealed(b"s", t) for t in texts]
        )
    elif max(values) < _LONG and min(values) > -_LONG:
        items = b"i%x;" * len(values) % tuple(values)
    else:
        return b""
    return bounded(b"%b%d[%b" % (tag, len(values), items))


# -- containers: a snapshot of the children, then a seal over their encodings ------------------


def _fields(kind: type, *names: str) -> Callable[[Any], Iterator[Any]]:
    getters = [kind.__dict__[name].__get__ for name in names]
    return lambda value: iter([get(value) for get in getters])


def _dict_children(value: Any) -> Iterator[Any]:
    return _flatten(list(dict.items(value)))


def _range_children(value: Any) -> Iterator[Any]:
    """Yield first, step and count, which are equal where the ranges are."""
    start, step = value.start, value.step
    count = (value.stop - start + step - (1 if step > 0 else -1)) // step
    return iter([start, step, count] if count > 1 else [start, 0, 1] if count == 1 else [])


_Children = Callable[[Any], Iterator[Any]]
IN_ORDER, SORTED, PAIRS_SORTED = "in order", "sorted", "pairs sorted"
INSTEAD = "instead"  # what stands in the value's place is its only child

_date = _fields(datetime.date, "year", "month", "day")
_clock = _fields(datetime.datetime, "hour", "minute", "second", "microsecond", "fold", "tzinfo")
_time = _fields(datetime.time, "hour", "minute", "second", "microsecond", "fold", "tzinfo")
_timedelta = _fields(datetime.timedelta, "days", "seconds", "microseconds")
_fraction = _fields(fractions.Fraction, "_numerator", "_denominator")
_typecode = array.array.__dict__["typecode"].__get__

CONTAINERS: Dict[int, Tuple[bytes, str, _Children]] = _by_id(
    {
        list: (b"l", IN_ORDER, lambda value: iter(list(list.__iter__(value)))),
        tuple: (b"t", IN_ORDER, tuple.__iter__),
        set: (b"S", SORTED, lambda value: iter(list(set.__iter__(value)))),
        frozenset: (b"Z", SORTED, frozenset.__iter__),
        dict: (b"d", PAIRS_SORTED, _dict_children),
        type({}.keys()): (b"k", SORTED, lambda value: iter(list(value))),
        type({}.values()): (b"v", SORTED, lambda value: iter(list(value))),
        type({}.items()): (b"w", SORTED, lambda value: iter(list(value))),
        collections.deque: (b"q", IN_ORDER, lambda v: iter(list(_deque_items(v)))),
        range: (b"r", IN_ORDER, _range_children),
        slice: (b"/", IN_ORDER, lambda value: iter([value.start, value.stop, value.step])),
        array.array: (b"a", IN_ORDER, lambda v: iter([_typecode(v), *_array_items(v)])),
        fractions.Fraction: (b"Q", IN_ORDER, _fraction),
        datetime.date: (b"y", IN_ORDER, _date),
        datetime.timedelta: (b"x", IN_ORDER, _timedelta),
        datetime.time: (b"h", IN_ORDER, _time),
        datetime.datetime: (b"Y", IN_ORDER, lambda v: _chain(_date(v), _clock(v))),
    }
)
CONTAINERS_BY_VALUE = {**CONTAINERS, **_by_id({frozenset: (b"S", SORTED, frozenset.__iter__)})}


def _iterator_kinds() -> List[Any]:
    """List the built-in iterators; they drain by their type's ``__next__``."""
    return [
        types.GeneratorType,
        enumerate,
        filter,
        map,
        reversed,
        zip,
        *(type(iter(kind())) for kind in (list, tuple, str, bytes, bytearray, set, dict)),
        type(iter("\u0394")),  # ASCII strings have an iterator of their own
        type(iter({}.values())),
        type(iter({}.items())),
        type(reversed([])),
        type(reversed({})),
        type(reversed({}.values())),
        type(reversed({}.items())),
        type(iter(range(0))),
        type(iter(range(1 << 100))),
        type(iter(collections.deque())),
        type(reversed(collections.deque())),
        type(iter(collections.OrderedDict())),
        type(iter(array.array("b"))),
        type(iter(memoryview(b""))),
        type(iter(int, 0)),  # iter(callable, sentinel)
        type(iter(type("", (), {"__getitem__": None})())),  # iter(sequence)
        type(next(itertools.groupby("a"))[1]),
        *(kind for kind in vars(itertools).values() if hasattr(kind, "__next__")),
    ]


#: id of an iterator's type -> its ``__next__``
ITERATORS: Dict[int, Callable[[Any], Any]] = {
    id(kind): kind.__dict__["__next__"] for kind in _iterator_kinds()
}
