from __future__ import annotations

import doctest
import importlib

import pytest


@pytest.mark.parametrize("name", ["baseline", "compare", "format", "metrics", "rules"])
def test_examples_of_the_docstrings_hold(name: str) -> None:
    """Each module of the gate with examples gives what they show."""
    results = doctest.testmod(importlib.import_module(f"pytest_codecollapse.gate.{name}"))
    assert results.attempted > 0
    assert results.failed == 0
