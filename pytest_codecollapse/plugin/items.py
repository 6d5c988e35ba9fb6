"""Collection: a samples file is a file of tests, each problem an item."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any, Union

import pytest

from pytest_codecollapse.errors import CodecollapseError
from pytest_codecollapse.gate import breaches
from pytest_codecollapse.measure import Outcome
from pytest_codecollapse.model import Unmeasured
from pytest_codecollapse.plugin.suite import suite_of
from pytest_codecollapse.report import printable, problem_details
from pytest_codecollapse.samples import Entry, SamplesFile


class FloorBreachedError(CodecollapseError):
    """A problem's statistics do not keep a rule that holds for every problem."""


class UnmeasuredError(CodecollapseError):
    """A problem could not be measured."""


def node_name(problem_id: str) -> str:
    """Spell a problem id as a part of a node id: printable, and without ``::``."""
    return printable(problem_id.replace("\\", "\\\\")).replace("::", ":\\x3a")


def problem_figures(outcome: Outcome) -> Iterator[tuple[str, object]]:
    """Yield what JUnit XML and other reporters show of a problem beside its outcome."""
    if isinstance(outcome, Unmeasured):
        return
    yield "n", outcome.n
    yield "correct", outcome.correct
    for name, value in outcome.statistics.items():
        if name.startswith(("pass@", "E[D_")) and value is not None:
            yield name, float(value)


def node_id_of(config: pytest.Config, path: Path) -> str:
    """Return a samples file's node id: relative to rootdir, or whole where it is outside."""
    inside = config.rootpath in path.parents
    return (path.relative_to(config.rootpath) if inside else path).as_posix()


class SamplesCollector(pytest.File):
    """A samples file."""

    def collect(self) -> Iterator[ProblemItem]:
        """Scan the file; a malformed one is a collection error that says where and what."""
        try:
            samples = suite_of(self.config).open(self.path)
        except CodecollapseError as error:
            raise self.CollectError(str(error)) from error
        for entry in samples.entries:
            yield ProblemItem.from_parent(
                self, name=node_name(entry.problem_id), samples=samples, entry=entry
            )


class ProblemItem(pytest.Item):
    """One problem: it passes when it was measured and keeps the rules for every problem."""

    def __init__(self, *, samples: SamplesFile, entry: Entry, **more: Any) -> None:
        super().__init__(**more)
        self.samples = samples
        self.entry = entry

    def runtest(self) -> None:
        """Measure the problem and check the floors."""
        suite = suite_of(self.config)
        outcome = suite.outcome(self.samples, self.entry)
        self.user_properties = list(problem_figures(outcome))
        if isinstance(outcome, Unmeasured):
            raise UnmeasuredError(outcome.message)
        found = [breach for rule in suite.floors if (breach := breaches(rule, outcome))]
        if found:
            raise FloorBreachedError("\n".join([*found, *problem_details(outcome)]))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *more: Any) -> Any:
        """Show a domain error as its message; anything else is a fault of ours, shown whole."""
        if isinstance(excinfo.value, CodecollapseError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, *more)

    def reportinfo(self) -> tuple[Union[PathLike[str], str], int, str]:
        """Name the line of the samples file."""
        return self.path, self.entry.line - 1, self.name
