"""``--codecollapse-update-baseline``: planned before the gates are reported, written after.

A gate that fails only because of the change that ``all`` accepts is skipped, and says so. Whether
the change is accepted has to be known by then; whether the file is written, only after the last
test and gate: never where anything failed, or a problem was not measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Optional

import pytest

from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.gate import name_some, plural
from pytest_codecollapse.model import Report, Verdict
from pytest_codecollapse.plugin.suite import Suite
from pytest_codecollapse.report import printable, write_atomically
from pytest_codecollapse.samples import is_saved_report, is_there
from pytest_codecollapse.update import Update, UpdateMode, plan_update

NOT_RUN = "not every test has run"


def refuse_what_cannot_be_updated(suite: Suite) -> None:
    """Refuse an update before anything runs.

    Raises
    ------
    pytest.UsageError
        Where no baseline is named, it is no report, or another report is written to it.
    """
    given = suite.given
    if given.update is None:
        return
    option, baseline = "--codecollapse-update-baseline", given.baseline
    if baseline is None:
        raise pytest.UsageError(
            f"{option} needs a baseline (got none); name the report to write with "
            "--codecollapse-baseline or codecollapse_baseline"
        )
    if is_there(baseline) and not is_saved_report(baseline):
        raise pytest.UsageError(
            f"{option} writes a report, and the baseline {suite.shown(baseline)} is none; name one "
            "with --codecollapse-baseline, such as before.json, which is made where it is missing"
        )
    if baseline == given.reports.get("json"):
        raise pytest.UsageError(
            f"{option} and --codecollapse-json write the same file; give one of them another"
        )


class BaselineUpdate:
    """What becomes of the baseline file at the end of a run."""

    def __init__(self, suite: Suite, path: Path, mode: UpdateMode) -> None:
        self._suite = suite
        self._path = path
        self._mode = mode
        self._planned: Optional[Update] = None
        self._refused = NOT_RUN
        self._is_written = False

    def plan(
        self,
        session: pytest.Session,
        report: Report,
        partial: Optional[str],
        verdicts: tuple[Verdict, ...],
    ) -> tuple[Verdict, ...]:
        """Find out whether the file can be updated; return the gates as they are to be reported."""
        if partial is not None or session.testsfailed:
            self._refused = partial or _failed(session)
            return verdicts
        try:
            self._planned = plan_update(
                self._path,
                report,
                self._mode,
                shown_as=self._suite.shown(self._path),
                metrics=self._suite.metrics,
            )
        except UsageError as error:
            self._refused = str(error)
            return verdicts
        accepted = self._suite.accepted(self._suite.gates, verdicts)
        return verdicts if any(verdict.failed for verdict in accepted) else accepted

    def write(self, session: pytest.Session) -> None:
        """Write the file, unless a test or a gate has failed."""
        if self._planned is None:
            return
        if session.testsfailed:
            self._refused = _failed(session)
            return
        if self._planned.is_changed:
            write_atomically(self._path, self._planned.text)
        self._is_written = True

    @property
    def lines(self) -> Sequence[str]:
        """What the summary says of the file."""
        name = f"baseline {self._suite.shown(self._path)}"
        if self._planned is None or not self._is_written:
            return [f"{name} not updated: {self._refused}"]
        merged = self._planned.merged
        if merged is None:
            return [f"{name} written"]
        if not self._planned.is_changed:
            lines = [f"{name} is up to date"]
        else:
            count = plural(len(merged.replaced), "problem")
            lines = [f"{name} updated: {count} replaced, {len(merged.added)} added"]
        if merged.gone:
            gone = printable(name_some(merged.gone))
            lines.append(
                f"kept in it, though the samples do not have them: {gone}; a run is stale until"
                " codecollapse_allow_removed lists them"
            )
        return lines


def _failed(session: pytest.Session) -> str:
    return f"{plural(session.testsfailed, 'test')} failed"
