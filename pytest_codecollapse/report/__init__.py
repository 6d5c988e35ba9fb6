"""Records -> text: terminal tables and the JSON file."""

from pytest_codecollapse.report.isolation import isolation_lines
from pytest_codecollapse.report.jsonfile import (
    problem_to_json,
    render_comparison,
    render_object,
    render_report,
    report_object,
    write_atomically,
)
from pytest_codecollapse.report.terminal import (
    comparison_table,
    measurement_table,
    unmeasured_lines,
    verdict_lines,
)
from pytest_codecollapse.report.text import Screen, printable, wrapped

__all__ = [
    "Screen",
    "comparison_table",
    "isolation_lines",
    "measurement_table",
    "printable",
    "problem_to_json",
    "render_comparison",
    "render_object",
    "render_report",
    "report_object",
    "unmeasured_lines",
    "verdict_lines",
    "wrapped",
    "write_atomically",
]
