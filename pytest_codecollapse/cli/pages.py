"""The pages that a command writes, HTML and markdown: whether they can be, and writing them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, Optional

from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.gate import Baseline
from pytest_codecollapse.model import CompareSettings, Report, Verdict
from pytest_codecollapse.report import (
    Findings,
    Sources,
    no_sources,
    render_html,
    render_markdown,
    require_html,
    sources_of,
    why_unwritable,
    write_atomically,
)
from pytest_codecollapse.samples import SamplesFiles, is_saved_report


class Pages(NamedTuple):
    """The files to write, where any was asked for."""

    html: Optional[Path]
    markdown: Optional[Path]


def check_pages(pages: Pages) -> None:
    """Find out before programs are run whether the pages that were asked for can be written.

    Raises
    ------
    UsageError
        Where one cannot.
    """
    if pages.html is not None:
        require_html()
    for name, target in pages._asdict().items():
        why = None if target is None else why_unwritable(target)
        if why is not None:
            raise UsageError(f"--{name}: {target} {why}", remedy="choose another place")


def write_pages(
    pages: Pages,
    files: SamplesFiles,
    after: tuple[Path, Report],
    before: Optional[tuple[Path, Baseline]] = None,
    verdicts: tuple[Verdict, ...] = (),
    *,
    intervals: Optional[CompareSettings] = None,
) -> None:
    """Write the pages of a measurement, or of a comparison, where any was asked for.

    Parameters
    ----------
    pages
        The files to write.
    files
        The samples of this run; candidates' code is read from them.
    after, before
        The files that were named, and what they hold.
    verdicts
        Of the gates that were judged.
    intervals
        How those of a measurement's curves are made.
    """
    if pages == Pages(None, None):
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
        intervals=intervals or CompareSettings(),
    )
    if pages.html is not None:
        write_atomically(pages.html, render_html(findings))
    if pages.markdown is not None:
        write_atomically(pages.markdown, render_markdown(findings))


def _sources(files: SamplesFiles, path: Optional[Path]) -> Sources:
    if path is None or is_saved_report(path):
        return no_sources
    return sources_of(files.open(path))
