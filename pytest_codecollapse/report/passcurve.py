"""pass@k over k: unbiased with intervals from resampling problems, and naive beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, Optional

import msgspec

from pytest_codecollapse.gate import percent_text, plural
from pytest_codecollapse.model import CompareSettings, ProblemReport, Report
from pytest_codecollapse.report.curves import (
    Mean,
    distinct_behaviours,
    draws_shown,
    exact_means,
    passing,
)
from pytest_codecollapse.report.jsonfile import value_of
from pytest_codecollapse.report.text import Column, Screen, printable, table, wrapped
from pytest_codecollapse.stats import naive_pass_at_k_exact

_FEW_PROBLEMS = 20
_FRACTION = re.compile(r"[0-9]+/[0-9]+")  # not 1e-9, which takes as much memory as it says


class CurvePoint(NamedTuple):
    """Means over all problems at k draws: pass@k, the naive figure for it, and E[D_k]."""

    k: int
    passing: Mean
    naive: Mean
    distinct: Mean


def pass_curve(report: Report, settings: CompareSettings) -> tuple[CurvePoint, ...]:
    """Return the curve of a report, from the counts of its problems.

    Parameters
    ----------
    report
        The measurement; the numbers of draws that it was asked for are among those of the curve.
    settings
        How intervals are made, by resampling problems or whole clusters of them.

    Returns
    -------
    tuple of CurvePoint
        By ascending k, up to the smallest number of candidates that a problem has: beyond, the
        means would be over fewer problems at each k, and the curve would bend for that alone.
    """
    problems = report.problems
    ks = draws_shown(problems, report.settings.k)
    right = exact_means(problems, passing, ks, settings)
    naive = exact_means(problems, _naive, ks)
    distinct = exact_means(problems, distinct_behaviours, ks, settings)
    return tuple(CurvePoint(k, right[k], naive[k], distinct[k]) for k in ks)


def _naive(problem: ProblemReport, k: int) -> Optional[Fraction]:
    return naive_pass_at_k_exact(problem.n, problem.correct, k)


def curve_table(
    points: Sequence[CurvePoint], report: Report, settings: CompareSettings, screen: Screen
) -> str:
    """Show the curve of a report, a row a k, and what it rests on."""
    if not points:
        return "no curve: no problem was measured"
    width = len(str(points[-1].k))
    names = Column("k".rjust(width), [str(point.k).rjust(width) for point in points])
    interval = f"{percent_text(settings.confidence)} interval"
    columns = [
        Column("pass@k", [_decimals(point.passing.value) for point in points]),
        Column(interval, [_interval(point.passing) for point in points]),
        Column("naive", [_decimals(point.naive.value) for point in points]),
        Column("E[D_k]", [_decimals(point.distinct.value) for point in points]),
        Column(interval, [_interval(point.distinct) for point in points]),
    ]
    notes = (wrapped(note, screen) for note in _notes(report.problems, settings))
    return "\n".join([table(names, columns, screen), "", *notes])


def _decimals(value: Any) -> str:
    return f"{float(value):.3f}"


def _interval(mean: Mean) -> str:
    if mean.interval is None:
        return "-"
    lower, upper = map(_decimals, mean.interval)
    return f"[{lower}, {upper}]"


def _notes(problems: Sequence[ProblemReport], settings: CompareSettings) -> Iterator[str]:
    yield (
        f"means over {plural(len(problems), 'problem')}, intervals by resampling them"
        f" ({plural(settings.resamples, 'resample')}, {settings.interval}); naive is"
        " 1 - (1 - c/n)^k, which is biased low"
    )
    smallest = min(problems, key=lambda problem: problem.n)
    more = sum(problem.n > smallest.n for problem in problems)
    if more:
        yield (
            f"the curve ends with the {plural(smallest.n, 'candidate')} of"
            f" {printable(smallest.problem_id)}; {plural(more, 'problem')} of {len(problems)}"
            f" {'has' if more == 1 else 'have'} more"
        )
    if len(problems) < 2:
        yield "one problem has no interval"
    elif len(problems) < _FEW_PROBLEMS:
        yield f"only {len(problems)} problems: intervals of so few are rough"


def curve_object(points: Sequence[CurvePoint], settings: CompareSettings) -> dict[str, Any]:
    """Return a curve for a report's JSON, under the key ``curve``: its settings and points."""
    values = [
        {
            "k": point.k,
            "pass@k": value_of(point.passing.value),
            "interval": _ends(point.passing),
            "naive": value_of(point.naive.value),
            "E[D_k]": value_of(point.distinct.value),
            "E[D_k]_interval": _ends(point.distinct),
        }
        for point in points
    ]
    made = _Made(
        resamples=settings.resamples,
        confidence=str(settings.confidence),
        seed=settings.seed,
        interval=settings.interval,
    )
    builtins: dict[str, Any] = msgspec.to_builtins({"settings": made, "points": values})
    return builtins


def _ends(mean: Mean) -> Any:
    return None if mean.interval is None else [value_of(end) for end in mean.interval]


class _Made(msgspec.Struct, frozen=True, kw_only=True):
    """How a saved curve's intervals were made."""

    resamples: int
    confidence: str
    seed: int
    interval: str


class _Saved(msgspec.Struct, frozen=True, kw_only=True):
    settings: _Made
    points: list[Any]


def curve_again(saved: Any, report: Report) -> Any:
    """Return a curve that was saved with a report as it is for another report.

    Parameters
    ----------
    saved
        What stands under the key ``curve``; what is no curve of ours is returned as it is.
    report
        The report that it is to stand in now.
    """
    settings = _settings_of(saved)
    return saved if settings is None else curve_object(pass_curve(report, settings), settings)


def _settings_of(saved: Any) -> Optional[CompareSettings]:
    """Read how a saved curve was made; None for what is no curve, or cannot have been made so."""
    try:
        made = msgspec.convert(saved, _Saved).settings
        if made.resamples < 1 or not _FRACTION.fullmatch(made.confidence):
            return None
        if not 0 < Fraction(made.confidence) < 1:
            return None
        return msgspec.convert(
            {**msgspec.to_builtins(made), "confidence": Fraction(made.confidence)}, CompareSettings
        )
    except (msgspec.MsgspecError, ValueError, ZeroDivisionError):
        return None
