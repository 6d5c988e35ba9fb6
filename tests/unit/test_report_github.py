from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.model import Verdict
from pytest_codecollapse.report import append_summary, gate_annotations
from pytest_codecollapse.report.markdown import MOST_BYTES


def test_a_failed_gate_is_an_annotation() -> None:
    """Each that fails is one line, with its details; others are none."""
    failed = Verdict(rule="D@5 >= 2", status="fail", summary="100%: a, b", details=("x", "y\r\nz"))
    passed = Verdict(rule="a", status="pass", summary="b")
    skipped = Verdict(rule="a", status="skipped", summary="b")
    stale = Verdict(rule="a", status="stale", summary="b")
    assert gate_annotations([passed, failed, skipped, stale]) == (
        "::error title=codecollapse%3A D@5 >= 2::100%25: a, b%0Ax%0Ay\\r\\nz",
        "::error title=codecollapse%3A a::b",
    )


def test_nothing_can_end_an_annotation() -> None:
    """A rule or a message with separators, percents and line ends stays one property."""
    verdict = Verdict(rule="a::b,c=d%0A\n::error::x", status="fail", summary="s\n::error::t")
    (line,) = gate_annotations([verdict])
    assert line == (
        "::error title=codecollapse%3A a%3A%3Ab%2Cc=d%250A\\n%3A%3Aerror%3A%3Ax::s\\n::error::t"
    )


def test_the_summary_is_appended_to(tmp_path: Path) -> None:
    """What other steps of the job have written stays; two reports follow one another."""
    path = tmp_path / "summary"
    path.write_text("before\n")
    environment = {"GITHUB_STEP_SUMMARY": str(path)}
    assert append_summary("one\n", environment)
    assert append_summary("two\n", environment)
    assert path.read_text() == "before\none\ntwo\n"


def test_without_a_summary_nothing_is_written() -> None:
    """On another machine there is no such file."""
    assert not append_summary("one\n", {})


def test_the_summary_stays_under_a_mebibyte(tmp_path: Path) -> None:
    """What is there already counts; a full one is left as it is."""
    path = tmp_path / "summary"
    path.write_bytes(b"x" * (MOST_BYTES - 1000))
    environment = {"GITHUB_STEP_SUMMARY": str(path)}
    append_summary("line\n" * 1000, environment)
    size = path.stat().st_size
    assert MOST_BYTES - 50 < size <= MOST_BYTES
    assert path.read_text().endswith("cut here: the report is longer than GitHub takes.\n")
    append_summary("line\n" * 1000, environment)
    assert path.stat().st_size == size


def test_a_summary_that_cannot_be_written_is_a_usage_error(tmp_path: Path) -> None:
    """The message names the file and the variable."""
    with pytest.raises(UsageError, match=r"summary cannot be written \(Is a directory\); see what"):
        append_summary("one\n", {"GITHUB_STEP_SUMMARY": str(tmp_path)})
