"""``codecollapse compare --arms`` on saved reports, so that nothing is run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Callable

import msgspec
import pytest
from checked_records import ROWS, checked
from cli_runs import Ran, run_main
from report_records import measured, report_of

from pytest_codecollapse.model import Report, Unmeasured
from pytest_codecollapse.report import render_report

CompareArms = Callable[..., Ran]

RETRY = report_of(
    measured("p0", [3, 5, 4]),
    measured("p1", [6, 6]),
    measured("p2", [2, 10]),
    measured("p3", [9, 3]),
)
BETTER = report_of(
    measured("p0", [6, 6]), measured("p1", [8, 4]), measured("p2", [5, 7]), measured("p3", [12])
)
MIXED = report_of(
    measured("p0", [6, 6]), measured("p1", [4, 8]), measured("p2", [2, 10]), measured("p3", [9, 3])
)  # fmt: skip
WORSE = report_of(
    measured("p0", [1, 11]), measured("p1", [5, 7]), measured("p2", [1, 11]), measured("p3", [4, 8])
)  # fmt: skip

#: Shared by the runs below.
OPTIONS = ("--resamples", "200", "--k", "1,5")

NOTE = (
    "control: retry; 200 resamples (expanded); an arm fixes where the interval of the delta lies"
    " above zero, and harms where it lies below"
)
FEW = (
    "only 4 problems: an interval of nominal 95% (expanded) covers the true change 86% of the"
    " time, as measured at 4"
)


@pytest.fixture
def compare_arms(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> CompareArms:
    """Give a function that compares retry.json with reports saved under the names given."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, control: Report = RETRY, **arms: Report) -> Ran:
        for name, report in {"retry": control, **arms}.items():
            Path(f"{name}.json").write_text(render_report(report))
        files = [f"{name}.json" for name in ("retry", *arms)]
        return run_main(capsys, "compare", "--arms", *files, *OPTIONS, *arguments)

    return run


def gated(ran: Ran) -> list[str]:
    """Return the lines of the verdicts without their details."""
    return [line for line in ran.out.split("\n\n")[-1].splitlines() if not line.startswith(" ")]


def test_a_table_is_a_metric_and_a_row_an_arm(compare_arms: CompareArms) -> None:
    """Means, delta, interval, problems and the effect; then what they rest on, and the gate."""
    status, out, err = compare_arms(better=BETTER, mixed=MIXED, worse=WORSE)
    assert (status, err) == (1, "")
    tables = out.split("\n\n")
    assert tables[0].splitlines() == [
        "pass@1  control     arm    delta      98.33% interval      verdict  problems",
        "────────────────────────────────────────────────────────────────────────────",
        "better   0.4167  0.6458   0.2292       [0.1875, 0.25]        fixes         4",
        "mixed    0.4167  0.4375  0.02083       [-0.125, 0.25]  no evidence         4",
        "worse    0.4167  0.2292  -0.1875  [-0.4167, -0.08333]        harms         4",
    ]
    assert [table.split()[0] for table in tables[:3]] == ["pass@1", "pass@5", "E[D_5]"]
    assert "fixes" not in tables[2]
    assert tables[3].splitlines()[0] == NOTE
    assert [line.split(": ")[:2] for line in gated(Ran(status, out, err))] == [
        ["PASS better", "pass@1 must rise"],
        ["INCONCLUSIVE mixed", "pass@1 must rise"],
        ["FAIL worse", "pass@1 must rise"],
    ]


def test_an_arm_that_fixes_exits_0(compare_arms: CompareArms) -> None:
    """Without a rule the gate is that pass@1 must rise, for each of the interventions."""
    ran = compare_arms(better=BETTER)
    assert ran.status == 0
    assert gated(ran) == [
        "PASS better: pass@1 must rise: 0.4167 -> 0.6458, delta 0.2292 [0.1875, 0.25] lies above 0"
    ]


def test_rules_are_judged_for_each_arm(compare_arms: CompareArms) -> None:
    """In the order of arms, then of rules; a bound needs no control."""
    rules = ("--gate", "pass@5 must not drop", "--gate", "pass@1 >= 0.5")
    ran = compare_arms(*rules, better=BETTER, worse=WORSE)
    assert ran.status == 1
    assert [line.partition(":")[0] for line in gated(ran)] == [
        *("PASS better", "PASS better", "FAIL worse", "FAIL worse"),
    ]


def test_inconclusive_can_be_skipped(compare_arms: CompareArms) -> None:
    """No evidence fails the default gate, unless that is to be skipped."""
    assert compare_arms(mixed=MIXED).status == 1
    ran = compare_arms("--inconclusive", "skip", mixed=MIXED)
    assert ran.status == 0
    assert gated(ran)[0].startswith("SKIPPED mixed: pass@1 must rise: 0.4167 -> 0.4375")


def test_luck_and_few_problems_are_cautioned_of_once(compare_arms: CompareArms) -> None:
    """What is to be said of several arms is said once, with their names."""
    out = compare_arms(better=BETTER, other=BETTER).out
    assert out.split("\n\n")[3].splitlines() == [
        NOTE,
        "2 interventions, 4 comparisons of pass@k: each interval is at 97.5% (Bonferroni), so that"
        " by luck alone any of the 2 excludes zero, at one k, in at most 5% of",
        "    such trials",
        f"better, other: {FEW}",
    ]
    out = compare_arms("--correction", "none", better=BETTER, other=BETTER).out
    assert "  95% interval  " in out.splitlines()[0]
    assert " excludes zero, at one k, in up to 10% of such trials;" in out


def test_twenty_problems_have_no_caution(compare_arms: CompareArms) -> None:
    """As with two checkpoints; and one intervention has no second to be lucky."""
    control, arm = (
        report_of(*(measured(f"p{index:02}", [size, 12 - size]) for index in range(20)))
        for size in (3, 6)
    )
    out = compare_arms(control=control, better=arm).out
    assert out.split("\n\n")[3].splitlines() == [NOTE]


def test_draws_that_no_problem_has_make_no_table(compare_arms: CompareArms) -> None:
    """A note says so in their place, and what is not compared is not counted."""
    out = compare_arms("--k", "1,20", better=BETTER, other=BETTER).out
    tables = out.split("\n\n")
    assert [table.split()[0] for table in tables[:2]] == ["pass@1", "control:"]
    note, caution = tables[1].splitlines()[1:3]
    assert note == "no pass@20, E[D_20]: no problem has so many candidates in both arms"
    assert caution.startswith("2 interventions, 2 comparisons of pass@k: ")


def test_a_trial_without_any_pair_has_one_table(compare_arms: CompareArms) -> None:
    """A row of nothing, for the verdict to say why."""
    out = compare_arms(other=report_of(measured("q0"))).out
    tables = out.split("\n\n")
    assert [line.split() for line in tables[0].splitlines()[2:]] == [["other", *"-----", "0"]]
    assert tables[1].splitlines() == [
        NOTE,
        "other: 0 problems to compare: there is no interval under 2, so no verdict on a change",
    ]


def test_an_arm_that_fails_mostly_for_extraction_is_named_above_the_tables(
    compare_arms: CompareArms,
) -> None:
    """An intervention is not to be blamed for how its answers were read."""
    control = report_of(checked("p0", rows=[*ROWS[:2], ROWS[4], ROWS[4]]))
    broken = report_of(checked("p0", rows=[*ROWS[:2], ROWS[5], ROWS[5]]))
    out = compare_arms(control=control, broken=broken).out
    assert out.startswith(
        "broken.json: warning: 2 of 2 candidates that are not correct fail for reasons of"
        " extraction (syntax 2): "
    )
    assert out.count("warning") == 1


def test_a_problem_that_is_gone_is_stale(compare_arms: CompareArms) -> None:
    """Its arm is named and fails; the others are judged. What is left can be compared."""
    part = report_of(*BETTER.problems[:3])
    ran = compare_arms(better=BETTER, part=part)
    assert ran.status == 1
    assert gated(ran)[1:] == [
        "STALE part: pass@1 must rise: not comparable: 1 of 4 problems is gone"
    ]
    bound = compare_arms("--gate", "pass@1 >= 0", better=BETTER, part=part)
    assert bound.status == 1
    assert "\npart: not comparable with retry: 1 of 4 problems is gone\n" in bound.out
    left = compare_arms("--stale", "intersect", better=BETTER, part=part)
    assert left.status == 0
    assert gated(left)[1].endswith("lies above 0; left out: 1 of 4 problems is gone")
    assert compare_arms("--allow-removed", "p3", better=BETTER, part=part).status == 0


def test_an_arm_of_more_problems_says_how_to_leave_them_out(compare_arms: CompareArms) -> None:
    """A control is not updated, so that is the remedy; where nothing is left there is none."""
    more = report_of(*BETTER.problems, measured("p4"))
    ran = compare_arms(more=more)
    assert ran.status == 1
    assert ran.out.split("\n\n")[-1].splitlines() == [
        "STALE more: pass@1 must rise: not comparable: 1 problem is new",
        "  1 problem is new: p4",
        "  stale=intersect compares what is left: 4 problems",
    ]
    assert compare_arms("--stale", "intersect", more=more).status == 0
    assert "stale=intersect" not in compare_arms(other=report_of(measured("q0"))).out


def test_other_settings_are_stale_even_intersected(compare_arms: CompareArms) -> None:
    """Fewer inputs tell fewer behaviours apart: nothing is left to compare."""
    settings = msgspec.structs.replace(BETTER.settings, inputs=20)
    other = msgspec.structs.replace(BETTER, settings=settings)
    for policy in ("fail", "intersect"):
        ran = compare_arms("--stale", policy, other=other)
        assert ran.status == 1
        assert gated(ran) == ["STALE other: pass@1 must rise: not comparable: inputs 50 -> 20"]


def test_an_arm_asks_otherwise(compare_arms: CompareArms) -> None:
    """Another prompt is said, and nothing fails for it."""
    asked = report_of(
        *(measured(each.problem_id, [12], prompt="Repair it.") for each in RETRY.problems)
    )
    ran = compare_arms(asked=asked)
    assert ran.status == 0
    assert "\nasked: 4 problems asked by another prompt, as an intervention may\n" in ran.out


def test_another_environment_is_said(compare_arms: CompareArms) -> None:
    """Escaped, as all that a report says."""
    place = msgspec.structs.replace(BETTER.environment, isolation="con\x1b[2Jfined")
    ran = compare_arms(better=msgspec.structs.replace(BETTER, environment=place))
    assert ran.status == 0
    line = "better: measured elsewhere than the control: isolation process -> con\\x1b[2Jfined"
    assert line in ran.out.splitlines()


def test_unmeasured_problems_exit_2(compare_arms: CompareArms) -> None:
    """They are told on standard error, whichever arm they are of."""
    failed = Unmeasured(problem_id="p9", message="a.jsonl:9: problem 'p9': it hangs; wait")
    status, _, err = compare_arms(better=msgspec.structs.replace(BETTER, unmeasured=(failed,)))
    assert status == 2
    assert err == (
        "1 problem of 5 could not be measured:\n  a.jsonl:9: problem 'p9': it hangs; wait\n"
    )


def test_the_trial_can_be_written(compare_arms: CompareArms) -> None:
    """Exact beside rounded, an arm a line, the same bytes each time."""
    path = Path("new") / "arms.json"
    arguments = ("--json", str(path))
    ran = compare_arms(*arguments, better=BETTER, worse=WORSE)
    assert ran.status == 1
    found = json.loads(path.read_text())
    assert found["control"] == "retry"
    assert found["settings"] == {
        "resamples": 200,
        "confidence": {"exact": "19/20", "value": 0.95},
        "correction": "bonferroni",
        "confidence_each": {"exact": "39/40", "value": 0.975},
        "seed": 0,
        "interval": "expanded",
    }
    assert [each["arm"] for each in found["interventions"]] == ["better", "worse"]
    assert len(path.read_text().splitlines()) == 4
    better, worse = found["interventions"]
    assert better["paired"] == ["p0", "p1", "p2", "p3"]
    row = better["metrics"][0]
    assert {name: row[name] for name in ("metric", "pairs", "control", "arm", "effect")} == {
        "metric": "pass@1",
        "pairs": 4,
        "control": {"exact": "5/12", "value": 5 / 12},
        "arm": {"exact": "31/48", "value": 31 / 48},
        "effect": "fixes",
    }
    assert row["delta"] == {"exact": "11/48", "value": 11 / 48}
    assert worse["metrics"][0]["effect"] == "harms"
    assert {row["effect"] for row in worse["metrics"] if row["metric"][0] == "E"} == {None}
    assert [(each["rule"], each["status"]) for each in worse["verdicts"]] == [
        ("pass@1 must rise", "fail")
    ]
    before = path.read_bytes()
    compare_arms(*arguments, better=BETTER, worse=WORSE)
    assert path.read_bytes() == before


def test_files_of_the_same_name_are_told_apart(
    compare_arms: CompareArms, capsys: pytest.CaptureFixture[str]
) -> None:
    """An arm is named by its file without endings, or by its path where that is not enough."""
    compare_arms(better=BETTER)
    Path("run2").mkdir()
    Path("run2/retry.json").write_text(render_report(BETTER))
    ran = run_main(capsys, "compare", "--arms", "retry.json", "run2/retry.json", *OPTIONS)
    assert ran.status == 0
    assert gated(ran)[0].startswith("PASS run2/retry.json: pass@1 must rise: ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["a", "--arms", "b", "c"],
            "compare takes BEFORE and AFTER, or --arms (got both: a and --arms); write compare"
            " --arms CONTROL ARM, or compare BEFORE AFTER",
        ),
        (
            ["--arms", "b"],
            "--arms takes a control and at least one intervention (got b alone); name the plain"
            " retry first, then what is compared with it",
        ),
        (["--arms", "b", "c", "b"], "--arms names b twice; name each arm once"),
        (["--arms", "b", "c", "x/../b"], "--arms names x/../b twice; name each arm once"),
        (
            ["--arms", "b", "c", "--html", "x.html"],
            "--html does not go with --arms; write --json, or compare two of the arms",
        ),
        (
            ["--arms", "b", "c", "--markdown", "x.md"],
            "--markdown does not go with --arms; write --json, or compare two of the arms",
        ),
        (["a", "b", "--correction", "none"], "--correction is for --arms; leave it out"),
        (
            ["--arms", "b", "c", "--gate", "pass@1 must grow"],
            "gate 'pass@1 must grow' is not a rule: expected ",
        ),
    ],
)
def test_what_does_not_go_together_exits_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    """Before any file is looked for, with a remedy."""
    status, out, err = run_main(capsys, "compare", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith(f"codecollapse: error: {message}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a"], "the following arguments are required: AFTER"),
        ([], "the following arguments are required: BEFORE, AFTER"),
        (["--arms"], "argument --arms: expected at least one argument"),
        (
            ["--arms", "a", "b", "--correction", "all"],
            "argument --correction: expected bonferroni or none (got 'all')",
        ),
    ],
)
def test_what_is_missing_exits_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    """Arms stand in for the two sides, and nothing else does."""
    status, out, err = run_main(capsys, "compare", *arguments)
    assert (status, out) == (2, "")
    assert err.endswith(f"codecollapse compare: error: {message}\n")


def test_a_damaged_arm_costs_no_measurement(
    compare_arms: CompareArms, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is named, as the file that it is."""
    compare_arms(better=BETTER)
    Path("damaged.json").write_text(render_report(BETTER).replace('"correct":6', '"correct":7'))
    arms = ("retry.json", "better.json", "damaged.json")
    status, out, err = run_main(capsys, "compare", "--arms", *arms, *OPTIONS)
    assert (status, out) == (2, "")
    assert err.startswith("codecollapse: error: damaged.json: problem 'p0': correct contradicts")


def test_a_loop_of_links_is_no_arm(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It is refused as a file that cannot be opened, as it is elsewhere."""
    monkeypatch.chdir(tmp_path)
    Path("loop").symlink_to("loop")
    ran = run_main(capsys, "compare", "--arms", "other", "loop")
    assert ran.status == 2
    assert "loop: the file cannot be opened (got " in ran.err
