"""The script on samples files: synth, measure and compare, end to end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Callable

import pytest
from cli_runs import Ran, after_the_rung, run_main, run_process

Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Give a function that runs the script in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run_here(*arguments: str) -> Ran:
        return run_main(capsys, *arguments)

    return run_here


def synth(run: Run, name: str, *arguments: str) -> None:
    """Write a small corpus."""
    assert run("synth", "-o", name, "--candidates", "5", *arguments).status == 0


TABLE = """\
problem           n  correct  behav  AST  mask  pass@2  E[D_2]  Hill1  Hill2  Chao1  stable@  nondet       main cause
─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
positive_squares  5        3      3    5  1.67   0.900   1.700   2.59   2.27    3.8      1/6       0   wrong output 2
window_sums       5        3      3    5  1.67   0.900   1.700   2.59   2.27    3.8      1/6       0   wrong output 2
count_in_range    5        3      3    5  1.67   0.900   1.700   2.59   2.27    3.8      1/6       0   wrong output 2
safe_ratio        5        3      3    5  1.67   0.900   1.700   2.59   2.27    3.8      2/6       0  runtime error 1
─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
MEAN                              3    5  1.67   0.900   1.700   2.59   2.27    3.8                0
adjusted Rand index against the labels: 1.000
why candidates fail: wrong output 7 (88%), runtime error 1 (12%)
"""  # noqa: E501 (a table is as wide as it is)


def test_a_corpus_is_measured(run: Run) -> None:
    """A row a problem, the means, and the agreement with what was planted."""
    synth(run, "a.jsonl")
    measured = run("measure", "a.jsonl", "--inputs", "6", "--k", "2")
    assert after_the_rung(measured) == (0, TABLE, "")


def test_the_report_is_the_same_every_time_and_shows_the_same(run: Run) -> None:
    """What --json writes depends on nothing but the samples and settings, jobs left out."""
    synth(run, "a.jsonl")
    first = run("measure", "a.jsonl", "--inputs", "6", "--json", "a.json")
    run("measure", "a.jsonl", "--inputs", "6", "--json", "b.json", "--jobs", "1")
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()
    assert run("measure", "a.json") == after_the_rung(first)
    report = json.loads(Path("a.json").read_text())
    assert report["settings"] == {
        "inputs": 6,
        "timeout_s": 0.5,
        "memory_mb": 512,
        "input_seed": 0,
        "site_packages": False,
        "extract": None,
        "canonicalizers": {},
        "k": [1, 5, 10],
    }
    assert [problem["n"] for problem in report["problems"]] == [5] * 4
    assert report["ari"] == {"exact": "1", "value": 1.0}


def test_a_saved_report_stands_in_for_its_samples(run: Run) -> None:
    """On either side of a comparison the output and the file are the same, to the byte."""
    synth(run, "before.jsonl", "--collapse", "0.2")
    synth(run, "after.jsonl", "--collapse", "1")
    for name in ("before", "after"):
        assert (
            run("measure", f"{name}.jsonl", "--inputs", "6", "--json", f"{name}.json").status == 0
        )
    outputs = set()
    for before in ("before.jsonl", "before.json"):
        for after in ("after.jsonl", "after.json"):
            ran = run(
                *("compare", before, after, "--inputs", "6", "--resamples", "100"),
                *("--gate", "pass@1 must not drop", "--gate", "D@5 >= 1", "--json", "c.json"),
            )
            assert ran.status == 0
            outputs.add((ran.out, Path("c.json").read_text()))
    assert len(outputs) == 1


def test_a_collapse_fails_its_gate(run: Run) -> None:
    """More right and less diverse: the gate exits 1 and says how to accept it."""
    synth(run, "before.jsonl", "--collapse", "0.2")
    synth(run, "after.jsonl", "--collapse", "1")
    gates = ("--gate", "pass@1 must not drop", "--gate", "E[D_5] must not drop")
    compared = run("compare", "before.jsonl", "after.jsonl", "--inputs", "6", *gates)
    status, out, err = after_the_rung(compared)
    assert (status, err) == (1, "")
    assert "\nPASS pass@1 must not drop: 0.2 -> 1, delta 0.8 [0.8, 0.8] does not lie below 0" in out
    assert "\nFAIL E[D_5] must not drop: 5 -> 1, delta -4 [-4, -4] lies below 0\n" in out
    assert out.endswith("\n  to accept the change: cp after.jsonl before.jsonl\n")


def test_other_settings_are_stale(run: Run) -> None:
    """A report of 6 inputs is not compared with samples measured on 5."""
    synth(run, "a.jsonl")
    run("measure", "a.jsonl", "--inputs", "6", "--json", "a.json")
    status, out, _ = run("compare", "a.json", "a.jsonl", "--inputs", "5")
    assert status == 1
    assert out.splitlines()[-1] == "not comparable: inputs 6 -> 5"


def write_samples(path: str, *references: str) -> None:
    """Write a problem of two candidates for each reference."""
    with Path(path).open("w") as file:
        for number, reference in enumerate(references):
            problem = {
                "problem_id": f"p{number}",
                "entry_point": "f",
                "reference": reference,
                "candidates": ["def f(x): return x", "def f(x): return -x"],
                "inputs": [[1], [2]],
            }
            print(json.dumps(problem), file=file)


UNMEASURED = (
    "1 problem of 3 could not be measured:\n"
    "  a.jsonl:2: problem 'p1': the reference does not load (load:SyntaxError);"
    " it must compile, run and define f\n"
)


def test_an_unmeasurable_problem_exits_2_and_the_others_are_shown(run: Run) -> None:
    """Its message is on standard error, rows and means of the others on standard output."""
    write_samples("a.jsonl", "def f(x): return x", "def f(x) return x", "def f(x): return -x")
    status, out, err = after_the_rung(run("measure", "a.jsonl", "--json", "a.json"))
    assert (status, err) == (2, UNMEASURED)
    assert [line.split()[0] for line in out.splitlines()][2:4] == ["p0", "p2"]
    report = json.loads(Path("a.json").read_text())
    assert [problem["problem_id"] for problem in report["problems"]] == ["p0", "p2"]
    assert [each["problem_id"] for each in report["unmeasured"]] == ["p1"]


def test_an_unmeasurable_problem_of_a_comparison_exits_2(run: Run) -> None:
    """It is stale as well; that it could not be measured comes first."""
    write_samples("before.jsonl", *["def f(x): return x"] * 3)
    write_samples("a.jsonl", "def f(x): return x", "def f(x) return x", "def f(x): return x")
    status, out, err = after_the_rung(run("compare", "before.jsonl", "a.jsonl"))
    assert (status, err) == (2, UNMEASURED)
    assert out.splitlines()[-1] == "not comparable: 1 of 3 problems is not measured"


def test_nothing_measurable_exits_2(run: Run) -> None:
    """A table without rows is not a result."""
    write_samples("a.jsonl", "1 / 0")
    status, out, err = after_the_rung(run("measure", "a.jsonl"))
    assert status == 2
    assert [line.split()[0] for line in out.splitlines()[::2]] == ["problem", "MEAN"]
    assert err.startswith("1 problem of 1 could not be measured:\n  a.jsonl:1: problem 'p0': ")


def test_the_module_does_what_the_script_does(run: Run, tmp_path: Path) -> None:
    """``python -m pytest_codecollapse`` prints the same and exits the same."""
    synth(run, "a.jsonl")
    path = tmp_path / "a.jsonl"
    found = run_process("measure", path, "--inputs", "6", "--k", "2", PYTHONIOENCODING="utf-8")
    assert after_the_rung(found) == (0, TABLE, "")
    path.write_text("{}\n")
    status, out, err = run_process("measure", path)
    assert (status, out) == (2, "")
    assert err.startswith(f"codecollapse: error: {path}:1: the field problem_id is missing")
