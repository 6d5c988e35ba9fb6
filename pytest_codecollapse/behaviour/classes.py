"""Executions -> Partition: the classes of equal behaviour, and how they come apart."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Literal, Optional

from pytest_codecollapse.behaviour.fingerprint import fingerprint, outcome_kinds
from pytest_codecollapse.behaviour.structure import structure_hash
from pytest_codecollapse.behaviour.witness import witness_of
from pytest_codecollapse.model import BehaviourClass, Execution, Executions, Partition


def partition(executions: Executions, sources: Sequence[str], entry_point: str) -> Partition:
    """Group the candidates of a problem by what they do and by how they are written.

    Where there is no reference, what decides who is correct is the tests, and candidates of one
    class also agree in whether they pass them. So several classes may be correct then.

    Parameters
    ----------
    executions
        What the reference and each candidate did; at least one candidate and one input.
    sources
        The candidates' sources, in the same order.
    entry_point
        The function that is called; it keeps its name in the AST-normalised hash.
    """
    candidates, correct = executions.candidates, are_correct(executions)
    by_tests = oracle_of(executions) == "tests"
    verdicts = correct if by_tests else (False,) * len(candidates)
    hashes = {source: structure_hash(source, entry_point) for source in set(sources)}
    return Partition(
        classes=tuple(
            BehaviourClass(
                fingerprint=fingerprint(
                    candidates[members[0]], fails=by_tests and not correct[members[0]]
                ),
                members=members,
                correct=correct[members[0]],
                outcomes=outcome_kinds(candidates[members[0]]),
                witness=witness_of(executions, members[0]),
            )
            for members in _groups(
                (each.tokens, verdict) for each, verdict in zip(candidates, verdicts)
            )
        ),
        ast_classes=_groups(hashes[source] for source in sources),
        nondeterministic=_where(each.nondeterministic for each in candidates),
        order_dependent=_where(each.order_dependent for each in candidates),
        stability_curve=stability_curve(candidates, verdicts),
        correct_curve=(
            (sum(correct),) * len(candidates[0].tokens)
            if by_tests
            else correct_curve(candidates, executions.reference)
        ),
    )


def oracle_of(executions: Executions) -> Literal["reference", "tests"]:
    """Say what decides which candidates are correct: the reference, where there is one."""
    has_none = not executions.reference.tokens and executions.checked is not None
    return "tests" if has_none else "reference"


def are_correct(executions: Executions) -> tuple[bool, ...]:
    """Say of each candidate whether it does what the reference does, or else passes the tests."""
    if oracle_of(executions) == "tests":
        return tuple(each.ok for each in executions.checked or ())
    expected = executions.reference.tokens
    return tuple(each.tokens == expected for each in executions.candidates)


def _groups(keys: Iterable[Hashable]) -> tuple[tuple[int, ...], ...]:
    """Return the index lists of equal keys, largest first, ties by their first index."""
    members: dict[Hashable, list[int]] = {}
    for index, key in enumerate(keys):
        members.setdefault(key, []).append(index)
    return tuple(sorted(map(tuple, members.values()), key=lambda group: (-len(group), group[0])))


def _where(flags: Iterable[bool]) -> tuple[int, ...]:
    return tuple(index for index, flag in enumerate(flags) if flag)


def stability_curve(
    candidates: Sequence[Execution], verdicts: Optional[Sequence[bool]] = None
) -> tuple[int, ...]:
    """Count the classes that the first m inputs tell apart, for every m.

    Parameters
    ----------
    candidates
        What each of them did.
    verdicts
        What tells each of them apart before any input: whether it passes the tests.

    Returns
    -------
    tuple of int
        One for each input; never falling; the last is the number of classes.
    """
    group = list(map(int, verdicts or [False] * len(candidates)))
    curve = []
    for tokens in zip(*(each.tokens for each in candidates)):
        numbers: dict[tuple[int, str], int] = {}
        group = [numbers.setdefault(key, len(numbers)) for key in zip(group, tokens)]
        curve.append(len(numbers))
    return tuple(curve)


def stable_at(curve: Sequence[int]) -> int:
    """Return the smallest number of inputs after which a stability curve stays as it ends.

    It is 1 where the first input already tells every class apart that there is.
    """
    return curve.index(curve[-1]) + 1


def correct_curve(candidates: Sequence[Execution], reference: Execution) -> tuple[int, ...]:
    """Count the candidates that match the reference on the first m inputs, for every m.

    Returns
    -------
    tuple of int
        One for each input; never rising; the last is the number of correct candidates.
    """
    matching: Sequence[Execution] = candidates
    curve = []
    for index, token in enumerate(reference.tokens):
        matching = [each for each in matching if each.tokens[index] == token]
        curve.append(len(matching))
    return tuple(curve)
