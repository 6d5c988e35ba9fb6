"""Problems in the form of HumanEval, which MBPP is had in, too.

``prompt``, ``canonical_solution``, ``test``, ``entry_point``; EvalPlus adds inputs, see there.
"""

from __future__ import annotations

from typing import Any

from pytest_codecollapse.extraction import extract
from pytest_codecollapse.samples.benchmarks.benchmark import Problem
from pytest_codecollapse.samples.benchmarks.fields import Fields
from pytest_codecollapse.samples.contracts import parsed
from pytest_codecollapse.samples.jsonline import fault, quoted


def is_humaneval(row: dict[str, Any]) -> bool:
    """Whether a row is a problem in this form."""
    return "entry_point" in row and "canonical_solution" in row


def read_humaneval(row: Fields, line: int) -> Problem:
    """Read a problem."""
    return Problem(line, {**common(row), "tests": row.text("test")}, row.text("prompt"))


def common(row: Fields) -> dict[str, Any]:
    """Return what all problems of this form have: id, prompt, entry point and reference."""
    language = row.optional_text("language") or "python"
    if language.lower() != "python":
        raise fault(
            row.where,
            "the problem is of another language",
            got=quoted(language),
            expected="python",
            remedy="give a benchmark of Python",
        )
    prompt, entry_point = row.text("prompt"), row.text("entry_point")
    return {
        "problem_id": row.task_id,
        "entry_point": entry_point,
        "reference": _reference(prompt, row.text("canonical_solution"), entry_point),
        "prompt": prompt,
        "equality": "python",  # as the tests compare
    }


def _reference(prompt: str, solution: str, entry_point: str) -> str:
    """Join a prompt and its solution; a few of MBPP's need what samples need to be a program."""
    whole = prompt + solution
    if parsed(whole) is not None:
        return whole
    repaired = (
        extract(whole, prompt="", entry_point=entry_point).source,
        extract(solution, prompt=prompt, entry_point=entry_point).source,
    )
    return next((each for each in repaired if parsed(each) is not None), whole)
