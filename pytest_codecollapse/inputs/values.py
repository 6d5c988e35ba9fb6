"""Values as mutation sees them: compared by type and content, copied, cut to a size.

Sets are gone through in the order of their members' texts, so that nothing depends on a hash.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Callable

_SEQUENCES: dict[type, Callable[[Any], Any]] = {
    list: list,
    tuple: tuple,
    set: set,
    frozenset: frozenset,
}
_DEEPEST = 50  # levels; what is further in is cut
_LARGEST = 10_000  # members and characters of an argument; the rest is cut


def digest(arguments: Sequence[Any]) -> bytes:
    """Return what is the same for the same arguments: types and contents, nan as nan.

    Raises
    ------
    RecursionError
        Where they are nested too deeply.
    """
    written = "\n".join(map(text_of, arguments))
    return hashlib.sha256(written.encode("ascii")).digest()


def text_of(value: Any) -> str:
    """Write a value in ASCII: two values have one text where they have one type and content."""
    kind = type(value)
    if kind is int:
        return hex(value)  # repr refuses thousands of digits
    if kind in _SEQUENCES:
        return f"{kind.__name__}({', '.join(map(text_of, members_of(value)))})"
    if kind is dict:
        pairs = (f"{text_of(key)}: {text_of(each)}" for key, each in value.items())
        return f"{{{', '.join(pairs)}}}"
    if value is None or kind in (bool, float, complex, str, bytes):
        return ascii(value)
    return f"<{id(value)}>"


def members_of(container: Any) -> list[Any]:
    """List the members of a sequence or set, in an order that is the same in each process."""
    if type(container) in (set, frozenset):
        return sorted(container, key=text_of)
    return list(container)


def fresh(value: Any) -> Any:
    """Copy a value, so that nothing of it that can change is shared."""
    kind = type(value)
    if kind in _SEQUENCES:
        return _SEQUENCES[kind](map(fresh, value))
    if kind is dict:
        return {fresh(key): fresh(each) for key, each in value.items()}
    return value


def rebuilt(kind: type, members: Sequence[Any]) -> Any:
    """Make a sequence or set of the members, without those that a set cannot have."""
    if kind in (set, frozenset):
        members = [each for each in members if hashable(each)]
    return _SEQUENCES[kind](members)


def hashable(value: Any) -> bool:
    """Whether a value can be in a set or a key of a dict."""
    kind = type(value)
    if kind in (tuple, frozenset):
        return all(map(hashable, value))
    return kind not in (list, set, dict)


def cut(arguments: Sequence[Any]) -> tuple[Any, ...]:
    """Copy arguments, without what makes a call so large that its mutation would be slow."""
    return tuple(_Cutter().cut(each, 0) for each in arguments)


class _Cutter:
    """Copies values until so many members and characters are copied."""

    def __init__(self) -> None:
        self._left = _LARGEST

    def cut(self, value: Any, depth: int) -> Any:
        kind = type(value)
        if kind in (str, bytes):
            kept = value[: self._left]
            self._left -= len(kept)
            return kept
        if kind is dict:
            pairs = self._taken(value.items(), depth)
            return {self.cut(key, depth + 1): self.cut(each, depth + 1) for key, each in pairs}
        if kind in _SEQUENCES:
            members = value if kind in (list, tuple) else members_of(value)
            return rebuilt(
                kind, [self.cut(each, depth + 1) for each in self._taken(members, depth)]
            )
        return value

    def _taken(self, members: Any, depth: int) -> Any:
        for each in members:
            if self._left <= 0 or depth > _DEEPEST:
                return
            self._left -= 1
            yield each
