"""Findings -> one self-contained HTML page, without a script or anything from elsewhere.

Problem ids, code and whatever else comes from a samples file is hostile text. It is set by
templates that escape it, what is invisible in it is spelt out, and should that ever fail, the
page's own policy lets a browser run no script and load nothing: only the one style sheet whose
digest it names is applied.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.util
from importlib import resources
from typing import TYPE_CHECKING

from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.gate import describe_staleness, format_interval, format_number
from pytest_codecollapse.model import MetricDelta
from pytest_codecollapse.report.findings import Findings
from pytest_codecollapse.report.html_charts import make_charts
from pytest_codecollapse.report.html_problems import anchors_of, view_problems
from pytest_codecollapse.report.reasons import (
    cause_rows,
    disagreements,
    extraction_warning,
    remarks,
)
from pytest_codecollapse.report.tally import tally
from pytest_codecollapse.report.text import printable

if TYPE_CHECKING:
    import jinja2

_NEEDED = ("jinja2", "pygments")


def require_html() -> None:
    """Find out, before anything runs, whether pages can be made.

    Raises
    ------
    UsageError
        Where what they are made with is not installed.
    """
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise UsageError(
            f"an HTML report is made with {' and '.join(missing)} (got no such package)",
            remedy="pip install 'pytest-codecollapse[html]'",
        )


def render_html(findings: Findings) -> str:
    """Return the findings as a page; the same findings are the same text."""
    style = _packaged("report.css")
    comparison = None if findings.baseline is None else findings.baseline.comparison
    rows = () if comparison is None else comparison.metrics
    counts = tally(findings.after.problems)
    return (
        _environment()
        .from_string(_packaged("report.html.j2"))
        .render(
            findings=findings,
            report=findings.after,
            comparison=comparison,
            stale="" if comparison is None else describe_staleness(comparison.staleness),
            rows=rows,
            charts=make_charts(findings, anchors_of(findings)),
            problems=view_problems(findings),
            doubt=extraction_warning(findings.after).partition(": ")[2],
            causes=cause_rows(counts),
            remarks=tuple(remarks(counts)),
            disagreements=tuple(disagreements(findings.after.problems, counts)),
            unmeasured=findings.unmeasured(),
            style=style,
            style_digest=_digest(style),
        )
    )


def _environment() -> jinja2.Environment:
    import jinja2

    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["number"] = format_number
    environment.filters["interval"] = format_interval
    environment.filters["printable"] = printable
    environment.tests["clear"] = _is_clear
    return environment


def _is_clear(row: MetricDelta) -> bool:
    """Whether the interval of a delta excludes zero."""
    return row.interval is not None and (row.interval[0] > 0 or row.interval[1] < 0)


def _packaged(name: str) -> str:
    folder = resources.files("pytest_codecollapse.report") / "templates"
    return (folder / name).read_text(encoding="utf-8")


def _digest(style: str) -> str:
    """Return what a content security policy calls the style sheet."""
    return "sha256-" + base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
