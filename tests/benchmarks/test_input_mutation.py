from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from input_mutation import Outcome, main, mutate_problem, total

PROBLEM = {
    "prompt": "def invert(x):\n",
    "canonical_solution": "    return 1 / x if x is not None else 1 / 0\n",
    "entry_point": "invert",
    "test": "def check(candidate):\n    for x in (True, 2):\n        candidate(x)\n",
}
"""Of its tests' calls, only mutants with an integer other than 0 return."""


def test_what_is_counted() -> None:
    """Two calls are recorded; False alone raises, and each integer has a result of its own."""
    outcome = mutate_problem(PROBLEM, 200, seed=0)
    assert outcome.recorded == 2
    assert outcome.mutants == outcome.returned + 1
    assert outcome.distinct == outcome.returned


def test_figures_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The figures of a file are the sums over its problems."""
    path = tmp_path / "problems.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(PROBLEM) + "\n" for _ in range(2))
    main([str(path), "--mutants", "5"])
    assert capsys.readouterr().out.startswith("problems 2, recorded calls 4\nmutants 10\n")
    assert total([Outcome(1, 2, 3, 4), Outcome(1, 1, 1, 1)]) == Outcome(2, 3, 4, 5)
