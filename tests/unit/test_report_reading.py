from __future__ import annotations

import io
from pathlib import Path

from pytest_codecollapse.report import reading_lines
from pytest_codecollapse.samples import SamplesFile


def samples(description: str, *notes: str) -> SamplesFile:
    """Return samples of which this is known."""
    path = Path("/data/a.jsonl")
    return SamplesFile(path, io.BytesIO(), (), "a.jsonl", description=description, notes=notes)


def test_what_was_recognised_and_what_is_odd_is_a_line_each() -> None:
    """Each begins with the file, or with the place in it that a note names."""
    given = samples("human-eval samples", "2 of 3 problems have no samples", "a.jsonl:3: odd")
    assert reading_lines("a.jsonl", given) == [
        "a.jsonl: human-eval samples",
        "a.jsonl: 2 of 3 problems have no samples",
        "a.jsonl:3: odd",
    ]


def test_of_the_native_format_nothing_is_said() -> None:
    """It is taken as it is."""
    assert reading_lines("a.jsonl", samples("")) == []


def test_what_a_file_says_of_itself_acts_on_no_terminal() -> None:
    """A name of a task may hold anything."""
    assert reading_lines("a.jsonl", samples("", "\x1b[2J\nHumanEval/0")) == [
        "a.jsonl: \\x1b[2J\\nHumanEval/0"
    ]
