"""Builders of small reports for the tests of the gate."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Optional

from pytest_codecollapse.gate import (
    Baseline,
    Policy,
    Rule,
    compare,
    judge,
    parse_rule,
)
from pytest_codecollapse.model import (
    BehaviourClass,
    CompareSettings,
    Environment,
    Identity,
    Partition,
    ProblemReport,
    Report,
    Settings,
    Statistics,
    Unmeasured,
    Verdict,
)
from pytest_codecollapse.stats import expected_distinct, mean_defined, pass_at_k_exact

PERCENTILE = CompareSettings(interval="percentile")

#: The worked check of section 4 of the design: class sizes per problem, before and after.
WORKED_BEFORE = (
    [5, 3, 2, 1, 1],
    [4, 4, 4],
    [11, 1],
    [12],
    [6, 2, 2, 1, 1],
    [2] * 6,
    [1] * 12,
    [4, 4, 4],
)
WORKED_AFTER = (
    [11, 1],
    [4, 4, 4],
    [12],
    [12],
    [11, 1],
    [5, 3, 2, 1, 1],
    [6, 2, 2, 1, 1],
    [12],
)


def behaviour(
    name: str,
    members: Sequence[int],
    *,
    correct: bool = False,
    outcomes: Optional[dict[str, int]] = None,
) -> BehaviourClass:
    """Build a class of behaviour that returned a value on all of 50 inputs unless told."""
    return BehaviourClass(
        fingerprint=name,
        members=tuple(members),
        correct=correct,
        outcomes={"value": 50} if outcomes is None else outcomes,
    )


def identity_with(**changed: str) -> Identity:
    """Build an identity; each keyword gives one of its parts another hash."""
    names = ("entry_point", "reference", "inputs", "prompt", "setup", "equality")
    parts = {name: changed.get(name, "0") for name in names}
    return Identity(whole="".join(parts.values()), parts=parts)


def measured(
    problem_id: str,
    classes: Sequence[BehaviourClass],
    statistics: Statistics,
    *,
    identity: Optional[Identity] = None,
    cluster: Optional[str] = None,
) -> ProblemReport:
    """Build a problem's report of classes and statistics as given."""
    return ProblemReport(
        problem_id=problem_id,
        identity=identity_with() if identity is None else identity,
        partition=Partition(
            classes=tuple(classes),
            ast_classes=(),
            nondeterministic=(),
            order_dependent=(),
            stability_curve=(),
            correct_curve=(),
        ),
        statistics=statistics,
        cluster=cluster,
    )


def valued(problem_id: str, statistics: Statistics, cluster: Optional[str] = None) -> ProblemReport:
    """Build a problem's report of statistics alone."""
    return measured(problem_id, [], statistics, cluster=cluster)


def sized(
    problem_id: str,
    sizes: Sequence[int],
    *,
    ks: Sequence[int] = (1, 5, 10),
    identity: Optional[Identity] = None,
) -> ProblemReport:
    """Build a problem's report of classes a, b, c, … of these sizes, the first one correct."""
    starts = [sum(sizes[:index]) for index in range(len(sizes))]
    classes = [
        behaviour(chr(ord("a") + index), range(start, start + size), correct=index == 0)
        for index, (start, size) in enumerate(zip(starts, sizes))
    ]
    n = sum(sizes)
    statistics: Statistics = {}
    for k in ks:
        distinct, right = expected_distinct(sizes, k), pass_at_k_exact(n, sizes[0], k)
        wrong = None if distinct is None or right is None else distinct - right
        statistics.update({f"pass@{k}": right, f"E[D_{k}]": distinct, f"E[W_{k}]": wrong})
    statistics["masking_ratio"] = Fraction(n, len(sizes))
    return measured(problem_id, classes, statistics, identity=identity)


def report(
    *problems: ProblemReport,
    settings: Optional[Settings] = None,
    python: str = "3.11.7",
    platform: str = "Linux-x86_64",
    canonical_form: int = 1,
    unmeasured: Sequence[str] = (),
) -> Report:
    """Build a report of problems."""
    names = dict.fromkeys(name for problem in problems for name in problem.statistics)
    return Report(
        tool_version="0.1.0",
        environment=Environment(
            python=python,
            platform=platform,
            isolation="process",
            canonical_form=canonical_form,
        ),
        settings=Settings() if settings is None else settings,
        problems=problems,
        unmeasured=tuple(Unmeasured(problem_id=each, message="no") for each in unmeasured),
        mean={
            name: mean_defined(problem.statistics.get(name) for problem in problems)
            for name in names
        },
    )


def worked(sizes: Sequence[Sequence[int]]) -> Report:
    """Build the report of one side of the worked check; its problems are p0 to p7."""
    return report(*(sized(f"p{index}", each) for index, each in enumerate(sizes)))


def chao1(*values: Optional[int | Fraction]) -> Report:
    """Build a report of problems p0, p1, … with these values of chao1 and nothing else."""
    return report(
        *(
            valued(f"p{index}", {"chao1": None if value is None else Fraction(value)})
            for index, value in enumerate(values)
        )
    )


def verdict(
    rule: str,
    after: Report,
    before: Optional[Report] = None,
    *,
    settings: CompareSettings = PERCENTILE,
    policy: Optional[Policy] = None,
) -> Verdict:
    """Judge one rule; plain percentile intervals unless told."""
    rules: list[Rule] = [parse_rule(rule)]
    baseline = None
    if before is not None:
        baseline = Baseline(report=before, comparison=compare(before, after, settings))
    return judge(rules, after, baseline=baseline, policy=policy)[0]
