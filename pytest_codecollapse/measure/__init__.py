"""The order of the stages: samples -> sandbox -> behaviour -> statistics -> report."""

from pytest_codecollapse.measure.pipeline import (
    Outcome,
    Pipeline,
    Planned,
    assemble,
    check_file,
    load_report,
    measure,
    restate,
    settings_for,
)
from pytest_codecollapse.measure.problem import (
    agreement_with,
    report_problem,
    restate_problem,
    statistics_of,
)

__all__ = [
    "Outcome",
    "Pipeline",
    "Planned",
    "agreement_with",
    "assemble",
    "check_file",
    "load_report",
    "measure",
    "report_problem",
    "restate",
    "restate_problem",
    "settings_for",
    "statistics_of",
]
