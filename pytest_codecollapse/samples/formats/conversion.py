"""Samples of another tool and a benchmark's problems -> records, and what is odd about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple, Optional

from pytest_codecollapse.samples.benchmarks import Benchmark
from pytest_codecollapse.samples.formats.grouping import GroupedRows
from pytest_codecollapse.samples.formats.programs import record
from pytest_codecollapse.samples.formats.recognise import Format
from pytest_codecollapse.samples.jsonline import printable

_MAX_LISTED = 5


class Conversion(NamedTuple):
    """Records with their lines, to be taken one by one, and what a person is told of them."""

    records: Iterator[tuple[int, dict[str, Any]]]
    description: str
    notes: tuple[str, ...]


@contextmanager
def converted(
    path: Path,
    format_: Format,
    benchmark: Benchmark,
    extraction: Literal["auto", "none"],
    shown_as: str,
) -> Iterator[Conversion]:
    """Read samples once to find what is of which problem; give the records problem by problem.

    Raises
    ------
    SamplesError
        Where the samples are not what their format asks for, or not of the benchmark.
    """
    assert format_.rows is not None
    with GroupedRows(format_.rows(path, shown_as, benchmark)) as grouped:
        yield Conversion(
            _records(grouped, benchmark, extraction),
            _description(format_.name, grouped, benchmark),
            tuple(_notes(grouped, benchmark, None if path.is_dir() else shown_as)),
        )


def _records(
    grouped: GroupedRows, benchmark: Benchmark, extraction: Literal["auto", "none"]
) -> Iterator[tuple[int, dict[str, Any]]]:
    for problem_id, group in grouped.groups.items():
        problem = benchmark.read(benchmark.problems[problem_id])
        yield group.line, record(problem, grouped.read(problem_id), extraction)


def _description(name: str, grouped: GroupedRows, benchmark: Benchmark) -> str:
    count, total = len(grouped.groups), len(benchmark.problems)
    some = f"{count}" if count == total else f"{count} of {total}"
    plural = "problem" if total == 1 else "problems"
    return f"{name} samples of {some} {plural} from {printable(Path(benchmark.name).name)}"


def _notes(grouped: GroupedRows, benchmark: Benchmark, file: Optional[str]) -> Iterator[str]:
    """Say what is odd; ``file`` is None where the samples are none, and have no lines."""
    usual = Counter(group.candidates for group in grouped.groups.values()).most_common(1)[0][0]
    odd = {name: each for name, each in grouped.groups.items() if each.candidates != usual}
    if odd:
        name, first = next(iter(odd.items()))
        more = f"; {len(odd) - 1} more differ" if len(odd) > 1 else ""
        plural = "candidate" if first.candidates == 1 else "candidates"
        place = "" if file is None else f"{file}:{first.line}: "
        yield (
            f"{place}{printable(name)} has {first.candidates} {plural}"
            f" where most problems have {usual}{more}"
        )
    missing = [name for name in benchmark.problems if name not in grouped.groups]
    if missing:
        names = ", ".join(map(printable, missing[:_MAX_LISTED])) + (
            ", …" if missing[_MAX_LISTED:] else ""
        )
        yield f"{len(missing)} of {len(benchmark.problems)} problems have no samples: {names}"
