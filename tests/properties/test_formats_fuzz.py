"""Samples and problems of other tools: whatever a file holds, it is opened or refused."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any, Optional

import pytest
from benchmark_files import humaneval, jsonl, mbpp, prompt
from hypothesis import given
from hypothesis import strategies as st

from pytest_codecollapse.errors import SamplesError
from pytest_codecollapse.samples import open_samples

PROBLEMS = [
    *humaneval(),
    *humaneval("double", family="Plus/", base_input=[[1], [[2]]], atol=0, contract="assert x"),
    mbpp(12),
]
SAMPLES: list[dict[str, Any]] = [
    {"task_id": "HumanEval/0", "completion": "    return x\n"},
    {"task_id": "Plus/0", "solution": "def double(x): return x"},
    {"task_id": 12, "messages": [{"role": "assistant", "content": "```python\nx\n```"}]},
    {"task_id": "12", "choices": [{"message": {"content": "x"}}, {"text": "y"}]},
    {"prompt": prompt("halve"), "samples": ["    return x"]},
    {"problem_id": "HumanEval/2", "candidates": ["x"]},
]
LISTS = [["def double(x): return x"], ["def halve(x): return x", "x"]]
KEYS = sorted({key for row in [*PROBLEMS, *SAMPLES] for key in row} | {"base_input", "language"})

any_text = st.text(st.characters(exclude_categories=[]), max_size=8)
any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | any_text,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(KEYS) | any_text, inner, max_size=3)
    ),
    max_leaves=6,
)
changes = st.dictionaries(st.sampled_from(KEYS) | any_text, any_json, max_size=3)
edits = st.lists(
    st.tuples(st.integers(0, 4_000), st.integers(0, 9), st.binary(max_size=4)), max_size=3
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that every example is written to."""
    return tmp_path_factory.mktemp("fuzz")


def check(folder: Path, samples: bytes, problems: Optional[bytes]) -> Optional[list[str]]:
    """Open samples; assert that they are read, or refused with a place and a reason."""
    path, benchmark = folder / "s", folder / "p"
    path.write_bytes(samples)
    benchmark.write_bytes(problems or b"")
    try:
        given_ = None if problems is None else str(benchmark)
        with open_samples(path, problems=given_, shown_as="s") as opened:
            assert all(each.candidates for each in opened.problems())
            assert all(note.isprintable() for note in (*opened.notes, opened.description))
            return [each.problem_id for each in opened.entries]
    except SamplesError as error:
        message = str(error)
    assert message.startswith(("s:", f"{benchmark}:"))
    assert "(got " in message
    assert ", expected " in message
    assert "; " in message
    return None


def edited(content: bytes, edits: list[tuple[int, int, bytes]]) -> bytes:
    """Replace stretches of some bytes by others."""
    for start, length, new in edits:
        start %= len(content) + 1
        content = content[:start] + new + content[start + length :]
    return content


@pytest.mark.parametrize("rows", [SAMPLES[:4], SAMPLES[4:5], SAMPLES[5:]])
def test_the_files_that_are_edited_are_valid(folder: Path, rows: list[Any]) -> None:
    """Unedited, all of it is read."""
    assert check(folder, jsonl(rows), jsonl(PROBLEMS)) is not None
    assert check(folder, json.dumps(LISTS).encode(), jsonl(PROBLEMS)[:-1]) is None


@given(content=st.binary(), is_samples=st.booleans(), alone=st.booleans())
def test_any_bytes(folder: Path, content: bytes, is_samples: bool, alone: bool) -> None:
    """Bytes that are nothing are refused."""
    if is_samples:
        assert check(folder, content, None if alone else jsonl(PROBLEMS)) is None
    else:
        assert check(folder, jsonl(SAMPLES[:4]), content) is None


@given(values=st.lists(any_json, max_size=3), as_list=st.booleans(), is_samples=st.booleans())
def test_any_json(folder: Path, values: list[Any], as_list: bool, is_samples: bool) -> None:
    """JSON of any shape is read or refused, as samples and as problems."""
    content = json.dumps(values).encode() if as_list else jsonl(values)
    if is_samples:
        check(folder, content, jsonl(PROBLEMS))
        check(folder, content, None)
    else:
        check(folder, jsonl(SAMPLES[:4]), content)


@given(at=st.integers(0, len(SAMPLES) - 1), changes=changes, without=st.sets(st.sampled_from(KEYS)))
def test_any_fields_of_a_sample(
    folder: Path, at: int, changes: dict[str, Any], without: set[str]
) -> None:
    """A row with fields of any kind, or without some, is read or refused."""
    row = {key: value for key, value in SAMPLES[at].items() if key not in without}
    check(folder, jsonl([SAMPLES[at], {**row, **changes}]), jsonl(PROBLEMS))
    check(folder, jsonl([{**row, **changes}]), None)


@given(at=st.integers(0, len(PROBLEMS) - 1), changes=changes)
def test_any_fields_of_a_problem(folder: Path, at: int, changes: dict[str, Any]) -> None:
    """A problem with fields of any kind is read or refused."""
    problems = [*PROBLEMS[:at], {**PROBLEMS[at], **changes}, *PROBLEMS[at + 1 :]]
    check(folder, jsonl(SAMPLES[:4]), jsonl(problems))


@given(edits=edits, zipped=st.booleans(), kind=st.integers(0, 2))
def test_any_damage(
    folder: Path, edits: list[tuple[int, int, bytes]], zipped: bool, kind: int
) -> None:
    """A file that was edited anywhere is still valid, or refused."""
    rows = [SAMPLES[:4], SAMPLES[4:5], PROBLEMS][kind]
    whole = gzip.compress(jsonl(rows), mtime=0) if zipped else jsonl(rows)
    content = edited(whole, edits)
    if rows is PROBLEMS:
        check(folder, jsonl(SAMPLES[:4]), content)
    else:
        check(folder, content, jsonl(PROBLEMS))


@given(lists=st.lists(st.lists(st.sampled_from(LISTS[1]) | any_text, max_size=3), max_size=4))
def test_any_lists_of_programs(folder: Path, lists: list[list[str]]) -> None:
    """Lists are read, each of another problem and none lost, or refused."""
    found = check(folder, json.dumps(lists, indent=0).encode(), jsonl(humaneval()))
    assert found is None or len(set(found)) == len(lists)
