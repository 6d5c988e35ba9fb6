from __future__ import annotations

import pytest

from pytest_codecollapse.synth.rewrite import (
    Rewrite,
    comprehension_to_loop,
    expand_augmented,
    guard_to_else,
    loop_to_comprehension,
    mirror_comparison,
    structures,
)
from pytest_codecollapse.synth.syntax import parse_function, to_source

LISTED = """\
def f(xs):
    return [x + 1 for x in xs if x > 0]
"""
LOOPED = """\
def f(xs):
    result = []
    for x in xs:
        if x > 0:
            result.append(x + 1)
    return result
"""
NAMED = """\
def f(xs):
    rows = []
    for x in xs:
        row = x + 1
        rows.append(row)
    print(rows)
    return rows
"""
NAMED_LISTED = """\
def f(xs):
    rows = [x + 1 for x in xs]
    print(rows)
    return rows
"""
COUNTED = """\
def f(xs):
    count = 0
    for x in xs:
        if x > 0:
            count += 1
    return count
"""
SUMMED = """\
def f(xs):
    return sum([1 for x in xs if x > 0])
"""
GUARDED = """\
def f(x, y):
    if not y:
        raise ValueError
    z = x / y
    return z
"""
BRANCHED = """\
def f(x, y):
    if not y:
        raise ValueError
    else:
        z = x / y
        return z
"""


@pytest.mark.parametrize(
    ("rewrite", "source", "expected"),
    [
        pytest.param(comprehension_to_loop, LISTED, [LOOPED], id="comprehension to loop"),
        pytest.param(loop_to_comprehension, LOOPED, [LISTED], id="loop to comprehension"),
        pytest.param(loop_to_comprehension, NAMED, [NAMED_LISTED], id="a result that is used"),
        pytest.param(loop_to_comprehension, COUNTED, [SUMMED], id="loop to sum"),
        pytest.param(
            mirror_comparison,
            "def f(x):\n    return x < 1 or 2 <= x < 3\n",
            [
                "def f(x):\n    return 1 > x or 2 <= x < 3\n",
                "def f(x):\n    return x < 1 or 3 > x >= 2\n",
            ],
            id="one comparison at a time",
        ),
        pytest.param(
            expand_augmented,
            "def f(x):\n    x *= x + 1\n    return x\n",
            ["def f(x):\n    x = x * (x + 1)\n    return x\n"],
            id="augmented assignment",
        ),
        pytest.param(guard_to_else, GUARDED, [BRANCHED], id="guard to else"),
    ],
)
def test_rewrite_gives_one_function_a_place(
    rewrite: Rewrite, source: str, expected: list[str]
) -> None:
    """A rewrite changes one place it fits at a time and leaves the function it was given."""
    function = parse_function(source)
    assert [to_source(rewritten) for rewritten in rewrite(function)] == expected
    assert to_source(function) == source


@pytest.mark.parametrize(
    ("rewrite", "source"),
    [
        pytest.param(comprehension_to_loop, LOOPED, id="no comprehension"),
        pytest.param(loop_to_comprehension, LISTED, id="no loop"),
        pytest.param(
            loop_to_comprehension,
            LOOPED.replace("result.append", "other.append"),
            id="fills another list",
        ),
        pytest.param(loop_to_comprehension, COUNTED.replace("+= 1", "-= 1"), id="does not add up"),
        pytest.param(loop_to_comprehension, COUNTED.replace("= 0", "= 7"), id="starts elsewhere"),
        pytest.param(mirror_comparison, "def f(x):\n    return x is None\n", id="identity"),
        pytest.param(guard_to_else, BRANCHED, id="has its else"),
        pytest.param(guard_to_else, "def f(x):\n    if x:\n        x()\n    x.y\n", id="goes on"),
    ],
)
def test_rewrite_leaves_what_it_does_not_fit(rewrite: Rewrite, source: str) -> None:
    """A function without a place for the rewrite is not rewritten."""
    assert list(rewrite(parse_function(source))) == []


def test_structures_are_every_combination_once() -> None:
    """Two forms of the list and two of the comparison make four functions, the given one first."""
    assert [to_source(function) for function in structures(parse_function(LISTED))] == [
        LISTED,
        LOOPED,
        LISTED.replace("x > 0", "0 < x"),
        LOOPED.replace("x > 0", "0 < x"),
    ]
