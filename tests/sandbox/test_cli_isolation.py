"""Where programs run, as the script's options say, and what it says of it."""

from __future__ import annotations

import json
import platform
import subprocess
from pathlib import Path

import pytest
from cli_runs import run_main

from pytest_codecollapse.sandbox.lane import Lane
from pytest_codecollapse.sandbox.messages import Hello

NO_RUNG = Hello(rung="", missing={"confined": "no Landlock"}, python="3.11.7", platform="Linux")


@pytest.fixture(autouse=True)
def samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a problem of one candidate to a.jsonl."""
    monkeypatch.chdir(tmp_path)
    problem = {
        "problem_id": "p",
        "entry_point": "f",
        "reference": "def f(x): return x",
        "candidates": ["def f(x): return x"],
        "inputs": [[1]],
    }
    Path("a.jsonl").write_text(f"{json.dumps(problem)}\n")


@pytest.mark.parametrize("command", [("measure", "a.jsonl"), ("compare", "a.jsonl", "a.jsonl")])
def test_the_rung_is_said_once(capsys: pytest.CaptureFixture[str], command: tuple[str]) -> None:
    """It stands on standard error with Python's version, the jobs and, at the lowest, a warning."""
    _, _, err = run_main(capsys, *command, "--isolation", "process", "--jobs", "2")
    assert err.splitlines() == [
        f"codecollapse: isolation process, python {platform.python_version()}, jobs 2",
        "codecollapse: warning: programs are limited but not confined: they can read your files,"
        " write where you may write, and reach the network",
    ]


@pytest.mark.parametrize("command", [("measure", "a.json"), ("compare", "a.json", "a.json")])
def test_a_saved_report_starts_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: tuple[str]
) -> None:
    """No rung is asked for and none is said, for no program runs."""
    assert run_main(capsys, "measure", "a.jsonl", "--json", "a.json").status == 0
    monkeypatch.setattr(subprocess, "Popen", None)
    status, _, err = run_main(capsys, *command, "--isolation", "confined")
    assert (status, err) == (0, "")


def test_a_rung_that_is_not_to_be_had_exits_2(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked for by name, it is an error that says what is missing; no program runs."""
    monkeypatch.setattr(Lane, "settle", lambda lane: NO_RUNG)
    assert run_main(capsys, "measure", "a.jsonl", "--isolation", "confined") == (
        2,
        "",
        "codecollapse: error: isolation confined is not to be had here: no Landlock;"
        " ask for a lower rung, or for auto, which takes the highest that is\n",
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--python", "./python9"),
            "{here}/python9 cannot run the programs: it does not run (No such file or directory);"
            " name CPython 3.8 or newer by --python, --codecollapse-python or codecollapse_python",
        ),
        (("--image", "i"), "isolation auto takes no image; ask for isolation docker as well"),
    ],
)
def test_what_does_not_go_exits_2(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    """The message names what was asked for and the remedy."""
    found = run_main(capsys, "measure", "a.jsonl", *arguments)
    assert found == (2, "", f"codecollapse: error: {message.format(here=Path.cwd())}\n")
