"""A problem's classes before and after, as a person reads a diff: what was lost, what came."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import takewhile
from typing import NamedTuple

from pytest_codecollapse.gate.changes import describe_kind, lost_classes
from pytest_codecollapse.gate.format import plural
from pytest_codecollapse.model import BehaviourClass, ProblemReport, SharedFailure, Witness

_WIDTH = 72  # what is left of 80 columns where these lines are shown
_MOST_LOST = 3
_MOST_GAINED = 2
_LEAST_ARGUMENTS = 24
_LEAST_CONTEXT = 12  # characters shown before the first that differs
_READS_ALIKE = "another that reads alike"


class _Gain(NamedTuple):
    """A behaviour of which there is more now: by what share of all candidates, and its line."""

    share: Fraction
    head: str
    behaviour: BehaviourClass


def describe_difference(before: ProblemReport, after: ProblemReport) -> tuple[str, ...]:
    """List the behaviours that were lost, and those that are new or have grown.

    Each has its number of candidates, what it is, and one input that tells it from the reference,
    like ``lost: 2 candidates, wrong: ([1, 2], 3) -> 4, expected 5``; on further lines where that
    is too wide. Without a reference it is the first assert that it fails. The largest come first,
    and what is left out is counted.
    """
    lost, gained = lost_classes(before, after), _gained(before, after)
    return (
        *_lines(((f"lost: {_members(each)}", each) for each in lost[:_MOST_LOST]), before),
        *_more(len(lost) - _MOST_LOST, "lost"),
        *_lines(((each.head, each.behaviour) for each in gained[:_MOST_GAINED]), after),
        *_more(len(gained) - _MOST_GAINED, "new or grown"),
    )


def _gained(before: ProblemReport, after: ProblemReport) -> list[_Gain]:
    old = {each.fingerprint: len(each.members) for each in before.partition.classes}
    found = []
    for each in after.partition.classes:
        was, now = old.get(each.fingerprint), len(each.members)
        head = f"new: {_members(each)}"
        if was is not None:
            head = f"grown: {was} of {before.n} -> {now} of {after.n} candidates"
        share = Fraction(now, after.n) - Fraction(was or 0, before.n)
        if share > 0:
            found.append(_Gain(share, head, each))
    return sorted(found, key=lambda gain: -gain.share)


def _members(behaviour: BehaviourClass) -> str:
    return plural(len(behaviour.members), "candidate")


def _more(count: int, what: str) -> tuple[str, ...]:
    return (f"and {count} more {what}",) if count > 0 else ()


def _lines(headed: Iterable[tuple[str, BehaviourClass]], problem: ProblemReport) -> Iterator[str]:
    for head, behaviour in headed:
        line = f"{head}, {describe_kind(behaviour)}"
        failure = None
        if problem.checks is not None and not behaviour.correct:
            failure = problem.checks.failure_of(behaviour.members[0])
        if _never_loads(behaviour):  # then no input says more
            yield line
        elif behaviour.witness is not None:
            yield from _with_witness(line, behaviour.witness)
        elif failure is not None:
            yield from _with_failure(line, failure)
        else:
            yield line


def _with_failure(head: str, failure: SharedFailure) -> Iterator[str]:
    got = failure.got or failure.kind
    line = f"{head}: {failure.assertion} -> {got}"
    if len(line) <= _WIDTH:
        yield line
        return
    head = _cut(head, _WIDTH)
    yield head
    yield f"  {_cut(failure.assertion, _WIDTH - 2)}"
    yield f"  -> {_cut(got, _WIDTH - 5)}"


def _never_loads(behaviour: BehaviourClass) -> bool:
    return all(outcome.startswith("load:") for outcome in behaviour.outcomes)


def _with_witness(head: str, witness: Witness) -> Iterator[str]:
    expected = witness.expected if witness.expected != witness.output else _READS_ALIKE
    did = f"-> {witness.output}, expected {expected}"
    line = f"{head}: ({witness.arguments}) {did}"
    if len(line) <= _WIDTH:
        yield line
        return
    head = _cut(head, _WIDTH - _LEAST_ARGUMENTS)
    yield f"{head}: ({_cut(witness.arguments, _WIDTH - len(head) - len(': ()'))})"
    if len(f"  {did}") <= _WIDTH:
        yield f"  {did}"
        return
    room = _WIDTH - len("  expected  ")
    start = _start(witness.output, expected, room)
    yield f"  output    {_cut(witness.output, room, start)}"
    yield f"  expected  {_cut(expected, room, start)}"


def _start(one: str, other: str, room: int) -> int:
    """Return where to begin to show two texts, for the place where they differ to be seen."""
    common = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(one, other))))
    return 0 if common < room - _LEAST_CONTEXT else common - _LEAST_CONTEXT


def _cut(text: str, room: int, start: int = 0) -> str:
    shown = f"...{text[start:]}" if start else text
    return shown if len(shown) <= room else f"{shown[: room - 3]}..."
