"""A chart as numbers: where its axes, lines, bands and marks lie in a drawing of 480 by 290."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Optional

from pytest_codecollapse.report.curves import Point

_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 470, 12, 244


class Tick(NamedTuple):
    """A number on an axis, and where it stands."""

    at: float
    label: str


class Path(NamedTuple):
    """A line or an area: its kind (a CSS class), the drawing commands, and what hovering says."""

    kind: str
    commands: str
    title: str = ""


class Mark(NamedTuple):
    """A dot: its kind, place and radius, what hovering says, and a place in the page."""

    kind: str
    x: float
    y: float
    radius: float
    title: str
    target: str = ""


class Chart(NamedTuple):
    """One drawing. ``legend`` has (kind, text); ``rows`` are the figures as a table."""

    title: str
    note: str
    x_label: str
    y_label: str
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    legend: tuple[tuple[str, str], ...]
    paths: tuple[Path, ...]
    marks: tuple[Mark, ...]
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


class Plane(NamedTuple):
    """Numbers -> places in the drawing; y grows upwards."""

    x_range: tuple[float, float]
    y_range: tuple[float, float]

    def x(self, value: float) -> float:
        """Return how far right a value lies."""
        return _placed(value, self.x_range, _LEFT, _RIGHT)

    def y(self, value: float) -> float:
        """Return how far down a value lies."""
        return _placed(value, self.y_range, _BOTTOM, _TOP)

    def x_ticks(self) -> tuple[Tick, ...]:
        """Return the numbers on the horizontal axis."""
        return tuple(Tick(self.x(each), f"{each:g}") for each in round_numbers(*self.x_range))

    def y_ticks(self) -> tuple[Tick, ...]:
        """Return the numbers on the vertical axis."""
        return tuple(Tick(self.y(each), f"{each:g}") for each in round_numbers(*self.y_range))

    def line(self, points: Sequence[Point]) -> str:
        """Return the commands that draw a line through points."""
        return _drawn((self.x(point.k), self.y(point.value)) for point in points)

    def steps(self, points: Sequence[Point]) -> str:
        """Return the commands that draw points as steps, from each to the next change."""
        if not points:
            return ""
        commands = [_drawn([(self.x(points[0].k), self.y(points[0].value))])]
        for last, point in zip(points, points[1:]):
            if point.value != last.value:
                commands.append(f"H{self.x(point.k):.1f}V{self.y(point.value):.1f}")
        commands.append(f"H{self.x(points[-1].k):.1f}")
        return "".join(commands)

    def band(self, points: Sequence[Point]) -> str:
        """Return the commands that outline the intervals of points."""
        ends = [(self.x(point.k), point.interval) for point in points if point.interval is not None]
        upper = [(x, self.y(interval[1])) for x, interval in ends]
        lower = [(x, self.y(interval[0])) for x, interval in reversed(ends)]
        return f"{_drawn(upper + lower)}Z" if ends else ""


def round_numbers(low: float, high: float, about: int = 5) -> tuple[float, ...]:
    """Return round numbers from low to high, about so many.

    >>> round_numbers(0, 1), round_numbers(1, 20), round_numbers(3, 3)
    ((0.0, 0.2, 0.4, 0.6, 0.8, 1.0), (5.0, 10.0, 15.0, 20.0), (3,))
    """
    if high <= low:
        return (low,)
    magnitude = 10.0 ** math.floor(math.log10((high - low) / about))
    step = next(
        factor * magnitude
        for factor in (1, 2, 5, 10)
        if factor * magnitude * (about + 0.5) >= high - low
    )
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return tuple(round(count * step, 10) for count in range(first, last + 1))


def upper_end(values: Iterable[Optional[float]], least: float = 1.0) -> float:
    """Return where an axis from 0 ends to hold every value."""
    return max([least, *(value for value in values if value is not None)]) * 1.04


def _placed(value: float, span: tuple[float, float], start: float, end: float) -> float:
    low, high = span
    share = 0.5 if high <= low else (value - low) / (high - low)
    return round(start + share * (end - start), 1)


def _drawn(places: Iterable[tuple[float, float]]) -> str:
    commands = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    return f"M{commands}" if commands else ""
