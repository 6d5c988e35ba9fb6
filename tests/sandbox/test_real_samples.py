"""Real model samples, where they are: what is measured of them does not depend on the Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codecollapse.measure import load_report
from pytest_codecollapse.model import Settings
from pytest_codecollapse.sandbox import LocalEngine


@pytest.mark.slow
def test_twelve_problems_of_codegen_16b(shared_data: Path) -> None:
    """Every problem is measured, and so many of its twenty candidates are right."""
    with LocalEngine(2) as engine:
        report = load_report(shared_data / "native" / "codegen16b_small.jsonl", Settings(), engine)
    assert report.unmeasured == ()
    assert [problem.n for problem in report.problems] == [20] * 12
    assert [problem.correct for problem in report.problems] == [
        10,
        1,
        10,
        5,
        10,
        4,
        0,
        19,
        11,
        9,
        1,
        12,
    ]
    assert all(
        problem.statistics["E[D_5]"] == problem.statistics["pass@5"] + problem.statistics["E[W_5]"]  # type: ignore[operator]
        for problem in report.problems
    )
