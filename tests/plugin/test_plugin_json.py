from __future__ import annotations

import pytest
from plugin_corpora import problem, write_checkpoints, write_samples
from plugin_runs import run, usage_error

from pytest_codecollapse.cli import main

SAMPLES = "--codecollapse-samples=after.jsonl"
JSON = "--codecollapse-json=report.json"


@pytest.fixture(autouse=True)
def checkpoints(pytester: pytest.Pytester) -> None:
    """Write before.jsonl and after.jsonl."""
    write_checkpoints(pytester.path)


def files(pytester: pytest.Pytester) -> list[str]:
    """Return the names of the files in the test's folder."""
    return sorted(path.name for path in pytester.path.iterdir() if path.is_file())


def test_the_report_is_that_of_measure(pytester: pytest.Pytester) -> None:
    """The file is the one that ``codecollapse measure --json`` writes, and nothing is beside it."""
    result = run(pytester, SAMPLES, JSON)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["report written to report.json"])
    assert files(pytester) == ["after.jsonl", "before.jsonl", "report.json"]
    assert main(["measure", "after.jsonl", "--json", "measured.json"]) == 0
    report = (pytester.path / "report.json").read_bytes()
    assert report == (pytester.path / "measured.json").read_bytes()


def test_the_settings_are_those_of_measure(pytester: pytest.Pytester) -> None:
    """With the same settings on both sides the two files are the same, and a rule adds its k."""
    options = ("timeout=1", "memory-mb=256", "inputs=2", "input-seed=3", "k=2")
    ours = [f"--codecollapse-{option}" for option in options]
    run(pytester, SAMPLES, JSON, *ours, "--codecollapse-gate=D@4 >= 1")
    theirs = [f"--{option}" for option in options[:-1]]
    assert main(["measure", "after.jsonl", "--json", "measured.json", *theirs, "--k=2,4"]) == 0
    report = (pytester.path / "report.json").read_bytes()
    assert report == (pytester.path / "measured.json").read_bytes()


def test_a_problem_that_cannot_be_measured_is_in_the_report(pytester: pytest.Pytester) -> None:
    """The report lists it with its message, as ``codecollapse measure`` does."""
    faulty = problem("faulty", reference="def f(x): raise OSError")
    write_samples(pytester.path / "after.jsonl", problem("fine"), faulty)
    assert run(pytester, SAMPLES, JSON).ret == pytest.ExitCode.TESTS_FAILED
    assert main(["measure", "after.jsonl", "--json", "measured.json"]) == 2
    report = (pytester.path / "report.json").read_bytes()
    assert b'"unmeasured":[{"problem_id":"faulty",' in report
    assert report == (pytester.path / "measured.json").read_bytes()


def test_the_script_reads_the_report(
    pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    """``measure`` shows a report as it shows the samples, and ``compare`` takes it as a side."""
    run(pytester, SAMPLES, JSON)
    capsys.readouterr()
    assert main(["measure", "after.jsonl"]) == 0
    from_samples = capsys.readouterr().out
    assert main(["measure", "report.json"]) == 0
    assert capsys.readouterr().out == from_samples
    gate = "E[D_5] must not drop"
    assert main(["compare", "before.jsonl", "report.json", "--gate", gate]) == 1
    assert f"FAIL {gate}: 5 -> 2, delta -3 [-3, -3] lies below 0" in capsys.readouterr().out


def test_the_report_is_a_baseline(pytester: pytest.Pytester) -> None:
    """A report that the plugin wrote is a baseline of the next run."""
    run(pytester, "--codecollapse-samples=before.jsonl", "--codecollapse-json=before.json")
    result = run(pytester, SAMPLES, "--codecollapse-baseline=before.json")
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(
        [
            "E[[]D_5] must not drop: 5 -> 2, delta -3 [[]-3, -3] lies below 0",
            "  to accept the change: pytest ... --codecollapse-update-baseline=all",
        ]
    )


def test_failed_gates_do_not_keep_the_report_from_being_written(pytester: pytest.Pytester) -> None:
    """The report of a run whose gate failed is written, in a folder that is made for it."""
    result = run(
        pytester, SAMPLES, "--codecollapse-gate=D@5 >= 3", "--codecollapse-json=new/report.json"
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert [path.name for path in (pytester.path / "new").iterdir()] == ["report.json"]


def test_the_path_is_relative_to_where_pytest_was_called(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Called from another folder, the report is written there."""
    pytester.makeini("[pytest]\n")
    elsewhere = pytester.mkdir("elsewhere")
    monkeypatch.chdir(elsewhere)
    run(pytester, "--codecollapse-samples=../after.jsonl", JSON)
    assert [path.name for path in elsewhere.iterdir()] == ["report.json"]


def test_a_directory_is_refused_before_anything_runs(pytester: pytest.Pytester) -> None:
    """A report cannot be written to a directory; no test runs."""
    result = run(pytester, SAMPLES, f"--codecollapse-json={pytester.path}")
    expected = f"--codecollapse-json: {pytester.path} is a directory, not a file"
    assert usage_error(result) == expected
    assert result.outlines == []


def test_a_folder_that_is_none_is_refused_before_anything_runs(pytester: pytest.Pytester) -> None:
    """Nothing can be written below a file; no test runs."""
    result = run(pytester, SAMPLES, "--codecollapse-json=after.jsonl/report.json")
    folder = pytester.path / "after.jsonl"
    assert usage_error(result) == (
        f"--codecollapse-json: {folder / 'report.json'} cannot be written: {folder} is no directory"
    )
    assert result.outlines == []


def test_a_report_that_cannot_be_written_is_a_usage_error(pytester: pytest.Pytester) -> None:
    """The tests and gates are shown, then the run exits 4 and says why there is no report."""
    pytester.makepyfile("import os\ndef test_in_the_way(): os.mkdir('report.json')")
    result = run(pytester, SAMPLES, JSON)
    result.assert_outcomes(passed=3)
    path = pytester.path / "report.json"
    assert usage_error(result).startswith(f"{path}: cannot be written (")
    assert list(path.iterdir()) == []
