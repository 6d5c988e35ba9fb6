"""Outcomes on test reports: attached where they are measured, gathered where they are judged.

Between the two may lie a process boundary (pytest-xdist), so what rides on a report is plain
builtins: the JSON form of the problem, from which the rest is computed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_codecollapse.gate import Metrics
from pytest_codecollapse.measure import Outcome, restate_problem
from pytest_codecollapse.model import ProblemReport, Unmeasured
from pytest_codecollapse.plugin.items import ProblemItem
from pytest_codecollapse.plugin.suite import suite_of
from pytest_codecollapse.report import problem_to_json
from pytest_codecollapse.samples import SamplesFile, problem_from_json

_ATTRIBUTE = "codecollapse"


def attach_outcome(report: pytest.TestReport, item: ProblemItem) -> None:
    """Attach what was measured to the report of a problem's test."""
    outcome = suite_of(item.config).known_outcome(item.samples, item.entry)
    if outcome is None:
        return
    payload: dict[str, Any] = {"samples": str(item.samples.path), "problem_id": outcome.problem_id}
    if isinstance(outcome, ProblemReport):
        payload["problem"] = problem_to_json(outcome)
    else:
        payload["unmeasured"] = outcome.message
    setattr(report, _ATTRIBUTE, payload)


class Results:
    """The outcomes gathered in this process, by samples file and problem."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._payloads: dict[tuple[str, str], dict[str, Any]] = {}
        self._expected: set[str] = set()
        self._ended: set[str] = set()

    def expect(self, node_ids: Iterable[str]) -> None:
        """Remember which tests are to be run, here or by a worker."""
        self._expected.update(node_ids)

    def take(self, report: pytest.TestReport) -> None:
        """Take the outcome that rides on a report; of a test that ran again the last counts."""
        payload = getattr(report, _ATTRIBUTE, None)
        if payload is not None:
            self._payloads[payload["samples"], payload["problem_id"]] = payload
        is_last = report.when == "call" or (report.when == "setup" and not report.passed)
        if is_last and report.outcome != "rerun":  # type: ignore[comparison-overlap]
            self._ended.add(report.nodeid)

    def lost(self, samples: str) -> list[str]:
        """Return the tests of a samples file, by its node id, that were to be run and never were.

        A worker that crashes may take tests with it, and what handles crashes may forgive them.
        """
        lost = self._expected - self._ended
        return sorted(node_id for node_id in lost if node_id.startswith(f"{samples}::"))

    def outcomes(self, path: Path, samples: SamplesFile, ks: Sequence[int]) -> list[Outcome]:
        """Return the outcomes of a samples file in file order, as far as there are any."""
        keys = [(str(path), entry.problem_id) for entry in samples.entries]
        return [self._outcome(self._payloads[key], ks) for key in keys if key in self._payloads]

    def _outcome(self, payload: dict[str, Any], ks: Sequence[int]) -> Outcome:
        if "problem" in payload:
            return restate_problem(problem_from_json(payload["problem"]), ks, self._metrics)
        return Unmeasured(problem_id=payload["problem_id"], message=payload["unmeasured"])
