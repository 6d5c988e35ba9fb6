"""The order of the stages: samples -> sandbox -> behaviour -> statistics -> report."""

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
from pytest_codecollapse.behaviour import partition, stable_at
from pytest_codecollapse.errors import ProblemError, SandboxError
from pytest_codecollapse.gate import NO_METRICS, Metrics, identity_of, metric_names, with_metrics
from pytest_codecollapse.model import (
    Environment,
    Executions,
    Partition,
    Problem,
    ProblemReport,
    Report,
    Settings,
    Statistics,
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
from pytest_codecollapse.stats import (
    adjusted_rand_index,
    chao1,
    expected_distinct,
    hill_number,
    mean_defined,
    pass_at_k_exact,
)

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
    return assemble(outcomes, settings, engine.environment, metrics)


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


def report_problem(
    problem: Problem, executions: Executions, settings: Settings, metrics: Metrics = NO_METRICS
) -> ProblemReport:
    """Classify what the programs of a problem did, and compute its statistics."""
    classes = partition(executions, problem.candidates, problem.entry_point)
    measured = ProblemReport(
        problem_id=problem.problem_id,
        identity=identity_of(problem, executions.left_out),
        partition=classes,
        statistics=statistics_of(classes, settings.k),
        ari=agreement_with(problem.labels, classes),
        cluster=problem.cluster,
        left_out=executions.left_out,
    )
    return with_metrics(measured, metrics, problem.where)


def statistics_of(classes: Partition, ks: Iterable[int]) -> Statistics:
    """Compute every statistic of a problem, for each number of draws k; see ``stats``."""
    sizes = [len(each.members) for each in classes.classes]
    wrong = [len(each.members) for each in classes.classes if not each.correct]
    n, correct = sum(sizes), sum(sizes) - sum(wrong)
    right = {member for each in classes.classes if each.correct for member in each.members}
    written = [len(right.intersection(group)) for group in classes.ast_classes]
    right_ast_sizes = [size for size in written if size]
    distinct_ast = Fraction(len(classes.ast_classes))
    values: Statistics = {
        "hill_q0": hill_number(sizes, 0),
        "hill_q1": hill_number(sizes, 1),
        "hill_q2": hill_number(sizes, 2),
        "chao1": chao1(sizes),
        "distinct_ast": distinct_ast,
        "masking_ratio": distinct_ast / len(sizes),
        "stable_at": Fraction(stable_at(classes.stability_curve)),
        "nondeterministic": Fraction(len(classes.nondeterministic)),
        "order_dependent": Fraction(len(classes.order_dependent)),
    }
    for k in ks:
        values[f"pass@{k}"] = pass_at_k_exact(n, correct, k)
        values[f"E[D_{k}]"] = expected_distinct(sizes, k)
        values[f"E[W_{k}]"] = expected_distinct(wrong, k, n=n)
        values[f"E[A_{k}]"] = expected_distinct(right_ast_sizes, k)
    return {name: values[name] for name in metric_names(ks)}


def agreement_with(labels: Optional[tuple[str, ...]], classes: Partition) -> Optional[Fraction]:
    """Return the adjusted Rand index of the behaviours against labels, where there are labels."""
    if labels is None:
        return None
    behaviour_of = {
        member: number for number, each in enumerate(classes.classes) for member in each.members
    }
    return adjusted_rand_index(labels, [behaviour_of[index] for index in range(len(labels))])


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


def restate_problem(
    problem: ProblemReport, ks: Iterable[int], metrics: Metrics = NO_METRICS
) -> ProblemReport:
    """Compute the statistics of a problem from its classes, for these numbers of draws."""
    statistics = statistics_of(problem.partition, ks)
    return with_metrics(msgspec.structs.replace(problem, statistics=statistics), metrics)


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
