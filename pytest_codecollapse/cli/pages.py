"""The HTML page that a command writes: whether it can be, said before it is needed; and writing."""

from __future__ import annotations

from pathlib import Path
from typing import Optional

from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.gate import Baseline
from pytest_codecollapse.model import Report, Verdict
from pytest_codecollapse.report import (
    Findings,
    Sources,
    no_sources,
    render_html,
    require_html,
    sources_of,
    why_unwritable,
    write_atomically,
)
from pytest_codecollapse.samples import SamplesFiles, is_saved_report


def check_page(target: Optional[Path]) -> None:
    """Find out before programs are run whether the page that was asked for can be written.

    Raises
    ------
    UsageError
        Where it cannot.
    """
    if target is None:
        return
    require_html()
    why = why_unwritable(target)
    if why is not None:
        raise UsageError(f"--html: {target} {why}", remedy="choose another place")


def write_page(
    target: Optional[Path],
    files: SamplesFiles,
    after: tuple[Path, Report],
    before: Optional[tuple[Path, Baseline]] = None,
    verdicts: tuple[Verdict, ...] = (),
) -> None:
    """Write the page of a measurement, or of a comparison, where one was asked for.

    Parameters
    ----------
    target
        The file to write.
    files
        The samples of this run; candidates' code is read from them.
    after, before
        The files that were named, and what they hold.
    verdicts
        Of the gates that were judged.
    """
    if target is None:
        return
    baseline = None if before is None else before[1]
    findings = Findings(
        name=str(after[0]),
        after=after[1],
        verdicts=verdicts,
        baseline=baseline,
        baseline_name="" if before is None else str(before[0]),
        sources=_sources(files, after[0]),
        baseline_sources=_sources(files, before and before[0]),
    )
    write_atomically(target, render_html(findings))


def _sources(files: SamplesFiles, path: Optional[Path]) -> Sources:
    if path is None or is_saved_report(path):
        return no_sources
    return sources_of(files.open(path))
