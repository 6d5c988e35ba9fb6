"""The hooks: what they add, and that a mistake in one is said with its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from plugin_corpora import COLLAPSED, DIVERSE, problem, write_checkpoints, write_samples
from plugin_runs import printed, run, section, usage_error

SAMPLES = "--codecollapse-samples=after.jsonl"

METRIC = """
def pytest_codecollapse_metrics(config):
    return {"largest": lambda problem: len(problem.partition.classes[0].members)}
"""

GATE = """
from pytest_codecollapse import Verdict

def pytest_codecollapse_gate(report, comparison):
    compared = "" if comparison is None else f", {len(comparison.paired)} paired"
    summary = f"right: {sum(each.correct for each in report.problems)} candidates{compared}"
    return [
        Verdict(rule="right", status="pass", summary=summary),
        Verdict(rule="left", status="fail", summary="left: no", details=("because",)),
    ]
"""


def gates(result: pytest.RunResult) -> list[str]:
    """Return the lines of the summary that tell of gates."""
    words = ("PASS ", "FAIL ", "SKIP ", "STALE ", "INCONCLUSIVE ")
    return [line for line in section(result, "codecollapse") if line.startswith(words)]


def test_further_metrics_are_judged_and_written(pytester: pytest.Pytester) -> None:
    """Two classes of six, four alike: the bound holds, the floor does not; the report has both."""
    write_checkpoints(pytester.path)
    pytester.makeconftest(METRIC)
    rules = ("largest <= 4", "every largest <= 3", "largest must not rise")
    result = run(
        pytester,
        SAMPLES,
        "--codecollapse-baseline=before.jsonl",
        *(f"--codecollapse-gate={rule}" for rule in rules),
        "--codecollapse-json=after.json",
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=1, failed=3)
    result.stdout.fnmatch_lines(["*largest 4 is above 3", "*largest 4 is above 3"])
    assert gates(result) == [
        "PASS largest <= 4: mean 4 (2 problems)",
        "FAIL largest must not rise: 1 -> 4, delta 3 [3, 3] lies above 0",
    ]
    whole = json.loads((pytester.path / "after.json").read_text())
    assert whole["mean"]["largest"] == {"exact": "4", "value": 4.0}
    assert [each["statistics"]["largest"]["exact"] for each in whole["problems"]] == ["4", "4"]


def test_a_saved_baseline_is_restated_with_further_metrics(pytester: pytest.Pytester) -> None:
    """A report from before the metric there was is compared by it all the same."""
    write_checkpoints(pytester.path)
    run(pytester, "--codecollapse-samples=before.jsonl", "--codecollapse-json=before.json")
    assert "largest" not in (pytester.path / "before.json").read_text()
    pytester.makeconftest(METRIC)
    result = run(
        pytester,
        SAMPLES,
        "--codecollapse-baseline=before.json",
        "--codecollapse-gate=largest must not rise by 200%",
    )
    assert gates(result) == [
        "FAIL largest must not rise by 200%: 1 -> 4, delta 3 [3, 3] lies above 2"
    ]


def test_markers_know_further_metrics(pytester: pytest.Pytester) -> None:
    """A rule of a marker may be about one."""
    write_checkpoints(pytester.path)
    pytester.makeconftest(METRIC)
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.diversity_floor("largest <= 2", samples="after.jsonl")
        def test_it(): pass
        """
    )
    result = run(pytester)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["largest <= 2: mean 4 is above 2 (2 problems)"])


def test_an_unknown_metric_lists_the_further_ones(pytester: pytest.Pytester) -> None:
    """A misspelling of one is told from them as from those that are built in."""
    write_checkpoints(pytester.path)
    pytester.makeconftest(METRIC)
    message = usage_error(run(pytester, SAMPLES, "--codecollapse-gate=largst <= 2"))
    assert "names an unknown metric 'largst', did you mean 'largest'?" in message
    assert message.endswith("nondeterministic, order_dependent and largest")


def test_a_metric_that_raises_leaves_its_problem_unmeasured(pytester: pytest.Pytester) -> None:
    """The problem's own test says what was raised, and the gates are not judged."""
    write_samples(pytester.path / "after.jsonl", problem("one", *DIVERSE), problem("two"))
    pytester.makeconftest(
        """
        def pytest_codecollapse_metrics():
            return {"sixth": lambda problem: 1 // (problem.n - 2)}
        """
    )
    result = run(pytester, SAMPLES, "--codecollapse-gate=sixth >= 0")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=1, failed=1, skipped=1)
    result.stdout.fnmatch_lines(
        ["after.jsonl:2: problem 'two': metric sixth raised ZeroDivisionError: *"]
    )


@pytest.mark.parametrize(
    ("conftest", "message"),
    [
        (
            "def pytest_codecollapse_metrics(): return {'chao1': len}",
            "metric 'chao1' has the name of a metric that is built in; give each metric a name of"
            " its own, an identifier such as 'my_metric', and a function of a ProblemReport",
        ),
        (
            "def pytest_codecollapse_metrics(): return [len]",
            "pytest_codecollapse_metrics returned [<built-in function len>] (got list, expected a"
            " mapping, or None); correct the hook",
        ),
        (
            "def pytest_codecollapse_metrics(config):\n    return {1: config.nothing}",
            "conftest.py:2: pytest_codecollapse_metrics raised AttributeError: 'Config' object has"
            " no attribute 'nothing'; correct the hook",
        ),
        (
            "def pytest_codecollapse_canonicalize(): return {'a.B': 'def f(): pass'}",
            "the canonicalizer of 'a.B' does not define canonicalize(value); map"
            " 'module.TypeName', the module of the programs and of setup being 'solution', to the"
            " text of a module that defines canonicalize(value)",
        ),
        (
            "def pytest_codecollapse_gate(report): return ['no']",
            "pytest_codecollapse_gate returned 'no' (got str, expected"
            " pytest_codecollapse.Verdict); correct the hook",
        ),
        (
            f"{GATE.replace('fail', 'failed')}",
            "pytest_codecollapse_gate returned a verdict that is none (Invalid enum value"
            " 'failed' - at `$.status`); correct the hook",
        ),
        (
            "def pytest_codecollapse_gate(report):\n    raise KeyError('x')",
            "conftest.py:2: pytest_codecollapse_gate raised KeyError: 'x'; correct the hook",
        ),
        (
            f"{GATE.replace('left', 'right')}",
            "pytest_codecollapse_gate: two verdicts on the rule 'right'; give each gate a name of"
            " its own",
        ),
        (
            "def pytest_codecollapse_modify_report(report): report['extra'] = object()",
            "pytest_codecollapse_modify_report: what is left is no report of schema 1 (Encoding"
            " objects of type object is unsupported); add keys to the object, and leave those"
            " that it has",
        ),
        (
            "def pytest_codecollapse_modify_report(report): del report['mean']",
            "pytest_codecollapse_modify_report: what is left is no report of schema 1 (Object"
            " missing required field `mean`); add keys to the object, and leave those that it has",
        ),
    ],
)
def test_a_mistake_in_a_hook_is_a_usage_error(
    pytester: pytest.Pytester, conftest: str, message: str
) -> None:
    """It names the hook, and its line where it raised; there is no traceback, and no report."""
    write_samples(pytester.path / "after.jsonl")
    pytester.makeconftest(conftest)
    result = run(pytester, SAMPLES, "--codecollapse-json=after.json")
    assert usage_error(result) == message
    assert not (pytester.path / "after.json").exists()


MONEY = "class Money:\n    def __init__(self, cents): self.cents = cents\n"
CANONICALIZE = """
def pytest_codecollapse_canonicalize():
    return {"solution.Money": "def canonicalize(value): return value.cents"}
"""


def test_a_canonicalizer_is_part_of_what_is_measured(pytester: pytest.Pytester) -> None:
    """With it the two programs differ, and a baseline from before it there was is stale."""
    money = problem("one", "Money(x)", "Money(0)", setup=MONEY)
    write_samples(pytester.path / "after.jsonl", money)
    result = run(pytester, SAMPLES, "--codecollapse-json=before.json")
    assert (
        json.loads((pytester.path / "before.json").read_text())["problems"][0]["classes"][1:] == []
    )
    pytester.makeconftest(CANONICALIZE)
    result = run(
        pytester,
        SAMPLES,
        "--codecollapse-baseline=before.json",
        "--codecollapse-gate=hill_q0 must not drop",
        "--codecollapse-json=after.json",
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert gates(result) == ["STALE hill_q0 must not drop: not comparable: canonicalizers none ->"]
    result.stdout.fnmatch_lines(["  canonicalizers none -> solution.Money (????????)"])
    assert "to accept the change: pytest ... --codecollapse-update-baseline=all" in printed(result)
    whole = json.loads((pytester.path / "after.json").read_text())
    assert [each["members"] for each in whole["problems"][0]["classes"]] == [[0], [1]]
    assert whole["settings"]["canonicalizers"] == {
        "solution.Money": "def canonicalize(value): return value.cents"
    }


def test_further_gates_are_tests_of_their_own(pytester: pytest.Pytester) -> None:
    """They are counted and named, and one that fails fails the run; rules come first."""
    write_checkpoints(pytester.path)
    pytester.makeconftest(GATE)
    result = run(
        pytester,
        "-v",
        SAMPLES,
        "--codecollapse-baseline=before.jsonl",
        "--codecollapse-gate=hill_q0 >= 1",
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=4, failed=1)
    assert gates(result) == [
        "PASS hill_q0 >= 1: mean 2 (2 problems)",
        "FAIL left: no",
        "PASS right: 8 candidates, 2 paired",
    ]
    result.stdout.fnmatch_lines(
        [
            "after.jsonl::gate[[]hill_q0 >= 1[]] PASSED *[[] 60%[]]",
            "after.jsonl::gate[[]left[]] FAILED *[[] 80%[]]",
            "after.jsonl::gate[[]right[]] PASSED *[[]100%[]]",
            "*_ gate: left _*",
            "left: no",
            "  because",
        ]
    )


def test_the_texts_of_a_verdict_are_escaped(pytester: pytest.Pytester) -> None:
    """A verdict that quotes a hostile problem id neither breaks a line nor reaches the terminal."""
    write_samples(pytester.path / "after.jsonl", problem("\x1b[31m\none"))
    pytester.makeconftest(
        """
        from pytest_codecollapse import Verdict

        def pytest_codecollapse_gate(report):
            name = report.problems[0].problem_id
            return Verdict(rule=f"no {name}", status="fail", summary=name, details=(name,))
        """
    )
    result = run(pytester, SAMPLES)
    result.assert_outcomes(passed=1, failed=1)
    assert "\x1b[31m" not in printed(result)
    assert result.outlines[-2] == (r"FAILED after.jsonl::gate[no \x1b[31m\none] - \x1b[31m\none")


def test_further_gates_are_skipped_where_a_part_was_measured(pytester: pytest.Pytester) -> None:
    """The hook is not called with a part of the report, and that is said."""
    write_checkpoints(pytester.path)
    pytester.makeconftest(GATE)
    result = run(pytester, SAMPLES, "-k", "one", "-rs")
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=1, skipped=1, deselected=1)
    result.stdout.fnmatch_lines(
        ["SKIPPED * pytest_codecollapse_gate: not judged: measured 1 of 2 problems"]
    )


def test_what_is_added_to_the_report_is_written_and_read_over(pytester: pytest.Pytester) -> None:
    """Keys come sorted before the problems; the report is a baseline as without them."""
    write_checkpoints(pytester.path)
    pytester.makeconftest(
        """
        def pytest_codecollapse_modify_report(config, report):
            report["extra"] = {"step": 2000}
            report["commit"] = "abc"
            report["problems"][0]["note"] = "\\u2028"
        """
    )
    run(pytester, "--codecollapse-samples=before.jsonl", "--codecollapse-json=before.json")
    whole: dict[str, Any] = json.loads((pytester.path / "before.json").read_text())
    assert list(whole)[-3:] == ["commit", "extra", "problems"]
    assert whole["extra"] == {"step": 2000}
    assert whole["problems"][0]["note"] == "\u2028"
    result = run(
        pytester,
        SAMPLES,
        "--codecollapse-baseline=before.json",
        "--codecollapse-gate=hill_q0 must not rise",
    )
    assert gates(result) == [
        "PASS hill_q0 must not rise: 6 -> 2, delta -4 [-4, -4] does not lie above 0;"
    ]


READER = """
import json

def pytest_codecollapse_load_samples(path):
    return read(path) if path.suffix == ".txt" else None

def read(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line:
            name, *candidates = line.split(",")
            yield number, {
                "problem_id": name,
                "entry_point": "f",
                "reference": "f = lambda x: 2 * x",
                "inputs": [[1], [2], [3]],
                "candidates": [f"f = lambda x: {each}" for each in candidates],
            }
"""


def write_text(path: Path, *expressions: str) -> None:
    """Write the problems one and two in the format that ``READER`` reads, with a gap."""
    line = ",".join(expressions)
    path.write_text(f"one,{line}\n\ntwo,{line}\n")


def test_other_formats_are_samples_and_baselines(pytester: pytest.Pytester) -> None:
    """Files that the hook reads are measured and compared as native ones, and beside them."""
    write_text(pytester.path / "before.txt", *DIVERSE)
    write_samples(pytester.path / "after.jsonl", problem("three"))
    write_text(pytester.path / "after.txt", *COLLAPSED)
    pytester.makeconftest(READER)
    result = run(
        pytester,
        "--codecollapse-samples=after.txt",
        "--codecollapse-baseline=before.txt",
        "--codecollapse-gate=hill_q0 must not drop",
        "--codecollapse-gate=hill_q0 >= 2",
    )
    result.assert_outcomes(passed=3, failed=1)
    assert [line.partition(":")[0] for line in gates(result)] == [
        "FAIL hill_q0 must not drop",
        "PASS hill_q0 >= 2",
    ]
    result = run(pytester, SAMPLES, "--codecollapse-samples=after.txt")
    result.assert_outcomes(passed=3)


def test_a_bad_problem_of_another_format_is_named_by_its_line(pytester: pytest.Pytester) -> None:
    """Line 3 of the user's file repeats a name: a collection error, as in the native format."""
    (pytester.path / "after.txt").write_text("one,x\n\none,x\n")
    pytester.makeconftest(READER)
    result = run(pytester, "--codecollapse-samples=after.txt")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["after.txt:3: problem 'one': problem_id is taken (got the one *"])


@pytest.mark.parametrize(
    ("conftest", "message"),
    [
        (
            "def pytest_codecollapse_load_samples(path):\n    return 1 / 0",
            "conftest.py:2: pytest_codecollapse_load_samples raised ZeroDivisionError: division by"
            " zero; correct the hook",
        ),
        (
            "def pytest_codecollapse_load_samples(path):\n    return path.name",
            "pytest_codecollapse_load_samples returned 'after.jsonl' (got str, expected an"
            " iterable of problems, or None); correct the hook",
        ),
        (
            "def pytest_codecollapse_load_samples(path):\n    if path.suffix == '.x': yield",
            "after.jsonl: the code that reads this file found nothing (got 0 records, expected one"
            " per problem); have it return None, not an empty iterable, for a file in the native"
            " format; a function with a yield in it never returns None",
        ),
    ],
)
def test_a_mistake_in_a_reader_is_a_collection_error(
    pytester: pytest.Pytester, conftest: str, message: str
) -> None:
    """It names the hook or the file; there is no traceback."""
    write_samples(pytester.path / "after.jsonl")
    pytester.makeconftest(conftest)
    result = run(pytester, SAMPLES)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert message in result.outlines
    assert "Traceback" not in printed(result)


def test_two_readers_of_one_file_are_asked_in_turn(pytester: pytest.Pytester) -> None:
    """The first that returns something is taken; the conftest comes before other plugins."""
    write_text(pytester.path / "after.txt", "x", "2 * x")
    pytester.makepyfile(other="def pytest_codecollapse_load_samples(path):\n    return [{}]\n")
    pytester.makeconftest(READER)
    pytester.syspathinsert()
    result = run(pytester, "-p", "other", "--codecollapse-samples=after.txt")
    result.assert_outcomes(passed=2)
