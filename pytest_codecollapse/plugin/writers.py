"""Which reports the end of a run writes, and whether they can be written, said before it starts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Optional

import pytest

from pytest_codecollapse.errors import CodecollapseError
from pytest_codecollapse.plugin.extensions import render_modified
from pytest_codecollapse.plugin.gates import Judged
from pytest_codecollapse.plugin.options import Given
from pytest_codecollapse.plugin.suite import Suite
from pytest_codecollapse.report import (
    Findings,
    Sources,
    append_summary,
    no_sources,
    render_html,
    render_markdown,
    require_html,
    sources_of,
    why_unwritable,
    write_atomically,
)
from pytest_codecollapse.samples import is_saved_report


def check_reports(given: Given) -> None:
    """Find out before anything runs whether every report can be written.

    Raises
    ------
    pytest.UsageError
        Where one cannot, or two would be written to one file.
    """
    names: dict[Path, str] = dict.fromkeys(given.samples, "samples")
    if given.baseline is not None and "json" not in given.reports:  # which may renew a baseline
        names[given.baseline] = "baseline"
    for name, path in given.reports.items():
        why = why_unwritable(path)
        if why is not None:
            raise pytest.UsageError(f"--codecollapse-{name}: {path} {why}")
        other = names.setdefault(path, name)
        if other != name:
            raise pytest.UsageError(
                f"--codecollapse-{name}: {path} is that of --codecollapse-{other}; name another"
            )
    if "html" in given.reports:
        try:
            require_html()
        except CodecollapseError as error:
            raise pytest.UsageError(f"--codecollapse-html: {error}") from error


def write_reports(
    config: pytest.Config, suite: Suite, judged: Sequence[Judged]
) -> tuple[Path, ...]:
    """Write what was asked for, where anything was measured; return the files.

    Raises
    ------
    UsageError
        Where a file cannot be written.
    """
    if suite.given.values["github"]:
        for each in judged:
            append_summary(render_markdown(_findings(suite, each)))
    first = judged[0]
    if not (first.report.problems or first.report.unmeasured):
        return ()
    findings = _findings(suite, first)
    for name, path in suite.given.reports.items():
        write_atomically(path, _rendered(config, name, findings))
    return tuple(suite.given.reports.values())


def _rendered(config: pytest.Config, name: str, findings: Findings) -> str:
    if name == "json":
        return render_modified(config, findings.after)
    return render_markdown(findings) if name == "markdown" else render_html(findings)


def _findings(suite: Suite, judged: Judged) -> Findings:
    baseline = suite.given.baseline
    return Findings(
        name=suite.shown(judged.samples),
        after=judged.report,
        verdicts=judged.verdicts,
        baseline=judged.baseline,
        baseline_name="" if baseline is None else suite.shown(baseline),
        partial=judged.partial,
        sources=_sources(suite, judged.samples),
        baseline_sources=_sources(suite, None if judged.baseline is None else baseline),
    )


def _sources(suite: Suite, path: Optional[Path]) -> Sources:
    if path is None or is_saved_report(path):
        return no_sources
    return sources_of(suite.open(path))
