"""The ``codecollapse`` fixture: measurements for tests that want to look at them."""

from __future__ import annotations

from os import PathLike
from typing import Union

import pytest

from pytest_codecollapse.errors import ProblemError, UsageError
from pytest_codecollapse.model import ProblemReport, Report, Unmeasured
from pytest_codecollapse.plugin.suite import suite_of


class Codecollapse:
    """Measures samples once a session; problems that are tests of the session are shared."""

    def __init__(self, config: pytest.Config) -> None:
        self._folder = config.rootpath
        self._suite = suite_of(config)

    def measure(self, path: Union[str, PathLike[str]]) -> Report:
        """Return the report of a samples file; a relative path is relative to rootdir.

        Raises
        ------
        SamplesError
            Where the file is missing or malformed.
        """
        return self._suite.report(self._suite.open(self._folder / path))

    def problem(self, problem_id: str) -> ProblemReport:
        """Return one problem of the session's samples files.

        Raises
        ------
        UsageError
            Where there is no such problem.
        ProblemError
            Where it cannot be measured.
        """
        for path in self._suite.given.samples:
            samples = self._suite.open(path)
            for entry in samples.entries:
                if entry.problem_id == problem_id:
                    outcome = self._suite.outcome(samples, entry)
                    if isinstance(outcome, Unmeasured):
                        raise ProblemError(outcome.message)
                    return outcome
        raise UsageError(
            f"no problem {problem_id!r} in the session's samples",
            remedy="name the file with --codecollapse-samples or codecollapse_samples",
        )
