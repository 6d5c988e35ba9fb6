"""Rows in any order -> problems with all their texts, at the memory of one problem."""

from __future__ import annotations

import json
import tempfile
from array import array
from collections.abc import Iterable, Iterator

from pytest_codecollapse.samples.closing import Closing
from pytest_codecollapse.samples.formats.row import Row


class Group:
    """What is kept in memory of a problem's rows: the first one's line, and where they lie."""

    __slots__ = ("candidates", "line", "offsets")

    def __init__(self, line: int) -> None:
        self.line = line
        self.candidates = 0
        self.offsets = array("q")


class GroupedRows(Closing):
    """Rows that were written to a temporary file once, to be read problem by problem.

    Attributes
    ----------
    groups
        By problem id, in the order of the problems' first rows.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        self.groups: dict[str, Group] = {}
        self._spool = tempfile.TemporaryFile()  # noqa: SIM115 (closed by __exit__)
        try:
            for row in rows:
                self._add(row)
        except BaseException:
            self._spool.close()
            raise

    def read(self, problem_id: str) -> Iterator[Row]:
        """Yield the rows of a problem in file order."""
        for offset in self.groups[problem_id].offsets:
            self._spool.seek(offset)
            line, problem_id, texts, *rest = json.loads(self._spool.readline())
            yield Row(line, problem_id, tuple(texts), *rest)

    def _add(self, row: Row) -> None:
        group = self.groups.setdefault(row.problem_id, Group(row.line))
        group.candidates += len(row.texts)
        group.offsets.append(self._spool.tell())
        self._spool.write(json.dumps(row).encode() + b"\n")

    def close(self) -> None:
        """Let go of the rows."""
        self._spool.close()
