"""Which format a samples file is in, told by its first value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Optional

from pytest_codecollapse.errors import SamplesError
from pytest_codecollapse.samples.benchmarks import Benchmark, is_problem
from pytest_codecollapse.samples.formats.codet import codet_rows, is_codet
from pytest_codecollapse.samples.formats.directory import directory_rows, is_directory_of_samples
from pytest_codecollapse.samples.formats.generations import generations_rows, is_generations
from pytest_codecollapse.samples.formats.lmeval import is_lmeval, lmeval_rows
from pytest_codecollapse.samples.formats.row import Row
from pytest_codecollapse.samples.formats.taskrows import task_of, task_rows, text_key, tool_of
from pytest_codecollapse.samples.rows import read_rows


class Format(NamedTuple):
    """A format and what reads it; ``rows`` is None for problems and results, which are no samples.

    ``task`` is the id of the first task, "" where the format names none.
    """

    name: str
    rows: Optional[Callable[[Path, str, Benchmark], Iterator[Row]]]
    task: str = ""


def recognised(path: Path, shown_as: str) -> Optional[Format]:
    """Return the format of samples; None for the native one, and for what is none at all.

    A file that cannot be read is none: whoever reads it as the native format says why.
    """
    if is_directory_of_samples(path):
        return Format("EvalPlus", directory_rows)
    try:
        first = [value for _, value in islice(read_rows(path, shown_as), 1)]
    except SamplesError:
        return None
    return _format_of(first[0])


def _has_text(problem: dict[str, Any]) -> bool:
    """Whether a problem stands in its sample's row; MBPP's own ``code`` is no sample."""
    key = text_key(problem)
    return key is not None and not (key == "code" and "test_list" in problem)


def _format_of(value: Any) -> Optional[Format]:
    if is_generations(value):
        return Format("bigcode-evaluation-harness", generations_rows)
    if not isinstance(value, dict) or "problem_id" in value:
        return None
    if isinstance(value.get("eval"), dict):
        return Format("results", None)
    if is_lmeval(value):
        return Format("lm-evaluation-harness", lmeval_rows, task_of(value["doc"]))
    tool = tool_of(value)
    if is_codet(value) and tool is None:
        return Format("CodeT", codet_rows)
    if is_problem(value) and not _has_text(value):
        return Format("problems", None, task_of(value))
    return Format(tool, task_rows, task_of(value)) if tool else None
