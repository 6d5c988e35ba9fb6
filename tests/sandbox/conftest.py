"""A sandbox that stays up over the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Callable

import pytest
from sandbox_problems import make_problem

from pytest_codecollapse.model import Executions, Settings
from pytest_codecollapse.sandbox import LocalEngine

Execute = Callable[..., Executions]

DEFAULTS = Settings()


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
