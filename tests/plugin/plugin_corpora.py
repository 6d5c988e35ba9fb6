"""Small samples files for the tests of the plugin: every program is one expression in x."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

#: Six candidates, each with a behaviour of its own; one is right. E[D_5] is 5.
DIVERSE = ("2 * x", "x + 2", "x * x", "0", "-x", "None")

#: Six candidates with two behaviours in five ways of writing; four are right. E[D_5] is 2.
COLLAPSED = ("2 * x", "x + x", "x * 2", "x << 1", "0", "0")


def program(expression: str) -> str:
    """Return a program that evaluates an expression."""
    return f"def f(x):\n    return {expression}\n"


def problem(problem_id: str, *expressions: str, **fields: Any) -> dict[str, Any]:
    """Return a problem whose right answer is ``2 * x``, for x from 1 to 3; fields override.

    Without expressions, one candidate is right and one is wrong.
    """
    return {
        "problem_id": problem_id,
        "entry_point": "f",
        "reference": program("2 * x"),
        "inputs": [[1], [2], [3]],
        "candidates": [program(expression) for expression in expressions or ("2 * x", "0")],
        **fields,
    }


def samples_text(*problems: dict[str, Any]) -> str:
    """Return problems as the text of a samples file; by default they are ``one`` and ``two``."""
    lines = problems or (problem("one"), problem("two"))
    return "".join(f"{json.dumps(line)}\n" for line in lines)


def write_samples(path: Path, *problems: dict[str, Any]) -> None:
    """Write problems to a samples file."""
    path.write_text(samples_text(*problems), encoding="utf-8")


def write_checkpoints(folder: Path) -> None:
    """Write before.jsonl and after.jsonl: the problems one and two, diverse and then collapsed."""
    for name, expressions in (("before", DIVERSE), ("after", COLLAPSED)):
        problems = [problem(problem_id, *expressions) for problem_id in ("one", "two")]
        write_samples(folder / f"{name}.jsonl", *problems)
