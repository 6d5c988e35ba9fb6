"""What a saved report says of tests and causes: whether it can have been measured."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Literal, Optional

from pytest_codecollapse.model import CAUSES, ChecksReport
from pytest_codecollapse.samples.jsonline import quoted

_KINDS = ("value", "exception", "timeout", "crash", "load")


def faults_of_indices(name: str, indices: tuple[int, ...], kind: str, count: int) -> Iterator[str]:
    """Yield that something does not list numbers below a count, in ascending order, if so."""
    if list(indices) != sorted(set(indices)) or not all(0 <= index < count for index in indices):
        yield f"{name} does not list {kind} (expected ascending numbers from 0 to {count - 1})"


def faults_of_checks(
    checks: Optional[ChecksReport],
    oracle: Literal["reference", "tests"],
    correct: Collection[int],
    n: int,
) -> Iterator[str]:
    """Yield what no tests of ``n`` candidates can have found; a check can rely on those before it.

    Parameters
    ----------
    checks, oracle
        As they stand in the file.
    correct
        The candidates that are correct by the oracle.
    n
        The number of candidates.
    """
    if checks is None:
        if oracle == "tests":
            yield "the oracle is tests, and there are no checks"
        return
    if len(checks.passed) != n or not all(0 <= each <= checks.asserts for each in checks.passed):
        yield f"checks do not say how many of {checks.asserts} asserts each candidate passed"
    groups = [each.members for each in checks.failures]
    for number, each in enumerate(checks.failures):
        name = f"members of failure {number}"
        yield from faults_of_indices(name, each.members, "candidates", n)
        if each.kind not in _KINDS:
            yield f"the kind of failure {number} is unknown (got {quoted(each.kind)})"
    failing = [member for group in groups for member in group]
    if len(failing) != len(set(failing)) or not all(groups):
        yield "a candidate stands under two failures, or a failure is nobody's"
    if groups != sorted(groups, key=lambda group: (-len(group), group[0])):
        yield "failures are out of order (expected those of the most candidates first)"
    yield from _faults_of_verdicts(checks, oracle, set(correct), set(range(n)) - set(failing))


def _faults_of_verdicts(
    checks: ChecksReport,
    oracle: Literal["reference", "tests"],
    correct: set[int],
    passing: set[int],
) -> Iterator[str]:
    if oracle == "tests":
        if correct != passing:
            yield "the correct candidates are not those that pass the tests"
        if checks.reference_failure is not None:
            yield "a reference fails, and there is none"
        correct = passing  # nothing to disagree with
    expected = {"only_tests": passing - correct, "only_reference": correct - passing}
    for name, members in expected.items():
        if getattr(checks, name) != tuple(sorted(members)):
            yield f"{name} does not list those on which tests and reference disagree"


def faults_of_causes(
    causes: dict[str, tuple[int, ...]],
    misnamed: dict[str, tuple[int, ...]],
    correct: Collection[int],
    n: int,
) -> Iterator[str]:
    """Yield why causes are not one for each candidate that is not correct.

    There are none in a report from before they were looked for.
    """
    for cause, members in causes.items():
        if cause not in CAUSES:
            yield f"a cause is unknown (got {quoted(cause)}, expected one of {', '.join(CAUSES)})"
        yield from faults_of_indices(f"cause {quoted(cause)}", members, "candidates", n)
    if causes and _all_of(causes.values()) != sorted(set(range(n)) - set(correct)):
        yield "causes do not hold each candidate that is not correct once"
    for name, members in misnamed.items():
        yield from faults_of_indices(f"misnamed {quoted(name)}", members, "candidates", n)
    found = _all_of(misnamed.values())
    if len(found) != len(set(found)) or not set(found) <= set(causes.get("name", ())):
        yield "misnamed holds a candidate twice, or one whose cause is not its name"


def _all_of(groups: Iterable[tuple[int, ...]]) -> list[int]:
    return sorted(member for group in groups for member in group)
