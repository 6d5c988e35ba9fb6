"""bigcode-evaluation-harness' ``generations.json``: a list of lists of whole programs.

Rows are in the order of the problems, but that order need not be the benchmark's, nor need all
problems be there: a row belongs to the problem whose entry point its programs define, and to the
one at its place only where that decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Optional

from pytest_codecollapse.errors import SamplesError, Where
from pytest_codecollapse.samples.benchmarks import Benchmark
from pytest_codecollapse.samples.formats.matching import problem_of_programs
from pytest_codecollapse.samples.formats.row import Row
from pytest_codecollapse.samples.jsonline import fault, kind_of
from pytest_codecollapse.samples.rows import read_rows

_REMEDY = "give generations.json as it was written, and the problems that it is of"


class _Place(NamedTuple):
    line: int
    problem_id: Optional[str]


def is_generations(value: Any) -> bool:
    """Whether the first item of a JSON list is one of this format."""
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def generations_rows(path: Path, shown_as: str, benchmark: Benchmark) -> Iterator[Row]:
    """Read generations, in two passes over the file.

    Raises
    ------
    SamplesError
        Where an item is no list of programs, belongs to no problem or to that of another item.
    """
    places = [
        _Place(line, known.problem_id if known else None)
        for line, texts in _items(path, shown_as)
        for known in [problem_of_programs(benchmark, texts)]
    ]
    owners = _owners(places, shown_as, benchmark)
    for problem_id, (line, texts) in zip(owners, _items(path, shown_as)):
        yield Row(line, problem_id, texts, "program")


def _items(path: Path, shown_as: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    for number, (line, value) in enumerate(read_rows(path, shown_as), 1):
        if not value or not is_generations(value):
            what = f"list {number} holds no programs"
            got = "an empty list" if value == [] else _described(value)
            expected = "a list of strings"
            raise fault(Where(shown_as, line), what, got=got, expected=expected, remedy=_REMEDY)
        yield line, tuple(value)


def _described(value: Any) -> str:
    if not isinstance(value, list):
        return kind_of(value)
    other = next(each for each in value if not isinstance(each, str))
    return f"a list with {kind_of(other)} in it"


def _owners(places: list[_Place], shown_as: str, benchmark: Benchmark) -> list[str]:
    """Return the id of the problem that each row belongs to, each problem once."""
    ids = list(benchmark.problems)
    numbers: dict[str, int] = {}
    owners = []
    for number, place in enumerate(places, 1):
        where = Where(shown_as, place.line)
        if place.problem_id is None and len(places) != len(ids):
            raise _unowned(number, len(places), where, benchmark)
        owner = place.problem_id or ids[number - 1]
        if owner in numbers:
            raise fault(
                where._replace(problem_id=owner),
                f"list {number} belongs to the problem of list {numbers[owner]}",
                got="two lists of one problem",
                expected="one",
                remedy=_REMEDY,
            )
        numbers[owner] = number
        owners.append(owner)
    return owners


def _unowned(number: int, count: int, where: Where, benchmark: Benchmark) -> SamplesError:
    total = len(benchmark.problems)
    return fault(
        where,
        f"list {number} belongs to no problem of {benchmark.name}: most of its programs define the"
        " entry point of none, and there is not one list for each problem",
        got=f"{count} lists",
        expected=f"{total}, in the order of the problems",
        remedy=_REMEDY,
    )
