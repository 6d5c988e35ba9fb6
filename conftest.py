"""Fixtures and hypothesis profiles for this repository's own tests.

It is the only conftest, since mypy checks all tests in one run and takes two of a name for one
module; helper modules stand in ``tests/``, which pytest puts on the path.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from pytest_codecollapse.model import Executions, Settings
    from pytest_codecollapse.sandbox import LocalEngine

pytest_plugins = ["pytester"]

settings.register_profile("default", deadline=None, print_blob=True)
settings.register_profile("ci", parent=settings.get_profile("default"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of real samples that may stand beside the repository, or skip."""
    folder = Path(__file__).resolve().parent.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("there is no shared/data beside this repository")
    return folder


@pytest.fixture(scope="session")
def engine() -> Iterator[LocalEngine]:
    """Give an engine with one lane that stays up over the tests."""
    from pytest_codecollapse.sandbox import LocalEngine

    with LocalEngine(1) as engine:
        yield engine


@pytest.fixture(scope="session")
def execute(engine: LocalEngine) -> Callable[..., Executions]:
    """Give a function that runs candidates: sources, then fields of the problem, settings."""
    from sandbox_problems import make_problem

    from pytest_codecollapse.model import Settings

    defaults = Settings()

    def run(*candidates: str, settings: Settings = defaults, **fields: Any) -> Executions:
        problem = make_problem(*candidates, **fields)
        return engine.submit(problem, settings, lambda count: None).result()

    return run
