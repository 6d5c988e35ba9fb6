"""The HTML page that a command writes: whether it can be, said before it is needed; and writing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Optional

from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.gate import Baseline
from pytest_codecollapse.model import CompareSettings, Report, Verdict
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
from pytest_codecollapse.samples import SamplesFile, is_saved_report


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
    after: tuple[Path, Report],
    before: Optional[tuple[Path, Baseline]] = None,
    verdicts: tuple[Verdict, ...] = (),
    *,
    intervals: Optional[CompareSettings] = None,
) -> None:
    """Write the page of a measurement, or of a comparison, where one was asked for.

    Parameters
    ----------
    target
        The file to write.
    after, before
        The files that were named, and what they hold; candidates' code is read from samples.
    verdicts
        Of the gates that were judged.
    intervals
        How those of a measurement's curves are made.
    """
    if target is None:
        return
    baseline = None if before is None else before[1]
    with _sources(after[0]) as sources, _sources(before and before[0]) as baseline_sources:
        findings = Findings(
            name=str(after[0]),
            after=after[1],
            verdicts=verdicts,
            baseline=baseline,
            baseline_name="" if before is None else str(before[0]),
            sources=sources,
            baseline_sources=baseline_sources,
            intervals=intervals or CompareSettings(),
        )
        write_atomically(target, render_html(findings))


@contextmanager
def _sources(path: Optional[Path]) -> Iterator[Sources]:
    if path is None or is_saved_report(path):
        yield no_sources
    else:
        with SamplesFile.open(path) as samples:
            yield sources_of(samples)
