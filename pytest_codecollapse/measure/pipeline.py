"""The order of the stages, over the problems of a samples file."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, ExitStack, contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Callable, Optional, Union

import msgspec

from pytest_codecollapse import __version__
from pytest_codecollapse.errors import ProblemError, SandboxError
from pytest_codecollapse.gate import NO_METRICS, Metrics, metric_names
from pytest_codecollapse.measure.problem import report_problem, restate_problem
from pytest_codecollapse.model import (
    Environment,
    Executions,
    Problem,
    ProblemReport,
    Report,
    Settings,
    Unmeasured,
)
from pytest_codecollapse.samples import (
    Entry,
    SamplesFile,
    is_saved_report,
    open_samples,
    read_saved_report,
)
from pytest_codecollapse.sandbox import Engine
from pytest_codecollapse.stats import mean_defined

#: A problem that is to be measured: a samples file, and the place of the problem in it.
Planned = tuple[SamplesFile, Entry]

#: A problem's measurement, or why there is none.
Outcome = Union[ProblemReport, Unmeasured]

#: Enough for the other lanes while one of them takes minutes over a problem of endless loops.
_AHEAD_PER_JOB = 8


@contextmanager
def no_progress(name: str, candidates: int) -> Iterator[Callable[[int], None]]:
    """Show no progress."""
    yield lambda count: None


def measure(
    samples: SamplesFile,
    settings: Settings,
    engine: Engine,
    on_candidates: Callable[[int], None] = lambda count: None,
    metrics: Metrics = NO_METRICS,
) -> Report:
    """Measure every problem of a samples file.

    Parameters
    ----------
    samples
        An open samples file.
    settings
        How to measure.
    engine
        Runs the programs; several problems are submitted ahead of the one waited for.
    on_candidates
        Told, from any thread, how many further candidates have run.
    metrics
        Metrics beside those of the package.

    Returns
    -------
    Report
        Problems in file order; those that cannot be measured are listed in ``unmeasured``.

    Raises
    ------
    SamplesError
        Where the file has changed since it was opened.
    """
    plan = [(samples, entry) for entry in samples.entries]
    pipeline = Pipeline(plan, settings, engine, on_candidates, metrics)
    outcomes = [pipeline.outcome(planned) for planned in plan]
    return assemble(outcomes, settings_for(samples, settings), engine.environment, metrics)


def settings_for(samples: SamplesFile, settings: Settings) -> Settings:
    """Return the settings with how the candidates of these samples were got out of texts."""
    return msgspec.structs.replace(settings, extract=samples.extract)


def load_report(
    path: Path,
    settings: Settings,
    engine: Engine,
    *,
    shown_as: Optional[str] = None,
    progress: Callable[[str, int], AbstractContextManager[Callable[[int], None]]] = no_progress,
    open_with: Optional[Callable[[Path], SamplesFile]] = None,
    metrics: Metrics = NO_METRICS,
) -> Report:
    """Measure samples, or read the saved report that stands in for one.

    Parameters
    ----------
    path
        Either kind of file, or a directory of samples.
    settings, engine
        As for ``measure``; of a saved report only the numbers of draws k are not its own.
    shown_as
        The path as messages name it.
    progress
        Makes a context manager from a name and a number of candidates; it gives a function that
        is told of further candidates that have run.
    open_with, metrics
        Gives open samples, which are left open; metrics beside those of the package.

    Raises
    ------
    SamplesError
        Where the file is missing or malformed.
    """
    if is_saved_report(path):
        return restate(read_saved_report(path, shown_as=shown_as), settings.k, metrics)
    with ExitStack() as opened:
        if open_with is None:
            samples = opened.enter_context(open_samples(path, shown_as=shown_as))
        else:
            samples = open_with(path)
        candidates = sum(entry.candidates for entry in samples.entries)
        on_candidates = opened.enter_context(progress(path.name, candidates))
        return measure(samples, settings, engine, on_candidates, metrics)


def check_file(path: Path, open_with: Callable[[Path], SamplesFile]) -> None:
    """Read samples or a saved report through, before the programs of another are run.

    Parameters
    ----------
    path, open_with
        As for ``load_report``.

    Raises
    ------
    SamplesError
        Where the file is missing or malformed.
    """
    if is_saved_report(path):
        read_saved_report(path)
    else:
        open_with(path)


class Pipeline:
    """Measures planned problems one by one, keeping the engine busy ahead of who asks.

    Parameters
    ----------
    plan
        The problems in the order in which they will be asked for.
    settings, engine, on_candidates, metrics
        As for ``measure``.
    """

    def __init__(
        self,
        plan: Iterable[Planned],
        settings: Settings,
        engine: Engine,
        on_candidates: Callable[[int], None] = lambda count: None,
        metrics: Metrics = NO_METRICS,
    ) -> None:
        self._upcoming = deque(plan)
        self._settings = settings
        self._engine = engine
        self._on_candidates = on_candidates
        self._metrics = metrics
        self._running: dict[Planned, tuple[Problem, Future[Executions]]] = {}

    def outcome(self, planned: Planned) -> Outcome:
        """Wait for the measurement of one problem; those planned before it are submitted too."""
        while planned not in self._running and planned in self._upcoming:
            self._submit(self._upcoming.popleft())
        if planned not in self._running:
            self._submit(planned)
        while self._upcoming and len(self._running) <= _AHEAD_PER_JOB * self._engine.jobs:
            self._submit(self._upcoming.popleft())
        problem, future = self._running.pop(planned)
        try:
            return report_problem(problem, future.result(), self._settings, self._metrics)
        except (ProblemError, SandboxError) as error:
            return Unmeasured(problem_id=problem.problem_id, message=str(error))

    def put_first(self, wanted: Iterable[Planned]) -> None:
        """Plan problems to be measured next, before all that is planned and not yet submitted."""
        first = dict.fromkeys(each for each in wanted if each not in self._running)
        self._upcoming = deque([*first, *(each for each in self._upcoming if each not in first)])

    def _submit(self, planned: Planned) -> None:
        samples, entry = planned
        problem = samples.read(entry)
        future = self._engine.submit(problem, self._settings, self._on_candidates)
        self._running[planned] = (problem, future)


def assemble(
    outcomes: Iterable[Outcome],
    settings: Settings,
    environment: Environment,
    metrics: Metrics = NO_METRICS,
) -> Report:
    """Put the outcomes of a samples file together, with the means over its problems."""
    outcomes = list(outcomes)
    report = Report(
        tool_version=__version__,
        environment=environment,
        settings=settings,
        problems=tuple(each for each in outcomes if isinstance(each, ProblemReport)),
        unmeasured=tuple(each for each in outcomes if isinstance(each, Unmeasured)),
        mean={},
    )
    return _with_means(report, metrics)


def restate(report: Report, ks: tuple[int, ...], metrics: Metrics = NO_METRICS) -> Report:
    """Compute the statistics of a saved report from its classes, for these numbers of draws."""
    return _with_means(
        msgspec.structs.replace(
            report,
            problems=tuple(restate_problem(each, ks, metrics) for each in report.problems),
            settings=msgspec.structs.replace(report.settings, k=ks),
        ),
        metrics,
    )


def _with_means(report: Report, metrics: Metrics) -> Report:
    problems = report.problems
    mean = {
        name: mean_defined(problem.statistics[name] for problem in problems)
        for name in (*metric_names(report.settings.k), *metrics)
    }
    aris = [problem.ari for problem in problems if problem.ari is not None]
    ari = sum(aris, Fraction(0)) / len(aris) if aris else None
    return msgspec.structs.replace(report, mean=mean, ari=ari)
