"""Problems that come as records of other code are checked, and read back, like lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_codecollapse.errors import SamplesError
from pytest_codecollapse.samples import open_records

PATH = Path("eval.csv")


def problem(problem_id: str, **fields: Any) -> dict[str, Any]:
    """Return the fields of a problem with two candidates; fields override."""
    return {
        "problem_id": problem_id,
        "entry_point": "f",
        "reference": "def f(x): return x",
        "inputs": [[1]],
        "candidates": ["def f(x): return x", "def f(x): return 0"],
        **fields,
    }


def refusal(*records: Any) -> str:
    """Return the message with which records are refused."""
    with pytest.raises(SamplesError) as caught:
        open_records(PATH, records, shown_as="eval.csv")
    return str(caught.value)


def test_records_are_read_back_in_any_order() -> None:
    """Each record becomes a problem; bare ones are numbered, half a surrogate pair is kept."""
    records = [problem("one"), problem("two", prompt="\ud83d"), problem("three", candidates=["a"])]
    with open_records(PATH, records) as samples:
        assert samples.path == PATH
        assert [(each.problem_id, each.line, each.candidates) for each in samples.entries] == [
            ("one", 1, 2),
            ("two", 2, 2),
            ("three", 3, 1),
        ]
        third, second = samples.read(samples.entries[2]), samples.read(samples.entries[1])
    assert third.candidates == ("a",)
    assert second.prompt == "\ud83d"


def test_problems_name_the_lines_that_came_with_them() -> None:
    """A record may begin at any line after that of the one before it."""
    with open_records(PATH, [(2, problem("one")), (9, problem("two"))]) as samples:
        places = [str(each.where) for each in samples.problems()]
    assert places == ["eval.csv:2: problem 'one'", "eval.csv:9: problem 'two'"]


def test_records_are_asked_for_one_by_one() -> None:
    """A record is checked before the next is made: the second is never asked for."""
    made = []

    def records() -> Iterator[Any]:
        for name in ("one", "two"):
            made.append(name)
            yield {"problem_id": name}

    with pytest.raises(SamplesError, match="entry_point is missing"):
        open_records(PATH, records())
    assert made == ["one"]


@pytest.mark.parametrize(
    ("records", "message"),
    [
        (
            [(7, problem("one", candidates=[]))],
            "eval.csv:7: problem 'one': candidates is empty (got [], expected at least one item);"
            " give the sampled programs as a list of sources",
        ),
        (
            [(3, problem("one")), (8, problem("one"))],
            "eval.csv:8: problem 'one': problem_id is taken (got the one of line 3, expected one"
            " that no line above has); give each problem an id of its own",
        ),
        (
            [(3, problem("one")), (3, problem("two"))],
            "eval.csv: lines do not rise (got line 3, expected a line after 3)",
        ),
        (
            [problem("one"), "two"],
            "eval.csv:2: the record is no problem (got a string, expected a dict of its fields)",
        ),
        (
            [problem("one", inputs=[[{1, 2}]])],
            "eval.csv:1: the record holds what JSON cannot (got Object of type set is not JSON"
            " serializable, expected JSON values)",
        ),
        (
            [],
            "eval.csv: the code that reads this file found nothing (got 0 records, expected one"
            " per problem); have it return None, not an empty iterable, for a file in the native"
            " format; a function with a yield in it never returns None",
        ),
    ],
)
def test_a_bad_record_is_refused_with_its_place(records: list[Any], message: str) -> None:
    """The message is that of a line of the native format, at the user's own line."""
    assert refusal(*records) == message


def test_what_the_code_raises_is_said() -> None:
    """An error in making the second record is a fault of the file or of the code."""

    def records() -> Iterator[Any]:
        yield problem("one")
        raise KeyError("task")

    with pytest.raises(SamplesError) as caught:
        open_records(PATH, records(), shown_as="eval.csv")
    assert str(caught.value) == (
        "eval.csv: the code that reads this file raised KeyError: 'task' (after 1 records);"
        " correct it, or the file"
    )
