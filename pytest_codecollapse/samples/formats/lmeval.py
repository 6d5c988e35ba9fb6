"""lm-evaluation-harness' ``--log_samples``: a line a problem, with the problem in ``doc``.

``resps`` has what the model wrote, before any filter of the harness. A problem stands there once
for each filter, with the same texts; those of one filter count.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pytest_codecollapse.errors import Where
from pytest_codecollapse.samples.benchmarks import Benchmark
from pytest_codecollapse.samples.formats.row import Row
from pytest_codecollapse.samples.formats.taskrows import task_id_of
from pytest_codecollapse.samples.formats.texts import texts_of
from pytest_codecollapse.samples.formats.unknown import UnknownTasks
from pytest_codecollapse.samples.jsonline import fault, fields_of
from pytest_codecollapse.samples.rows import read_rows

_REMEDY = "give the file as lm_eval --log_samples wrote it"


def is_lmeval(row: dict[str, Any]) -> bool:
    """Whether a row is of this format."""
    return isinstance(row.get("doc"), dict) and "resps" in row


def lmeval_rows(path: Path, shown_as: str, benchmark: Benchmark) -> Iterator[Row]:
    """Read samples of lm-evaluation-harness.

    Raises
    ------
    SamplesError
        Where a row has no problem or no texts; at the end, where a problem is not of the benchmark.
    """
    tasks = UnknownTasks(benchmark)
    counted: Any = None
    for number, (line, row) in enumerate(read_rows(path, shown_as)):
        where = Where(shown_as, line)
        if not isinstance(row, dict) or not is_lmeval(row):
            what, expected = "the row is not of lm-evaluation-harness", "doc and resps"
            raise fault(where, what, got=fields_of(row), expected=expected, remedy=_REMEDY)
        if number == 0:
            counted = row.get("filter")
        elif row.get("filter") != counted:
            continue
        task_id = task_id_of(row["doc"], where)
        texts = texts_of(row["resps"], "resps", where._replace(problem_id=task_id))
        known = benchmark.find(task_id)
        if known is None:
            tasks.missed(task_id, where)
            continue
        tasks.found(task_id)
        yield Row(line, known.problem_id, texts, "completion")
    tasks.refuse()
