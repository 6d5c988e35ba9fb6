from __future__ import annotations

import json

import pytest
from plugin_corpora import problem, program, write_samples
from plugin_runs import run, run_apart, section

SAMPLES = "--codecollapse-samples=after.jsonl"

#: Candidates that fail each for another reason, and two that are right.
EVERY_REASON = (
    *(program("2 * x"), program("x + x"), program("x + 2"), program("1 // 0")),
    *("def f(x) return x\n", "def ff(x): return 2 * x\n", "import nope\ndef f(x): return x\n", ""),
)
REPAIRS = [[], ["prompt"], ["prompt", "fence"], [], [], [], [], []]

#: A conftest that says what tests would say; it changes a class, so it needs a process of its own.
CHECKED = """
import msgspec

from pytest_codecollapse.model import Checked, FailedAssert
from pytest_codecollapse.sandbox.lane import Lane

execute = Lane.execute

def with_checks(self, problem, *more):
    failed = FailedAssert(assertion="assert f(3) == 6", got="5", kind="value")
    return msgspec.structs.replace(
        execute(self, problem, *more),
        checked=tuple(
            Checked(passed=2 - index % 2, asserts=2, failure=failed if index % 2 else None)
            for index in range(8)
        ),
        reference_checked=Checked(passed=1, asserts=2, failure=failed),
        origins={"tests": 2, "mutation": 1},
    )

Lane.execute = with_checks
"""


def write(pytester: pytest.Pytester, *names: str) -> None:
    """Write after.jsonl with problems of every reason."""
    problems = [problem(name, candidates=EVERY_REASON, repairs=REPAIRS) for name in names]
    write_samples(pytester.path / "after.jsonl", *problems)


def test_why_candidates_fail_stands_under_the_table(pytester: pytest.Pytester) -> None:
    """Causes and repairs over the suite; above the table, that extraction is most of it."""
    write(pytester, "one", "two")
    lines = section(run(pytester, SAMPLES, columns=160), "codecollapse")
    assert lines[0].startswith(
        "warning: 6 of 12 candidates that are not correct fail for reasons of extraction"
        " (no code 2, syntax 2, name 2): this is not the model's diversity;"
    )
    table = next(index for index, line in enumerate(lines) if line.startswith("problem "))
    start = next(index for index, line in enumerate(lines) if line.startswith("why "))
    assert 0 < table < start
    assert lines[start : start + 3] == [
        "why candidates fail: no code 2 (17%), syntax 2 (17%), name 2 (17%), import 2 (17%),"
        " runtime error 2 (17%), wrong output 2 (17%)",
        "differently named: ff 2",
        "extraction: 12 as they were, prompt 4, fence 2 (2 had several)",
    ]


def test_gates_alone_keep_the_warning(pytester: pytest.Pytester) -> None:
    """It is about what they judge."""
    write(pytester, "one")
    arguments = (SAMPLES, "--codecollapse-show=gates", "--codecollapse-gate=pass@1 >= 0.1")
    lines = section(run(pytester, *arguments), "codecollapse")
    assert lines[0].startswith("warning: 3 of 6 candidates")
    assert lines[-1].startswith("PASS pass@1 >= 0.1")
    assert not [line for line in lines if line.startswith("why ")]


def test_a_failed_floor_names_the_first_failing_assert(pytester: pytest.Pytester) -> None:
    """With what the code returned; so does the summary of the problems behind failed gates."""
    pytester.makeconftest(CHECKED)
    write(pytester, "one")
    gates = ("--codecollapse-gate=every pass@1 >= 0.9", "--codecollapse-gate=hill_q0 >= 99")
    result = run_apart(pytester, SAMPLES, *gates)
    result.assert_outcomes(failed=2)
    details = [
        "6 of 8 candidates fail: no code 1, syntax 1, name 1, import 1, runtime error 1,"
        " wrong output 1",
        "  4 candidates fail assert f(3) == 6 -> 5 (1 of 2 asserts passed)",
    ]
    assert section(result, "FAILURES")[2:4] == details
    lines = section(result, "codecollapse")
    start = lines.index("1 reference fails its own tests:")
    assert "  one, candidate 1: right by the reference, fails assert f(3) == 6 -> 5" in lines
    assert lines[start + 1] == "  one: assert f(3) == 6 -> 5"
    assert lines[start + 3 :][:3] == [
        "one: 6 of 8 candidates fail: no code 1, syntax 1, name 1, import 1, runtime",
        "    error 1, wrong output 1",
        "  4 candidates fail assert f(3) == 6 -> 5 (1 of 2 asserts passed)",
    ]


def test_workers_send_all_of_it(pytester: pytest.Pytester) -> None:
    """With two workers the summary and the report are those of a serial run."""
    pytest.importorskip("xdist")
    pytester.makeconftest(CHECKED)
    write(pytester, "one", "two", "three")
    arguments = (SAMPLES, "--codecollapse-json=report.json")
    path = pytester.path / "report.json"
    serial = section(run_apart(pytester, *arguments), "codecollapse"), path.read_bytes()
    path.unlink()
    found = section(run_apart(pytester, *arguments, "-n2"), "codecollapse"), path.read_bytes()
    assert found == serial
    report = json.loads(found[1])
    assert report["disagreements"] == {"only_tests": 9, "only_reference": 3}
    assert report["problems"][0]["checks"]["reference_failure"]["got"] == "5"
    assert report["repairs"] == {"fence": 3, "prompt": 6}
