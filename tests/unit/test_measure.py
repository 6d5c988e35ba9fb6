"""The order of the stages, with an engine that runs nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Callable

import pytest
from report_records import KS, value_token

from pytest_codecollapse import __version__
from pytest_codecollapse.errors import ProblemError, SamplesError, SandboxError, Where
from pytest_codecollapse.measure import (
    Pipeline,
    Planned,
    check_file,
    load_report,
    measure,
)
from pytest_codecollapse.model import (
    Environment,
    Execution,
    Executions,
    Problem,
    ProblemReport,
    Settings,
    Unmeasured,
)
from pytest_codecollapse.report import render_report
from pytest_codecollapse.samples import SamplesFile, SamplesFiles, open_samples

SETTINGS = Settings(k=KS)


class FakeEngine:
    """Answers at once that every candidate did what the reference does, or fails as told.

    Attributes
    ----------
    submitted
        Problem ids in the order in which they were submitted.
    """

    environment = Environment(python="3.9.1", platform="Linux-x86_64", isolation="fake")

    def __init__(self, jobs: int = 1, errors: Mapping[str, BaseException] = {}) -> None:
        self.jobs = jobs
        self.submitted: list[str] = []
        self._errors = errors

    def submit(
        self, problem: Problem, settings: Settings, on_candidates: Callable[[int], None]
    ) -> Future[Executions]:
        """Note the problem, and settle its future."""
        self.submitted.append(problem.problem_id)
        future: Future[Executions] = Future()
        error = self._errors.get(problem.problem_id)
        if error is not None:
            future.set_exception(error)
            return future
        on_candidates(len(problem.candidates))
        execution = Execution(tokens=(value_token(0),))
        future.set_result(
            Executions(reference=execution, candidates=(execution,) * len(problem.candidates))
        )
        return future

    def close(self) -> None:
        """Run nothing, end nothing."""


def write_samples(path: Path, names: Sequence[str]) -> Path:
    """Write problems of two candidates each."""
    lines = [
        json.dumps(
            {
                "problem_id": name,
                "entry_point": "f",
                "candidates": ["def f(x): return x", "def f(y): return y"],
                "reference": "def f(x): return x",
                "inputs": [[1]],
            }
        )
        for name in names
    ]
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


@pytest.fixture
def samples(tmp_path: Path) -> Iterator[SamplesFile]:
    """Open a file of the problems a to h."""
    with SamplesFile.open(write_samples(tmp_path / "a.jsonl", "abcdefgh")) as opened:
        yield opened


@pytest.fixture
def plan(samples: SamplesFile, monkeypatch: pytest.MonkeyPatch) -> list[Planned]:
    """Plan all of them, in file order, for a pipeline that looks two problems ahead for a job."""
    monkeypatch.setattr("pytest_codecollapse.measure.pipeline._AHEAD_PER_JOB", 2)
    return [(samples, entry) for entry in samples.entries]


def test_problems_are_submitted_in_order_and_ahead(plan: list[Planned]) -> None:
    """With one job the two problems after the one waited for are submitted, too."""
    engine = FakeEngine()
    pipeline = Pipeline(plan, SETTINGS, engine)
    assert engine.submitted == []
    seen = []
    for planned in plan:
        assert pipeline.outcome(planned).problem_id == planned[1].problem_id
        seen.append("".join(engine.submitted))
    assert seen == ["abc", "abcd", "abcde", "abcdef", "abcdefg"] + ["abcdefgh"] * 3


def test_more_jobs_look_further_ahead(plan: list[Planned]) -> None:
    """There are two problems ahead for each job."""
    engine = FakeEngine(jobs=3)
    Pipeline(plan, SETTINGS, engine).outcome(plan[0])
    assert "".join(engine.submitted) == "abcdefg"


def test_asked_out_of_order_each_problem_runs_once(plan: list[Planned]) -> None:
    """What was planned before is submitted before, and is ready when it is asked for."""
    engine = FakeEngine()
    pipeline = Pipeline(plan, SETTINGS, engine)
    names = [pipeline.outcome(plan[index]).problem_id for index in (3, 0, 7, 1, 2, 6, 5, 4)]
    assert "".join(names) == "dahbcgfe"
    assert "".join(engine.submitted) == "abcdefgh"


def test_an_unplanned_problem_is_measured_when_it_is_asked_for(plan: list[Planned]) -> None:
    """It does not keep the planned ones from being submitted ahead."""
    engine = FakeEngine()
    pipeline = Pipeline(plan[:4], SETTINGS, engine)
    assert pipeline.outcome(plan[6]).problem_id == "g"
    assert "".join(engine.submitted) == "gab"
    assert pipeline.outcome(plan[0]).problem_id == "a"
    assert "".join(engine.submitted) == "gabc"


def test_nothing_planned_is_nothing_run_ahead(plan: list[Planned]) -> None:
    """Without a plan a problem is submitted when it is asked for, and again if asked again."""
    engine = FakeEngine()
    pipeline = Pipeline([], SETTINGS, engine)
    assert pipeline.outcome(plan[2]) == pipeline.outcome(plan[2])
    assert "".join(engine.submitted) == "cc"


@pytest.mark.parametrize("kind", [ProblemError, SandboxError])
def test_a_problem_that_fails_is_unmeasured(
    plan: list[Planned], kind: type[ProblemError | SandboxError]
) -> None:
    """Its outcome is the whole message: where, what, remedy; the next problem is measured."""
    error = kind("it hangs", where=Where("a.jsonl", 1, "a"), remedy="wait")
    pipeline = Pipeline(plan, SETTINGS, FakeEngine(errors={"a": error}))
    assert pipeline.outcome(plan[0]) == Unmeasured(
        problem_id="a", message="a.jsonl:1: problem 'a': it hangs; wait"
    )
    assert isinstance(pipeline.outcome(plan[1]), ProblemReport)


@pytest.mark.parametrize("error", [RuntimeError("ours"), KeyboardInterrupt()])
def test_any_other_error_goes_through(plan: list[Planned], error: BaseException) -> None:
    """A fault of this package, and Ctrl-C, are not taken for a fault of the problem."""
    pipeline = Pipeline(plan, SETTINGS, FakeEngine(errors={"a": error}))
    with pytest.raises(type(error)):
        pipeline.outcome(plan[0])


def test_a_file_that_changes_meanwhile_is_an_error(samples: SamplesFile) -> None:
    """A measurement of two states of a file would be one of neither."""
    write_samples(samples.path, "hgfedcba")
    with pytest.raises(SamplesError, match="the file has changed since it was opened"):
        measure(samples, SETTINGS, FakeEngine())


def test_a_file_is_measured_in_its_order(samples: SamplesFile) -> None:
    """Problems that fail are listed beside those measured; candidates are counted as they run."""
    counts: list[int] = []
    engine = FakeEngine(jobs=2, errors={"c": ProblemError("no"), "f": SandboxError("broken")})
    report = measure(samples, SETTINGS, engine, counts.append)
    assert "".join(engine.submitted) == "abcdefgh"
    assert [problem.problem_id for problem in report.problems] == list("abdegh")
    assert report.unmeasured == (
        Unmeasured(problem_id="c", message="no"),
        Unmeasured(problem_id="f", message="broken"),
    )
    assert counts == [2] * 6
    assert (report.settings, report.tool_version) == (SETTINGS, __version__)
    assert report.environment == engine.environment


def test_a_samples_file_is_loaded_by_measuring_it(tmp_path: Path) -> None:
    """Progress is told the file's name, how many candidates there are, and each that ran."""
    told: list[object] = []

    @contextmanager
    def progress(name: str, candidates: int) -> Iterator[Callable[[int], None]]:
        told.append((name, candidates))
        yield told.append
        told.append("over")

    path = write_samples(tmp_path / "a.jsonl", "ab")
    report = load_report(path, SETTINGS, FakeEngine(), progress=progress)
    assert [problem.problem_id for problem in report.problems] == ["a", "b"]
    assert told == [("a.jsonl", 4), 2, 2, "over"]
    assert load_report(path, SETTINGS, FakeEngine()) == report


def test_a_saved_report_is_loaded_without_running_anything(tmp_path: Path) -> None:
    """Only the numbers of draws are those asked for; settings and environment stay its own."""
    engine = FakeEngine()
    samples = write_samples(tmp_path / "a.jsonl", "ab")
    saved = tmp_path / "a.json"
    saved.write_text(render_report(load_report(samples, SETTINGS, engine)))
    report = load_report(saved, Settings(k=(2,), inputs=7), engine)
    assert engine.submitted == ["a", "b"]
    assert report.settings == Settings(k=(2,))
    assert report.environment.isolation == "fake"
    assert report.mean["pass@2"] == 1
    assert "pass@1" not in report.mean


@pytest.mark.parametrize("kind", ["samples", "report"])
def test_a_file_is_checked_before_another_runs(tmp_path: Path, kind: str) -> None:
    """Valid files of either kind pass, damaged and missing ones are refused as in loading."""
    path = write_samples(tmp_path / "a", "ab")
    if kind == "report":
        path.write_text(render_report(load_report(path, SETTINGS, FakeEngine())))
    with SamplesFiles(open_samples) as files:
        check_file(path, files.open)
    path.write_bytes(path.read_bytes()[:-5])
    with SamplesFiles(open_samples) as files, pytest.raises(SamplesError):
        check_file(path, files.open)
    path.unlink()
    with SamplesFiles(open_samples) as files, pytest.raises(SamplesError, match="cannot be opened"):
        check_file(path, files.open)
