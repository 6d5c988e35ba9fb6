"""Converted samples for other processes: what one has converted, the others only open.

To find the programs in texts costs CPU time, which every further process would spend again.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Literal, Optional

import msgspec

from pytest_codecollapse.samples.closing import Closing
from pytest_codecollapse.samples.reader import Entry, SamplesFile


class _Shared(msgspec.Struct, frozen=True, kw_only=True):
    """Where a copy of the native lines is, and what is known of them."""

    copy: str
    entries: tuple[Entry, ...]
    description: str
    notes: tuple[str, ...]
    extract: Optional[Literal["auto", "none"]]


class SharedSamples(Closing):
    """Copies of converted samples in a temporary directory, which is gone when this is closed."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="codecollapse-")
        self._tickets: dict[Path, str] = {}

    def ticket(self, samples: SamplesFile) -> str:
        """Return a text by which another process opens the samples; the copy is made once."""
        if samples.path not in self._tickets:
            copy = Path(self._folder.name, str(len(self._tickets)))
            samples.copy_to(copy)
            shared = _Shared(
                copy=str(copy),
                entries=samples.entries,
                description=samples.description,
                notes=samples.notes,
                extract=samples.extract,
            )
            self._tickets[samples.path] = msgspec.json.encode(shared).decode()
        return self._tickets[samples.path]

    def close(self) -> None:
        """Remove the copies; who has one open may read on."""
        self._folder.cleanup()


def open_shared(ticket: str, path: Path, *, shown_as: str) -> SamplesFile:
    """Open samples that another process has converted.

    Parameters
    ----------
    ticket
        What ``SharedSamples.ticket`` returned.
    path, shown_as
        The samples themselves, and how messages name them.

    Raises
    ------
    OSError
        Where the copy cannot be opened, on another host for one.
    """
    shared = msgspec.json.decode(ticket, type=_Shared)
    return SamplesFile(
        path,
        Path(shared.copy).open("rb"),
        shared.entries,
        shown_as,
        description=shared.description,
        notes=shared.notes,
        extract=shared.extract,
        is_converted=True,
    )
