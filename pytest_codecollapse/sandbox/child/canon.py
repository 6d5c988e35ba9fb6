"""A value as canonical bytes: equal bytes mean the same behaviour, on every run and machine.

Theory of operation
-------------------
The value comes from an untrusted program, so nothing here asks it anything. Its exact type is
looked up in a table made before the program was loaded; a subclass of a built-in type is read
through the built-in's own slots (``dict.items(x)``, never ``x.items()``); every other object is
its type's name. No method, property or metaclass of the program's own runs, with two exceptions:
a returned generator or iterator is drained, as its caller would do, for that is behaviour itself;
and a type that the user names is read by the user's function, which may ask what it likes.

Every encoding delimits itself: a tag, a length or count, and the content; one longer than
``INLINE_BYTES`` is replaced by its SHA-256. So an encoding has a bounded size however large the
value, a container's encoding is made of its children's, and sets and dicts can be sorted by it.

The walk keeps its own stack, so that depth costs no recursion. An object met again below itself
is a back-reference by distance; one met again elsewhere is taken from a memo, so that a value
with much sharing costs its size and not the number of paths through it. What an iterator yields
lives only while it is encoded, so the memo forgets it before the next item: an endless iterator
runs into the time limit, not into the memory limit.

Forms worth knowing: ``1``, ``1.0`` and ``True`` differ (unless ``by_value``); floats have 12
significant digits, every nan is one nan and ``-0.0`` is ``0.0``; dicts and sets have no order;
``Counter``, ``OrderedDict`` and ``namedtuple`` are the dict or tuple that they extend; map, zip,
generators and the like are one kind, their items in order.
"""

from builtins import (
    BaseException,
    StopIteration,
    bytes,
    frozenset,
    id,
    iter,
    len,
    list,
    min,
    sorted,
    str,
    super,
    tuple,
    type,
    zip,
)
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from .forms import (
    CONTAINERS,
    CONTAINERS_BY_VALUE,
    FURTHER,
    IN_ORDER,
    INSTEAD,
    ITERATORS,
    PAIRS_SORTED,
    SCALARS,
    SCALARS_BY_VALUE,
    SORTED,
    bounded,
    full_name,
    opaque,
    sealed,
    sha256,
    uniform_sequence,
)

#: Part of every report: a change of the form makes older measurements incomparable.
CANONICAL_FORM = 2

_SEQUENCES = frozenset((id(list), id(tuple)))
_mro_of = type.__dict__["__mro__"].__get__
_name_of = type.__dict__["__name__"].__get__


class _Frame:
    """A container whose children are being encoded."""

    __slots__ = ("children", "lowest", "parts", "tag", "value", "way")

    def __init__(
        self, value: Any, tag: bytes, way: str, children: Iterator[Any], depth: int
    ) -> None:
        self.value = value
        self.tag = tag
        self.way = way
        self.children = children
        self.parts: List[bytes] = []
        self.lowest = depth  # the depth of the highest ancestor that this subtree refers to

    def seal(self) -> bytes:
        parts = self.parts
        if self.way is INSTEAD:
            return parts[0]
        if self.way is SORTED:
            parts = sorted(parts)
        elif self.way is PAIRS_SORTED:
            parts = sorted([key + value for key, value in zip(parts[::2], parts[1::2])])
        return bounded(b"%b%d[%b" % (self.tag, len(parts), b"".join(parts)))


class _Drain(_Frame):
    """An iterator being drained: hashed as it goes, so that it needs no memory."""

    __slots__ = ("digest",)

    def __init__(self, value: Any, step: Callable[[Any], Any], depth: int, memo: "_Memo") -> None:
        super().__init__(value, b"g", IN_ORDER, self.items(value, step, memo), depth)
        self.digest = sha256(b"iterator")

    def items(self, value: Any, step: Callable[[Any], Any], memo: "_Memo") -> Iterator[Any]:
        mark = len(memo.log)
        while True:
            try:
                item = step(value)
            except StopIteration:
                return
            except BaseException as error:  # raising in mid-iteration is how this iterator ends
                self.parts.append(sealed(b"!", type_name(error)))
                return
            yield item
            self.hash_parts()
            memo.forget(mark)

    def hash_parts(self) -> None:
        for part in self.parts:
            self.digest.update(part)
        self.parts.clear()

    def seal(self) -> bytes:
        self.hash_parts()
        digest: bytes = self.digest.digest()
        return b"#" + digest


class _Memo:
    """Encodings of containers by identity; holding the objects keeps their ids theirs."""

    __slots__ = ("encodings", "log")

    def __init__(self) -> None:
        self.encodings: Dict[int, Tuple[Any, bytes]] = {}
        self.log: List[int] = []

    def add(self, value: Any, encoded: bytes) -> None:
        self.encodings[id(value)] = (value, encoded)
        self.log.append(id(value))

    def forget(self, mark: int) -> None:
        while len(self.log) > mark:
            del self.encodings[self.log.pop()]


class _Walk:
    """The state of encoding one value."""

    __slots__ = ("containers", "depths", "memo", "scalars", "stack")

    def __init__(self, by_value: bool) -> None:
        self.scalars = SCALARS_BY_VALUE if by_value else SCALARS
        self.containers = CONTAINERS_BY_VALUE if by_value else CONTAINERS
        self.stack: List[_Frame] = []
        self.depths: Dict[int, int] = {}  # id -> depth, of what is open
        self.memo = _Memo()

    def encode(self, root: Any) -> bytes:
        encoded = self.visit(root)
        while encoded is None or self.stack:
            frame = self.stack[-1]
            if encoded is not None:
                frame.parts.append(encoded)
            encoded = self.proceed(frame)
        return encoded

    def proceed(self, frame: _Frame) -> Optional[bytes]:
        """Encode children up to one that opens a frame of its own; close the frame at the end."""
        scalars, append = self.scalars, frame.parts.append
        for child in frame.children:
            scalar = scalars.get(id(type(child)))
            encoded = self.visit(child) if scalar is None else scalar(child)
            if encoded is None:
                return None
            append(encoded)
        return self.close(self.stack.pop())

    def visit(self, value: Any) -> Optional[bytes]:
        """Return the encoding of ``value``, or open a frame for it and return None."""
        kind = type(value)
        scalar = self.scalars.get(id(kind))
        if scalar is not None:
            return scalar(value)
        known = self.memo.encodings.get(id(value))
        if known is not None:
            return known[1]
        depth = self.depths.get(id(value))
        if depth is not None:
            top = self.stack[-1]
            top.lowest = min(top.lowest, depth)
            return b"^%d;" % (len(self.stack) - depth)
        if FURTHER and self.convert(value, kind):
            return None
        for base in _mro_of(kind):
            scalar = self.scalars.get(id(base))
            if scalar is not None:
                return scalar(value)
            if id(base) in self.containers or id(base) in ITERATORS:
                return self.open(value, id(base))
        return opaque(value)

    def convert(self, value: Any, kind: type) -> bool:
        """Open a frame for what stands in the place of ``value``, if it is of a type so read."""
        for base in _mro_of(kind):
            function = FURTHER.get(full_name(base))
            if function is not None:
                plain = function(value)
                if plain is value:  # it leaves this one as it is
                    return False
                self.depths[id(value)] = len(self.stack)
                frame = _Frame(value, b"", INSTEAD, iter((plain,)), len(self.stack))
                self.stack.append(frame)
                return True
        return False

    def open(self, value: Any, base: int) -> Optional[bytes]:
        depth = len(self.stack)
        if base in ITERATORS:
            frame: _Frame = _Drain(value, ITERATORS[base], depth, self.memo)
        else:
            tag, way, children = self.containers[base]
            items = children(value)
            if base in _SEQUENCES:
                values = list(items)
                encoded = uniform_sequence(tag, values)
                if encoded:
                    self.memo.add(value, encoded)
                    return encoded
                items = iter(values)
            frame = _Frame(value, tag, way, items, depth)
        self.stack.append(frame)
        self.depths[id(value)] = depth
        return None

    def close(self, frame: _Frame) -> bytes:
        depth = len(self.stack)
        del self.depths[id(frame.value)]
        encoded = frame.seal()
        if frame.lowest < depth:  # it refers to an ancestor: true only in this place
            parent = self.stack[-1]
            parent.lowest = min(parent.lowest, frame.lowest)
        else:
            self.memo.add(frame.value, encoded)
        return encoded


def canonical(value: Any, by_value: bool = False) -> bytes:
    """Encode a value of any type.

    Parameters
    ----------
    value
        Whatever a program returned.
    by_value
        Encode alike what compares equal in Python: numbers of any type, a set and a frozenset,
        bytes and a bytearray.

    Returns
    -------
    bytes
        At most ``INLINE_BYTES`` long.

    Raises
    ------
    MemoryError
        Where reading the value takes more than the program's memory; an iterator that is
        drained does not add to it.
    """
    kind = type(value)
    scalar = (SCALARS_BY_VALUE if by_value else SCALARS).get(id(kind))
    if scalar is not None:
        return scalar(value)
    if kind is list or kind is tuple:
        encoded = uniform_sequence(b"l" if kind is list else b"t", list(value))
        if encoded:
            return encoded
    return _Walk(by_value).encode(value)


def token(encoded: bytes) -> bytes:
    """Name what a call did: 16 hex digits over the encodings of its result and its arguments."""
    name: str = sha256(encoded).hexdigest()
    return name[:16].encode()


def type_name(error: BaseException) -> bytes:
    """Return the printable ASCII name of an exception's type, at most 80 bytes."""
    name = str.encode(_name_of(type(error)), "ascii", "backslashreplace")
    return bytes(byte if 0x20 < byte < 0x7F else 0x5F for byte in name[:80]) or b"_"
