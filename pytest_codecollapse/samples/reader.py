"""A samples file: scanned and checked once, then read line by line as problems are needed."""

from __future__ import annotations

import shutil
import zlib
from collections.abc import Iterable, Iterator
from io import BufferedIOBase
from pathlib import Path
from typing import Literal, Optional

import msgspec

from pytest_codecollapse.errors import SamplesError, Where
from pytest_codecollapse.model import Problem
from pytest_codecollapse.samples.closing import Closing
from pytest_codecollapse.samples.native import parse_line
from pytest_codecollapse.samples.textfile import READ_ERRORS, numbered_lines, open_file


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """Where a problem stands in its file.

    ``line`` counts from 1, ``offset`` is in bytes of the uncompressed file, ``candidates`` is
    their number, ``is_extracted`` whether it says what was done to get them out of texts, and
    ``crc32`` tells whether the line is still the one that was scanned.
    """

    problem_id: str
    line: int
    offset: int
    candidates: int
    crc32: int
    is_extracted: bool = False


class SamplesFile(Closing):
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
    is_converted
        Whether the problems are read from another file than ``path``, one in the native format.
    extract
        How programs were got out of what models wrote; None where the file holds programs.
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
        is_converted: bool = False,
        extract: Optional[Literal["auto", "none"]] = None,
    ) -> None:
        self.path = path
        self.entries = entries
        self.description = description
        self.notes = notes
        self.is_converted = is_converted
        is_extracted = any(entry.is_extracted for entry in entries)
        self.extract: Optional[Literal["auto", "none"]] = "auto" if is_extracted else extract
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
        file = open_file(path, shown_as)
        try:
            return cls(path, file, tuple(scan(numbered_lines(file, shown_as), shown_as)), shown_as)
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
        except READ_ERRORS:
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

    def copy_to(self, path: Path) -> None:
        """Write the native lines that the entries are of to a file."""
        self._file.seek(0)
        with path.open("wb") as copy:
            shutil.copyfileobj(self._file, copy)

    def close(self) -> None:
        """Close the file; its entries stay."""
        self._file.close()


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
        first_line = first_lines.get(problem.problem_id)
        if first_line is not None:
            raise SamplesError(
                "problem_id is taken "
                f"(got the one of line {first_line}, expected one that no line above has)",
                where=problem.where,
                remedy="give each problem an id of its own",
            )
        first_lines[problem.problem_id] = line
        yield Entry(
            problem_id=problem.problem_id,
            line=line,
            offset=offset,
            candidates=len(problem.candidates),
            crc32=zlib.crc32(raw),
            is_extracted=problem.repairs is not None,
        )
        offset += len(raw)
    if not first_lines:
        raise SamplesError(
            "the file is empty (got 0 lines, expected one JSON object per problem)",
            where=Where(shown_as, 1),
            remedy="check what wrote it",
        )
