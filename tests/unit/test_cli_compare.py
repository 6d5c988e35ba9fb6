"""``codecollapse compare`` on saved reports, so that nothing is run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Callable, NoReturn

import msgspec
import pytest
from checked_records import ROWS, checked
from cli_runs import Ran, run_main
from report_records import measured, report_of

from pytest_codecollapse.model import Report, Unmeasured
from pytest_codecollapse.report import render_report
from pytest_codecollapse.sandbox import LocalEngine

Compare = Callable[..., Ran]

BEFORE = report_of(
    measured("p0", [5, 3, 2, 1, 1]), measured("p1", [4, 4, 4]), measured("p2", [2] * 6)
)
AFTER = report_of(measured("p0", [11, 1]), measured("p1", [12]), measured("p2", [6, 6]))
#: p1 is asked otherwise, p2 is gone, p3 is new.
OTHER = report_of(measured("p0", [11, 1]), measured("p1", [12], prompt="?"), measured("p3", [12]))
#: E[D_1] is always 1, and correct candidates written in three ways keep E[A_1] at 1.
STEADY = "E[D_1]                 1       1         0              [0, 0]"

CAUTION = (
    "only 3 problems: an interval of nominal 95% (expanded) covers the true change 74% of the"
    " time, as measured at 3"
)
STALE = "not comparable: 1 of 3 problems changed its prompt, 1 is gone, 1 is new"


@pytest.fixture
def compare(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Compare:
    """Give a function that compares two reports, saved as before.json and after.json."""
    monkeypatch.chdir(tmp_path)

    def run(before: Report, after: Report, *arguments: str) -> Ran:
        names = "before.json", "after.json"
        for name, report in zip(names, (before, after)):
            Path(name).write_text(render_report(report))
        return run_main(capsys, "compare", *names, "--resamples", "200", *arguments)

    return run


def gated(ran: Ran) -> list[str]:
    """Return what is printed under the table, its notes and a blank line."""
    return ran.out.split("\n\n")[2].splitlines()


def test_a_comparison_is_a_row_a_metric(compare: Compare) -> None:
    """Before, after, delta, interval and star; then what they rest on. No gate, no failure."""
    status, out, err = compare(BEFORE, AFTER)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "metric            before   after     delta        95% interval"
    assert lines[2] == "pass@1            0.3056  0.8056       0.5    [0.3333, 0.6667]  *"
    assert lines[5] == STEADY
    assert lines[6] == "E[D_5]             3.403   1.467    -1.936    [-2.106, -1.788]  *"
    assert lines[13] == "E[A_10]                -       -         -                   -"
    assert [line.split()[0] for line in lines[2:23]] == [*BEFORE.mean]
    assert lines[23:] == [
        "",
        "3 paired problems, 200 resamples (expanded); * the interval excludes zero",
        CAUTION,
    ]


def test_how_intervals_are_made_can_be_chosen(compare: Compare) -> None:
    """Method, confidence and seed are said or seen."""
    options = ("--interval", "percentile", "--confidence", "0.9", "--seed", "3")
    out = compare(BEFORE, AFTER, *options).out
    assert out.splitlines()[0].endswith("  90% interval")
    assert "3 paired problems, 200 resamples (percentile);" in out
    assert out != compare(BEFORE, AFTER).out
    assert out == compare(BEFORE, AFTER, *options).out


def test_a_report_against_itself_is_no_change(compare: Compare) -> None:
    """Every delta is 0 or not defined."""
    status, out, _ = compare(BEFORE, BEFORE, "--gate", "E[D_5] must not drop by 0")
    assert status == 0
    assert "*" not in out.splitlines()[2]
    assert gated(Ran(status, out, "")) == [
        "PASS E[D_5] must not drop by 0: 3.403 -> 3.403, delta 0 [0, 0] does not reach below 0"
    ]


def test_gates_that_pass_exit_0(compare: Compare) -> None:
    """A line a gate, in the order in which they were given."""
    ran = compare(BEFORE, AFTER, "--gate", "pass@1 must not drop", "--gate", "every D@5 >= 1")
    assert ran.status == 0
    assert gated(ran) == [
        "PASS pass@1 must not drop: 0.3056 -> 0.8056, delta 0.5 [0.3333, 0.6667] does not lie"
        " below 0; improved: consider updating the baseline",
        "PASS every E[D_5] >= 1: lowest E[D_5] 1 (p1)",
    ]


def test_a_gate_that_fails_exits_1_and_explains(compare: Compare) -> None:
    """Under it stand the evidence, the split, the problems and how to accept the change."""
    ran = compare(BEFORE, AFTER, "--gate", "pass@1 must not drop", "--gate", "D@5 must not drop")
    assert ran.status == 1
    assert gated(ran)[1:] == [
        "FAIL E[D_5] must not drop: 3.403 -> 1.467, delta -1.936 [-2.106, -1.788] lies below 0",
        "  E[D_5] over 3 problems: baseline 3.403, now 1.467, delta -1.936",
        "  95% interval [-2.106, -1.788] (expanded, 200 resamples), threshold 0",
        "  delta -1.936 = pass@5 0.1359 (more often right) + E[W_5] -2.072 (fewer wrong ideas)",
        "  dropped most:",
        "    p2  E[D_5] 4.091 -> 1.985  lost 4 behaviours: 4 wrong (8 candidates)",
        *["      lost: 2 candidates, wrong"] * 3,
        "      and 1 more lost",
        "      grown: 2 of 12 -> 6 of 12 candidates, correct",
        "      grown: 2 of 12 -> 6 of 12 candidates, wrong",
        "    p0  E[D_5] 3.330 -> 1.417  lost 3 behaviours: 3 wrong (4 candidates)",
        "      lost: 2 candidates, wrong",
        *["      lost: 1 candidate, wrong"] * 2,
        "      grown: 5 of 12 -> 11 of 12 candidates, correct",
        "    p1  E[D_5] 2.788 -> 1  lost 2 behaviours: 2 wrong (8 candidates)",
        *["      lost: 4 candidates, wrong"] * 2,
        "      grown: 4 of 12 -> 12 of 12 candidates, correct",
        "  to accept the change: codecollapse measure after.json --json before.json",
    ]


@pytest.mark.parametrize(
    ("policy", "status", "word"), [("fail", 1, "INCONCLUSIVE"), ("skip", 0, "SKIPPED")]
)
def test_an_inconclusive_gate_is_what_the_user_asked(
    compare: Compare, policy: str, status: int, word: str
) -> None:
    """An interval on both sides of its margin fails, unless it is to be skipped."""
    ran = compare(BEFORE, AFTER, "--gate", "D@5 must not drop by 1.9", "--inconclusive", policy)
    assert ran.status == status
    assert gated(ran)[0] == (
        f"{word} E[D_5] must not drop by 1.9: 3.403 -> 1.467, delta -1.936 [-2.106, -1.788] lies"
        " on both sides of -1.9"
    )


def test_a_gate_may_name_further_draws(compare: Compare) -> None:
    """A saved report is restated for them."""
    ran = compare(BEFORE, AFTER, "--gate", "E[D_3] >= 3")
    assert ran.status == 1
    assert "\nE[D_3] " in ran.out
    assert gated(ran)[0].startswith("FAIL E[D_3] >= 3: mean 1.")


def test_reports_that_are_stale_exit_1(compare: Compare) -> None:
    """Without a gate, too: what was compared is not what was asked for."""
    status, out, err = compare(BEFORE, OTHER)
    assert (status, err) == (1, "")
    assert out.splitlines()[-1] == STALE
    assert "\n1 paired problem, 200 resamples (expanded)" in out


def test_a_stale_gate_names_the_problems(compare: Compare) -> None:
    """The gate says what differs, once."""
    ran = compare(BEFORE, OTHER, "--gate", "D@5 must not drop")
    assert ran.status == 1
    assert ran.out.count("not comparable") == 1
    assert gated(ran)[:4] == [
        f"STALE E[D_5] must not drop: {STALE}",
        "  1 of 3 problems changed its prompt: p1",
        "  1 is gone: p2",
        "  1 is new: p3",
    ]


def test_a_bound_does_not_hide_that_reports_are_stale(compare: Compare) -> None:
    """A gate that needs no baseline passes, and why the run fails is said beside it."""
    ran = compare(BEFORE, OTHER, "--gate", "pass@1 >= 0.5")
    assert ran.status == 1
    assert STALE in ran.out
    assert gated(ran) == ["PASS pass@1 >= 0.5: mean 0.9722 (3 problems)"]


def test_another_environment_is_a_line(compare: Compare) -> None:
    """Where the reports were measured differently is said, escaped, and fails nothing."""
    place = msgspec.structs.replace(AFTER.environment, isolation="con\x1b[2Jfined")
    ran = compare(BEFORE, msgspec.structs.replace(AFTER, environment=place))
    assert ran.status == 0
    line = "the baseline was measured elsewhere: isolation process -> con\\x1b[2Jfined"
    assert line in ran.out.splitlines()
    assert "elsewhere" not in compare(BEFORE, AFTER).out


def test_stale_reports_can_be_intersected(compare: Compare) -> None:
    """What is left is compared, and what is left out is said."""
    status, out, _ = compare(BEFORE, OTHER, "--stale", "intersect")
    assert status == 0
    assert out.splitlines()[-1] == STALE
    ran = compare(
        BEFORE,
        OTHER,
        "--stale",
        "intersect",
        "--inconclusive",
        "skip",
        "--gate",
        "D@5 must not drop",
    )
    assert ran.status == 0
    assert "left out: 1 of 3 problems changed its prompt, 1 is gone, 1 is" in ran.out


@pytest.mark.parametrize(
    ("after", "what"),
    [
        (report_of(measured("p9", [12])), "3 of 3 problems are gone, 1 is new"),
        (
            msgspec.structs.replace(
                AFTER, settings=msgspec.structs.replace(AFTER.settings, inputs=20)
            ),
            "inputs 50 -> 20",
        ),
    ],
)
def test_nothing_left_fails_even_intersected(compare: Compare, after: Report, what: str) -> None:
    """No common problem, or other settings, leave nothing that could have been compared."""
    status, out, _ = compare(BEFORE, after, "--stale", "intersect")
    assert status == 1
    assert out.splitlines()[-1] == f"not comparable: {what}"


def test_a_hostile_report_cannot_write_to_the_terminal(compare: Compare) -> None:
    """What a report says of its environment is escaped like a problem's name."""
    environment = msgspec.structs.replace(AFTER.environment, python="\x1b[31m3.12")
    status, out, _ = compare(BEFORE, msgspec.structs.replace(AFTER, environment=environment))
    assert status == 1
    assert out.splitlines()[-2:] == [
        "the baseline was measured elsewhere: python 3.11.7 -> \\x1b[31m3.12",
        "not comparable: python 3.11 -> \\x1b[31m3.12",
    ]


def test_unmeasured_problems_exit_2(compare: Compare) -> None:
    """They are told on standard error, the rest is compared."""
    failed = Unmeasured(problem_id="p9", message="a.jsonl:9: problem 'p9': it hangs; wait")
    after = msgspec.structs.replace(AFTER, unmeasured=(failed,))
    status, out, err = compare(BEFORE, after, "--gate", "pass@1 must not drop")
    assert status == 2
    assert out == compare(BEFORE, AFTER, "--gate", "pass@1 must not drop").out
    assert err == (
        "1 problem of 4 could not be measured:\n  a.jsonl:9: problem 'p9': it hangs; wait\n"
    )


def test_the_comparison_can_be_written(compare: Compare) -> None:
    """It holds rows and verdicts, whatever the exit status is."""
    path = Path("new") / "compare.json"
    ran = compare(BEFORE, AFTER, "--gate", "D@5 must not drop", "--json", str(path))
    assert ran.status == 1
    found = json.loads(path.read_text())
    assert [row["metric"] for row in found["metrics"]] == [*BEFORE.mean]
    assert found["metrics"][4]["delta"]["exact"] == "-511/264"
    assert [(each["rule"], each["status"]) for each in found["verdicts"]] == [
        ("E[D_5] must not drop", "fail")
    ]
    before = path.read_bytes()
    compare(BEFORE, AFTER, "--gate", "D@5 must not drop", "--json", str(path))
    assert path.read_bytes() == before


def test_a_damaged_report_exits_2(compare: Compare, capsys: pytest.CaptureFixture[str]) -> None:
    """The message names file and problem, and nothing is on standard output."""
    compare(BEFORE, AFTER)
    Path("damaged").write_text(render_report(BEFORE).replace('"correct":5', '"correct":6'))
    for names in (("damaged", "after.json"), ("before.json", "damaged")):
        assert run_main(capsys, "compare", *names) == (
            2,
            "",
            "codecollapse: error: damaged: problem 'p0': correct contradicts the rest"
            " (got 6, expected 5); write the report again with --json\n",
        )


def test_a_missing_file_exits_2(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Whichever it is, and before the other is measured."""
    missing = tmp_path / "none.jsonl"
    status, out, err = run_main(capsys, "compare", missing, missing)
    assert (status, out) == (2, "")
    assert err == (
        f"codecollapse: error: {missing}: the file cannot be opened (got 'No such file or"
        " directory', expected a samples file); check its path and permissions\n"
    )


def test_a_malformed_second_file_costs_no_measurement(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It is refused before any program of the first one runs."""

    def submit(*arguments: object) -> NoReturn:
        raise AssertionError("a program was run")

    monkeypatch.setattr(LocalEngine, "submit", submit)
    monkeypatch.chdir(tmp_path)
    problem = {
        "problem_id": "p",
        "entry_point": "f",
        "candidates": ["def f(x): return x"],
        "reference": "def f(x): return x",
        "inputs": [[1]],
    }
    Path("before.jsonl").write_text(json.dumps(problem))
    Path("after.jsonl").write_text("{}")
    status, out, err = run_main(capsys, "compare", "before.jsonl", "after.jsonl")
    assert (status, out) == (2, "")
    assert err.startswith("codecollapse: error: after.jsonl:1: the field problem_id is missing")


def test_the_comparison_can_be_written_as_markdown(compare: Compare) -> None:
    """It is what the plugin writes: verdicts, metrics and the problems that dropped most."""
    ran = compare(BEFORE, AFTER, "--gate", "D@5 must not drop", "--markdown", "new/compare.md")
    assert ran.status == 1
    text = Path("new/compare.md").read_text()
    assert text.startswith(
        "## codecollapse: <code>after.json</code> against <code>before.json</code>\n\n"
        "**1 of 1 gate failed**\n"
    )
    assert "| `E[D_5]` | 3.403 | 1.467 | -1.936 | [-2.106, -1.788] | \\* |" in text
    assert "### Problems, those that lost most `E[D_5]` first" in text
    assert ran.out == compare(BEFORE, AFTER, "--gate", "D@5 must not drop").out


def test_a_page_that_cannot_be_written_is_refused_first(compare: Compare) -> None:
    """Before anything is measured; the message names the option."""
    assert compare(BEFORE, AFTER, "--markdown", ".") == (
        2,
        "",
        "codecollapse: error: --markdown: . is a directory, not a file; choose another place\n",
    )


def test_a_side_that_fails_mostly_for_extraction_is_named_above_the_table(
    compare: Compare,
) -> None:
    """The warning says which file it is about; the other has none."""
    broken = report_of(checked("p0", rows=[*ROWS[:2], ROWS[5], ROWS[5]]))
    text = compare(report_of(checked("p0", rows=[*ROWS[:2], ROWS[4], ROWS[4]])), broken).out
    assert text.startswith(
        "after.json: warning: 2 of 2 candidates that are not correct fail for reasons of"
        " extraction (syntax 2): this is not the model's diversity;"
    )
    assert text.count("warning") == 1


def test_options_may_stand_between_the_sides(
    compare: Compare, capsys: pytest.CaptureFixture[str]
) -> None:
    """That the sides can be left out for --arms changes nothing of how they are read."""
    whole = compare(BEFORE, AFTER)
    for arguments in (
        ("before.json", "--resamples", "200", "after.json"),
        ("--resamples", "200", "before.json", "after.json"),
    ):
        assert run_main(capsys, "compare", *arguments) == whole
