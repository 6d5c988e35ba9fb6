"""What the programs of one problem did -> its report: the stages behind the sandbox."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Optional

import msgspec

from pytest_codecollapse.behaviour import oracle_of, partition, reasons_of, stable_at
from pytest_codecollapse.gate import NO_METRICS, Metrics, identity_of, metric_names, with_metrics
from pytest_codecollapse.measure.checks import checks_of
from pytest_codecollapse.model import (
    Executions,
    Partition,
    Problem,
    ProblemReport,
    Settings,
    Statistics,
)
from pytest_codecollapse.stats import (
    adjusted_rand_index,
    chao1,
    expected_distinct,
    hill_number,
    pass_at_k_exact,
)


def report_problem(
    problem: Problem, executions: Executions, settings: Settings, metrics: Metrics = NO_METRICS
) -> ProblemReport:
    """Classify what the programs of a problem did, and compute its statistics."""
    classes = partition(executions, problem.candidates, problem.entry_point)
    reasons = reasons_of(executions, problem.candidates, problem.entry_point, problem.prompt)
    measured = ProblemReport(
        problem_id=problem.problem_id,
        identity=identity_of(problem, executions.left_out),
        partition=classes,
        statistics=statistics_of(classes, settings.k),
        ari=agreement_with(problem.labels, classes),
        cluster=problem.cluster,
        left_out=executions.left_out,
        oracle=oracle_of(executions),
        checks=checks_of(executions),
        causes=reasons.causes,
        misnamed=reasons.misnamed,
        repairs=_by_name(problem.repairs),
        input_origins=executions.origins,
    )
    return with_metrics(measured, metrics, problem.where)


def _by_name(repairs: Optional[tuple[tuple[str, ...], ...]]) -> dict[str, tuple[int, ...]]:
    """Return the candidates of each repair, the repairs sorted by name."""
    names = sorted({name for each in repairs or () for name in each})
    return {
        name: tuple(index for index, each in enumerate(repairs or ()) if name in each)
        for name in names
    }


def statistics_of(classes: Partition, ks: Iterable[int]) -> Statistics:
    """Compute every statistic of a problem, for each number of draws k; see ``stats``."""
    sizes = [len(each.members) for each in classes.classes]
    wrong = [len(each.members) for each in classes.classes if not each.correct]
    n, correct = sum(sizes), sum(sizes) - sum(wrong)
    right = {member for each in classes.classes if each.correct for member in each.members}
    written = [len(right.intersection(group)) for group in classes.ast_classes]
    right_ast_sizes = [size for size in written if size]
    distinct_ast = Fraction(len(classes.ast_classes))
    values: Statistics = {
        "hill_q0": hill_number(sizes, 0),
        "hill_q1": hill_number(sizes, 1),
        "hill_q2": hill_number(sizes, 2),
        "chao1": chao1(sizes),
        "distinct_ast": distinct_ast,
        "masking_ratio": distinct_ast / len(sizes),
        "stable_at": Fraction(stable_at(classes.stability_curve)),
        "nondeterministic": Fraction(len(classes.nondeterministic)),
        "order_dependent": Fraction(len(classes.order_dependent)),
    }
    for k in ks:
        values[f"pass@{k}"] = pass_at_k_exact(n, correct, k)
        values[f"E[D_{k}]"] = expected_distinct(sizes, k)
        values[f"E[W_{k}]"] = expected_distinct(wrong, k, n=n)
        values[f"E[A_{k}]"] = expected_distinct(right_ast_sizes, k)
    return {name: values[name] for name in metric_names(ks)}


def agreement_with(labels: Optional[tuple[str, ...]], classes: Partition) -> Optional[Fraction]:
    """Return the adjusted Rand index of the behaviours against labels, where there are labels."""
    if labels is None:
        return None
    behaviour_of = {
        member: number for number, each in enumerate(classes.classes) for member in each.members
    }
    return adjusted_rand_index(labels, [behaviour_of[index] for index in range(len(labels))])


def restate_problem(
    problem: ProblemReport, ks: Iterable[int], metrics: Metrics = NO_METRICS
) -> ProblemReport:
    """Compute the statistics of a problem from its classes, for these numbers of draws."""
    statistics = statistics_of(problem.partition, ks)
    return with_metrics(msgspec.structs.replace(problem, statistics=statistics), metrics)
