"""The problems of a benchmark, spooled; found by id, prompt or entry point."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Optional

from pytest_codecollapse.errors import SamplesError, Where
from pytest_codecollapse.samples.benchmarks.task_ids import TaskId, parts_of
from pytest_codecollapse.samples.closing import Closing
from pytest_codecollapse.samples.native import parse_line

#: Stands for the candidates when a problem is checked before it has any.
_CANDIDATE = ""


class Problem(NamedTuple):
    """A problem as its file has it, with the fields of the native format but for candidates.

    ``code`` is the code that completions go on from: the prompt, or "" where that is prose.
    """

    line: int
    fields: dict[str, Any]
    code: str


class Known(NamedTuple):
    """What is kept in memory of a problem."""

    problem_id: str
    entry_point: str
    line: int
    offset: int


class Benchmark(Closing):
    """The problems of a benchmark, without candidates; for use from one thread.

    Attributes
    ----------
    name
        The file as the user named it.
    problems
        What is known of each, by id, in file order.
    """

    def __init__(self, name: str, problems: Iterable[Problem]) -> None:
        self.name = name
        self.problems: dict[str, Known] = {}
        self._spool = tempfile.TemporaryFile()  # noqa: SIM115 (closed by close)
        self._by_prompt: dict[int, list[str]] = {}
        self._by_number: dict[int, list[tuple[TaskId, str]]] = {}
        try:
            for problem in problems:
                self._add(problem)
        except BaseException:
            self.close()
            raise

    def find(self, task_id: str) -> Optional[Known]:
        """Find a problem by its id, or by one that differs in its spelling alone.

        ``Mbpp/12`` is ``MBPP/12``, and an id without a name is whichever problem has its number;
        where there are several, none.
        """
        known = self.problems.get(task_id)
        parts = None if known else parts_of(task_id)
        if parts is None:
            return known
        same = [
            problem_id
            for other, problem_id in self._by_number.get(parts.number, ())
            if _may_be_one(parts.family, other.family)
        ]
        return self.problems[same[0]] if len(same) == 1 else None

    def with_prompt(self, prompt: str) -> Optional[Known]:
        """Find the one problem whose prompt is some text, but for space around it."""
        ids = self._by_prompt.get(_hash(prompt), [])
        return self.problems[ids[0]] if len(ids) == 1 else None

    def with_entry_points(self, names: Iterable[str]) -> list[Known]:
        """Find the problems whose entry point is one of some names."""
        wanted = set(names)
        return [each for each in self.problems.values() if each.entry_point in wanted]

    def read(self, known: Known) -> Problem:
        """Read a problem back."""
        self._spool.seek(known.offset)
        return Problem(known.line, *json.loads(self._spool.readline()))

    def close(self) -> None:
        """Forget the problems."""
        self._spool.close()

    def _add(self, problem: Problem) -> None:
        known = self._checked(problem.fields, problem.line)
        self.problems[known.problem_id] = known
        raw = json.dumps([problem.fields, problem.code]).encode() + b"\n"
        self._spool.write(raw)
        prompt = problem.fields.get("prompt", "")
        self._by_prompt.setdefault(_hash(prompt), []).append(known.problem_id)
        parts = parts_of(known.problem_id)
        if parts is not None:
            self._by_number.setdefault(parts.number, []).append((parts, known.problem_id))

    def _checked(self, fields: Mapping[str, Any], line: int) -> Known:
        """Check a problem as the native format is; a fault is one of the problems' file."""
        raw = json.dumps({**fields, "candidates": [_CANDIDATE]}).encode()
        problem = parse_line(raw, Where(self.name, line))
        other = self.problems.get(problem.problem_id)
        if other is not None:
            raise SamplesError(
                f"task_id is taken (got the one of line {other.line},"
                " expected one that no problem above has)",
                where=problem.where,
                remedy="give the problems' file as it was published",
            )
        return Known(problem.problem_id, problem.entry_point, line, self._spool.tell())


def _may_be_one(family: str, other: str) -> bool:
    return not family or family == other or (not other and family == "mbpp")


def _hash(prompt: str) -> int:
    return hash(prompt.strip())
