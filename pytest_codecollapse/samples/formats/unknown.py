"""Tasks that are not in the benchmark: counted, so that the refusal can say how many are."""

from __future__ import annotations

import difflib
from typing import Optional

from pytest_codecollapse.errors import SamplesError, Where
from pytest_codecollapse.samples.benchmarks import Benchmark
from pytest_codecollapse.samples.jsonline import fault, quoted

_MAX_LISTED = 3


class UnknownTasks:
    """What was looked for in a benchmark, and the first of it that is not there."""

    def __init__(self, benchmark: Benchmark) -> None:
        self._benchmark = benchmark
        self._known: set[str] = set()
        self._unknown: set[str] = set()
        self._first: Optional[tuple[Where, str, str]] = None

    def found(self, name: str) -> None:
        """Count a task that the benchmark has."""
        self._known.add(name)

    def missed(self, name: str, where: Where, what: str = "task_id") -> None:
        """Count a task that it has not; ``what`` says what was compared."""
        self._unknown.add(name)
        self._first = self._first or (where, what, name)

    def refuse(self) -> None:
        """Raise the error of the first task that the benchmark has not, if there is one."""
        if self._first is not None:
            raise self._error(*self._first)

    def _error(self, where: Where, what: str, name: str) -> SamplesError:
        total = len(self._known) + len(self._unknown)
        ids = list(self._benchmark.problems)
        near = difflib.get_close_matches(name, ids, n=_MAX_LISTED, cutoff=0.5) or ids[:_MAX_LISTED]
        remedy = (
            "give the problems that the samples are of"
            if not self._known
            else "remove these samples, or give the problems that they are of"
        )
        return fault(
            where,
            f"the {what} is none of {self._benchmark.name}; {len(self._known)} of {total} are",
            got=quoted(name),
            expected=f"one of its {len(ids)}, such as {', '.join(map(quoted, near))}",
            remedy=remedy,
        )
