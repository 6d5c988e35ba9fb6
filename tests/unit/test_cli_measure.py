"""``codecollapse measure`` where nothing has to run: malformed files, and saved reports."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from checked_records import REPAIRS, checked
from cli_runs import run_main
from report_records import measured, report_of

from pytest_codecollapse.model import Unmeasured
from pytest_codecollapse.report import render_report

REPORT = report_of(
    measured("one", labels=("a",) * 5 + ("b",) * 3 + ("c",) * 4), measured("two", [4, 4, 4])
)

TABLE = """\
problem   n  correct  behav  AST  mask  pass@5  E[D_5]  Hill1  Hill2  Chao1  stable@  nondet
────────────────────────────────────────────────────────────────────────────────────────────
one      12        5      5    3  0.60   0.973   3.330   4.15   3.60    5.5      5/8       0
two      12        4      3    3  1.00   0.929   2.788   3.00   3.00    3.0      3/8       0
────────────────────────────────────────────────────────────────────────────────────────────
MEAN                      4    3  0.80   0.951   3.059   3.58   3.30    4.2                0
adjusted Rand index against the labels: 0.800
why candidates fail: wrong output 15 (100%)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def line(problem_id: str) -> str:
    """Write a valid line."""
    return json.dumps(
        {
            "problem_id": problem_id,
            "entry_point": "f",
            "candidates": ["def f(x): return x"],
            "reference": "def f(x): return x",
            "inputs": [[1]],
        }
    )


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "",
            "a.jsonl:1: the file is empty (got 0 lines, expected one JSON object per problem);"
            " check what wrote it",
        ),
        (
            f"{line('p')}\n\n",
            "a.jsonl:2: the line is blank (got nothing, expected a JSON object); remove the line",
        ),
        (
            f"{line('p')}\n{line('q')}\n{line('p')}\n",
            "a.jsonl:3: problem 'p': problem_id is taken (got the one of line 1, expected one that"
            " no line above has); give each problem an id of its own",
        ),
        (
            line("p").replace("reference", "refrence"),
            "a.jsonl:1: problem 'p': the field reference is missing (got 'refrence', expected"
            " 'reference'); rename the key to reference",
        ),
    ],
)
@pytest.mark.parametrize("zipped", [False, True])
def test_a_malformed_file_exits_2(
    capsys: pytest.CaptureFixture[str], content: str, message: str, zipped: bool
) -> None:
    """Path, line and problem are on standard error; nothing is on standard output."""
    data = content.encode()
    Path("a.jsonl").write_bytes(gzip.compress(data) if zipped else data)
    found = run_main(capsys, "measure", "a.jsonl", "--json", "a.json")
    assert found == (2, "", f"codecollapse: error: {message}\n")
    assert not Path("a.json").exists()


@pytest.mark.usefixtures("folder")
def test_a_folder_exits_2(capsys: pytest.CaptureFixture[str]) -> None:
    """The message says what was found instead of a file."""
    status, out, err = run_main(capsys, "measure", ".")
    assert (status, out) == (2, "")
    assert err == (
        "codecollapse: error: .: this is no file to read samples from (got a directory, expected a"
        " .jsonl or .jsonl.gz file); name a regular file\n"
    )


@pytest.mark.usefixtures("folder")
def test_a_saved_report_is_shown_as_it_was_measured(capsys: pytest.CaptureFixture[str]) -> None:
    """A file or a pipe gets the whole table, without colours."""
    Path("a.json").write_text(render_report(REPORT))
    assert run_main(capsys, "measure", "a.json", "--k", "5") == (0, TABLE, "")


@pytest.mark.usefixtures("folder")
def test_other_draws_can_be_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    """The table, and the report that is written again, have these k and no others."""
    Path("a.json").write_text(render_report(REPORT))
    status, out, err = run_main(capsys, "measure", "a.json", "--k", "2", "--json", "b.json")
    assert (status, err) == (0, "")
    assert "mask  pass@2  E[D_2]  Hill1" in out.splitlines()[0]
    assert json.loads(Path("b.json").read_text())["settings"]["k"] == [2]
    assert run_main(capsys, "measure", "b.json", "--json", "c.json").status == 0
    assert Path("c.json").read_text() == render_report(REPORT)


@pytest.mark.usefixtures("folder")
def test_unmeasured_problems_stay_so_in_a_saved_report(capsys: pytest.CaptureFixture[str]) -> None:
    """The script exits 2 for it as for the samples that it stands in for."""
    failed = Unmeasured(problem_id="three", message="a.jsonl:3: problem 'three': it hangs; wait")
    Path("a.json").write_text(render_report(report_of(*REPORT.problems, unmeasured=[failed])))
    status, out, err = run_main(capsys, "measure", "a.json")
    assert status == 2
    assert len(out.splitlines()) == 8
    assert err == (
        "1 problem of 3 could not be measured:\n  a.jsonl:3: problem 'three': it hangs; wait\n"
    )


@pytest.mark.usefixtures("folder")
def test_a_report_that_cannot_be_written_exits_2(capsys: pytest.CaptureFixture[str]) -> None:
    """What was measured is shown all the same."""
    Path("a.json").write_text(render_report(REPORT))
    status, out, err = run_main(capsys, "measure", "a.json", "--json", ".")
    assert status == 2
    assert len(out.splitlines()) == 8
    assert err == (
        "codecollapse: error: .: cannot be written (Is a directory); choose another place\n"
    )


@pytest.mark.usefixtures("folder")
def test_why_candidates_fail_is_said_around_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    """What puts the table in doubt stands above it, the causes and what was repaired below."""
    Path("a.json").write_text(render_report(report_of(checked("one", repairs=REPAIRS))))
    status, out, err = run_main(capsys, "measure", "a.json", "--k", "5")
    assert (status, err) == (0, "")
    places = [
        out.index(text)
        for text in (
            "warning: 3 of 9 candidates that are not correct fail for reasons of extraction",
            "problem   n  correct",
            "why candidates fail: wrong output 2 (22%), no code 1 (11%), syntax 1 (11%)",
            "extraction: 8 as they were, prompt 3, fence 2; 1 with several",
            "tests and reference disagree on 2 candidates",
        )
    ]
    assert places == sorted(places)
    assert places[0] == 0
