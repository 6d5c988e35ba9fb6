"""bigcode-evaluation-harness' ``generations.json``: a list of lists of whole programs.

They are in the order of the problems, but that order need not be the benchmark's, nor need all
problems be there. A list belongs to the problem whose prompt most of its programs have in them, or
else whose entry point they define. Where that fits the order of the benchmark, from its first
problem or from another, a list that says nothing belongs to the one at its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Optional

from pytest_codecollapse.errors import SamplesError, Where
from pytest_codecollapse.samples.benchmarks import Benchmark
from pytest_codecollapse.samples.formats.matching import Prompts, closest, names_of_most
from pytest_codecollapse.samples.formats.row import Row
from pytest_codecollapse.samples.jsonline import fault, kind_of
from pytest_codecollapse.samples.rows import read_rows

_REMEDY = "give generations.json as it was written, and the problems that it is of"


class _Place(NamedTuple):
    """Where a list stands, the problems that it can belong to, and the one that it does."""

    line: int
    possible: frozenset[str]
    problem_id: Optional[str]


def is_generations(value: Any) -> bool:
    """Whether the first item of a JSON list is one of this format, be it malformed."""
    return isinstance(value, (list, str))


def generations_rows(path: Path, shown_as: str, benchmark: Benchmark) -> Iterator[Row]:
    """Read generations, in two passes over the file.

    Raises
    ------
    SamplesError
        Where an item is no list of programs, belongs to no problem or to that of another item.
    """
    prompts = Prompts(benchmark)
    places = [_place(line, texts, benchmark, prompts) for line, texts in _items(path, shown_as)]
    owners = _owners(places, shown_as, benchmark)
    for problem_id, (line, texts) in zip(owners, _items(path, shown_as)):
        yield Row(line, problem_id, texts, "program")


def _items(path: Path, shown_as: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    for number, (line, value) in enumerate(read_rows(path, shown_as), 1):
        if not value or not _is_list_of_programs(value):
            what = f"list {number} holds no programs"
            got = "an empty list" if value == [] else _described(value)
            expected = "a list of strings"
            raise fault(Where(shown_as, line), what, got=got, expected=expected, remedy=_REMEDY)
        yield line, tuple(value)


def _is_list_of_programs(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _described(value: Any) -> str:
    if not isinstance(value, list):
        return kind_of(value)
    other = next(each for each in value if not isinstance(each, str))
    return f"a list with {kind_of(other)} in it"


def _place(line: int, programs: Sequence[str], benchmark: Benchmark, prompts: Prompts) -> _Place:
    prompted = prompts.owner(programs)
    known = [prompted] if prompted else benchmark.with_entry_points(names_of_most(programs))
    owner = closest(benchmark, known, programs)
    possible = frozenset(each.problem_id for each in known)
    return _Place(line, possible, owner.problem_id if owner else None)


def _owners(places: list[_Place], shown_as: str, benchmark: Benchmark) -> list[str]:
    """Return the id of the problem that each list belongs to, each problem once."""
    known = list(benchmark.problems)
    if len(places) > len(known):
        raise _too_many(places, shown_as, benchmark)
    start = _start(places, known)
    if start is not None:
        return known[start : start + len(places)]
    spare = sorted(benchmark.problems.keys() - {place.problem_id for place in places})
    unowned = [number for number, place in enumerate(places, 1) if place.problem_id is None]
    if 2 * len(unowned) <= len(places):  # otherwise they are of another benchmark
        _refuse_two_of_one(places, shown_as)
    if unowned and not len(unowned) == len(spare) == 1:
        where = Where(shown_as, places[unowned[0] - 1].line)
        raise _unowned(unowned, len(places), where, benchmark)
    return [place.problem_id or spare[0] for place in places]


def _start(places: Sequence[_Place], known: Sequence[str]) -> Optional[int]:
    """Return where the lists begin in the problems, if they are in their order without a gap.

    Where there are fewer lists than problems, as of a split, nine in ten have to show it.
    """
    starts = [
        start
        for start in range(len(known) - len(places) + 1)
        if all(
            not each.possible or name in each.possible for each, name in zip(places, known[start:])
        )
    ]
    silent = sum(not each.possible for each in places)
    is_shown = len(places) == len(known) or 10 * silent <= len(places)
    return starts[0] if len(starts) == 1 and is_shown else None


def _refuse_two_of_one(places: list[_Place], shown_as: str) -> None:
    numbers: dict[str, int] = {}
    for number, place in enumerate(places, 1):
        if place.problem_id is None:
            continue
        first = numbers.setdefault(place.problem_id, number)
        if first != number:
            raise fault(
                Where(shown_as, place.line, place.problem_id),
                f"list {number} belongs to the problem of list {first}",
                got="two lists of one problem",
                expected="one",
                remedy=_REMEDY,
            )


def _too_many(places: Sequence[_Place], shown_as: str, benchmark: Benchmark) -> SamplesError:
    count = len(benchmark.problems)
    return fault(
        Where(shown_as, places[count].line),
        f"there are more lists than {benchmark.name} has problems",
        got=f"{len(places)} lists",
        expected=f"at most {count}",
        remedy=_REMEDY,
    )


def _unowned(numbers: list[int], count: int, where: Where, benchmark: Benchmark) -> SamplesError:
    owned = count - len(numbers)
    return fault(
        where,
        f"list {numbers[0]} belongs to no problem: most of its programs have the prompt or entry"
        f" point of none, and the lists are not in the order of {benchmark.name}, one for each"
        " problem",
        got=f"{count} lists, {owned} of which belong{'s' * (owned == 1)} to one",
        expected=f"{len(benchmark.problems)} in that order",
        remedy=_REMEDY,
    )
