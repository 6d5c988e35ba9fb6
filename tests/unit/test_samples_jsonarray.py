from __future__ import annotations

import gzip
import io
import json
from typing import Any, Optional

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codecollapse.errors import SamplesError
from pytest_codecollapse.samples import jsonarray
from pytest_codecollapse.samples.jsonarray import array_items

any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


def items(text: bytes) -> list[tuple[int, Any]]:
    """Return the items of a list with their lines."""
    return list(array_items(io.BytesIO(text), "g.json"))


def refusal(text: bytes) -> str:
    """Return the message with which a text is refused."""
    with pytest.raises(SamplesError) as caught:
        items(text)
    return str(caught.value)


@given(values=st.lists(any_json, max_size=6), indent=st.none() | st.integers(0, 2))
@pytest.mark.parametrize("chunk", [1, 7, 1 << 16])
def test_items_are_those_of_the_list(chunk: int, values: list[Any], indent: Optional[int]) -> None:
    """However the text is laid out and cut, the items are what json.loads gives, in order."""
    text = json.dumps(values, indent=indent, ensure_ascii=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonarray, "_CHUNK", chunk)
        assert [value for _, value in items(text.encode("utf-8", "surrogatepass"))] == values


@pytest.mark.parametrize("number", [1.5e7, -1e-300, 1.25, 123456, float("-inf"), False, None])
def test_a_number_that_is_cut_is_read_on(number: Any) -> None:
    """At each place where the text may be cut, what stands there is not all of the number."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonarray, "_CHUNK", 1)
        assert [value for _, value in items(json.dumps([number, [number]]).encode())] == [
            number,
            [number],
        ]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (b"[]", []),
        (b"[1, 2]", [1, 1]),
        (b"\xef\xbb\xbf\n[\n1,\n\n2]\n", [3, 5]),
        (b'[\r\n["a\\nb",\r\n"c"],\r\n{}]', [2, 4]),
    ],
)
def test_lines_are_those_at_which_items_begin(text: bytes, lines: list[int]) -> None:
    """A byte order mark, CRLF and escaped line ends do not disturb the count."""
    assert [line for line, _ in items(text)] == lines


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b'[1,\n"ab', "2: the list is no JSON: Unterminated string starting at (got '\"ab',"),
        (b"[1,\n", "2: the list is no JSON: Expecting value (got the end of the file,"),
        (b"[1\n", "2: the list is no JSON (got the end of the file, expected ',' or ']')"),
        (
            b"[1]\n2",
            "2: there is more text behind the list (got '2', expected the end of the file)",
        ),
        (b"[1 2]", "1: the list is no JSON (got '2]', expected ',' or ']')"),
        (b"[1,\n{'a': 1}]", "2: the list is no JSON: Expecting property name"),
        (b'[1,\n{"a": 1, "a": 2}]', "2: an object repeats the key 'a' (got it twice,"),
        (b"[1,\n" + b"[" * 200_000, "2: the line is nested too deeply"),
        (b'[1,\n"\xff"]', "2: the line is not UTF-8 (got byte FF, expected UTF-8)"),
        (b"x", "1: the list is no JSON (got 'x', expected '[')"),
    ],
)
def test_what_is_no_list_is_refused_by_line(text: bytes, message: str) -> None:
    """Each fault names the line that it is met at, what was got and what to do."""
    assert refusal(text).startswith(f"g.json:{message}")


def test_a_damaged_file_is_refused(tmp_path: Any) -> None:
    """A gzip file that was cut off is refused where reading it ends."""
    text = gzip.compress(json.dumps(list(range(99_999)), indent=0).encode())
    with gzip.open(io.BytesIO(text[:-9_000])) as file, pytest.raises(SamplesError) as caught:
        list(array_items(file, "g.json"))
    assert "the file cannot be read on (got 'Compressed file ended" in str(caught.value)


def test_a_fault_is_found_without_reading_on() -> None:
    """A fault in the middle of a text is not taken for the end of what was read."""
    file = io.BytesIO(b"[1, [2, x], " + b"3, " * 500_000 + b"4]")
    with pytest.raises(SamplesError, match=r"1: .*Expecting value \(got 'x\], 3, 3"):
        list(array_items(file, "g.json"))
    assert file.tell() < 1 << 17
