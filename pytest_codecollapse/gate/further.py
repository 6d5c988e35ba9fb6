"""Metrics that are not the package's own: names that fit the grammar, values that are numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Callable, Optional, Union

import msgspec

from pytest_codecollapse.errors import ProblemError, UsageError, Where
from pytest_codecollapse.gate.metrics import canonical_metric
from pytest_codecollapse.model import Number, ProblemReport

#: A metric: what it says of one measured problem; None where it is not defined for it. The
#: problem holds the package's own statistics, from which a metric can be made.
Metric = Callable[[ProblemReport], Union[Fraction, int, float, None]]

#: Name -> metric. Names are those of rules and reports.
Metrics = Mapping[str, Metric]

#: The package's own metrics alone.
NO_METRICS: Metrics = {}

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_WORDS = ("every", "must")


def checked_metrics(given: Iterable[tuple[str, Any]]) -> dict[str, Metric]:
    """Check further metrics, and return them sorted by name.

    Parameters
    ----------
    given
        Pairs of a name and a function; a name must not come twice.

    Raises
    ------
    UsageError
        Where a name is taken, or could not be told from the words around it in a rule; where
        what it stands for cannot be called.
    """
    found: dict[str, Metric] = {}
    for name, metric in given:
        fault = _fault_of(name, metric, name in found)
        if fault is not None:
            raise UsageError(
                f"metric {name!r} {fault}",
                remedy="give each metric a name of its own, an identifier such as 'my_metric',"
                " and a function of a ProblemReport",
            )
        found[name] = metric
    return dict(sorted(found.items()))


def _fault_of(name: Any, metric: Any, is_taken: bool) -> Optional[str]:
    if not isinstance(name, str) or not _NAME.fullmatch(name) or name in _WORDS:
        return "has a name that a rule cannot hold"
    if canonical_metric(name) is not None:
        return "has the name of a metric that is built in"
    if is_taken:
        return "is defined twice"
    return None if callable(metric) else f"is no function (got {type(metric).__name__})"


def with_metrics(
    problem: ProblemReport, metrics: Metrics, where: Optional[Where] = None
) -> ProblemReport:
    """Add the values of further metrics to a problem's statistics.

    Parameters
    ----------
    problem
        A measured problem, with the statistics of the package.
    metrics
        Checked metrics.
    where
        The problem's place in its file, where it is known.

    Raises
    ------
    ProblemError
        Where a metric raises, or returns what is no number.
    """
    if not metrics:
        return problem
    values = {name: _value_of(name, metric, problem, where) for name, metric in metrics.items()}
    return msgspec.structs.replace(problem, statistics={**problem.statistics, **values})


def _value_of(name: str, metric: Metric, problem: ProblemReport, where: Optional[Where]) -> Number:
    of_problem = "" if where is not None else f" of problem {problem.problem_id!r}"
    try:
        value: Any = metric(problem)
    except Exception as error:
        what = f"metric {name}{of_problem} raised {type(error).__name__}: {error}"
        raise ProblemError(what, where=where, remedy="correct its function") from error
    if value is None or isinstance(value, Fraction):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    if isinstance(value, float) and math.isfinite(value):
        return float(value)
    raise ProblemError(
        f"metric {name}{of_problem} is no number (got {value!r:.60}, expected a Fraction, an int,"
        " a finite float, or None where it is not defined)",
        where=where,
        remedy="correct its function",
    )
