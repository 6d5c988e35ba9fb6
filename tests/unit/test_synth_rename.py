from __future__ import annotations

import ast
import random

from pytest_codecollapse.synth.rename import rename
from pytest_codecollapse.synth.syntax import parse_function, to_source

SOURCE = """\
def size(numbers, values, low):
    total = 0
    for number in numbers + values:
        if number > low:
            total += len([number])
    return total
"""


def identifiers(source: str) -> list[str]:
    """Parameters, then names, in the order in which the tree gives them."""
    nodes = list(ast.walk(ast.parse(source)))
    arguments = [node.arg for node in nodes if isinstance(node, ast.arg)]
    return arguments + [node.id for node in nodes if isinstance(node, ast.Name)]


def test_renaming_is_consistent_and_keeps_names_apart() -> None:
    """For 50 seeds old and new names map one to one, and nothing but the names changes."""
    before = identifiers(SOURCE)
    for seed in range(50):
        renamed = to_source(rename(parse_function(SOURCE), random.Random(seed)))
        after = identifiers(renamed)
        pairs = set(zip(before, after))
        assert len(pairs) == len(set(before)) == len(set(after))
        assert ("len", "len") in pairs
        assert renamed.startswith("def size(")


def test_renaming_varies() -> None:
    """Fifty seeds give more than thirty different sets of names."""
    function = parse_function(SOURCE)
    renamed = {to_source(rename(function, random.Random(seed))) for seed in range(50)}
    assert len(renamed) > 30
    assert to_source(function) == SOURCE


def test_a_name_that_is_in_use_is_not_given_again() -> None:
    """With every synonym of ``cap`` taken by a global, ``cap`` keeps its name."""
    source = "def f(cap):\n    return cap + limit + maximum + upper + c\n"
    for seed in range(20):
        assert to_source(rename(parse_function(source), random.Random(seed))) == source


def test_a_name_without_synonyms_stays() -> None:
    """A name that the references do not use keeps its spelling."""
    source = "def f(zebra):\n    return zebra\n"
    assert to_source(rename(parse_function(source), random.Random(0))) == source
