"""What programs can leave behind on a machine, as far as it can be seen from this process.

Theory of operation
-------------------
``orphans_come_here`` makes this process the one that orphans are handed to, so that every process
started below it is its descendant for as long as it lives, whatever session, group, name or
parent it has chosen. Files are looked for below the folder that holds all temporary directories of
a run, and by name in the places that every user can write to. Segments of shared memory, and
their kind, are looked for by their key or name.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

#: What hostile programs call what they leave behind, and the key of what has a number for a name.
NAME = "hostile"
KEY = 0x0C0DEC01

_PR_SET_CHILD_SUBREAPER = 36
_PLACES = ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/", "~")


class Leftovers(NamedTuple):
    """What there is at one moment; two that are equal have nothing of one another's left."""

    processes: frozenset[int]
    files: frozenset[str]
    segments: frozenset[str]

    @classmethod
    def below(cls, folder: Path, name: str = NAME, key: int = KEY) -> Leftovers:
        """Look at this process's descendants, a folder, the shared places and the kernel.

        ``name`` is in the names of what would be left there, and ``key`` is the key of segments.
        """
        return cls(
            frozenset(descendants(os.getpid())),
            frozenset([*_tree(folder), *_named(name)]),
            frozenset([*_system_v(key), *_keys(name)]),
        )


@contextmanager
def orphans_come_here() -> Iterator[None]:
    """Be the parent of descendants whose own parent ends."""
    prctl = ctypes.CDLL(None).prctl
    prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def descendants(pid: int) -> list[int]:
    """List the processes below a process, those included that have ended and were not reaped."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        children.setdefault(int(fields[1]), []).append(int(stat.parent.name))
    found = [pid]
    for each in found:
        found.extend(children.get(each, ()))
    return found[1:]


def _tree(folder: Path) -> Iterator[str]:
    for directory, folders, files in os.walk(folder):
        for name in (*folders, *files):
            yield str(Path(directory, name))


def _named(name: str) -> Iterator[str]:
    for place in _PLACES:
        for path in Path(place).expanduser().glob(f"*{name}*"):
            yield str(path)


def _system_v(key: int) -> Iterator[str]:
    for kind in ("shm", "sem", "msg"):
        for line in Path("/proc/sysvipc", kind).read_text().splitlines()[1:]:
            if int(line.split()[0]) == key:
                yield f"{kind} {line.split()[1]}"


def _keys(name: str) -> Iterator[str]:
    for line in Path("/proc/keys").read_text().splitlines():
        if name in line:
            yield f"key {line.split()[0]}"
