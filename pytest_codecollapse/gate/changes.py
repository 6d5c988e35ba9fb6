"""What became of single problems: which behaviours they lost, and which moved most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal

from pytest_codecollapse.gate.compare import Pair, paired_deltas
from pytest_codecollapse.gate.format import format_number, plural
from pytest_codecollapse.model import BehaviourClass, ProblemReport

_CORRECT = "correct"


def moved_most(
    pairs: Iterable[Pair], metric: str, direction: Literal["drop", "rise"], *, limit: int = 5
) -> tuple[Pair, ...]:
    """Return the pairs whose metric moved furthest in one direction.

    Parameters
    ----------
    pairs
        Paired problems.
    metric
        Canonical name of a metric.
    direction
        The direction that is asked for; pairs that moved the other way or not at all are left
        out.
    limit
        How many pairs at most.

    Returns
    -------
    tuple
        Furthest first, ties by problem id.
    """
    pairs = tuple(pairs)
    deltas = paired_deltas(pairs, metric)
    sign = -1 if direction == "drop" else 1
    moves = {problem_id: sign * delta for problem_id, delta in deltas.items() if sign * delta > 0}
    moved = [pair for pair in pairs if pair[1].problem_id in moves]
    moved.sort(key=lambda pair: (-moves[pair[1].problem_id], pair[1].problem_id))
    return tuple(moved[:limit])


def lost_classes(before: ProblemReport, after: ProblemReport) -> tuple[BehaviourClass, ...]:
    """Return the behaviours of the baseline that no candidate shows now, largest first."""
    kept = {behaviour.fingerprint for behaviour in after.partition.classes}
    return tuple(each for each in before.partition.classes if each.fingerprint not in kept)


def describe_change(before: ProblemReport, after: ProblemReport, metric: str) -> str:
    """Say in one line how one problem's metric moved and which behaviours it lost.

    The line reads like ``window_sums  E[D_5] 3.330 -> 1  lost 3 behaviours: 2 wrong
    (3 candidates), 1 raising ValueError (1 candidate)``. Where none was lost, it says how the
    share of the largest class moved instead.
    """
    old, new = before.statistics.get(metric), after.statistics.get(metric)
    return (
        f"{after.problem_id}  {metric} {format_number(old)} -> {format_number(new)}"
        f"  {_losses(before, after)}"
    )


def _losses(before: ProblemReport, after: ProblemReport) -> str:
    lost = lost_classes(before, after)
    if not lost:
        return f"lost no behaviour; largest class {_largest(before)} -> {_largest(after)}"
    classes = Counter(describe_kind(behaviour) for behaviour in lost)
    candidates: Counter[str] = Counter()
    for behaviour in lost:
        candidates[describe_kind(behaviour)] += len(behaviour.members)
    kinds = sorted(classes, key=lambda kind: (kind != _CORRECT, -classes[kind], kind))
    listed = ", ".join(
        f"{classes[kind]} {kind} ({plural(candidates[kind], 'candidate')})" for kind in kinds
    )
    return f"lost {plural(len(lost), 'behaviour')}: {listed}"


def _largest(problem: ProblemReport) -> str:
    sizes = (len(behaviour.members) for behaviour in problem.partition.classes)
    return f"{max(sizes, default=0)} of {problem.n}"


def describe_kind(behaviour: BehaviourClass) -> str:
    """Name a class by whether it is correct, and if not by what it did on most inputs."""
    if behaviour.correct:
        return _CORRECT
    outcomes = behaviour.outcomes
    kind = min(outcomes, key=lambda outcome: (-outcomes[outcome], outcome), default="value")
    what, _, type_name = kind.partition(":")
    return {
        "exc": f"raising {type_name}",
        "load": f"not loading ({type_name})",
        "TIMEOUT": "timing out",
        "CRASH": "crashing",
    }.get(what, "wrong")
