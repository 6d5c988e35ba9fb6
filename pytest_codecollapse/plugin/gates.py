"""Gates as tests of their own: judged at the end of the run, reported like any test.

A gate is no item, since it can only run when all others have. It is reported through the same
hook as a test, so that exit status, counts, JUnit and every other reporter see one.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, NamedTuple, Optional, Union

import pytest

from pytest_codecollapse.gate import Baseline
from pytest_codecollapse.model import Report, Verdict
from pytest_codecollapse.plugin.extensions import (
    further_verdicts,
    judges_more,
    render_modified,
)
from pytest_codecollapse.plugin.items import node_id_of
from pytest_codecollapse.plugin.results import Results
from pytest_codecollapse.plugin.suite import Suite
from pytest_codecollapse.report import printable, write_atomically


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
        self.written: Optional[Path] = None

    @property
    def count(self) -> int:
        """How many tests the gates are."""
        return len(self._suite.gates) * len(self._suite.given.samples)

    def judge(self, session: pytest.Session) -> None:
        """Judge, report each gate as a test, and write the report where asked to."""
        for path in self._suite.given.samples:
            judged = self._judge_file(session.config, path)
            self.judged.append(judged)
            session.testscollected += len(judged.verdicts) - len(self._suite.gates)
            for verdict in judged.verdicts:
                _report(session, node_id_of(session.config, path), verdict)
        target = self._suite.given.json
        first = self.judged[0].report
        if target is not None and (first.problems or first.unmeasured):
            write_atomically(target, render_modified(session.config, first))
            self.written = target

    def _judge_file(self, config: pytest.Config, path: Path) -> Judged:
        suite = self._suite
        samples = suite.open(path)
        outcomes = self._results.outcomes(path, samples, suite.settings.k)
        report = suite.assembled(outcomes, suite.settings)
        if len(report.problems) == len(samples.entries):
            verdicts, baseline = suite.judged(report, path)
            comparison = None if baseline is None else baseline.comparison
            taken = [verdict.rule for verdict in verdicts]
            more = further_verdicts(config, report, comparison, taken)
            return Judged(path, report, None, (*verdicts, *more), baseline)
        partial = f"measured {len(report.problems)} of {len(samples.entries)} problems"
        rules = [*map(str, suite.gates), *(["pytest_codecollapse_gate"] * judges_more(config))]
        verdicts = tuple(
            Verdict(rule=rule, status="skipped", summary=f"{rule}: not judged: {partial}")
            for rule in rules
        )
        return Judged(path, report, partial, verdicts, None)


def _report(session: pytest.Session, samples: str, verdict: Verdict) -> None:
    """Report one gate through the hooks, with the three phases of a test."""
    hook = session.config.hook
    location = (samples, None, f"gate: {verdict.rule}")
    node_id = f"{samples}::gate[{verdict.rule}]"  # pytest takes what follows a [ for parameters
    hook.pytest_runtest_logstart(nodeid=node_id, location=location)
    skipped = verdict.status == "skipped"
    for when in ("setup",) if skipped else ("setup", "call"):
        last = when == ("setup" if skipped else "call")
        hook.pytest_runtest_logreport(
            report=_phase(node_id, location, samples, when, verdict if last else None)
        )
    hook.pytest_runtest_logreport(report=_phase(node_id, location, samples, "teardown", None))
    hook.pytest_runtest_logfinish(nodeid=node_id, location=location)


def _phase(
    node_id: str,
    location: tuple[str, Optional[int], str],
    samples: str,
    when: Any,
    verdict: Optional[Verdict],
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
        start=now,
        stop=now,
    )
