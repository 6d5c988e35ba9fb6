"""Files as they lie on the disk, plain or gzipped: opened, and read line by line."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from io import BufferedIOBase
from pathlib import Path

from pytest_codecollapse.errors import SamplesError, Where

_GZIP_MAGIC = b"\x1f\x8b"

#: What reading a file can raise; the last two where gzip data is damaged or cut off.
READ_ERRORS = (OSError, zlib.error, EOFError)


def open_file(path: Path, shown_as: str) -> BufferedIOBase:
    """Open a regular file; its content tells whether it is gzipped.

    Raises
    ------
    SamplesError
        Where it cannot be opened, or is a directory, a device or a pipe.
    """
    try:
        if path.exists() and not path.is_file():
            raise SamplesError(
                "this is no file to read samples from "
                f"(got {'a directory' if path.is_dir() else 'a device or pipe'}, "
                "expected a .jsonl or .jsonl.gz file)",
                where=Where(shown_as),
                remedy="name a regular file",
            )
        with path.open("rb") as file:
            is_gzip = file.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC
        return gzip.open(path) if is_gzip else path.open("rb")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise SamplesError(
            f"the file cannot be opened (got {reason!r}, expected a samples file)",
            where=Where(shown_as),
            remedy="check its path and permissions",
        ) from error


def numbered_lines(file: BufferedIOBase, shown_as: str) -> Iterator[tuple[int, bytes]]:
    """Yield the lines with their numbers, from 1.

    Raises
    ------
    SamplesError
        Where the file is damaged or cut off.
    """
    line = 0
    while True:
        line += 1
        try:
            raw = file.readline()
        except READ_ERRORS as error:
            raise unreadable(error, Where(shown_as, line)) from error
        if not raw:
            return
        yield line, raw


def unreadable(error: Exception, where: Where) -> SamplesError:
    """Return the error that says that a file is damaged or cut off."""
    return SamplesError(
        f"the file cannot be read on (got {str(error)!r}, expected an intact file)",
        where=where,
        remedy="copy or compress it again",
    )
