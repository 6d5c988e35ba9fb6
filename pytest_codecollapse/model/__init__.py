"""The frozen records that pass between the stages, a module a stage.

::

    Problem -> Executions -> Partition -> ProblemReport -> Report -> Comparison, Verdict

Numbers are exact: a statistic is a ``Fraction``, a ``float`` only where its formula is irrational
(``hill_q1``), and ``None`` outside its domain. Rounding is the reports' business.
"""

from __future__ import annotations

from pytest_codecollapse.model.behaviour import CAUSES, BehaviourClass, Partition, Witness
from pytest_codecollapse.model.comparison import (
    CompareSettings,
    Comparison,
    MetricDelta,
    Staleness,
    Verdict,
)
from pytest_codecollapse.model.execution import (
    Checked,
    Execution,
    Executions,
    FailedAssert,
    Shown,
)
from pytest_codecollapse.model.numbers import Number, Statistics
from pytest_codecollapse.model.problem import Checks, Problem, Settings
from pytest_codecollapse.model.report import (
    ChecksReport,
    Environment,
    Identity,
    ProblemReport,
    Report,
    SharedFailure,
    Unmeasured,
)

__all__ = [
    "CAUSES",
    "BehaviourClass",
    "Checked",
    "Checks",
    "ChecksReport",
    "CompareSettings",
    "Comparison",
    "Environment",
    "Execution",
    "Executions",
    "FailedAssert",
    "Identity",
    "MetricDelta",
    "Number",
    "Partition",
    "Problem",
    "ProblemReport",
    "Report",
    "Settings",
    "SharedFailure",
    "Shown",
    "Staleness",
    "Statistics",
    "Unmeasured",
    "Verdict",
    "Witness",
]
