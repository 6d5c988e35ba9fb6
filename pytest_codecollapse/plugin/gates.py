"""Gates as tests of their own: judged at the end of the run, reported like any test.

A gate is no item, since it can only run when all others have. It is reported through the same
hook as a test, so that exit status, counts, JUnit and every other reporter see one.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Optional, Union

import msgspec
import pytest

from pytest_codecollapse.gate import Baseline, gate_figures
from pytest_codecollapse.gate.figures import Figure
from pytest_codecollapse.model import Report, Verdict
from pytest_codecollapse.plugin.extensions import (
    further_verdicts,
    judges_more,
)
from pytest_codecollapse.plugin.items import node_id_of
from pytest_codecollapse.plugin.results import Results
from pytest_codecollapse.plugin.suite import Suite
from pytest_codecollapse.plugin.updating import BaselineUpdate
from pytest_codecollapse.report import printable

#: The gate of a run that must be whole and has no other.
_WHOLE = "every problem is measured"


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
        self.update = _update_of(suite)

    @property
    def count(self) -> int:
        """How many tests the gates are."""
        return len(self._rules) * len(self._suite.given.samples)

    @property
    def _rules(self) -> Sequence[str]:
        """The gates; without any, a run that must be whole is a gate of its own."""
        rules = [str(rule) for rule in self._suite.gates]
        return rules or ([_WHOLE] if self._must_be_whole else [])

    @property
    def _must_be_whole(self) -> bool:
        return bool(self._suite.given.values["partial"] == "fail")

    def judge(self, session: pytest.Session) -> None:
        """Judge, and report each gate as a test; then update the baseline where asked to."""
        samples = self._suite.given.samples
        for path in samples:
            name = node_id_of(session.config, path)
            judged = self._judge_file(session.config, path, self._results.lost(name))
            if self.update is not None:
                verdicts = self.update.plan(session, judged.report, judged.partial, judged.verdicts)
                judged = judged._replace(verdicts=verdicts)
            self.judged.append(judged)
            session.testscollected += len(judged.verdicts) - len(self._rules)
            for verdict in judged.verdicts:
                shown = verdict if len(samples) == 1 else _naming(name, verdict)
                _report(session, name, shown, self._figures(verdict, judged))
        if self.update is not None:
            self.update.write(session)

    def _figures(self, verdict: Verdict, judged: Judged) -> Sequence[Figure]:
        """Return the figures that a gate was judged by; none for what is no rule."""
        comparison = None if judged.baseline is None else judged.baseline.comparison
        for rule in self._suite.gates:
            if str(rule) == verdict.rule:
                return gate_figures(rule, judged.report, comparison)
        return ()

    def _judge_file(self, config: pytest.Config, path: Path, lost: Sequence[str]) -> Judged:
        suite = self._suite
        samples = suite.open(path)
        outcomes = self._results.outcomes(path, samples, suite.settings.k)
        report = suite.assembled(samples, outcomes, suite.settings)
        measured = f"measured {len(report.problems)} of {len(samples.entries)} problems"
        if len(report.problems) == len(samples.entries):
            verdicts, baseline = suite.judged(report, path)
            if not suite.gates and self._rules:
                verdicts = (Verdict(rule=_WHOLE, status="pass", summary=f"{_WHOLE}: {measured}"),)
            comparison = None if baseline is None else baseline.comparison
            taken = [verdict.rule for verdict in verdicts]
            more = further_verdicts(config, report, comparison, taken)
            return Judged(path, report, None, (*verdicts, *more), baseline)
        partial = f"{measured}, {len(lost)} lost with a worker" if lost else measured
        return Judged(path, report, partial, self._not_judged(config, partial, lost), None)

    def _not_judged(
        self, config: pytest.Config, partial: str, lost: Sequence[str]
    ) -> tuple[Verdict, ...]:
        """Skip the gates where a part was chosen; fail where all was asked for, or tests are lost.

        Whoever lost tests has not seen them fail, so the gates may be all that tells.
        """
        fails = self._must_be_whole or bool(lost)
        rules = [*self._rules, *(["pytest_codecollapse_gate"] * judges_more(config))]
        return tuple(
            Verdict(
                rule=rule,
                status="fail" if fails else "skipped",
                summary=f"{rule}: {partial if rule == _WHOLE else f'not judged: {partial}'}",
                details=tuple(f"lost: {node_id}" for node_id in lost),
            )
            for rule in (rules or ([_WHOLE] if lost else []))
        )


def _naming(samples: str, verdict: Verdict) -> Verdict:
    """Name the samples file, where the session has several, for each failure to be told apart."""
    return msgspec.structs.replace(verdict, summary=f"{samples}: {verdict.summary}")


def _update_of(suite: Suite) -> Optional[BaselineUpdate]:
    path, mode = suite.given.baseline, suite.given.update
    return None if path is None or mode is None else BaselineUpdate(suite, path, mode)


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
