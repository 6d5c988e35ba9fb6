"""The inputs as programs get them, with a quick way to see whether a call has changed one.

Most calls leave their arguments alone, but encoding them to see that costs more than all else that
is done for a call. marshal does it in C.
"""

from marshal import dumps
from typing import Any, Iterable, List, NamedTuple, Tuple

from .canon import canonical

#: Of these alone, marshal writes equal bytes only for what is equal and of the same types.
_PLAIN = (type(None), bool, int, float, str, list, tuple, dict)
_MARSHAL_VERSION = 2  # the last without references, which depend on who else holds an object
_LONGEST_SNAPSHOT_BYTES = 1 << 20


class Input(NamedTuple):
    """The arguments of one call.

    ``snapshot`` is what marshal writes for them, a quick way to see whether a call has changed
    them: where it has not, ``encoded`` is their canonical form. Empty where there is no such way.
    """

    arguments: Tuple[Any, ...]
    snapshot: bytes
    encoded: bytes


def snapshot(arguments: Tuple[Any, ...]) -> bytes:
    """Write arguments by marshal.

    Raises
    ------
    ValueError
        Where they hold what it cannot write.
    """
    return dumps(arguments, _MARSHAL_VERSION)


def with_snapshots(inputs: Iterable[Tuple[Any, ...]], by_value: bool) -> List[Input]:
    """Prepare arguments for the calls of many programs."""
    return [_with_snapshot(arguments, by_value) for arguments in inputs]


def _with_snapshot(arguments: Tuple[Any, ...], by_value: bool) -> Input:
    try:
        taken = snapshot(arguments)
    except ValueError:
        return Input(arguments, b"", b"")
    if len(taken) > _LONGEST_SNAPSHOT_BYTES or not _is_plain(arguments):
        return Input(arguments, b"", b"")
    return Input(arguments, taken, canonical(arguments, by_value))


def _is_plain(arguments: Tuple[Any, ...]) -> bool:
    pending: List[Any] = [arguments]
    while pending:
        value = pending.pop()
        if type(value) not in _PLAIN:
            return False
        if type(value) is dict:
            pending.extend(value.keys())
            pending.extend(value.values())
        elif type(value) in (list, tuple):
            pending.extend(value)
    return True
