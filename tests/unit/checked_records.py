"""Builders of problems with tests, of candidates that fail for every reason, and of repairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Optional

from report_records import KS, problem_of, value_token

from pytest_codecollapse.measure import report_problem
from pytest_codecollapse.model import (
    Checked,
    Checks,
    Execution,
    Executions,
    FailedAssert,
    ProblemReport,
    Settings,
    Shown,
)

RIGHT, WRONG = value_token(0), value_token(1)
INPUTS = 4

#: Candidates of ``count_vowels``: a source, the token on the last input or on all of them where
#: it begins with ``load:``, asserts passed of 3, and how the first one fails.
Row = tuple[str, str, int, Optional[Literal["value", "exception", "timeout", "crash", "load"]]]
PLAIN = "def count_vowels(x): return x"
ROWS: tuple[Row, ...] = (
    (PLAIN, RIGHT, 3, None),
    (PLAIN, RIGHT, 3, None),
    (PLAIN, RIGHT, 2, "value"),
    (PLAIN, WRONG, 3, None),
    (PLAIN, WRONG, 2, "value"),
    ("def count_vowels(x) return x", "load:SyntaxError", 0, "load"),
    ("def count_vowel(x): return x", "load:NameError", 0, "load"),
    (f"import numpy\n{PLAIN}", "load:ModuleNotFoundError", 0, "load"),
    ("def count_vowels(x, y): return x", "exc:TypeError", 1, "exception"),
    (PLAIN, "TIMEOUT", 2, "timeout"),
    (PLAIN, "CRASH", 2, "crash"),
    ("I cannot.", "load:SyntaxError", 0, "load"),
)
REPAIRS = (*([()] * 6), ("prompt",), ("prompt",), ("prompt", "fence"), (), ("fence",), ())


def checked(
    problem_id: str = "p",
    rows: Sequence[Row] = ROWS,
    *,
    by_tests: bool = False,
    assertion: str = "assert count_vowels('a') == 1",
    got: str = "2",
    reference_fails: bool = False,
    left_out: int = 0,
    repairs: Optional[Sequence[tuple[str, ...]]] = None,
    origins: Optional[dict[str, int]] = None,
    ks: Sequence[int] = KS,
) -> ProblemReport:
    """Build a measured problem that has tests, and a reference unless ``by_tests``."""
    failed = FailedAssert(assertion=assertion, got=got, kind="value")
    executions = Executions(
        reference=Execution(tokens=() if by_tests else (RIGHT,) * INPUTS),
        candidates=tuple(_execution(token) for _, token, _, _ in rows),
        shown=None if by_tests else _shown(rows),
        reference_checked=None
        if by_tests
        else Checked(passed=2, asserts=3, failure=failed, **_left_out(left_out))
        if reference_fails
        else Checked(passed=3, asserts=3, **_left_out(left_out)),
        checked=tuple(_checked(row, assertion, got) for row in rows),
        origins={} if origins is None else origins,
        argument_counts=(1,),
    )
    fields: dict[str, Any] = {
        "entry_point": "count_vowels",
        "tests": Checks(source=(assertion,)),
        "repairs": None if repairs is None else tuple(repairs),
    }
    if by_tests:
        fields["reference"] = None
    problem = problem_of([source for source, _, _, _ in rows], problem_id, **fields)
    return report_problem(problem, executions, Settings(k=tuple(ks)))


def _left_out(count: int) -> dict[str, Any]:
    first = "assert f(iter([1])) == 1: an argument is no built-in value"
    return {"left_out": count, "first_left_out": first if count else ""}


def _execution(token: str) -> Execution:
    if token.startswith("load:"):
        return Execution(tokens=(token,) * INPUTS)
    return Execution(tokens=(*[RIGHT] * (INPUTS - 1), token))


def _shown(rows: Sequence[Row]) -> Shown:
    return Shown(
        arguments=tuple(f"'{number}'" for number in range(INPUTS)),
        expected=("0",) * INPUTS,
        outputs=dict.fromkeys(range(len(rows)), "1"),
    )


def _checked(row: Row, assertion: str, got: str) -> Checked:
    _, token, passed, kind = row
    if kind is None:
        return Checked(passed=passed, asserts=3)
    said = {"value": got, "timeout": "TIMEOUT", "crash": "CRASH"}.get(kind)
    if said is None:
        what, _, name = token.partition(":")
        said = f"does not load: {name}" if what == "load" else f"raises {name}"
    return Checked(
        passed=passed, asserts=3, failure=FailedAssert(assertion=assertion, got=said, kind=kind)
    )
