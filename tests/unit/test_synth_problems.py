from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from pytest_codecollapse.synth.problems import (
    COUNT_IN_RANGE,
    POSITIVE_SQUARES,
    PROBLEMS,
    SAFE_RATIO,
    WINDOW_SUMS,
    ReferenceProblem,
)

problems = pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.name)


def generated(problem: ReferenceProblem, input_seed: int, m: int) -> list[tuple[Any, ...]]:
    """Make inputs with the problem's own generator."""
    namespace: dict[str, Any] = {}
    exec(problem.input_gen, namespace)
    inputs: list[tuple[Any, ...]] = namespace["generate"](random.Random(input_seed), m)
    return inputs


@pytest.mark.parametrize(
    ("problem", "arguments", "expected"),
    [
        pytest.param(POSITIVE_SQUARES, ([3, -2, 0, 1],), [9, 1], id="squares"),
        pytest.param(POSITIVE_SQUARES, (None,), [], id="squares of nothing"),
        pytest.param(WINDOW_SUMS, ([1, 2, 4, 8], 2), [3, 6, 12], id="windows"),
        pytest.param(WINDOW_SUMS, ([1, 2], 3), [], id="window too wide"),
        pytest.param(WINDOW_SUMS, ([1, 2], 0), [], id="window of nothing"),
        pytest.param(COUNT_IN_RANGE, ([1, 2, 3, 5, 6], 2, 5), 3, id="count"),
        pytest.param(SAFE_RATIO, (1, 4, 1), 0.25, id="ratio"),
        pytest.param(SAFE_RATIO, (9, 4, 1), 1, id="ratio above its cap"),
        pytest.param(SAFE_RATIO, (1, 0, 1), 0.0, id="ratio of nothing"),
    ],
)
def test_references_do_what_they_are_asked(
    problem: ReferenceProblem, arguments: tuple[Any, ...], expected: object
) -> None:
    """A reference answers as its summary says."""
    namespace: dict[str, Any] = {}
    exec(problem.reference, namespace)
    assert namespace[problem.name](*arguments) == expected


def test_count_in_range_refuses_an_empty_range() -> None:
    """With low above high the reference of count_in_range raises ValueError."""
    namespace: dict[str, Any] = {}
    exec(COUNT_IN_RANGE.reference, namespace)
    with pytest.raises(ValueError, match="low is above high"):
        namespace["count_in_range"]([1], 2, 1)


@problems
def test_generators_give_m_tuples(problem: ReferenceProblem) -> None:
    """A generator gives m tuples for any m, the same for a seed and others for another."""
    arity = problem.prompt.partition("\n")[0].count(",") + 1
    for m in (1, 3, 50):
        inputs = generated(problem, 0, m)
        assert [(type(each), len(each)) for each in inputs] == [(tuple, arity)] * m
    assert generated(problem, 1, 50) == generated(problem, 1, 50)
    assert generated(problem, 1, 50) != generated(problem, 2, 50)


@problems
def test_every_kind_of_mutation_is_planted(problem: ReferenceProblem) -> None:
    """A problem has at least seven mutations, of all three kinds, labelled apart."""
    kinds = Counter(mutation.kind for mutation in problem.mutations)
    assert sorted(kinds) == ["dropped_guard", "flipped_comparator", "off_by_one"]
    assert len({mutation.label for mutation in problem.mutations}) == sum(kinds.values()) >= 7


def test_a_prompt_is_signature_and_summary() -> None:
    """The prompt of safe_ratio is the first line of its reference and a docstring."""
    assert SAFE_RATIO.prompt == (
        "def safe_ratio(part, whole, cap):\n"
        '    """Return part / whole, at most cap; 0.0 where whole is not positive."""\n'
    )
