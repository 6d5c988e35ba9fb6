"""A sandbox that stays up over the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Callable

import msgspec
import pytest

from pytest_codecollapse.errors import Where
from pytest_codecollapse.model import Executions, Problem, Settings
from pytest_codecollapse.sandbox import LocalEngine

Execute = Callable[..., Executions]

TEN = tuple([number] for number in range(10))
DEFAULTS = Settings()


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


@pytest.fixture(scope="session")
def engine() -> Iterator[LocalEngine]:
    """Give one engine with one lane."""
    with LocalEngine(1) as engine:
        yield engine


@pytest.fixture(scope="session")
def execute(engine: LocalEngine) -> Execute:
    """Give a function that runs candidates: sources, then fields of the problem, settings."""

    def run(*candidates: str, settings: Settings = DEFAULTS, **fields: Any) -> Executions:
        problem = make_problem(*candidates, **fields)
        return engine.submit(problem, settings, lambda count: None).result()

    return run
