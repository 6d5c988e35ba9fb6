"""The grammar of gates: one line of an ini file, an option or a marker -> a rule.

::

    METRIC >= NUMBER                 the mean over problems
    every METRIC >= NUMBER           each problem by itself
    METRIC must not drop             the interval of the delta against the baseline
    METRIC must not drop by AMOUNT   likewise with a margin: NUMBER or NUMBER%
    METRIC must not rise [by AMOUNT]
    METRIC must rise [by AMOUNT]     the change that is asked for, or ``must drop``

``<=`` is read like ``>=``. A NUMBER is kept exactly: ``2``, ``0.3``, ``1/3``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from fractions import Fraction
from typing import Literal, Optional, Union

import msgspec

from pytest_codecollapse.errors import UsageError, Where
from pytest_codecollapse.gate.format import exact_text
from pytest_codecollapse.gate.metrics import (
    canonical_metric,
    metric_k,
    metrics_help,
    nearest_metric,
)

_BOUND = re.compile(r"(?P<every>every\s+)?(?P<metric>.+?)\s*(?P<op>>=|<=)\s*(?P<number>.*)")
_COMPARE = re.compile(
    r"(?P<metric>.+?)\s+must\s+(?P<no>not\s+)?(?P<direction>drop|rise)(?:\s+by\s+(?P<amount>.+))?"
)
_NUMBER = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]{1,2})?|[0-9]+/[0-9]+")

#: Which way a mean moves.
Direction = Literal["drop", "rise"]

_FORMS = (
    "expected 'METRIC >= NUMBER', 'METRIC <= NUMBER', either of them after 'every', or"
    " 'METRIC must not drop', 'METRIC must rise' or the other way, alone or with 'by NUMBER' or"
    " 'by NUMBER%'"
)


class BoundRule(msgspec.Struct, frozen=True, kw_only=True):
    """``[every] METRIC >= NUMBER``: a bound on the mean, or on each problem by itself."""

    metric: str
    op: Literal[">=", "<="]
    bound: Fraction
    every: bool = False

    def __str__(self) -> str:
        every = "every " if self.every else ""
        return f"{every}{self.metric} {self.op} {exact_text(self.bound)}"


class Margin(msgspec.Struct, frozen=True, kw_only=True):
    """How far a mean may move: in the metric's own unit, or in percent of the baseline's mean."""

    amount: Fraction
    percent: bool = False

    def __str__(self) -> str:
        return f"{exact_text(self.amount)}{'%' if self.percent else ''}"


class CompareRule(msgspec.Struct, frozen=True, kw_only=True):
    """``METRIC must [not] drop|rise [by AMOUNT]``: a bound on the move against the baseline.

    ``wanted`` is whether the move is asked for, and not forbidden.
    """

    metric: str
    direction: Direction
    margin: Optional[Margin] = None
    wanted: bool = False

    @property
    def feared(self) -> Direction:
        """The direction in which a problem moves the wrong way."""
        if self.wanted:
            return "drop" if self.direction == "rise" else "rise"
        return self.direction

    def __str__(self) -> str:
        margin = "" if self.margin is None else f" by {self.margin}"
        return f"{self.metric} must {'' if self.wanted else 'not '}{self.direction}{margin}"


Rule = Union[BoundRule, CompareRule]

#: The gates of a run that has a baseline and names no rule.
DEFAULT_COMPARE_RULES: tuple[Rule, ...] = (
    CompareRule(metric="E[D_5]", direction="drop"),
    CompareRule(metric="masking_ratio", direction="rise"),
)

#: The gate of each intervention, where arms are compared and no rule is named.
DEFAULT_ARMS_RULES: tuple[Rule, ...] = (
    CompareRule(metric="pass@1", direction="rise", wanted=True),
)


def parse_rule(text: str, *, where: Optional[Where] = None, metrics: Collection[str] = ()) -> Rule:
    """Read one gate.

    Parameters
    ----------
    text
        The line. Blanks around and between its words do not matter.
    where
        The place it was read from, for the message of an error.
    metrics
        Names of metrics that are not built in.

    Returns
    -------
    Rule
        Its ``str`` is the rule's canonical text, which parses to an equal rule.

    Raises
    ------
    UsageError
        The line is not a rule, its metric is unknown, or its number is negative or not finite.

    Examples
    --------
    >>> str(parse_rule("every  D@5>=2.50"))
    'every E[D_5] >= 2.5'
    >>> str(parse_rule("pass@1 must not drop by 5 %"))
    'pass@1 must not drop by 5%'
    """
    line = _Line(text, where, metrics)
    compare = _COMPARE.fullmatch(text.strip())
    if compare:
        amount = compare["amount"]
        return CompareRule(
            metric=line.metric(compare["metric"]),
            direction="drop" if compare["direction"] == "drop" else "rise",
            margin=None if amount is None else line.margin(amount),
            wanted=compare["no"] is None,
        )
    bound = _BOUND.fullmatch(text.strip())
    if bound:
        return BoundRule(
            metric=line.metric(bound["metric"]),
            op=">=" if bound["op"] == ">=" else "<=",
            bound=line.number(bound["number"], "a number"),
            every=bound["every"] is not None,
        )
    raise line.refusal(f"is not a rule: {_FORMS}")


def rule_ks(rules: Iterable[Rule]) -> frozenset[int]:
    """Return every number of draws k that the rules' metrics need computed.

    >>> sorted(rule_ks([parse_rule("D@7 >= 2"), parse_rule("hill_q1 >= 2")]))
    [7]
    """
    ks = (metric_k(rule.metric) for rule in rules)
    return frozenset(k for k in ks if k is not None)


def refuse_without_baseline(rules: Iterable[Rule]) -> None:
    """Refuse the first rule that only a baseline can answer.

    Raises
    ------
    UsageError
        One of the rules is a ``CompareRule``.
    """
    for rule in rules:
        if isinstance(rule, CompareRule):
            raise UsageError(
                f"gate '{rule}' compares with a baseline, and there is none",
                remedy="give one with --codecollapse-baseline=PATH (a report or a samples file)"
                " or write the gate as 'METRIC >= NUMBER'",
            )


class _Line:
    """The line being read: reads its parts, and names the line where one is wrong."""

    def __init__(self, text: str, where: Optional[Where], metrics: Collection[str]) -> None:
        self._text = text
        self._where = where
        self._metrics = metrics

    def metric(self, text: str) -> str:
        canonical = canonical_metric(text, self._metrics)
        if canonical is not None:
            return canonical
        if text.startswith("every "):
            raise self.refusal("is not a rule: 'every' goes with >= and <= only")
        nearest = nearest_metric(text, self._metrics)
        hint = "" if nearest is None else f", did you mean {nearest!r}?"
        raise self.refusal(f"names an unknown metric {text!r}{hint}")

    def number(self, text: str, expected: str) -> Fraction:
        try:
            if _NUMBER.fullmatch(text):
                return Fraction(text)
        except (ValueError, ZeroDivisionError):  # more digits than int() takes; n/0
            pass
        raise self.refusal(
            f"has a bad number: got {text!r}, expected {expected} of at least 0"
            " such as 2, 0.3 or 1/3"
        )

    def margin(self, text: str) -> Margin:
        percent = text.endswith("%")
        number = text[:-1].rstrip() if percent else text
        return Margin(amount=self.number(number, "a margin"), percent=percent)

    def refusal(self, problem: str) -> UsageError:
        remedy = metrics_help(self._metrics)
        return UsageError(f"gate {self._text!r} {problem}", where=self._where, remedy=remedy)
