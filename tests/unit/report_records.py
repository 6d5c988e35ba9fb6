"""Builders of whole reports, made from executions as a measurement makes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

from pytest_codecollapse.errors import Where
from pytest_codecollapse.measure import assemble, report_problem
from pytest_codecollapse.model import (
    Environment,
    Execution,
    Executions,
    Problem,
    ProblemReport,
    Report,
    Settings,
    Unmeasured,
)

KS = (1, 5, 10)
ENVIRONMENT = Environment(python="3.11.7", platform="Linux-x86_64", isolation="process")


def value_token(number: int) -> str:
    """Return the token of some result."""
    return f"{number:016x}"


def problem_of(candidates: Sequence[str], problem_id: str = "p", **fields: Any) -> Problem:
    """Build a problem of these sources."""
    defaults: dict[str, Any] = {
        "entry_point": "f",
        "reference": "def f(x): return x",
        "where": Where("samples.jsonl", 1, problem_id),
        "inputs": ([1],),
    }
    return Problem(problem_id=problem_id, candidates=tuple(candidates), **{**defaults, **fields})


def measured(
    problem_id: str = "p",
    sizes: Sequence[int] = (5, 3, 2, 1, 1),
    *,
    correct: Optional[int] = 0,
    inputs: int = 8,
    written: int = 3,
    nondeterministic: Sequence[int] = (),
    order_dependent: Sequence[int] = (),
    left_out: Sequence[int] = (),
    ks: Sequence[int] = KS,
    **fields: Any,
) -> ProblemReport:
    """Build a measured problem whose classes have these sizes.

    Class i differs from class 0 from input i on, and the reference does what class ``correct``
    does; candidates are written in ``written`` ways in turn.
    """
    behaviours = [
        tuple(value_token(number if index >= number else 0) for index in range(inputs))
        for number in range(len(sizes))
    ]
    unlike_all = (value_token(99),) * inputs
    owners = [number for number, size in enumerate(sizes) for _ in range(size)]
    executions = Executions(
        reference=Execution(tokens=unlike_all if correct is None else behaviours[correct]),
        candidates=tuple(
            Execution(
                tokens=behaviours[owner],
                nondeterministic=index in nondeterministic,
                order_dependent=index in order_dependent,
            )
            for index, owner in enumerate(owners)
        ),
        left_out=tuple(left_out),
    )
    sources = [f"def f(x): return {index % written}" for index in range(len(owners))]
    problem = problem_of(sources, problem_id, **fields)
    return report_problem(problem, executions, Settings(k=tuple(ks)))


def report_of(
    *problems: ProblemReport, unmeasured: Sequence[Unmeasured] = (), ks: Sequence[int] = KS
) -> Report:
    """Build the report of these problems."""
    return assemble([*problems, *unmeasured], Settings(k=tuple(ks)), ENVIRONMENT)
