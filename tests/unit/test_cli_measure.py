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


CURVE = """\
 k  pass@k    90% interval  naive  E[D_k]    90% interval
─────────────────────────────────────────────────────────
 1   0.375  [0.333, 0.417]  0.375   1.000  [1.000, 1.000]
 2   0.629  [0.576, 0.682]  0.608   1.758  [1.727, 1.788]
"""


@pytest.mark.usefixtures("folder")
def test_the_curve_is_shown_under_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    """A row a k, then what it rests on; how intervals are made can be chosen."""
    Path("a.json").write_text(render_report(REPORT))
    options = ("--resamples", "100", "--confidence", "0.9", "--interval", "percentile")
    status, out, err = run_main(capsys, "measure", "a.json", "--k", "5", "--curve", *options)
    assert (status, err) == (0, "")
    before, _, under = out.partition("\n k  pass@k")
    assert before.startswith(TABLE)
    assert f" k  pass@k{under}".startswith(CURVE)
    lines = under.splitlines()
    assert [line.split()[0] for line in lines[2:14]] == [str(k) for k in range(1, 13)]
    assert lines[14:] == [
        "",
        "means over 2 problems, intervals by resampling them (100 resamples, percentile); naive is"
        " 1 - (1 - c/n)^k, which is biased low",
        "only 2 problems: intervals of so few are rough",
    ]


@pytest.mark.usefixtures("folder")
def test_the_curve_is_in_the_report_and_the_report_is_a_baseline(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It stands before the problems, is the same bytes again, and nothing that reads it minds."""
    Path("a.json").write_text(render_report(REPORT))
    run_main(capsys, "measure", "a.json", "--curve", "--json", "b.json")
    found = json.loads(Path("b.json").read_text())
    assert [*found][-2:] == ["curve", "problems"]
    assert found["curve"]["settings"] == {
        "resamples": 2000,
        "confidence": "19/20",
        "seed": 0,
        "interval": "expanded",
    }
    assert [point["k"] for point in found["curve"]["points"]] == [*range(1, 13)]
    assert found["curve"]["points"][1]["pass@k"] == {"exact": "83/132", "value": 83 / 132}
    assert found["curve"]["points"][1]["naive"] == {"exact": "175/288", "value": 175 / 288}
    run_main(capsys, "measure", "b.json", "--curve", "--json", "c.json")
    assert Path("c.json").read_bytes() == Path("b.json").read_bytes()
    compared = run_main(capsys, "compare", "b.json", "a.json", "--gate", "pass@1 must not drop")
    assert compared.status == 0


@pytest.mark.usefixtures("folder")
def test_a_report_has_no_curve_unless_it_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    """One that stands in a saved report is not copied: it is made of the counts where asked for."""
    Path("a.json").write_text(render_report(REPORT))
    run_main(capsys, "measure", "a.json", "--curve", "--json", "b.json")
    plain = run_main(capsys, "measure", "b.json", "--json", "c.json")
    assert plain == run_main(capsys, "measure", "a.json")
    assert Path("c.json").read_bytes() == Path("a.json").read_bytes()


@pytest.mark.usefixtures("folder")
def test_nothing_measured_has_no_curve(capsys: pytest.CaptureFixture[str]) -> None:
    """The script says so, and writes an empty one."""
    failed = Unmeasured(problem_id="three", message="a.jsonl:3: problem 'three': it hangs; wait")
    Path("a.json").write_text(render_report(report_of(unmeasured=[failed])))
    status, out, _ = run_main(capsys, "measure", "a.json", "--curve", "--json", "b.json")
    assert status == 2
    assert out.splitlines()[-1] == "no curve: no problem was measured"
    assert json.loads(Path("b.json").read_text())["curve"]["points"] == []


@pytest.mark.usefixtures("folder")
def test_the_page_has_the_intervals_that_were_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    """Those of its curves are the ones of the table and of the report."""
    pytest.importorskip("jinja2")
    Path("a.json").write_text(render_report(REPORT))
    options = ("--confidence", "0.8", "--html", "a.html")
    assert run_main(capsys, "measure", "a.json", *options).status == 0
    assert "80% intervals, by resampling problems" in Path("a.html").read_text()


@pytest.mark.usefixtures("folder")
def test_a_measurement_can_be_written_as_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    """It has the means, and no gate."""
    Path("a.json").write_text(render_report(REPORT))
    assert run_main(capsys, "measure", "a.json", "--markdown", "a.md").status == 0
    text = Path("a.md").read_text()
    assert "No gate was asked for." in text
    assert "| `E[D_5]` | 3.059 |" in text


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
            "extraction: 8 as they were, prompt 3, fence 2 (1 had several)",
            "tests and reference disagree on 2 candidates",
        )
    ]
    assert places == sorted(places)
    assert places[0] == 0
