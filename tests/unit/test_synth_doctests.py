from __future__ import annotations

import doctest
import importlib

import pytest


@pytest.mark.parametrize("name", ["corpus", "mutate"])
def test_examples_of_the_docstrings_hold(name: str) -> None:
    """The modules of synth that show examples give what they show."""
    results = doctest.testmod(importlib.import_module(f"pytest_codecollapse.synth.{name}"))
    assert results.attempted > 0
    assert results.failed == 0
