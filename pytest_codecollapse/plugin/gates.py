"""Gates as tests of their own: judged at the end of the run, reported like any test.

A gate is no item, since it can only run when all others have. It is reported through the same
hook as a test, so that exit status, counts, JUnit and every other reporter see one.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Optional, Union

import pytest

from pytest_codecollapse.gate import Baseline, gate_figures
from pytest_codecollapse.gate.figures import Figure
from pytest_codecollapse.model import Report, Verdict
from pytest_codecollapse.plugin.items import node_id_of
from pytest_codecollapse.plugin.results import Results
from pytest_codecollapse.plugin.suite import Suite
from pytest_codecollapse.report import printable


class Judged(NamedTuple):
    """What the end of the run says of one samples file; ``partial`` says why it is not whole."""

    samples: Path
    report: Report
    partial: Optional[str]
    verdicts: tuple[Verdict, ...]
    baseline: Optional[Baseline]


class GateFailure:
    """A failed gate as pytest shows failures: a message, and a line for the short summary."""

    class _Crash(NamedTuple):
        path: str
        lineno: int
        message: str

    def __init__(self, samples: str, verdict: Verdict) -> None:
        self.reprcrash = self._Crash(samples, 0, verdict.summary)
        self._lines = [verdict.summary, *(f"  {detail}" for detail in verdict.details)]

    def __str__(self) -> str:
        return "\n".join(map(printable, self._lines))

    def toterminal(self, writer: Any) -> None:
        """Write the message."""
        writer.line(str(self))


class Gates:
    """Judges the gates of every samples file of a session."""

    def __init__(self, suite: Suite, results: Results) -> None:
        self._suite = suite
        self._results = results
        self.judged: list[Judged] = []
        self.written: tuple[Path, ...] = ()

    @property
    def count(self) -> int:
        """How many tests the gates are."""
        return len(self._suite.gates) * len(self._suite.given.samples)

    def judge(self, session: pytest.Session) -> None:
        """Judge, and report each gate as a test."""
        for path in self._suite.given.samples:
            judged = self._judge_file(path)
            self.judged.append(judged)
            comparison = None if judged.baseline is None else judged.baseline.comparison
            for rule, verdict in zip(self._suite.gates, judged.verdicts):
                figures = gate_figures(rule, judged.report, comparison)
                _report(session, node_id_of(session.config, path), verdict, figures)

    def _judge_file(self, path: Path) -> Judged:
        suite = self._suite
        samples = suite.open(path)
        outcomes = self._results.outcomes(path, samples, suite.settings.k)
        report = suite.assembled(outcomes, suite.settings)
        if len(report.problems) == len(samples.entries):
            verdicts, baseline = suite.judged(report, path)
            return Judged(path, report, None, verdicts, baseline)
        partial = f"measured {len(report.problems)} of {len(samples.entries)} problems"
        verdicts = tuple(
            Verdict(rule=str(rule), status="skipped", summary=f"{rule}: not judged: {partial}")
            for rule in suite.gates
        )
        return Judged(path, report, partial, verdicts, None)


def _report(
    session: pytest.Session, samples: str, verdict: Verdict, figures: Sequence[Figure]
) -> None:
    """Report one gate through the hooks, with the three phases of a test."""
    hook = session.config.hook
    location = (samples, None, f"gate: {verdict.rule}")
    node_id = f"{samples}::gate[{verdict.rule}]"  # pytest takes what follows a [ for parameters
    hook.pytest_runtest_logstart(nodeid=node_id, location=location)
    skipped = verdict.status == "skipped"
    for when in ("setup",) if skipped else ("setup", "call"):
        last = when == ("setup" if skipped else "call")
        hook.pytest_runtest_logreport(
            report=_phase(node_id, location, samples, when, verdict if last else None, figures)
        )
    last_phase = _phase(node_id, location, samples, "teardown", None, figures)
    hook.pytest_runtest_logreport(report=last_phase)
    hook.pytest_runtest_logfinish(nodeid=node_id, location=location)


def _phase(
    node_id: str,
    location: tuple[str, Optional[int], str],
    samples: str,
    when: Any,
    verdict: Optional[Verdict],
    figures: Sequence[Figure],
) -> pytest.TestReport:
    outcome: Any = "passed"
    shown: Union[tuple[str, int, str], GateFailure, None] = None
    if verdict is not None and verdict.status == "skipped":
        outcome, shown = "skipped", (samples, 0, f"Skipped: {verdict.summary}")
    elif verdict is not None and verdict.failed:
        outcome, shown = "failed", GateFailure(samples, verdict)
    now = time.time()
    return pytest.TestReport(
        nodeid=node_id,
        location=location,
        keywords={"codecollapse_gate": 1},
        outcome=outcome,
        longrepr=shown,  # type: ignore[arg-type]
        when=when,
        user_properties=list(figures),
        start=now,
        stop=now,
    )
