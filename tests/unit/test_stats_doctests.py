from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

from pytest_codecollapse import stats

MODULES = sorted(module.name for module in pkgutil.iter_modules(stats.__path__))


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_the_docstrings_hold(name: str) -> None:
    """Each module of stats shows at least one example, and every one gives what it shows."""
    results = doctest.testmod(importlib.import_module(f"pytest_codecollapse.stats.{name}"))
    assert results.attempted > 0
    assert results.failed == 0
