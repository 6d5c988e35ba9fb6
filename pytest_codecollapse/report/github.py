"""Verdicts and reports for a job of GitHub Actions: annotations, and the step's summary."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from pytest_codecollapse.errors import UsageError, Where
from pytest_codecollapse.model import Verdict
from pytest_codecollapse.report.markdown import MOST_BYTES, fitted
from pytest_codecollapse.report.text import printable

_SUMMARY = "GITHUB_STEP_SUMMARY"


def gate_annotations(verdicts: Iterable[Verdict]) -> tuple[str, ...]:
    """Return the workflow command that annotates the run, one for each failed gate."""
    return tuple(_annotation(verdict) for verdict in verdicts if verdict.failed)


def _annotation(verdict: Verdict) -> str:
    title = _property(printable(f"codecollapse: {verdict.rule}"))
    lines = "\n".join(map(printable, (verdict.summary, *verdict.details)))
    return f"::error title={title}::{_data(lines)}"


def _data(text: str) -> str:
    """Escape a command's message as the runner's toolkit does."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def append_summary(markdown: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Append to the summary of the step that runs; whether there is one.

    What would make it larger than GitHub takes is cut, so that the rest is shown.

    Raises
    ------
    UsageError
        Where the file cannot be written.
    """
    target = environment.get(_SUMMARY)
    if not target:
        return False
    path = Path(target)
    try:
        taken = path.stat().st_size if path.exists() else 0
        with path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(fitted(markdown, MOST_BYTES - taken))
    except OSError as error:
        raise UsageError(
            f"the step's summary cannot be written ({error.strerror})",
            where=Where(target),
            remedy=f"see what {_SUMMARY} is set to, or leave codecollapse-github out",
        ) from error
    return True
