from __future__ import annotations

import pytest

from pytest_codecollapse.synth.mutate import Mutation, mutant
from pytest_codecollapse.synth.syntax import parse_function, to_source

CLAMP = """\
def clamp(x, top):
    if x < 0:
        return 0
    if x > top:
        x = top
    return x
"""

EVENS = """\
def evens(xs):
    return [x for x in xs if x > 0 if x % 2 == 0]
"""


@pytest.mark.parametrize(
    ("source", "mutation", "expected"),
    [
        pytest.param(
            CLAMP,
            Mutation("off_by_one", "x > top", "x > top + 1"),
            CLAMP.replace("x > top", "x > top + 1"),
            id="off by one",
        ),
        pytest.param(
            CLAMP,
            Mutation("flipped_comparator", "x < 0", "x > 0"),
            CLAMP.replace("x < 0", "x > 0"),
            id="flipped comparator",
        ),
        pytest.param(
            CLAMP,
            Mutation("dropped_guard", "x < 0"),
            "def clamp(x, top):\n    if x > top:\n        x = top\n    return x\n",
            id="a guard that leaves goes with its body",
        ),
        pytest.param(
            CLAMP,
            Mutation("dropped_guard", "x > top"),
            "def clamp(x, top):\n    if x < 0:\n        return 0\n    x = top\n    return x\n",
            id="another if leaves its body behind",
        ),
        pytest.param(
            EVENS,
            Mutation("dropped_guard", "x > 0"),
            EVENS.replace(" if x > 0", ""),
            id="a comprehension keeps its other conditions",
        ),
    ],
)
def test_mutation_changes_its_target_alone(source: str, mutation: Mutation, expected: str) -> None:
    """The mutant is the reference but for the target, and the reference is left as it was."""
    reference = parse_function(source)
    assert to_source(mutant(reference, mutation)) == expected
    assert to_source(reference) == source


@pytest.mark.parametrize("target", ["x > 9", "x"])
def test_target_that_is_not_there_once_is_refused(target: str) -> None:
    """A target that stands in the reference never, or several times, is a ValueError."""
    with pytest.raises(ValueError, match="values to unpack"):
        mutant(parse_function(CLAMP), Mutation("off_by_one", target, "0"))


def test_labels_say_what_was_planted() -> None:
    """A label is the kind of the mutation and the change it makes."""
    assert Mutation("off_by_one", "a", "a + 1").label == "off_by_one: a -> a + 1"
    assert Mutation("dropped_guard", "a is None").label == "dropped_guard: a is None"
