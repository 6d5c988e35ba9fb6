"""``[every] METRIC >= NUMBER``: judging a report by itself."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Optional, Union

from pytest_codecollapse.gate.format import exact_text, format_number, plural
from pytest_codecollapse.gate.metrics import undefined_reason
from pytest_codecollapse.gate.rules import BoundRule
from pytest_codecollapse.model import ProblemReport, Report, Statistics, Verdict

_PROBLEMS_SHOWN = 5


def breaches(rule: BoundRule, problem: ProblemReport) -> Optional[str]:
    """Say how one problem breaches a bound, if it does.

    Parameters
    ----------
    rule
        A bound; here it holds for the problem, whether or not it says ``every``.
    problem
        A measured problem.

    Returns
    -------
    str or None
        A message with the metric, the value and the bound; ``None`` where the bound holds. A
        metric that is not defined for the problem breaches every bound.
    """
    value = problem.statistics.get(rule.metric)
    if value is None:
        return f"{rule.metric} is {_absence(rule.metric, problem.statistics)}"
    return None if _holds(rule, value) else f"{rule.metric} {_breach(rule, value)}"


def judge_bound(rule: BoundRule, report: Report) -> Verdict:
    """Judge a bound on the mean over problems, or on every problem.

    Parameters
    ----------
    rule
        The bound.
    report
        The current report.

    Returns
    -------
    Verdict
        ``pass`` or ``fail``; a metric without a value fails. Of a failure ``problem_ids`` are all
        the problems that breach an ``every`` rule, or the few furthest from a bound on the mean.
    """
    if not report.problems:
        return Verdict(rule=str(rule), status="fail", summary=f"{rule}: no problem was measured")
    return _judge_every(rule, report) if rule.every else _judge_mean(rule, report)


def _judge_mean(rule: BoundRule, report: Report) -> Verdict:
    mean = report.mean.get(rule.metric)
    count = plural(len(report.problems), "problem")
    if mean is None:
        summary = f"{rule}: {_absence(rule.metric, report.mean, f' for any of {count}')}"
        return Verdict(rule=str(rule), status="fail", summary=summary)
    defining = [each for each in report.problems if each.statistics.get(rule.metric) is not None]
    scope = count if len(defining) == len(report.problems) else f"{len(defining)} of {count}"
    if _holds(rule, mean):
        summary = f"{rule}: mean {format_number(mean, beside=rule.bound)} ({scope})"
        return Verdict(rule=str(rule), status="pass", summary=summary)
    worst = _worst_first(rule, defining)[:_PROBLEMS_SHOWN]
    return Verdict(
        rule=str(rule),
        status="fail",
        summary=f"{rule}: mean {_breach(rule, mean)} ({scope})",
        details=(f"{_extreme(rule)}:", *(f"  {_value_of(rule, each)}" for each in worst)),
        problem_ids=tuple(each.problem_id for each in worst),
    )


def _judge_every(rule: BoundRule, report: Report) -> Verdict:
    worst_first = _worst_first(rule, report.problems)
    messages = [(each.problem_id, breaches(rule, each)) for each in worst_first]
    found = [(problem_id, message) for problem_id, message in messages if message is not None]
    if not found:
        summary = f"{rule}: {_extreme(rule)} {_value_of(rule, worst_first[0])}"
        return Verdict(rule=str(rule), status="pass", summary=summary)
    more = len(found) - _PROBLEMS_SHOWN
    return Verdict(
        rule=str(rule),
        status="fail",
        summary=f"{rule}: {len(found)} of {plural(len(report.problems), 'problem')}"
        f" {'breaches' if len(found) == 1 else 'breach'} it",
        details=(
            *(f"{problem_id}: {message}" for problem_id, message in found[:_PROBLEMS_SHOWN]),
            *([f"and {more} more"] if more > 0 else []),
        ),
        problem_ids=tuple(problem_id for problem_id, _ in found),
    )


def _holds(rule: BoundRule, value: Union[Fraction, float]) -> bool:
    return value >= rule.bound if rule.op == ">=" else value <= rule.bound


def _breach(rule: BoundRule, value: Union[Fraction, float]) -> str:
    side = "below" if rule.op == ">=" else "above"
    return f"{format_number(value, beside=rule.bound)} is {side} {exact_text(rule.bound)}"


def _extreme(rule: BoundRule) -> str:
    return f"{'lowest' if rule.op == '>=' else 'highest'} {rule.metric}"


def _value_of(rule: BoundRule, problem: ProblemReport) -> str:
    value = format_number(problem.statistics[rule.metric], beside=rule.bound)
    return f"{value} ({problem.problem_id})"


def _worst_first(rule: BoundRule, problems: Iterable[ProblemReport]) -> list[ProblemReport]:
    """Sort by how far on the wrong side a problem is; undefined ones first, ties by id."""
    sign = 1 if rule.op == ">=" else -1

    def rank(problem: ProblemReport) -> tuple[bool, float, str]:
        value = problem.statistics.get(rule.metric)
        return value is not None, sign * float(value or 0), problem.problem_id

    return sorted(problems, key=rank)


def _absence(metric: str, statistics: Statistics, scope: str = "") -> str:
    if metric not in statistics:
        return "not measured"
    return f"not defined{scope}: {undefined_reason(metric)}"
