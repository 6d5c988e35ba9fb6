"""What candidates did in the tests of their problem, beside what the reference says of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Optional

from pytest_codecollapse.behaviour import are_correct, oracle_of
from pytest_codecollapse.model import Checked, ChecksReport, Executions, FailedAssert, SharedFailure


def checks_of(executions: Executions) -> Optional[ChecksReport]:
    """Sum up what the tests of a problem found; None where it has none.

    Where there is a reference as well, each candidate on which the two disagree is listed. How
    many asserts there are is told by who came to the most: a loop may end early, and what a test
    raises outside of an assert is one that only those come to who fail it.
    """
    checked, reference = executions.checked, executions.reference_checked
    if checked is None:
        return None
    only_tests, only_reference = _disagreements(executions, checked)
    everyone = checked if reference is None else (*checked, reference)
    asserts = max(each.asserts for each in everyone)
    most_left_out = max(everyone, key=lambda each: each.left_out)
    return ChecksReport(
        asserts=asserts,
        passed=tuple(asserts if each.ok else each.passed for each in checked),
        failures=_failures(checked),
        only_tests=only_tests,
        only_reference=only_reference,
        reference_failure=None if reference is None else reference.failure,
        left_out=most_left_out.left_out,
        first_left_out=most_left_out.first_left_out,
    )


def _disagreements(
    executions: Executions, checked: Sequence[Checked]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if oracle_of(executions) == "tests":
        return (), ()
    verdicts = [(each.ok, right) for each, right in zip(checked, are_correct(executions))]
    return _where(verdicts, (True, False)), _where(verdicts, (False, True))


def _where(verdicts: Iterable[object], wanted: object) -> tuple[int, ...]:
    return tuple(index for index, verdict in enumerate(verdicts) if verdict == wanted)


def _failures(checked: Sequence[Checked]) -> tuple[SharedFailure, ...]:
    """Group candidates by their first failed assert and what they did in it."""
    members: dict[FailedAssert, list[int]] = {}
    for index, each in enumerate(checked):
        if each.failure is not None:
            members.setdefault(each.failure, []).append(index)
    return tuple(
        SharedFailure(
            assertion=failure.assertion, got=failure.got, kind=failure.kind, members=tuple(group)
        )
        for failure, group in sorted(members.items(), key=lambda item: (-len(item[1]), item[1][0]))
    )
