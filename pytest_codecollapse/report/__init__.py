"""Records -> text: terminal tables, the JSON file, markdown, HTML and what GitHub takes."""

from pytest_codecollapse.report.arms import arms_tables, render_arms
from pytest_codecollapse.report.findings import Findings, Sources, no_sources, sources_of
from pytest_codecollapse.report.github import append_summary, gate_annotations
from pytest_codecollapse.report.html import render_html, require_html
from pytest_codecollapse.report.isolation import isolation_lines
from pytest_codecollapse.report.jsonfile import (
    problem_to_json,
    render_comparison,
    render_object,
    render_report,
    report_object,
)
from pytest_codecollapse.report.markdown import render_markdown
from pytest_codecollapse.report.passcurve import (
    CurvePoint,
    curve_again,
    curve_object,
    curve_table,
    pass_curve,
)
from pytest_codecollapse.report.reading import reading_lines
from pytest_codecollapse.report.reasons import (
    extraction_warning,
    problem_details,
    reason_lines,
)
from pytest_codecollapse.report.terminal import (
    comparison_table,
    environment_line,
    measurement_table,
    unmeasured_lines,
    verdict_lines,
)
from pytest_codecollapse.report.text import Screen, printable, wrapped
from pytest_codecollapse.report.writing import replacing, why_unwritable, write_atomically

__all__ = [
    "CurvePoint",
    "Findings",
    "Screen",
    "Sources",
    "append_summary",
    "arms_tables",
    "comparison_table",
    "curve_again",
    "curve_object",
    "curve_table",
    "environment_line",
    "extraction_warning",
    "gate_annotations",
    "isolation_lines",
    "measurement_table",
    "no_sources",
    "pass_curve",
    "printable",
    "problem_details",
    "problem_to_json",
    "reading_lines",
    "reason_lines",
    "render_arms",
    "render_comparison",
    "render_html",
    "render_markdown",
    "render_object",
    "render_report",
    "replacing",
    "report_object",
    "require_html",
    "sources_of",
    "unmeasured_lines",
    "verdict_lines",
    "why_unwritable",
    "wrapped",
    "write_atomically",
]
