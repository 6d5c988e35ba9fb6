"""The numbers behind a verdict, as plain text and floats, for reporters that take no records."""

from __future__ import annotations

from fractions import Fraction
from typing import Optional, Union

from pytest_codecollapse.gate.against import threshold_of
from pytest_codecollapse.gate.format import format_interval
from pytest_codecollapse.gate.rules import BoundRule, Rule
from pytest_codecollapse.model import Comparison, Number, Report

Figure = tuple[str, Union[str, float]]


def gate_figures(
    rule: Rule, after: Report, comparison: Optional[Comparison] = None
) -> tuple[Figure, ...]:
    """Return the metric of a rule, its values before and after, the interval and the threshold.

    What is not defined, or was not measured, is left out. For a rule on a change the interval is
    that of the delta, and so is the threshold.
    """
    if isinstance(rule, BoundRule):
        return _figures(
            ("metric", rule.metric),
            ("after", after.mean.get(rule.metric)),
            ("threshold", rule.bound),
        )
    rows = () if comparison is None else comparison.metrics
    row = next((each for each in rows if each.metric == rule.metric), None)
    if row is None or row.delta is None:
        return _figures(("metric", rule.metric), ("after", after.mean.get(rule.metric)))
    return _figures(
        ("metric", rule.metric),
        ("before", row.before),
        ("after", row.after),
        ("delta", row.delta),
        ("interval", None if row.interval is None else format_interval(row.interval)),
        ("threshold", threshold_of(rule, row)),
    )


def _figures(*named: tuple[str, Union[str, Number]]) -> tuple[Figure, ...]:
    """Leave out what is None, and make a float of a fraction."""
    return tuple(
        (name, float(value) if isinstance(value, Fraction) else value)
        for name, value in named
        if value is not None
    )
