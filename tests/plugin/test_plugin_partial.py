from __future__ import annotations

import pytest
from plugin_corpora import write_checkpoints
from plugin_runs import run, section

from pytest_codecollapse.sandbox.zygote import Zygote

AGAINST = (
    "--codecollapse-samples=after.jsonl",
    "--codecollapse-baseline=before.jsonl",
    "--codecollapse-gate=E[D_5] must not drop",
    "--codecollapse-gate=hill_q0 >= 1",
)
NOT_JUDGED = "no gate was judged: not every test has run"


@pytest.fixture(autouse=True)
def checkpoints(pytester: pytest.Pytester) -> None:
    """Write before.jsonl and after.jsonl."""
    write_checkpoints(pytester.path)


@pytest.mark.parametrize(
    "selection", [("-k", "one"), ("--deselect", "after.jsonl::two")], ids=["k", "deselect"]
)
def test_a_selection_of_problems_judges_no_gate(
    pytester: pytest.Pytester, selection: tuple[str, str]
) -> None:
    """Where a problem is left out the gates are skipped tests that say how much was measured."""
    result = run(pytester, *AGAINST, *selection, "-v", "-rs")
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=1, skipped=2, deselected=1)
    partial = "measured 1 of 2 problems"
    result.stdout.fnmatch_lines(
        [
            "after.jsonl::gate[[]E[[]D_5] must not drop] SKIPPED (*[[] 66%]",
            "after.jsonl::gate[[]hill_q0 >= 1] SKIPPED (*[[]100%]",
            f"after.jsonl: {partial}: no gate was judged",
            f"SKIPPED *: E[[]D_5] must not drop: not judged: {partial}",
            f"SKIPPED *: hill_q0 >= 1: not judged: {partial}",
        ]
    )


def test_nothing_selected_is_nothing_collected(pytester: pytest.Pytester) -> None:
    """Where every problem is deselected the run exits 5, judges nothing and writes nothing."""
    result = run(pytester, *AGAINST, "-k", "nothing", "--codecollapse-json=report.json")
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    result.assert_outcomes(deselected=2)
    assert section(result, "codecollapse") == [NOT_JUDGED]
    assert not (pytester.path / "report.json").exists()


def test_only_other_tests_selected_leaves_the_report_alone(pytester: pytest.Pytester) -> None:
    """Where no problem was measured an earlier report is not overwritten with an empty one."""
    pytester.makepyfile(test_other="def test_pass(): pass\n")
    report = pytester.path / "report.json"
    report.write_text("earlier")
    result = run(pytester, *AGAINST, "-k", "test_pass", f"--codecollapse-json={report}")
    result.assert_outcomes(passed=1, skipped=2, deselected=2)
    assert report.read_text() == "earlier"
    result.stdout.no_fnmatch_line("report written*")


def test_a_run_that_stops_early_judges_no_gate(pytester: pytest.Pytester) -> None:
    """Under -x a failing test ends the run; the gates are not judged, and the summary says so."""
    pytester.makepyfile(test_other="def test_fail(): assert False\n")
    result = run(
        pytester, "after.jsonl", "test_other.py", *AGAINST, "-x", "--codecollapse-json=report.json"
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=2, failed=1)
    assert section(result, "codecollapse") == [NOT_JUDGED]
    assert not (pytester.path / "report.json").exists()


def test_a_failing_problem_under_x_judges_no_gate(pytester: pytest.Pytester) -> None:
    """Under -x the first problem that breaches a floor is the last test."""
    result = run(pytester, *AGAINST, "--codecollapse-gate=every hill_q0 >= 3", "-x")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(failed=1)
    assert section(result, "codecollapse") == [NOT_JUDGED]


def test_gates_are_judged_when_other_tests_fail(pytester: pytest.Pytester) -> None:
    """A failing test that is no problem keeps no gate from being judged."""
    pytester.makepyfile(test_other="def test_fail(): assert False\n")
    result = run(pytester, *AGAINST)
    result.assert_outcomes(passed=3, failed=2)
    result.stdout.fnmatch_lines(["FAIL E[[]D_5] must not drop: *", "PASS hill_q0 >= 1: *"])


def test_all_gates_are_judged_under_x(pytester: pytest.Pytester) -> None:
    """Under -x a gate that fails does not keep the next from being judged."""
    result = run(pytester, *AGAINST, "-x")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=3, failed=1)


def test_collect_only_runs_and_writes_nothing(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The problems are listed; no process is started, no gate judged, no file written."""
    started: list[Zygote] = []
    monkeypatch.setattr(Zygote, "start", started.append)
    files = sorted(pytester.path.rglob("*"))
    result = run(pytester, *AGAINST, "--collect-only", "--codecollapse-json=report.json")
    assert result.ret == pytest.ExitCode.OK
    lines = result.outlines
    assert lines[lines.index("collected 2 items") + 1 : -1] == [
        "",
        f"<Dir {pytester.path.name}>",
        "  <SamplesCollector after.jsonl>",
        "    <ProblemItem one>",
        "    <ProblemItem two>",
        "",
    ]
    assert started == []
    assert sorted(pytester.path.rglob("*")) == files


def test_a_partial_report_is_said_to_be_one(pytester: pytest.Pytester) -> None:
    """What was measured is written, and the line that says so says how much that is."""
    result = run(pytester, *AGAINST, "-k", "one", "--codecollapse-json=r.json")
    result.stdout.fnmatch_lines(["report written to r.json (measured 1 of 2 problems)"])
