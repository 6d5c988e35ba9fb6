"""What is asked of canonicalisers before any program runs."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.sandbox import checked_canonicalizers

SOURCE = "def canonicalize(value):\n    return value.x\n"


def test_canonicalizers_are_sorted_by_type() -> None:
    """Settings that say the same are equal, whoever came first."""
    given = [("solution.B", SOURCE), ("pkg.mod.A", SOURCE), ("solution.f.<locals>.C", SOURCE)]
    found = checked_canonicalizers(given)
    assert list(found) == ["pkg.mod.A", "solution.B", "solution.f.<locals>.C"]


@pytest.mark.parametrize(
    ("name", "source", "fault"),
    [
        ("Money", SOURCE, "'Money' is for no type (got that name, expected 'module.TypeName')"),
        ("a..B", SOURCE, "'a..B' is for no type (got that name, expected 'module.TypeName')"),
        ("a.1", SOURCE, "'a.1' is for no type (got that name, expected 'module.TypeName')"),
        (None, SOURCE, "None is for no type (got that name, expected 'module.TypeName')"),
        (
            "builtins.float",
            SOURCE,
            "'builtins.float' would never be asked: values of that type have an exact form already",
        ),
        ("a.B", len, "'a.B' is no source (got builtin_function_or_method, expected text)"),
        ("a.B", "def (", "'a.B' is not Python (invalid syntax (<unknown>, line 1))"),
        ("a.B", "f = 1", "'a.B' does not define canonicalize(value)"),
        ("taken.A", SOURCE, "'taken.A' is defined twice"),
    ],
)
def test_a_canonicalizer_that_could_not_work_is_refused(name: Any, source: Any, fault: str) -> None:
    """The error names the type, what is wrong, and what is asked for."""
    with pytest.raises(UsageError) as caught:
        checked_canonicalizers([("taken.A", SOURCE), (name, source)])
    assert str(caught.value) == (
        f"the canonicalizer of {fault}; map 'module.TypeName', the module of the programs and of"
        " setup being 'solution', to the text of a module that defines canonicalize(value)"
    )
