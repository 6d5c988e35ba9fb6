"""CodeT's samples: ``prompt``, ``samples``; a line a problem, which nothing but the prompt names.

CodeT takes the examples out of the prompts, so they are not the benchmark's.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pytest_codecollapse.errors import Where
from pytest_codecollapse.samples.benchmarks import Benchmark
from pytest_codecollapse.samples.formats.matching import problem_of_prompt
from pytest_codecollapse.samples.formats.row import Row
from pytest_codecollapse.samples.formats.texts import texts_of
from pytest_codecollapse.samples.formats.unknown import UnknownTasks
from pytest_codecollapse.samples.jsonline import fault, fields_of, kind_of
from pytest_codecollapse.samples.rows import read_rows

_REMEDY = "give the file as CodeT has it: a prompt and its samples on each line"


def is_codet(row: dict[str, Any]) -> bool:
    """Whether a row is of this format."""
    return "prompt" in row and "samples" in row


def codet_rows(path: Path, shown_as: str, benchmark: Benchmark) -> Iterator[Row]:
    """Read samples of CodeT.

    Raises
    ------
    SamplesError
        Where a row has no prompt or no samples; at the end, where a prompt is not of the benchmark.
    """
    tasks = UnknownTasks(benchmark)
    for line, row in read_rows(path, shown_as):
        where = Where(shown_as, line)
        if not isinstance(row, dict) or not is_codet(row):
            what, expected = "the row is not of CodeT", "prompt and samples"
            raise fault(where, what, got=fields_of(row), expected=expected, remedy=_REMEDY)
        prompt = row["prompt"]
        if not isinstance(prompt, str):
            what, got = "prompt is of the wrong type", kind_of(prompt)
            raise fault(where, what, got=got, expected="a string", remedy=_REMEDY)
        texts = texts_of(row["samples"], "samples", where)
        known = problem_of_prompt(benchmark, prompt)
        if known is None:
            tasks.missed(prompt, where, "prompt")
            continue
        tasks.found(prompt)
        yield Row(line, known.problem_id, texts, "completion", prompt)
    tasks.refuse()
