"""Executions -> Partition, on made-up tokens."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pytest_codecollapse.behaviour import (
    correct_curve,
    fingerprint,
    outcome_kind,
    outcome_kinds,
    partition,
    stability_curve,
    stable_at,
)
from pytest_codecollapse.model import (
    BehaviourClass,
    Checked,
    Execution,
    Executions,
    FailedAssert,
)


def digest(letter: str) -> str:
    """Make a token of a result."""
    return letter * 16


def did(*tokens: str, **flags: bool) -> Execution:
    """Make an execution; a single letter stands for a result."""
    return Execution(
        tokens=tuple(digest(token) if len(token) == 1 else token for token in tokens), **flags
    )


def sources(count: int) -> list[str]:
    """Make programs that are all written differently."""
    return [f"def f(x): return x + {number}" for number in range(count)]


def test_candidates_that_do_the_same_are_one_class_largest_first() -> None:
    """Classes are ordered by size, ties by first member; the reference's class is correct."""
    executions = Executions(
        reference=did("a", "b"),
        candidates=(did("a", "c"), did("a", "b"), did("d", "TIMEOUT"), did("a", "b")),
    )
    found = partition(executions, sources(4), "f")
    assert found.classes == (
        BehaviourClass(
            fingerprint=fingerprint(did("a", "b")),
            members=(1, 3),
            correct=True,
            outcomes={"value": 2},
        ),
        BehaviourClass(
            fingerprint=fingerprint(did("a", "c")),
            members=(0,),
            correct=False,
            outcomes={"value": 2},
        ),
        BehaviourClass(
            fingerprint=fingerprint(did("d", "TIMEOUT")),
            members=(2,),
            correct=False,
            outcomes={"TIMEOUT": 1, "value": 1},
        ),
    )


def test_flags_and_ast_classes_are_candidate_indices() -> None:
    """A partition says which candidates were flagged, and which are written the same."""
    executions = Executions(
        reference=did("a"),
        candidates=(did("a"), did("b", nondeterministic=True), did("a", order_dependent=True)),
    )
    same = ["def f(x): return x", "def f(x): return 1", "def f(y):\n    return y  # the same"]
    found = partition(executions, same, "f")
    assert found.nondeterministic == (1,)
    assert found.order_dependent == (2,)
    assert found.ast_classes == ((0, 2), (1,))


def test_a_difference_on_input_38_of_50_shows_in_the_curves() -> None:
    """The curve is [1]*37 + [2]*13, stable at 38; correct on 37 inputs, wrong on all 50."""
    reference = did(*["a"] * 50)
    late = did(*["a"] * 37, "b", *["a"] * 12)
    curve = stability_curve([reference, late])
    assert curve == (1,) * 37 + (2,) * 13
    assert stable_at(curve) == 38
    assert correct_curve([reference, late], reference) == (2,) * 37 + (1,) * 13
    found = partition(
        Executions(reference=reference, candidates=(late, reference)), sources(2), "f"
    )
    assert [each.correct for each in found.classes] == [False, True]


@pytest.mark.parametrize(
    ("curve", "expected"), [((1,), 1), ((3, 3, 3), 1), ((1, 2, 2), 2), ((1, 1, 2), 3)]
)
def test_stable_at_is_the_last_input_that_told_something_apart(
    curve: Sequence[int], expected: int
) -> None:
    """From that many inputs on, the number of classes stays as it ends."""
    assert stable_at(curve) == expected


def test_classes_once_apart_stay_apart() -> None:
    """Agreeing again on a later input does not merge two behaviours."""
    assert stability_curve([did("a", "x"), did("b", "x"), did("b", "y")]) == (2, 3)


@pytest.mark.parametrize(
    ("token", "kind"),
    [
        (digest("0"), "value"),
        ("exc:ValueError", "exc:ValueError"),
        ("exc:" + "f" * 12, "exc:" + "f" * 12),
        ("load:SyntaxError", "load:SyntaxError"),
        ("TIMEOUT", "TIMEOUT"),
        ("CRASH", "CRASH"),
    ],
)
def test_the_kind_of_a_token(token: str, kind: str) -> None:
    """A digest is a value, and no name of an exception is taken for one."""
    assert outcome_kind(token) == kind


def test_outcome_kinds_are_counted_most_frequent_first() -> None:
    """Equal counts are ordered by name."""
    found = outcome_kinds(did("a", "exc:B", "exc:A", "b", "CRASH", "CRASH"))
    assert list(found.items()) == [("CRASH", 2), ("value", 2), ("exc:A", 1), ("exc:B", 1)]


def test_a_fingerprint_names_the_tokens_in_order() -> None:
    """It is pinned: baselines written earlier hold it."""
    assert fingerprint(did("a", "exc:ValueError")) == "b6dd0e68bbc42061"
    assert fingerprint(did("a", "b")) != fingerprint(did("b", "a"))


PASSES = Checked(passed=3, asserts=3)
FAILS = Checked(
    passed=1,
    asserts=3,
    failure=FailedAssert(assertion="assert f(1) == 2", got="3", kind="value"),
)


def test_without_a_reference_the_tests_decide() -> None:
    """Two behaviours pass; of three candidates that did the same, one passes: they are two."""
    executions = Executions(
        reference=Execution(tokens=()),
        candidates=(did("a", "b"), did("a", "c"), did("a", "b"), did("a", "b")),
        checked=(FAILS, PASSES, PASSES, FAILS),
    )
    found = partition(executions, sources(4), "f")
    assert [(each.members, each.correct) for each in found.classes] == [
        ((0, 3), False),
        ((1,), True),
        ((2,), True),
    ]
    assert len({each.fingerprint for each in found.classes}) == 3
    assert found.classes[2].fingerprint == fingerprint(did("a", "b"))
    assert [each.witness for each in found.classes] == [None] * 3
    assert found.stability_curve == (2, 3)
    assert found.correct_curve == (2, 2)


def test_a_reference_decides_beside_tests() -> None:
    """Candidates that do the same stay one class, whatever the tests say of each."""
    executions = Executions(
        reference=did("a", "b"),
        candidates=(did("a", "b"), did("a", "b"), did("a", "c")),
        checked=(FAILS, PASSES, PASSES),
    )
    found = partition(executions, sources(3), "f")
    assert [(each.members, each.correct) for each in found.classes] == [
        ((0, 1), True),
        ((2,), False),
    ]
    assert found.stability_curve == (1, 2)
    assert found.correct_curve == (3, 2)
