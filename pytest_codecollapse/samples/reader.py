"""A samples file: scanned and checked once, then read line by line as problems are needed."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from io import BufferedIOBase
from pathlib import Path
from types import TracebackType
from typing import Optional

import msgspec

from pytest_codecollapse.errors import SamplesError, Where
from pytest_codecollapse.model import Problem
from pytest_codecollapse.samples.native import parse_line

_GZIP_MAGIC = b"\x1f\x8b"

#: What reading a file can raise; the last two where gzip data is damaged or cut off.
_READ_ERRORS = (OSError, zlib.error, EOFError)


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """Where a problem stands in its file.

    ``line`` counts from 1, ``offset`` is in bytes of the uncompressed file, ``candidates`` is
    their number, and ``crc32`` tells whether the line is still the one that was scanned.
    """

    problem_id: str
    line: int
    offset: int
    candidates: int
    crc32: int


class SamplesFile:
    """An open samples file, plain or gzipped, for use from one thread.

    Only the index of its lines is kept in memory. Whether it is gzipped is seen from its content.
    Reading problems in file order costs one pass over the file.

    Attributes
    ----------
    path
        The file.
    entries
        One for each problem, in file order.
    description
        What was recognised, for a person to read; "" for the native format.
    notes
        What is odd about the samples, and no fault; a line each.
    """

    def __init__(
        self,
        path: Path,
        file: BufferedIOBase,
        entries: tuple[Entry, ...],
        shown_as: str,
        *,
        description: str = "",
        notes: tuple[str, ...] = (),
    ) -> None:
        self.path = path
        self.entries = entries
        self.description = description
        self.notes = notes
        self._file = file
        self._shown_as = shown_as

    @classmethod
    def open(cls, path: Path, *, shown_as: Optional[str] = None) -> SamplesFile:
        """Open a samples file and check every line of it.

        Parameters
        ----------
        path
            The file.
        shown_as
            The path as messages name it.

        Raises
        ------
        SamplesError
            Where the file cannot be read, or a line is not what the format asks for.
        """
        shown_as = str(path) if shown_as is None else shown_as
        file = _open(path, shown_as)
        try:
            return cls(path, file, tuple(scan(_lines(file, shown_as), shown_as)), shown_as)
        except BaseException:
            file.close()
            raise

    def read(self, entry: Entry) -> Problem:
        """Read one problem.

        Raises
        ------
        SamplesError
            Where its line is no longer what it was when the file was opened.
        """
        try:
            self._file.seek(entry.offset)
            raw = self._file.readline()
        except _READ_ERRORS:
            raw = b""
        if zlib.crc32(raw) != entry.crc32:
            raise SamplesError(
                "the file has changed since it was opened "
                "(got another line at this place, expected the one read then)",
                where=Where(self._shown_as, entry.line, entry.problem_id),
                remedy="start again, and leave the file alone while it is measured",
            )
        return parse_line(raw, Where(self._shown_as, entry.line))

    def problems(self) -> Iterator[Problem]:
        """Yield the problems in file order, each read when it is asked for."""
        return map(self.read, self.entries)

    def close(self) -> None:
        """Close the file; its entries stay."""
        self._file.close()

    def __enter__(self) -> SamplesFile:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()


def _open(path: Path, shown_as: str) -> BufferedIOBase:
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


def scan(lines: Iterable[tuple[int, bytes]], shown_as: str) -> Iterator[Entry]:
    """Check numbered lines of the native format that stand one behind the other in a file.

    Raises
    ------
    SamplesError
        Where a line is not what the format asks for, or there is none.
    """
    first_lines: dict[str, int] = {}
    offset = 0
    for line, raw in lines:
        problem = parse_line(raw, Where(shown_as, line))
        first_line = first_lines.setdefault(problem.problem_id, line)
        if first_line != line:
            raise SamplesError(
                "problem_id is taken "
                f"(got the one of line {first_line}, expected one that no line above has)",
                where=problem.where,
                remedy="give each problem an id of its own",
            )
        yield Entry(
            problem_id=problem.problem_id,
            line=line,
            offset=offset,
            candidates=len(problem.candidates),
            crc32=zlib.crc32(raw),
        )
        offset += len(raw)
    if not first_lines:
        raise SamplesError(
            "the file is empty (got 0 lines, expected one JSON object per problem)",
            where=Where(shown_as, 1),
            remedy="check what wrote it",
        )


def _lines(file: BufferedIOBase, shown_as: str) -> Iterator[tuple[int, bytes]]:
    line = 0
    while True:
        line += 1
        try:
            raw = file.readline()
        except _READ_ERRORS as error:
            raise SamplesError(
                f"the file cannot be read on (got {str(error)!r}, expected an intact file)",
                where=Where(shown_as, line),
                remedy="copy or compress it again",
            ) from error
        if not raw:
            return
        yield line, raw
