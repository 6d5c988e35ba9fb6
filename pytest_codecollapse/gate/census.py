"""What the current report has less of than its baseline: problems, candidates, inputs.

A gate over what is left would pass in silence when half of the samples were lost. So whatever is
missing is stale, unless the user has listed the problem as one that may lack something.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from pytest_codecollapse.model import ProblemReport

#: Parts of an identity that differ where inputs were taken away, and nothing else was done.
_INPUT_PARTS = frozenset({"inputs", "answered inputs"})

#: What there is fewer of -> how many there were, and are.
Shrunk = dict[str, tuple[int, int]]


class Census(NamedTuple):
    """What is missing, by problem id; ``allowed`` is left out, ``allowed_fewer`` is compared."""

    gone: tuple[str, ...]
    fewer: dict[str, Shrunk]
    allowed: tuple[str, ...]
    allowed_fewer: tuple[str, ...]


def take_census(
    before: Mapping[str, ProblemReport],
    after: Mapping[str, ProblemReport],
    changed: Mapping[str, Sequence[str]],
    allow_removed: Iterable[str],
    *,
    count_inputs: bool = True,
) -> Census:
    """Count what the current problems lack.

    Parameters
    ----------
    before, after
        The problems of the baseline, but for those that could not be measured now, and the
        current ones.
    changed
        The parts of the identity that differ, for problems of which any does. They are not
        comparable anyway, and are listed only where fewer inputs are all that changed and that
        is allowed.
    allow_removed
        Problem ids, or patterns of them, that may be gone or lack something.
    count_inputs
        False where another number of inputs was asked for, which is told once and not a problem.

    Returns
    -------
    Census
        Ids sorted.
    """
    patterns = tuple(allow_removed)
    gone: list[str] = []
    fewer: dict[str, Shrunk] = {}
    allowed: list[str] = []
    allowed_fewer: list[str] = []
    for problem_id in sorted(before):
        listed = _is_listed(problem_id, patterns)
        if problem_id not in after:
            (allowed if listed else gone).append(problem_id)
            continue
        shrunk = _shrunk(before[problem_id], after[problem_id], count_inputs)
        parts = changed.get(problem_id)
        if parts:
            if listed and "inputs" in shrunk and _INPUT_PARTS.issuperset(parts):
                allowed.append(problem_id)
        elif shrunk and not listed:
            fewer[problem_id] = shrunk
        elif "inputs" in shrunk:  # behaviours on other inputs are other behaviours
            allowed.append(problem_id)
        elif shrunk:
            allowed_fewer.append(problem_id)
    return Census(tuple(gone), fewer, tuple(allowed), tuple(allowed_fewer))


def _is_listed(problem_id: str, patterns: Iterable[str]) -> bool:
    """Whether an id is listed, as it is (ids may hold brackets) or by a pattern."""
    return any(problem_id == each or fnmatchcase(problem_id, each) for each in patterns)


def _shrunk(before: ProblemReport, after: ProblemReport, count_inputs: bool) -> Shrunk:
    counts = {"candidates": (before.n, after.n)}
    if count_inputs:
        curves = (before.partition.stability_curve, after.partition.stability_curve)
        counts["inputs"] = (len(curves[0]), len(curves[1]))
    return {kind: (was, now) for kind, (was, now) in counts.items() if now < was}
