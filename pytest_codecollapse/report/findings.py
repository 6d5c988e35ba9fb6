"""What a written report is about: the measurement, what it is compared with, the verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Callable, NamedTuple, Optional

from pytest_codecollapse.gate import Baseline, exact_text, pair_problems
from pytest_codecollapse.model import CompareSettings, ProblemReport, Report, Verdict
from pytest_codecollapse.samples import SamplesFile

#: Problem id -> the sources of its candidates, in order; empty where nobody has them any more.
Sources = Callable[[str], Sequence[str]]


def no_sources(problem_id: str) -> Sequence[str]:
    """Have no sources, as a saved report has none."""
    return ()


def sources_of(samples: SamplesFile) -> Sources:
    """Return the candidates of an open samples file by problem id, read when they are asked for."""
    entries = {entry.problem_id: entry for entry in samples.entries}

    def sources(problem_id: str) -> Sequence[str]:
        entry = entries.get(problem_id)
        return () if entry is None else samples.read(entry).candidates

    return sources


class Findings(NamedTuple):
    """Everything that a written report tells.

    ``name`` and ``baseline_name`` are the files as the user knows them. ``partial`` says why the
    measurement is not whole; no gate was judged then. ``intervals`` are how the intervals of
    curves are made where there is no comparison that says so.
    """

    name: str
    after: Report
    verdicts: tuple[Verdict, ...] = ()
    baseline: Optional[Baseline] = None
    baseline_name: str = ""
    partial: Optional[str] = None
    sources: Sources = no_sources
    baseline_sources: Sources = no_sources
    intervals: CompareSettings = CompareSettings()

    def counterparts(self) -> dict[str, ProblemReport]:
        """Return the baseline's problems that are comparable with one of the current report."""
        if self.baseline is None:
            return {}
        pairs = pair_problems(self.baseline.report, self.after)
        return {after.problem_id: before for before, after in pairs}

    def suspects(self) -> frozenset[str]:
        """Return the problems behind failed gates."""
        return frozenset(name for each in self.verdicts if each.failed for name in each.problem_ids)

    def unmeasured(self) -> tuple[str, ...]:
        """Return why problems could not be measured, on both sides."""
        reports = [self.after, *([] if self.baseline is None else [self.baseline.report])]
        return tuple(each.message for report in reports for each in report.unmeasured)

    def worst_first(self) -> tuple[ProblemReport, ...]:
        """Return the problems, those behind failed gates first, then by how far they collapsed.

        With a baseline that is how much the headline statistic dropped, else the masking ratio.
        """
        before, suspects, headline = self.counterparts(), self.suspects(), self.headline()

        def rank(problem: ProblemReport) -> tuple[bool, Fraction, str]:
            old = before.get(problem.problem_id)
            if not before:
                collapse = _value(problem, "masking_ratio")
            elif old is None:
                collapse = Fraction(0)
            else:
                collapse = _value(old, headline) - _value(problem, headline)
            return problem.problem_id not in suspects, -collapse, problem.problem_id

        return tuple(sorted(self.after.problems, key=rank))

    def headline(self) -> str:
        """Name the statistic that problems are ranked by: E[D_5], or of the draws k next to 5."""
        k = min(self.after.settings.k, key=lambda each: (abs(each - 5), each), default=1)
        return f"E[D_{k}]"

    def interval_title(self) -> str:
        """Name the intervals of the comparison, such as ``95% interval``."""
        if self.baseline is None:
            return ""
        return f"{exact_text(100 * self.baseline.comparison.settings.confidence)}% interval"


def _value(problem: ProblemReport, name: str) -> Fraction:
    return Fraction(problem.statistics.get(name) or 0)
