from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codecollapse.errors import SamplesError
from pytest_codecollapse.model import Problem
from pytest_codecollapse.samples import SamplesFile

FIELDS = {
    "problem_id": "p",
    "entry_point": "f",
    "candidates": ["def f(x): return x", "def f(x): return '\ud83d"],
    "reference": "def f(x): return x",
    "inputs": [[1, None, float("nan")], [{"é": []}]],
    "input_gen": "def generate(rng, m): return [(m,)]",
    "tests": "assert f(1) == 1",
    "labels": ["a", 1],
    "prompt": "Return x.",
    "setup": "import math",
    "equality": "python",
    "cluster": 3,
}
VALID = b"".join(
    json.dumps({**FIELDS, "problem_id": name, source: None}, ensure_ascii=name == "p").encode(
        errors="ignore"
    )
    + b"\n"
    for name, source in [("p", "inputs"), ("q", "input_gen")]
)

any_text = st.text(st.characters(exclude_categories=[]), max_size=8)
any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | any_text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(any_text, inner, max_size=3),
    max_leaves=6,
)
any_key = st.sampled_from([*FIELDS, "problemid", "candidate", "input"]) | any_text
edits = st.lists(st.tuples(st.integers(0, len(VALID)), st.integers(0, 9), st.binary(max_size=4)))


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path that every example is written to."""
    return tmp_path_factory.mktemp("fuzz") / "f.jsonl"


def edited(content: bytes, changes: list[tuple[int, int, bytes]]) -> bytes:
    """Replace stretches of some bytes by others."""
    for start, length, new in changes:
        content = content[:start] + new + content[start + length :]
    return content


def check(path: Path, content: bytes) -> list[Problem]:
    """Read a file; assert that it is read, or refused by path, line if it has any, and reason."""
    path.write_bytes(content)
    try:
        with SamplesFile.open(path, shown_as="f.jsonl") as samples:
            return list(samples.problems())
    except SamplesError as error:
        message = str(error)
    place = r"f\.jsonl(:[1-9][0-9]*|(?=: the file is no text)): "
    assert re.match(place + r".*\(got .*, expected .*\)", message)
    assert message.isprintable()
    return []


def test_the_file_that_is_edited_is_valid(path: Path) -> None:
    """Unedited, both of its lines are read, plain and gzipped."""
    assert [problem.problem_id for problem in check(path, VALID)] == ["p", "q"]
    assert check(path, gzip.compress(VALID)) == check(path, VALID)


@given(content=st.binary())
def test_any_bytes_are_read_or_refused(path: Path, content: bytes) -> None:
    """Bytes that are no samples file are refused by path and line."""
    assert check(path, content) == []


@given(changes=edits)
def test_any_change_of_a_valid_file_is_read_or_refused(
    path: Path, changes: list[tuple[int, int, bytes]]
) -> None:
    """A file that was edited anywhere is still valid, or refused by path and line."""
    assert all(problem.candidates for problem in check(path, edited(VALID, changes)))


@given(changes=edits)
def test_any_change_of_a_gzipped_file_is_read_or_refused(
    path: Path, changes: list[tuple[int, int, bytes]]
) -> None:
    """A damaged gzip file is read unharmed, or refused by path and line."""
    problems = check(path, edited(gzip.compress(VALID, mtime=0), changes))
    assert [problem.problem_id for problem in problems] in ([], ["p", "q"])


@given(values=st.lists(any_json, max_size=3))
def test_any_json_is_refused(path: Path, values: list[Any]) -> None:
    """Lines of JSON that is no problem are refused by path and line."""
    assert check(path, b"".join(json.dumps(value).encode() + b"\n" for value in values)) == []


@given(changes=st.dictionaries(any_key, any_json, max_size=4), without=st.sets(any_key, max_size=4))
def test_any_fields_are_read_or_refused(
    path: Path, changes: dict[str, Any], without: set[str]
) -> None:
    """A problem with fields of any kind, or without some, is valid or refused by path and line."""
    fields = {**FIELDS, "input_gen": None, **changes}
    kept = {name: value for name, value in fields.items() if name not in without}
    for problem in check(path, json.dumps(kept).encode()):
        assert problem.problem_id == kept["problem_id"]
        assert problem.inputs is None or problem.input_gen is None
        assert problem.inputs or problem.input_gen is not None or problem.tests
        assert problem.labels is None or len(problem.labels) == len(problem.candidates)


@given(
    ids=st.lists(st.text(min_size=1), min_size=1, unique=True),
    programs=st.lists(any_text, min_size=1),
    inputs=st.lists(st.lists(any_json), min_size=1),
    zipped=st.booleans(),
)
def test_what_is_valid_is_read_as_it_is(
    path: Path, ids: list[str], programs: list[str], inputs: list[list[Any]], zipped: bool
) -> None:
    """Whatever the programs and inputs hold, they are read back unchanged and in order."""
    common = {"entry_point": "f", "candidates": programs, "reference": "", "inputs": inputs}
    lines = [json.dumps({"problem_id": problem_id, **common}) for problem_id in ids]
    content = "\n".join(lines).encode()
    problems = check(path, gzip.compress(content) if zipped else content)
    assert [problem.problem_id for problem in problems] == ids
    for problem in problems:
        assert problem.candidates == tuple(programs)
        assert repr(problem.inputs) == repr(tuple(inputs))
