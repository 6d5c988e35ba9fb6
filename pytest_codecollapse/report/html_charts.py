"""Findings -> the charts of the HTML report."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Optional

from pytest_codecollapse.gate import exact_text, format_number, plural
from pytest_codecollapse.model import CompareSettings, ProblemReport
from pytest_codecollapse.report.chart import Chart, Mark, Path, Plane, upper_end
from pytest_codecollapse.report.curves import (
    Point,
    Statistic,
    distinct_behaviours,
    draws_shown,
    mean_curve,
    mean_stability,
    naive_passing,
    passing,
    stability,
)
from pytest_codecollapse.report.findings import Findings
from pytest_codecollapse.report.text import printable

_MOST_ARROWS = _MOST_LINES = 40
_NAMES_IN_A_TITLE = 8


class Side(NamedTuple):
    """The problems of one report, called ``before`` or ``after`` or, alone, ``now``."""

    kind: str
    name: str
    problems: Sequence[ProblemReport]


def make_charts(findings: Findings, targets: Mapping[str, str]) -> tuple[Chart, ...]:
    """Draw every chart that the findings have the problems for.

    Parameters
    ----------
    findings
        With a baseline, both sides are drawn over the problems that are paired.
    targets
        Problem id -> the place in the page that tells of it.
    """
    sides = _sides(findings)
    if not sides[-1].problems:
        return ()
    settings = findings.intervals
    if findings.baseline is not None:
        settings = findings.baseline.comparison.settings
    return (
        _scatter(sides, targets),
        *_curves(sides, findings.after.settings.k, settings),
        _stability(sides),
    )


def _sides(findings: Findings) -> tuple[Side, ...]:
    before = findings.counterparts()
    if not before:
        return (Side("after", "now", findings.after.problems),)
    paired = [each for each in findings.after.problems if each.problem_id in before]
    return (
        Side("before", "before", [before[each.problem_id] for each in paired]),
        Side("after", "after", paired),
    )


def _place(problem: ProblemReport) -> tuple[int, int]:
    return len(problem.partition.ast_classes), len(problem.partition.classes)


def _scatter(sides: Sequence[Side], targets: Mapping[str, str]) -> Chart:
    places = [_place(problem) for side in sides for problem in side.problems]
    most = upper_end(value for place in places for value in place)
    plane = Plane((0, most), (0, most))
    paths = [Path("guide", plane.line([Point(0, 0), Point(int(most), int(most))]))]
    if len(sides) == 2 and len(sides[0].problems) <= _MOST_ARROWS:
        pairs = zip(sides[0].problems, sides[1].problems)
        paths += [
            Path("move", _moved(plane, old, new), f"{printable(new.problem_id)}: before to after")
            for old, new in pairs
            if _place(old) != _place(new)
        ]
    return Chart(
        title="Ways of writing against behaviours",
        note="Each dot is a problem; larger ones are several at one place. On the dotted line"
        " every program that is written differently does something different. The further below,"
        f" the more the text hides.{_unequal(sides)}",
        x_label="distinct ASTs",
        y_label="distinct behaviours",
        x_ticks=plane.x_ticks(),
        y_ticks=plane.y_ticks(),
        legend=tuple((f"dot-{side.kind}", side.name) for side in sides),
        paths=tuple(paths),
        marks=tuple(mark for side in sides for mark in _dots(side, plane, targets)),
    )


def _unequal(sides: Sequence[Side]) -> str:
    """Warn of counts that differ because there were more candidates to count."""
    if len({sum(problem.n for problem in side.problems) for side in sides}) == 1:
        return ""
    return " The sides differ in candidates, and both counts grow with those: see the next chart."


def _moved(plane: Plane, old: ProblemReport, new: ProblemReport) -> str:
    (x0, y0), (x1, y1) = _place(old), _place(new)
    return plane.line([Point(x0, y0), Point(x1, y1)])


def _dots(side: Side, plane: Plane, targets: Mapping[str, str]) -> Iterable[Mark]:
    at: dict[tuple[int, int], list[str]] = {}
    for problem in side.problems:
        at.setdefault(_place(problem), []).append(problem.problem_id)
    for (asts, behaviours), names in sorted(at.items()):
        shown = ", ".join(printable(name) for name in names[:_NAMES_IN_A_TITLE])
        more = len(names) - _NAMES_IN_A_TITLE
        yield Mark(
            kind=f"dot-{side.kind}",
            x=plane.x(asts),
            y=plane.y(behaviours),
            radius=round(2.8 + 1.5 * math.sqrt(len(names)), 1),
            title=f"{shown}{f' and {more} more' if more > 0 else ''}\n{side.name}:"
            f" {plural(asts, 'distinct AST')}, {plural(behaviours, 'behaviour')}",
            target=targets.get(names[0], ""),
        )


def _curves(
    sides: Sequence[Side], asked: Sequence[int], settings: CompareSettings
) -> Iterable[Chart]:
    ks = draws_shown((problem for side in sides for problem in side.problems), asked)
    if len(ks) < 2:
        return
    intervals = f"the {exact_text(100 * settings.confidence)}% intervals, by resampling problems"
    yield _curve_chart(
        "Distinct behaviours in k draws",
        f"The mean of E[D_k] over {plural(len(sides[0].problems), 'problem')}, exact; the bands"
        f" are {intervals}.",
        "E[D_k]",
        sides,
        (("", distinct_behaviours),),
        ks,
        settings,
    )
    yield _curve_chart(
        "pass@k",
        f"The unbiased estimator, with {intervals}. Thin: the shortcut 1 - (1 - c/n)^k, which"
        " is too low.",
        "pass@k",
        sides,
        (("", passing), ("naive", naive_passing)),
        ks,
        settings,
    )


def _curve_chart(
    title: str,
    note: str,
    y_label: str,
    sides: Sequence[Side],
    statistics: Sequence[tuple[str, Statistic]],
    ks: Sequence[int],
    settings: CompareSettings,
) -> Chart:
    curves: list[tuple[str, str, tuple[Point, ...]]] = []
    for side in sides:
        for variant, statistic in statistics:
            curve = mean_curve(side.problems, statistic, ks, None if variant else settings)
            curves.append((f"{variant or 'line'}-{side.kind}", _named(side, variant), curve))
    ends = [end for _, _, curve in curves for point in curve for end in _reach(point)]
    plane = Plane((ks[0], ks[-1]), (0, upper_end(ends)))
    bands = [
        Path(kind.replace("line", "band"), plane.band(curve))
        for kind, _, curve in curves
        if kind.startswith("line")
    ]
    lines = [Path(kind, plane.line(curve), name) for kind, name, curve in curves]
    return Chart(
        title=title,
        note=note,
        x_label="k",
        y_label=y_label,
        x_ticks=plane.x_ticks(),
        y_ticks=plane.y_ticks(),
        legend=tuple((kind, name) for kind, name, _ in curves),
        paths=tuple(path for path in (*bands, *lines) if path.commands),
        marks=tuple(
            Mark("hit", plane.x(point.k), plane.y(point.value), 5, _told(name, y_label, point))
            for _, name, curve in curves
            for point in curve
        ),
        header=("k", *(name for _, name, _ in curves)),
        rows=tuple(
            (str(k), *(_figures(curve[index]) for _, _, curve in curves))
            for index, k in enumerate(ks)
        ),
    )


def _named(side: Side, variant: str) -> str:
    return f"{side.name}, {variant}" if variant else side.name


def _reach(point: Point) -> tuple[float, ...]:
    return (point.value, *(point.interval or ()))


def _figures(point: Point) -> str:
    interval: Optional[str] = None
    if point.interval is not None:
        interval = ", ".join(format_number(end) for end in point.interval)
    return format_number(point.value) + (f" [{interval}]" if interval else "")


def _told(name: str, label: str, point: Point) -> str:
    return f"{name}, k = {point.k}\n{label} {_figures(point)}"


def _stability(sides: Sequence[Side]) -> Chart:
    means = [(side, mean_stability(side.problems)) for side in sides]
    longest = max((len(curve) for _, curve in means), default=1)
    plane = Plane((1, max(longest, 2)), (0, 1.04))
    faint = "faint" if len(sides[-1].problems) <= _MOST_LINES else "faint crowd"
    single = [
        Path(faint, plane.steps(stability(problem)), _stable(problem))
        for problem in sides[-1].problems
    ]
    lines = [Path(f"line-{side.kind}", plane.line(curve), side.name) for side, curve in means]
    return Chart(
        title="How many inputs it takes",
        note="The share of the behaviours that the first m inputs tell apart: the mean, and,"
        " faint, each problem. A curve that still rises at the end asks for more inputs.",
        x_label="inputs m",
        y_label="share told apart",
        x_ticks=plane.x_ticks(),
        y_ticks=plane.y_ticks(),
        legend=tuple((f"line-{side.kind}", side.name) for side in sides),
        paths=tuple(path for path in (*single, *lines) if path.commands),
        marks=tuple(
            Mark(
                "hit",
                plane.x(point.k),
                plane.y(point.value),
                5,
                f"{side.name}, {plural(point.k, 'input')}\n{point.value:.1%} told apart",
            )
            for side, curve in means
            for point in curve
        ),
    )


def _stable(problem: ProblemReport) -> str:
    total = len(problem.partition.stability_curve)
    stable_at = format_number(problem.statistics.get("stable_at"))
    return f"{printable(problem.problem_id)}: stable after {stable_at} of {total} inputs"
