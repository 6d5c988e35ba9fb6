from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import pytest_codecollapse

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(pytest_codecollapse.__path__, "pytest_codecollapse.")
    if not module.name.endswith("__main__")
)


def examples_of(name: str) -> list[doctest.Example]:
    """Return the examples in the docstrings of a module."""
    found = doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(name))
    return [example for each in found for example in each.examples]


@pytest.mark.parametrize("name", [name for name in MODULES if examples_of(name)])
def test_examples_of_the_docstrings_hold(name: str) -> None:
    """Every example gives what it shows."""
    results = doctest.testmod(importlib.import_module(name))
    assert results.attempted == len(examples_of(name))
    assert results.failed == 0


@pytest.mark.parametrize("name", [name for name in MODULES if ".stats." in name])
def test_every_statistic_shows_an_example(name: str) -> None:
    """A formula is read with numbers in it."""
    assert examples_of(name)
