"""The five hooks of pytest-codecollapse: another format, a metric, a type, a gate, metadata.

``optionalhook`` lets the suite be collected where the plugin is not installed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

import pytest

if TYPE_CHECKING:
    from pytest_codecollapse import Comparison, ProblemReport, Report, Verdict

hook = pytest.hookimpl(optionalhook=True)


@hook
def pytest_codecollapse_load_samples(path: Path) -> Optional[Iterator[tuple[int, dict[str, Any]]]]:
    """Read ``.completions`` files: what our sampler writes, one task a line."""
    return _problems(path) if path.suffix == ".completions" else None


def _problems(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            task = json.loads(line)
            yield (
                number,
                {
                    "problem_id": task["task"],
                    "entry_point": task["function"],
                    "setup": task["preamble"],
                    "reference": task["solution"],
                    "inputs": task["calls"],
                    "candidates": task["completions"],
                },
            )


@hook
def pytest_codecollapse_metrics() -> dict[str, Any]:
    """Add ``largest_share``: the share of the samples that do the most common thing."""

    def largest_share(problem: ProblemReport) -> Fraction:
        return Fraction(len(problem.partition.classes[0].members), problem.n)

    return {"largest_share": largest_share}


@hook
def pytest_codecollapse_canonicalize() -> dict[str, str]:
    """Compare Money, which the preamble defines, by amount and currency."""
    return {
        "solution.Money": "def canonicalize(value):\n    return (value.cents, value.currency)\n",
    }


@hook
def pytest_codecollapse_gate(report: Report, comparison: Optional[Comparison]) -> Verdict:
    """Fail the run where a problem that was solved before is not solved any more."""
    from pytest_codecollapse import Verdict

    rule = "every problem is solved"
    unsolved = tuple(each.problem_id for each in report.problems if not each.correct)
    if unsolved:
        return Verdict(
            rule=rule,
            status="fail",
            summary=f"{rule}: no sample is right for {', '.join(unsolved)}",
            problem_ids=unsolved,
        )
    return Verdict(rule=rule, status="pass", summary=f"{rule}: all {len(report.problems)} are")


@hook
def pytest_codecollapse_modify_report(report: dict[str, Any]) -> None:
    """Say in the JSON report which checkpoint was measured."""
    report["extra"] = {"checkpoint": "step-2000"}
