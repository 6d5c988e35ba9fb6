from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any, Union

import msgspec
import pytest
from report_records import KS, measured, report_of

from pytest_codecollapse.errors import SamplesError
from pytest_codecollapse.measure import restate, restate_problem
from pytest_codecollapse.model import Report, Unmeasured, Witness
from pytest_codecollapse.report import problem_to_json, render_report
from pytest_codecollapse.samples import is_saved_report, problem_from_json, read_saved_report

REPORT = report_of(
    measured(
        "one",
        labels=("a",) * 5 + ("b",) * 7,
        nondeterministic=[0, 3],
        order_dependent=[11],
        left_out=[2, 9],
        cluster="lists",
    ),
    measured("two", [4, 4, 4], correct=None),
    measured("three\n问题", [1], inputs=1, written=1),
    unmeasured=[Unmeasured(problem_id="four", message="samples.jsonl:4: it hangs")],
)

Step = Union[str, int]


def saved(path: Path, report: Report = REPORT) -> Path:
    """Write a report as --json does."""
    path.write_text(render_report(report), encoding="utf-8")
    return path


def refusal(path: Path, content: bytes) -> str:
    """Return the message with which a file of this content is refused, shown as a.json."""
    path.write_bytes(content)
    assert is_saved_report(path)
    with pytest.raises(SamplesError) as caught:
        read_saved_report(path, shown_as="a.json")
    return str(caught.value)


def changed(steps: tuple[Step, ...], value: Any) -> bytes:
    """Return the report with the value at one place set, or cut out where that is ``...``."""
    whole = json.loads(render_report(REPORT))
    place = whole
    for step in steps[:-1]:
        place = place[step]
    if value is ...:
        del place[steps[-1]]
    else:
        place[steps[-1]] = value
    return json.dumps(whole, separators=(",", ":")).encode()


def test_a_report_is_read_back_as_it_was(tmp_path: Path) -> None:
    """What is read and computed again equals what was written, every record of it."""
    assert restate(read_saved_report(saved(tmp_path / "a.json")), KS) == REPORT


def test_reading_leaves_the_statistics_to_be_computed(tmp_path: Path) -> None:
    """A file cannot claim a statistic that its classes do not have."""
    path = tmp_path / "a.json"
    path.write_bytes(changed(("problems", 0, "statistics", "pass@1", "exact"), "1"))
    report = read_saved_report(path)
    assert [problem.statistics for problem in report.problems] == [{}, {}, {}]
    assert report.mean == {}
    assert restate(report, KS) == REPORT


def test_a_report_from_before_site_packages_had_none(tmp_path: Path) -> None:
    """A report whose settings do not say it was measured without them."""
    path = tmp_path / "a.json"
    path.write_bytes(changed(("settings", "site_packages"), ...))
    assert read_saved_report(path).settings == REPORT.settings
    path.write_bytes(changed(("settings", "site_packages"), True))
    assert read_saved_report(path).settings.site_packages


def test_a_report_from_before_extract_was_said_does_not_say_it(tmp_path: Path) -> None:
    """It is read, and goes with any; what is no way to extract is refused."""
    path = tmp_path / "a.json"
    path.write_bytes(changed(("settings", "extract"), ...))
    assert read_saved_report(path).settings.extract is None
    path.write_bytes(changed(("settings", "extract"), "none"))
    assert read_saved_report(path).settings.extract == "none"
    path.write_bytes(changed(("settings", "extract"), "some"))
    with pytest.raises(SamplesError, match="Invalid enum value 'some'"):
        read_saved_report(path)


@pytest.mark.parametrize("ks", [(2,), (1, 3, 12), (100,)])
def test_other_numbers_of_draws_can_be_asked_for(tmp_path: Path, ks: tuple[int, ...]) -> None:
    """A saved report restated for some k is the report measured for them."""
    problems = [("one", [5, 3, 2, 1, 1]), ("two", [4, 4, 4])]
    measured_so = report_of(*(measured(name, sizes, ks=ks) for name, sizes in problems), ks=ks)
    path = saved(tmp_path / "a.json", report_of(*(measured(*each) for each in problems)))
    assert restate(read_saved_report(path), ks) == measured_so


def test_an_empty_report_is_read_back(tmp_path: Path) -> None:
    """A file of which no problem could be measured has a report, too."""
    empty = report_of(unmeasured=REPORT.unmeasured)
    assert restate(read_saved_report(saved(tmp_path / "a.json", empty)), KS) == empty


def test_one_problem_is_read_back_as_it_was() -> None:
    """What rides on a test report holds everything that was observed."""
    for problem in REPORT.problems:
        assert restate_problem(problem_from_json(problem_to_json(problem)), KS) == problem


def test_witnesses_are_read_back_and_may_be_missing(tmp_path: Path) -> None:
    """A report from before there were any has none; one that has them keeps them."""
    problem = REPORT.problems[0]
    right, wrong, *others = problem.partition.classes
    witness = Witness(input=1, arguments="[1]", output="2", expected="raises ValueError")
    classes = (right, msgspec.structs.replace(wrong, witness=witness), *others)
    partition = msgspec.structs.replace(problem.partition, classes=classes)
    shown = report_of(msgspec.structs.replace(problem, partition=partition))
    path = saved(tmp_path / "a.json", shown)
    assert restate(read_saved_report(path), KS) == shown
    path.write_text(re.sub(r',"witness":(null|{[^}]*})', "", path.read_text(encoding="utf-8")))
    assert b"witness" not in path.read_bytes()
    assert restate(read_saved_report(path), KS) == report_of(problem)


def test_unknown_fields_are_passed_over(tmp_path: Path) -> None:
    """A report of schema 1 may say more than this version reads."""
    path = tmp_path / "a.json"
    path.write_bytes(changed(("problems", 0, "mood"), {"good": [1, 2]}))
    assert restate(read_saved_report(path), KS) == REPORT


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b'{"schema":1}', True),
        (b' \n\t{"schema":7', True),
        (b'{"problem_id":"p"}', False),
        (b'{ "schema": 1}', False),
        (b"", False),
        (b'\xef\xbb\xbf{"schema":1}', False),
        (b'\x1f\x8b{"schema":1}', False),
    ],
)
def test_a_report_is_known_by_its_first_bytes(
    tmp_path: Path, content: bytes, expected: bool
) -> None:
    """Samples begin otherwise, whatever the file is called."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    assert is_saved_report(path) is expected


def test_what_is_no_file_is_no_report(tmp_path: Path) -> None:
    """Nothing, a folder, a pipe that nobody writes to and a path that cannot be: none blocks."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "none", tmp_path, tmp_path / "pipe", Path("a\0b")):
        assert not is_saved_report(path)


def test_a_file_that_is_gone_says_so(tmp_path: Path) -> None:
    """Between looking and reading a file can vanish."""
    with pytest.raises(SamplesError) as caught:
        read_saved_report(tmp_path / "a.json", shown_as="a.json")
    assert str(caught.value) == (
        "a.json: cannot be read (No such file or directory); check its path and permissions"
    )


@pytest.mark.parametrize("length", [11, 64, 500, -3])
def test_a_truncated_report_is_refused(tmp_path: Path, length: int) -> None:
    """Whatever was cut off, the message names the file and what to do."""
    assert refusal(tmp_path / "a.json", render_report(REPORT).encode()[:length]) == (
        "a.json: is not a report of schema 1 (Input data was truncated);"
        " write the report again with --json"
    )


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (render_report(REPORT).encode() + b"{}", "JSON is malformed: trailing characters"),
        (render_report(REPORT).encode().replace(b'"one"', b'"o\xffe"'), ""),  # by msgspec version
        (render_report(REPORT).encode().replace(b'"one"', b'"\\ud800"'), "surrogate"),
        (b'{"schema":1,"more":' + b"[" * 100_000, "maximum recursion depth exceeded"),
        (changed(("schema",), 2), "Invalid enum value 2 - at `$.schema`"),
        (changed(("problems",), ...), "Object missing required field `problems`"),
        (changed(("settings",), None), "Expected `object`, got `null` - at `$.settings`"),
        (changed(("problems", 1, "classes"), ...), "`classes` - at `$.problems[1]`"),
        (changed(("problems", 1, "n"), "12"), "Expected `int`, got `str` - at `$.problems[1].n`"),
        (changed(("problems", 1, "classes", 0, "members", 0), 0.5), "$.problems[1].classes"),
        (changed(("problems", 0, "problem_id"), None), "at `$.problems[0].problem_id`"),
        (changed(("problems", 0, "stability_curve"), 3), "at `$.problems[0].stability_curve`"),
    ],
)
def test_what_is_no_report_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    """Malformed JSON, another schema, a missing field or a wrong type never is a traceback."""
    message = refusal(tmp_path / "a.json", content)
    assert message.startswith("a.json: is not a report of schema 1 (")
    assert reason in message
    assert message.endswith("); write the report again with --json")


@pytest.mark.parametrize(
    ("name", "value", "what"),
    [
        ("inputs", 0, "inputs is out of range (got 0, expected at least 1)"),
        ("timeout_s", -0.5, "timeout_s is out of range (got -0.5, expected at least 0)"),
        ("memory_mb", -1, "memory_mb is out of range (got -1, expected at least 1)"),
        ("input_seed", -1, "input_seed is out of range (got -1, expected at least 0)"),
        ("k", [5, 0, 1], "k is out of range (got 0, expected at least 1)"),
    ],
)
def test_settings_that_no_run_has_are_refused(
    tmp_path: Path, name: str, value: Any, what: str
) -> None:
    """They are checked like options of the command line."""
    found = refusal(tmp_path / "a.json", changed(("settings", name), value))
    assert found == f"a.json: {what}; write the report again with --json"


@pytest.mark.parametrize("place", [("problems", 1), ("unmeasured", 0)])
def test_a_problem_that_stands_twice_is_refused(tmp_path: Path, place: tuple[Step, ...]) -> None:
    """Measured twice, or measured and unmeasured, it cannot be paired."""
    found = refusal(tmp_path / "a.json", changed((*place, "problem_id"), "one"))
    assert found == (
        "a.json: problem 'one': stands in the file 2 times; write the report again with --json"
    )


CLASSES = "classes do not hold each of the {} candidates once"
AST_CLASSES = "ast_classes do not hold each of the 12 candidates once"
OUT_OF_ORDER = "{} are out of order (expected the largest first, members ascending)"
INPUTS = "inputs_left_out does not list inputs (expected ascending numbers from 0 to {})"
FLAGS = "{} does not list candidates (expected ascending numbers from 0 to 11)"
OUTCOMES = "outcomes of class 0 do not count each of 8 inputs once"
FALLS = "stability_curve falls, or does not begin at 1 or more"
RISES = "correct_curve rises, or begins above the number of candidates"
ARI = "ari is no fraction from -1 to 1 (got {})"


@pytest.mark.parametrize(
    ("steps", "value", "what"),
    [
        (("n",), 13, CLASSES.format(13)),
        (("n",), 0, CLASSES.format(0)),
        (("n",), -12, CLASSES.format(-12)),
        (("n",), 10**15, CLASSES.format(10**15)),
        (("classes", 0, "members"), [0, 1, 2, 3], CLASSES.format(12)),
        (("classes", 0, "members"), [0, 1, 2, 3, 3], CLASSES.format(12)),
        (("classes", 0, "members"), [0, 1, 2, 3, 12], CLASSES.format(12)),
        (("classes", 0, "members"), [-1, 1, 2, 3, 4], CLASSES.format(12)),
        (("classes", 0, "members"), [], CLASSES.format(12)),
        (("classes",), [], CLASSES.format(12)),
        (("classes", 4), ..., CLASSES.format(12)),
        (("classes", 0, "members"), [1, 0, 2, 3, 4], OUT_OF_ORDER.format("classes")),
        (("ast_classes", 0), [0, 3, 6], AST_CLASSES),
        (("ast_classes", 0), [0, 3, 6, 9, 9], AST_CLASSES),
        (("ast_classes",), [[*range(12)], []], AST_CLASSES),
        (("ast_classes",), [[11], [*range(11)]], OUT_OF_ORDER.format("ast_classes")),
        (("classes", 1, "correct"), True, "2 classes are correct, expected at most one"),
        (("classes", 0, "correct"), False, "correct_curve does not end at the number of correct"),
        (("nondeterministic",), [0, 12], FLAGS.format("nondeterministic")),
        (("nondeterministic",), [-1], FLAGS.format("nondeterministic")),
        (("order_dependent",), [3, 3], FLAGS.format("order_dependent")),
        (("order_dependent",), [4, 3], FLAGS.format("order_dependent")),
        (("inputs_left_out",), [10], INPUTS.format(8)),
        (("inputs_left_out",), [9, 2], INPUTS.format(9)),
        (("inputs_left_out",), [2, 2], INPUTS.format(9)),
        (("inputs_left_out",), [-1], INPUTS.format(8)),
        (("stability_curve", 7), 4, FALLS),
        (("stability_curve", 0), 0, FALLS),
        (("stability_curve", 7), 6, "stability_curve does not end at the number of classes"),
        (("stability_curve",), [5], "the curves differ in length, or are empty (got 1 and 8"),
        (("stability_curve",), [], "the curves differ in length, or are empty (got 0 and 8"),
        (("correct_curve", 7), ..., "the curves differ in length, or are empty (got 8 and 7"),
        (("correct_curve", 7), 6, RISES),
        (("correct_curve", 0), 13, RISES),
        (("correct_curve", 7), 4, "correct_curve does not end at the number of correct"),
        (("classes", 0, "outcomes"), {}, OUTCOMES),
        (("classes", 0, "outcomes"), {"value": 7}, OUTCOMES),
        (("classes", 0, "outcomes"), {"value": 9, "CRASH": -1}, OUTCOMES),
        (("classes", 0, "outcomes"), {"value": 8, "CRASH": 0}, OUTCOMES),
        (("correct",), 12, "correct contradicts the rest (got 12, expected 5)"),
        (("distinct_ast",), 2, "distinct_ast contradicts the rest (got 2, expected 3)"),
        (("stable_at",), 8, "stable_at contradicts the rest (got 8, expected 5)"),
        (("ari", "exact"), "0.5", ARI.format("'0.5'")),
        (("ari", "exact"), "1/0", ARI.format("'1/0'")),
        (("ari", "exact"), "3/2", ARI.format("'3/2'")),
        (("ari", "exact"), "-3/2", ARI.format("'-3/2'")),
        (("ari", "exact"), "1e999999999", ARI.format("'1e999999999'")),
        (("ari", "exact"), " 1", ARI.format("' 1'")),
        (("ari", "exact"), "", ARI.format("''")),
        (("ari", "exact"), None, ARI.format("null")),
    ],
)
def test_a_report_that_contradicts_itself_is_refused(
    tmp_path: Path, steps: tuple[Step, ...], value: Any, what: str
) -> None:
    """What no measurement can have given is named, with the file and the problem."""
    found = refusal(tmp_path / "a.json", changed(("problems", 0, *steps), value))
    assert found.startswith(f"a.json: problem 'one': {what}")
    assert found.endswith("; write the report again with --json")


def test_two_classes_of_one_fingerprint_are_refused(tmp_path: Path) -> None:
    """They would be one class."""
    fingerprint = REPORT.problems[0].partition.classes[1].fingerprint
    found = refusal(
        tmp_path / "a.json", changed(("problems", 0, "classes", 0, "fingerprint"), fingerprint)
    )
    assert found == (
        "a.json: problem 'one': two classes have the same fingerprint;"
        " write the report again with --json"
    )


def test_a_long_ari_is_not_repeated_whole(tmp_path: Path) -> None:
    """Garbage of any length is quoted in part."""
    found = refusal(tmp_path / "a.json", changed(("problems", 0, "ari", "exact"), "9" * 10**5))
    assert len(found) < 200
