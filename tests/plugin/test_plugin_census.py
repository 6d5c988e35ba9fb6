"""Less in the samples than in the baseline fails the gate, with and without workers."""

from __future__ import annotations

from typing import Any

import pytest
from plugin_corpora import DIVERSE, problem, write_samples
from plugin_runs import run, run_apart, section

from pytest_codecollapse.cli import main

RULE = "hill_q0 must not drop"
AGAINST = (
    "--codecollapse-samples=after.jsonl",
    "--codecollapse-baseline=before.json",
    f"--codecollapse-gate={RULE}",
)
REMEDY = "  where that was meant: list the problems in allow_removed"

THREE = [problem(f"set/{name}", *DIVERSE) for name in ("one", "two", "three")]
#: The second has a candidate less, and the third is gone.
LESS = [THREE[0], problem("set/two", *DIVERSE[:5])]
#: The same problems by other names.
RENAMED = [{**each, "problem_id": f"new {each['problem_id']}"} for each in THREE]


@pytest.fixture(autouse=True)
def before(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a baseline of three problems."""
    monkeypatch.setenv("COLUMNS", "80")
    write_samples(pytester.path / "before.jsonl", *THREE)
    assert main(["measure", "before.jsonl", "--json", "before.json"]) == 0


def judged(pytester: pytest.Pytester, after: list[dict[str, Any]], *more: str) -> pytest.RunResult:
    """Gate samples, and require that two workers say what a serial run says."""
    write_samples(pytester.path / "after.jsonl", *after)
    serial, parallel = run(pytester, *AGAINST, *more), run_apart(pytester, *AGAINST, *more, "-n2")
    assert serial.ret == parallel.ret
    assert serial.parseoutcomes() == parallel.parseoutcomes()
    assert section(serial, "codecollapse") == section(parallel, "codecollapse")
    return serial


def test_less_than_the_baseline_has_is_stale(pytester: pytest.Pytester) -> None:
    """A problem gone and one with fewer candidates are named, with how to say it was meant."""
    result = judged(pytester, LESS)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=2, failed=1)
    assert section(result, "FAILURES")[1:5] == [
        f"{RULE}: not comparable: 1 of 3 problems is gone, 1 has fewer candidates",
        "  1 of 3 problems is gone: set/three",
        "  1 has fewer candidates: set/two (6 -> 5)",
        REMEDY,
    ]


def test_what_is_listed_in_the_ini_file_may_be_missing(pytester: pytest.Pytester) -> None:
    """Ids and patterns of the ini file are taken, and the verdict says what they let pass."""
    pytester.makeini("[pytest]\ncodecollapse_allow_removed =\n    set/three\n    */tw?\n")
    result = judged(pytester, LESS)
    assert result.ret == pytest.ExitCode.OK
    assert section(result, "codecollapse")[-2:] == [
        "PASS hill_q0 must not drop: 6 -> 5.5, delta -0.5 [-1, 0] does not lie below 0;",
        "    as allowed: 1 problem left out, 1 compared with fewer candidates",
    ]


def test_other_ids_for_every_problem_fail(pytester: pytest.Pytester) -> None:
    """Renaming every problem is stale, also where only what is left is to be compared."""
    for more in ((), ("--codecollapse-stale=intersect",)):
        result = judged(pytester, RENAMED, *more)
        assert result.ret == pytest.ExitCode.TESTS_FAILED
        result.assert_outcomes(passed=3, failed=1)
        assert section(result, "FAILURES")[1] == (
            f"{RULE}: not comparable: 3 of 3 problems are gone, 3 are new"
        )


def test_the_command_line_wins_over_the_ini_file(pytester: pytest.Pytester) -> None:
    """A list on the command line replaces that of the ini file."""
    pytester.makeini("[pytest]\ncodecollapse_allow_removed = *\n")
    result = judged(
        pytester,
        LESS,
        "--codecollapse-allow-removed=set/two",
        "--codecollapse-allow-removed=set/four",
    )
    assert section(result, "FAILURES")[1:3] == [
        f"{RULE}: not comparable: 1 of 3 problems is gone",
        "  1 of 3 problems is gone: set/three",
    ]


def test_the_script_takes_the_same_list(
    pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    """``compare`` is stale without the list; with it it passes, and says what was let pass."""
    write_samples(pytester.path / "after.jsonl", *LESS)
    command = ["compare", "before.json", "after.jsonl"]
    assert main(command) == 1
    assert "not comparable: 1 of 3 problems is gone, 1 has fewer candidates\n" in (
        capsys.readouterr().out
    )
    assert main([*command, "--allow-removed=set/t*"]) == 0
    assert "as allowed: 1 problem left out, 1 compared with fewer candidates\n" in (
        capsys.readouterr().out
    )
