"""``--codecollapse-update-baseline``: what it writes, when it does not, and what it says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from plugin_corpora import COLLAPSED, DIVERSE, problem, write_samples
from plugin_runs import SERIAL_AND_WORKERS, run, run_apart, section, usage_error

from pytest_codecollapse.cli import main

RULE = "hill_q0 must not drop"
AGAINST = (
    "--codecollapse-samples=after.jsonl",
    "--codecollapse-baseline=before.json",
    f"--codecollapse-gate={RULE}",
    "--codecollapse-show=gates",
)
MISSING = "--codecollapse-update-baseline=missing"
ALL = "--codecollapse-update-baseline=all"
NAMES = ("one", "two", "three")


def write_after(pytester: pytest.Pytester, *problems: dict[str, Any]) -> None:
    """Write the samples; the three problems, collapsed, where none are given."""
    write_samples(
        pytester.path / "after.jsonl", *(problems or [problem(each, *COLLAPSED) for each in NAMES])
    )


@pytest.fixture
def baseline(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a baseline of three diverse problems, and collapsed samples of them."""
    monkeypatch.setenv("COLUMNS", "80")
    write_samples(pytester.path / "before.jsonl", *(problem(each, *DIVERSE) for each in NAMES))
    assert main(["measure", "before.jsonl", "--json", "before.json"]) == 0
    write_after(pytester)
    return Path(pytester.path / "before.json")


def lines_of(path: Path) -> dict[str, str]:
    """Return the lines of a report's problems, by id."""
    lines = (line.rstrip(",") for line in path.read_text().splitlines()[1:-1])
    return {json.loads(line)["problem_id"]: line for line in lines}


@SERIAL_AND_WORKERS
@pytest.mark.parametrize("mode", [MISSING, ALL])
def test_a_first_run_writes_the_baseline(
    pytester: pytest.Pytester, workers: tuple[str, ...], mode: str
) -> None:
    """Where there is none yet it is what --json writes; the change is not judged and says why."""
    write_after(pytester)
    arguments = (*AGAINST, "--codecollapse-gate=hill_q0 >= 2", mode, "--codecollapse-json=now.json")
    first = run_apart(pytester, *arguments, *workers) if workers else run(pytester, *arguments)
    assert first.ret == pytest.ExitCode.OK
    first.assert_outcomes(passed=4, skipped=1)
    assert section(first, "codecollapse") == [
        "SKIPPED hill_q0 must not drop: not judged: there is no baseline before.json yet",
        "PASS hill_q0 >= 2: mean 2 (3 problems)",
        "report written to now.json",
        "baseline before.json written",
    ]
    now, before = ((pytester.path / name).read_bytes() for name in ("now.json", "before.json"))
    assert now == before
    run(pytester, *AGAINST).assert_outcomes(passed=4)


@SERIAL_AND_WORKERS
def test_all_replaces_what_was_measured_and_keeps_the_rest(
    pytester: pytest.Pytester, baseline: Path, workers: tuple[str, ...]
) -> None:
    """The gate that the change fails is skipped; a problem that is gone keeps its line."""
    old = lines_of(baseline)
    write_after(pytester, *(problem(each, *COLLAPSED) for each in ("two", "four", "one")))
    arguments = (*AGAINST, ALL)
    result = run_apart(pytester, *arguments, *workers) if workers else run(pytester, *arguments)
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=3, skipped=1)
    assert section(result, "codecollapse")[-5:] == [
        "SKIPPED hill_q0 must not drop: not comparable: 1 of 3 problems is gone; accepted",
        "    by --codecollapse-update-baseline=all",
        "baseline before.json updated: 2 problems replaced, 1 added",
        "kept in it, though the samples do not have them: three; a run is stale until",
        "    codecollapse_allow_removed lists them",
    ]
    new = lines_of(baseline)
    assert list(new) == ["one", "two", "three", "four"]
    assert new["three"] == old["three"]
    assert {json.loads(new[each])["n"] for each in NAMES} == {6}
    assert [json.loads(new[each])["correct"] for each in new] == [4, 4, 1, 4]
    head = json.loads(baseline.read_text())
    assert head["mean"]["hill_q0"] == {"exact": "3", "value": 3.0}  # of 2, 2, 6 and 2
    run(pytester, *AGAINST, "--codecollapse-allow-removed=three").assert_outcomes(passed=4)


def test_all_accepts_a_drop_and_says_so(pytester: pytest.Pytester, baseline: Path) -> None:
    """The drop from the old baseline is shown, and fails neither this run nor the next."""
    result = run(pytester, *AGAINST, ALL, "-rs")
    assert result.ret == pytest.ExitCode.OK
    accepted = (
        "hill_q0 must not drop: 6 -> 2, delta -4 [-4, -4] lies below 0; accepted by "
        "--codecollapse-update-baseline=all"
    ).replace("[", "[[]")
    result.stdout.fnmatch_lines(
        ["baseline before.json updated: 3 problems replaced, 0 added", f"SKIPPED *: {accepted}"]
    )
    written = baseline.read_bytes()
    again = run(pytester, *AGAINST, ALL)
    again.assert_outcomes(passed=4)
    assert section(again, "codecollapse")[-1] == "baseline before.json is up to date"
    assert baseline.read_bytes() == written


@SERIAL_AND_WORKERS
def test_missing_adds_and_still_judges(
    pytester: pytest.Pytester, baseline: Path, workers: tuple[str, ...]
) -> None:
    """A new problem is added and not stale; the others are judged, and keep their lines."""
    old = lines_of(baseline)
    write_after(pytester, problem("four", *DIVERSE), *(problem(each, *DIVERSE) for each in NAMES))
    arguments = (*AGAINST, MISSING)
    result = run_apart(pytester, *arguments, *workers) if workers else run(pytester, *arguments)
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=5)
    assert section(result, "codecollapse")[-2:] == [
        "PASS hill_q0 must not drop: 6 -> 6, delta 0 [0, 0] does not lie below 0",
        "baseline before.json updated: 0 problems replaced, 1 added",
    ]
    new = lines_of(baseline)
    assert list(new) == [*NAMES, "four"]
    assert {each: new[each] for each in NAMES} == old


def test_missing_does_not_accept_a_drop(pytester: pytest.Pytester, baseline: Path) -> None:
    """A gate that fails fails the run, which then adds nothing."""
    written = baseline.read_bytes()
    write_after(pytester, *(problem(each, *COLLAPSED) for each in (*NAMES, "four")))
    result = run(pytester, *AGAINST, MISSING)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert section(result, "FAILURES")[1] == (f"{RULE}: 6 -> 2, delta -4 [-4, -4] lies below 0")
    assert section(result, "codecollapse")[-1] == (
        "baseline before.json not updated: 1 test failed"
    )
    assert baseline.read_bytes() == written


@SERIAL_AND_WORKERS
@pytest.mark.parametrize(
    ("more", "why", "ret"),
    [
        (("-k", "one"), "measured 1 of 3 problems", pytest.ExitCode.OK),
        (("-k", "no_such"), "not every test has run", pytest.ExitCode.NO_TESTS_COLLECTED),
        (("--codecollapse-gate=hill_q0 >= 3",), "2 tests failed", pytest.ExitCode.TESTS_FAILED),
        (
            ("--codecollapse-gate=every hill_q0 >= 3", "-x"),
            "not every test has run",
            None,
        ),
        (
            ("--codecollapse-gate=every hill_q0 >= 3",),
            "3 tests failed",
            pytest.ExitCode.TESTS_FAILED,
        ),
    ],
    ids=["selection", "nothing", "bound", "stopped", "floors"],
)
def test_a_run_that_is_not_whole_or_fails_writes_nothing(
    pytester: pytest.Pytester,
    baseline: Path,
    workers: tuple[str, ...],
    more: tuple[str, ...],
    why: str,
    ret: object,
) -> None:
    """The file is left as it is, and the summary says why."""
    written = baseline.read_bytes()
    arguments = (*AGAINST, ALL, *more)
    result = run_apart(pytester, *arguments, *workers) if workers else run(pytester, *arguments)
    assert result.ret != 0 if ret is None else result.ret == ret
    result.stdout.fnmatch_lines([f"baseline before.json not updated: {why}"])
    assert baseline.read_bytes() == written


@SERIAL_AND_WORKERS
@pytest.mark.parametrize(
    "body", ["raise KeyboardInterrupt", "__import__('os')._exit(3)"], ids=["interrupt", "death"]
)
def test_a_run_that_is_cut_short_writes_nothing(
    pytester: pytest.Pytester, baseline: Path, workers: tuple[str, ...], body: str
) -> None:
    """Interrupted, or with its process or a worker gone, a run leaves the file as it is."""
    written = baseline.read_bytes()
    pytester.makepyfile(test_last=f"def test_last(): {body}\n")
    result = run_apart(pytester, "after.jsonl", "test_last.py", *AGAINST, ALL, *workers)
    assert result.ret != pytest.ExitCode.OK
    assert baseline.read_bytes() == written


def test_samples_of_other_problems_are_not_mixed_in(
    pytester: pytest.Pytester, baseline: Path
) -> None:
    """Where every problem has another id nothing is accepted and nothing written."""
    written = baseline.read_bytes()
    write_after(pytester, *(problem(f"new {each}", *DIVERSE) for each in NAMES))
    result = run(pytester, *AGAINST, ALL, columns=200)
    result.assert_outcomes(passed=3, failed=1)
    assert section(result, "codecollapse")[-2:] == [
        "STALE hill_q0 must not drop: not comparable: 3 of 3 problems are gone",
        "baseline before.json not updated: it shares no problem with the samples; name another"
        " baseline, or delete the file to start over",
    ]
    assert baseline.read_bytes() == written


def test_a_problem_that_cannot_be_measured_keeps_the_file(
    pytester: pytest.Pytester, baseline: Path
) -> None:
    """Where a problem could not be measured nothing of the others is written either."""
    written = baseline.read_bytes()
    faulty = problem("three", reference="def f(x): raise OSError")
    write_after(pytester, problem("one", *COLLAPSED), problem("two", *COLLAPSED), faulty)
    result = run(pytester, *AGAINST, ALL)
    result.assert_outcomes(passed=2, failed=1, skipped=1)
    assert section(result, "codecollapse")[-1] == (
        "baseline before.json not updated: measured 2 of 3 problems"
    )
    assert baseline.read_bytes() == written


def test_another_test_that_fails_keeps_the_file(pytester: pytest.Pytester, baseline: Path) -> None:
    """A run that fails accepts nothing, whatever failed in it: the gates fail as ever."""
    written = baseline.read_bytes()
    pytester.makepyfile(test_other="def test_fail(): assert False\n")
    result = run(pytester, *AGAINST, ALL)
    result.assert_outcomes(passed=3, failed=2)
    result.stdout.no_fnmatch_line("*to accept the change*")  # it is what was asked for
    assert section(result, "codecollapse")[-1] == (
        "baseline before.json not updated: 1 test failed"
    )
    assert baseline.read_bytes() == written


def test_other_settings_are_not_mixed_into_a_baseline(
    pytester: pytest.Pytester, baseline: Path
) -> None:
    """Problems of other settings are replaced all together, or not at all."""
    written = baseline.read_bytes()
    whole = problem("one", *COLLAPSED), problem("two", *COLLAPSED)
    write_after(pytester, *whole)
    result = run(pytester, *AGAINST, ALL, "--codecollapse-inputs=2", columns=300)
    result.assert_outcomes(passed=2, failed=1)
    assert section(result, "codecollapse")[-1] == (
        "baseline before.json not updated: it was measured under other settings (inputs 50 -> 2),"
        " and 1 problem of it would stay as measured before; delete the file, and write it anew"
        " with --codecollapse-update-baseline=missing"
    )
    assert baseline.read_bytes() == written
    write_after(pytester, *whole, problem("three", *COLLAPSED))
    result = run(pytester, *AGAINST, ALL, "--codecollapse-inputs=2")
    result.assert_outcomes(passed=3, skipped=1)
    assert json.loads(baseline.read_text())["settings"]["inputs"] == 2


@SERIAL_AND_WORKERS
def test_an_improvement_and_another_environment_are_told(
    pytester: pytest.Pytester, baseline: Path, workers: tuple[str, ...]
) -> None:
    """A gate that passes says that it improved, and a line says where the baseline is from."""
    now = json.loads(baseline.read_text())["environment"]["platform"]
    baseline.write_text(baseline.read_text().replace(f'"{now}"', '"Plan9-mips"'))
    write_after(pytester, *(problem(each, *DIVERSE, "x + 9") for each in NAMES))
    result = run_apart(pytester, *AGAINST, *workers) if workers else run(pytester, *AGAINST)
    assert result.ret == pytest.ExitCode.OK
    assert section(result, "codecollapse")[-4:] == [
        f"the baseline was measured elsewhere: platform Plan9-mips -> {now}",
        "",
        "PASS hill_q0 must not drop: 6 -> 7, delta 1 [1, 1] does not lie below 0;",
        "    improved: consider updating the baseline",
    ]


def test_a_baseline_without_a_problem_is_filled(pytester: pytest.Pytester) -> None:
    """Where the baseline's problems could not be measured there is nothing to compare with yet."""
    write_after(pytester, problem("one", reference="def f(x): raise OSError"))
    assert main(["measure", "after.jsonl", "--json", "before.json"]) == 2
    write_after(pytester)
    result = run(pytester, *AGAINST, MISSING, columns=100)
    result.assert_outcomes(passed=3, skipped=1)
    assert section(result, "codecollapse")[-2:] == [
        "SKIPPED hill_q0 must not drop: not judged: the baseline before.json holds no problem yet",
        "baseline before.json updated: 0 problems replaced, 3 added",
    ]
    run(pytester, *AGAINST).assert_outcomes(passed=4)


def test_collect_only_writes_nothing(pytester: pytest.Pytester) -> None:
    """Listing the tests makes no baseline."""
    write_after(pytester)
    result = run(pytester, *AGAINST, MISSING, "--collect-only")
    assert result.ret == pytest.ExitCode.OK
    assert not (pytester.path / "before.json").exists()


def test_a_marked_test_follows_the_update(pytester: pytest.Pytester) -> None:
    """A rule about a change is skipped without a baseline, and where its change is accepted."""
    write_after(pytester, *(problem(each, *DIVERSE) for each in NAMES))
    pytester.makepyfile(
        test_marked=f"""
        import pytest

        @pytest.mark.diversity_floor({RULE!r})
        def test_change(): pass
        """
    )
    run(pytester, *AGAINST, MISSING).assert_outcomes(passed=3, skipped=2)
    run(pytester, *AGAINST).assert_outcomes(passed=5)
    write_after(pytester)
    result = run(pytester, *AGAINST, ALL)
    result.assert_outcomes(passed=3, skipped=2)
    assert section(result, "codecollapse")[-1] == (
        "baseline before.json updated: 3 problems replaced, 0 added"
    )
    run(pytester, *AGAINST).assert_outcomes(passed=5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            (MISSING,),
            "--codecollapse-update-baseline needs samples (got none); name them with"
            " --codecollapse-samples or codecollapse_samples",
        ),
        (
            (AGAINST[0], MISSING),
            "--codecollapse-update-baseline needs a baseline (got none); name the report to write"
            " with --codecollapse-baseline or codecollapse_baseline",
        ),
        (
            (AGAINST[0], "--codecollapse-baseline=after.jsonl", ALL),
            "--codecollapse-update-baseline writes a report, and the baseline after.jsonl is none;"
            " name one with --codecollapse-baseline, such as before.json, which is made where it"
            " is missing",
        ),
        (
            (*AGAINST, MISSING, "--codecollapse-json=before.json"),
            "--codecollapse-update-baseline and --codecollapse-json write the same file; give one"
            " of them another",
        ),
        (
            (*AGAINST, "--codecollapse-update-baseline=some"),
            "--codecollapse-update-baseline: expected missing or all (got 'some')",
        ),
    ],
    ids=["samples", "baseline", "samples-file", "json", "mode"],
)
def test_an_update_that_cannot_be_is_refused(
    pytester: pytest.Pytester, arguments: tuple[str, ...], message: str
) -> None:
    """What is missing or cannot be written is named before anything runs."""
    write_after(pytester)
    assert usage_error(run(pytester, *arguments)) == message
    assert not (pytester.path / "before.json").exists()


def test_without_the_option_a_missing_baseline_is_refused(pytester: pytest.Pytester) -> None:
    """A baseline that is only mistyped is not made."""
    write_after(pytester)
    assert usage_error(run(pytester, *AGAINST)).startswith("before.json: there is no such baseline")
