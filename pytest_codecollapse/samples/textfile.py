"""Files as they lie on the disk, plain or gzipped: opened, and read line by line."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from io import BufferedIOBase
from pathlib import Path

from pytest_codecollapse.errors import SamplesError, Where

_GZIP_MAGIC = b"\x1f\x8b"

_UNPACK = "unpack it, or compress it with gzip"
_ICONV = "convert the file, as iconv does"

#: How files begin that are no text in UTF-8 -> what they are, and what to do about it.
_OTHER_MAGIC = {
    b"PK\x03\x04": ("a zip archive", _UNPACK),
    b"\x28\xb5\x2f\xfd": ("zstd", _UNPACK),
    b"\xfd7zXZ": ("xz", _UNPACK),
    b"BZh": ("bzip2", _UNPACK),
    b"PAR1": ("Parquet", "write it as JSON lines"),
    b"\xff\xfe": ("UTF-16", _ICONV),
    b"\xfe\xff": ("UTF-16", _ICONV),
    b"{\x00": ("UTF-16", _ICONV),
    b"[\x00": ("UTF-16", _ICONV),
}
_HEAD_BYTES = max(map(len, _OTHER_MAGIC))

#: What reading a file can raise; the last two where gzip data is damaged or cut off.
READ_ERRORS = (OSError, zlib.error, EOFError)


def open_file(path: Path, shown_as: str) -> BufferedIOBase:
    """Open a regular file; its content tells whether it is gzipped.

    Raises
    ------
    SamplesError
        Where it cannot be opened, is a directory, a device or a pipe, or is packed in another way.
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
            head = file.read(_HEAD_BYTES)
        _refuse_other_content(head, shown_as)
        return gzip.open(path) if head.startswith(_GZIP_MAGIC) else path.open("rb")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise SamplesError(
            f"the file cannot be opened (got {reason!r}, expected a samples file)",
            where=Where(shown_as),
            remedy="check its path and permissions",
        ) from error


def _refuse_other_content(head: bytes, shown_as: str) -> None:
    for magic, (what, remedy) in _OTHER_MAGIC.items():
        if head.startswith(magic):
            raise SamplesError(
                f"the file is no text in UTF-8 (got {what}, expected JSON, plain or gzipped)",
                where=Where(shown_as),
                remedy=remedy,
            )


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
