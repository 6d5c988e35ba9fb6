"""The process that tests run in is killed from outside: nobody's behaviour, and never silent."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Optional

import pytest

from pytest_codecollapse.sandbox.child.examination import Sources
from pytest_codecollapse.sandbox.child.examined import run_examination

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="forks")

#: Asks for ``f(1)``, and is killed as often as its file has lines left.
KILLED = """
import os, signal
def check(candidate):
    assert candidate(1) == 2
    with open({path!r}) as file:
        left = file.readlines()
    with open({path!r}, "w") as file:
        file.writelines(left[1:])
    if left:
        os.kill(os.getpid(), signal.SIGKILL)
    assert candidate(3) == 4
"""


@pytest.fixture
def host() -> Iterator[int]:
    """Give a descriptor that hangs up when the host is gone."""
    reader, writer = os.pipe()
    yield reader
    os.close(reader)
    os.close(writer)


def examined(
    folder: Path, host: int, kills: int, answers: Optional[dict[str, list[Any]]]
) -> dict[str, Any]:
    """Run tests whose process is killed several times."""
    path = folder / "kills"
    path.write_text("once more\n" * kills)
    scratch = folder / "scratch"
    scratch.mkdir()
    message = {
        "setup": "",
        "entry_point": "f",
        "tests": KILLED.format(path=str(path)),
        "test_setup": "",
    }
    sources = Sources(message, "def f(x): return x + 1")
    return run_examination(sources, answers, lambda: None, str(scratch), 10.0, host, lambda: None)


def test_tests_whose_process_is_killed_are_run_again(tmp_path: Path, host: int) -> None:
    """What the first process recorded is of no account: each call is there once."""
    said = examined(tmp_path, host, 1, None)
    assert (said["kind"], said["ended"], said["calls"]) == ("examined", "", ["[1]", "[3]"])
    assert (said["passed"], said["asserts"], said["failure"]) == (2, 2, None)


def test_a_candidate_is_not_blamed_for_a_judge_that_was_killed(tmp_path: Path, host: int) -> None:
    """It passes the asserts that it passes in a run in which nobody is killed."""
    said = examined(tmp_path, host, 1, {"[1]": ["value", 2], "[3]": ["value", 0]})
    assert (said["ended"], said["passed"], said["asserts"]) == ("", 1, 2)
    assert said["failure"]["got"] == "returned 0"


@pytest.mark.parametrize("answers", [None, {"[1]": ["value", 2], "[3]": ["value", 4]}])
def test_tests_that_are_killed_again_are_a_fault(
    tmp_path: Path, host: int, answers: Optional[dict[str, list[Any]]]
) -> None:
    """The sandbox's, which names it; no crash, which would be the candidate's."""
    assert examined(tmp_path, host, 2, answers) == {
        "kind": "fault",
        "what": "SIGKILL ended their process 2 times",
    }
