"""Samples in the native form that leave what a benchmark says of the problems to the benchmark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pytest_codecollapse.errors import SamplesError, Where
from pytest_codecollapse.samples.benchmarks import Benchmark
from pytest_codecollapse.samples.formats.taskrows import NAME_THE_TASK, text_key
from pytest_codecollapse.samples.formats.unknown import UnknownTasks
from pytest_codecollapse.samples.jsonline import fault, fields_of, kind_of
from pytest_codecollapse.samples.rows import read_rows

#: Fields that stand for one another: a problem that has one takes none of them from elsewhere.
_TOGETHER = (("inputs", "input_gen"), ("tests", "test_setup"))


#: What says a problem without a benchmark: one field of each of these.
_SAY_ALL = (
    ("entry_point",),
    ("candidates",),
    ("reference", "tests"),
    ("inputs", "input_gen", "tests"),
)


def need_no_problems(path: Path, shown_as: str, benchmark: Benchmark) -> bool:
    """Whether samples are of none of a benchmark's problems, and say themselves what theirs are.

    The problems that are named count for all samples of a session, also for its own ones.
    """
    return all(_says_all(row, benchmark) for _, row in read_rows(path, shown_as))


def _says_all(row: Any, benchmark: Benchmark) -> bool:
    return (
        isinstance(row, dict)
        and isinstance(row.get("problem_id"), str)
        and benchmark.find(row["problem_id"]) is None
        and all(any(row.get(name) is not None for name in names) for names in _SAY_ALL)
    )


def native_records(
    path: Path, shown_as: str, benchmark: Benchmark
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield problems with their lines; fields that they have not are the benchmark's.

    Raises
    ------
    SamplesError
        Where a line is no object, or its problem is not of the benchmark.
    """
    _refuse_unknown(path, shown_as, benchmark)
    for line, row in read_rows(path, shown_as):
        known = benchmark.find(row["problem_id"])
        assert known is not None
        given = {name: value for name, value in row.items() if value is not None}
        fields = dict(benchmark.read(known).fields)
        for names in _TOGETHER:
            if any(name in given for name in names):
                fields = {name: fields[name] for name in fields if name not in names}
        yield line, {**fields, **given}


def _refuse_unknown(path: Path, shown_as: str, benchmark: Benchmark) -> None:
    tasks = UnknownTasks(benchmark)
    known_rows = False
    for line, row in read_rows(path, shown_as):
        where = Where(shown_as, line)
        if not isinstance(row, dict) or "problem_id" not in row:
            raise _of_another_format(row, where) if known_rows else _unknown_format(row, where)
        known_rows = True
        problem_id = row["problem_id"]
        if not isinstance(problem_id, str):
            what, got = "problem_id is of the wrong type", kind_of(problem_id)
            remedy = "give each problem the id that it has in the benchmark"
            raise fault(where, what, got=got, expected="a string", remedy=remedy)
        if benchmark.find(problem_id):
            tasks.found(problem_id)
        else:
            tasks.missed(problem_id, where, "problem_id")
    tasks.refuse()


def _of_another_format(row: Any, where: Where) -> SamplesError:
    return fault(
        where,
        "the line is not of the native format, which the lines above are of",
        got=fields_of(row),
        expected="problem_id and candidates",
        remedy="keep samples of different formats in different files",
    )


def _unknown_format(row: Any, where: Where) -> SamplesError:
    got = fields_of(row)
    if isinstance(row, dict) and text_key(row):
        what = "the samples name no task"
        return fault(where, what, got=got, expected="task_id", remedy=NAME_THE_TASK)
    return fault(
        where,
        "these are samples of no format that is known",
        got=got,
        expected="task_id and completion, task_id and solution, task_id and messages, prompt and"
        " samples, lists of programs, or problem_id and candidates",
        remedy="write task_id and completion of each sample on a line of its own",
    )
