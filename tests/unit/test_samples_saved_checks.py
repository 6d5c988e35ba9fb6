"""Saved reports with tests, causes and repairs: read back, and refused where they contradict."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Union

import pytest
from checked_records import REPAIRS, checked
from report_records import KS, measured, report_of

from pytest_codecollapse.errors import SamplesError
from pytest_codecollapse.measure import restate, restate_problem
from pytest_codecollapse.report import problem_to_json, render_report
from pytest_codecollapse.samples import problem_from_json, read_saved_report

REPORT = report_of(
    checked("one", repairs=REPAIRS, origins={"tests": 3, "mutation": 1}),
    checked("two", by_tests=True),
    checked("three", reference_fails=True, left_out=2),
    measured("four"),
)
NEW = ("oracle", "checks", "causes", "misnamed", "repairs", "input_origins")

Step = Union[str, int]


def changed(steps: Sequence[Step], value: Any) -> bytes:
    """Return the report with the value at one place of its problems set."""
    whole = json.loads(render_report(REPORT))
    place = whole["problems"]
    for step in steps[:-1]:
        place = place[step]
    place[steps[-1]] = value
    return json.dumps(whole, separators=(",", ":")).encode()


def test_everything_is_read_back_as_it_was(tmp_path: Path) -> None:
    """From a file, and from what rides on a test report."""
    path = tmp_path / "a.json"
    path.write_text(render_report(REPORT), encoding="utf-8")
    assert restate(read_saved_report(path), KS) == REPORT
    for problem in REPORT.problems:
        assert restate_problem(problem_from_json(problem_to_json(problem)), KS) == problem


def test_a_report_from_before_has_no_causes(tmp_path: Path) -> None:
    """It is read, nothing is known of what it does not say, and it is written with the counts."""
    path = tmp_path / "a.json"
    whole = json.loads(render_report(report_of(measured("four"))))
    for name in ("causes", "repairs", "disagreements"):
        del whole[name]
    for name in NEW:
        del whole["problems"][0][name]
    path.write_text(json.dumps(whole, separators=(",", ":")), encoding="utf-8")
    report = read_saved_report(path)
    assert report.problems[0].causes == {}
    assert report.problems[0].oracle == "reference"
    written = json.loads(render_report(restate(report, KS)))
    assert (written["causes"], written["repairs"]) == ({}, {})
    assert written["disagreements"] == {"only_tests": 0, "only_reference": 0}


def test_the_suite_counts_over_its_problems() -> None:
    """Causes in their order, repairs by name."""
    whole = json.loads(render_report(REPORT))
    assert whole["causes"] == {
        "no code": 3,
        "syntax": 3,
        "name": 3,
        "signature": 3,
        "import": 3,
        "wrong output": 6 + 7,
        "timeout": 3,
        "crash": 3,
    }
    assert list(whole["causes"])[-3:] == ["wrong output", "timeout", "crash"]
    assert whole["repairs"] == {"fence": 2, "prompt": 3}
    assert whole["disagreements"] == {"only_tests": 2, "only_reference": 2}


NO_CAUSE = "causes do not hold each candidate that is not correct once"
PASSED = "checks do not say how many of 3 asserts each candidate passed"
OUT_OF_ORDER = "failures are out of order (expected those of the most candidates first)"
TWICE = "a candidate stands under two failures, or a failure is nobody's"
MISNAMED = "misnamed holds a candidate twice, or one whose cause is not its name"
INDICES = "{} does not list candidates (expected ascending numbers from 0 to 11)"


@pytest.mark.parametrize(
    ("steps", "value", "what"),
    [
        ((0, "causes", "wrong output"), [3], NO_CAUSE),
        ((0, "causes", "crash"), [9, 10], NO_CAUSE),
        ((0, "causes", "crash"), [0, 10], NO_CAUSE),
        ((0, "causes", "crash"), [12], INDICES.format("cause 'crash'")),
        ((0, "causes", "mood"), [], "a cause is unknown (got 'mood', expected one of no code,"),
        ((0, "misnamed"), {"g": [5]}, MISNAMED),
        ((0, "misnamed"), {"g": [6], "h": [6]}, MISNAMED),
        ((0, "misnamed"), {"g": [-1]}, INDICES.format("misnamed 'g'")),
        ((0, "repairs", "prompt"), [8, 7], INDICES.format("repairs 'prompt'")),
        ((0, "input_origins", "tests"), -1, "input_origins holds a count below 0"),
        ((0, "checks", "passed", 0), 4, PASSED),
        ((0, "checks", "passed", 0), -1, PASSED),
        ((0, "checks", "passed"), [3], PASSED),
        ((0, "checks", "failures", 1, "members"), [5, 12], INDICES.format("members of failure 1")),
        ((0, "checks", "failures", 1, "members"), [4, 11], TWICE),
        ((0, "checks", "failures", 2, "members"), [], TWICE),
        ((0, "checks", "failures", 0, "members"), [2], OUT_OF_ORDER),
        ((0, "checks", "failures", 0, "kind"), "mood", "the kind of failure 0 is unknown"),
        ((0, "checks", "only_tests"), [], "only_tests does not list those on which tests and"),
        ((0, "checks", "only_reference"), [0], "only_reference does not list those on which"),
        ((0, "oracle"), "tests", "the correct candidates are not those that pass the tests"),
        ((1, "checks"), None, "the oracle is tests, and there are no checks"),
        ((1, "oracle"), "reference", "2 classes are correct, expected at most one"),
        ((1, "checks", "only_tests"), [3], "only_tests does not list those on which tests and"),
        (
            (1, "checks", "reference_failure"),
            {"assertion": "", "got": "", "kind": "value"},
            "a reference fails, and there is none",
        ),
    ],
)
def test_a_report_that_contradicts_itself_is_refused(
    tmp_path: Path, steps: Sequence[Step], value: Any, what: str
) -> None:
    """What no measurement can have given is named, with the file and the problem."""
    path = tmp_path / "a.json"
    path.write_bytes(changed(steps, value))
    with pytest.raises(SamplesError) as caught:
        read_saved_report(path, shown_as="a.json")
    name = REPORT.problems[int(steps[0])].problem_id
    assert str(caught.value).startswith(f"a.json: problem '{name}': {what}")
    assert str(caught.value).endswith("; write the report again with --json")
