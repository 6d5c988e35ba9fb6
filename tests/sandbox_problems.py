"""Problems that the tests of this folder run."""

from __future__ import annotations

from typing import Any

import msgspec

from pytest_codecollapse.errors import Where
from pytest_codecollapse.model import Problem

TEN = tuple([number] for number in range(10))


def make_problem(*candidates: str, **fields: Any) -> Problem:
    """Make a problem whose entry point is ``f``; by default the identity on 0 to 9."""
    problem = Problem(
        problem_id="p",
        entry_point="f",
        candidates=candidates,
        reference="def f(x): return x",
        where=Where("samples.jsonl", 1, "p"),
    )
    if "input_gen" not in fields:
        fields.setdefault("inputs", TEN)
    return msgspec.structs.replace(problem, **fields)
