"""The session's measuring state, kept in ``config.stash``: engine, open files, outcomes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Callable, Optional

import msgspec
import pytest

from pytest_codecollapse.errors import CodecollapseError, UsageError, Where
from pytest_codecollapse.gate import (
    DEFAULT_COMPARE_RULES,
    Baseline,
    BoundRule,
    Metrics,
    Policy,
    Rule,
    accept_changes,
    compare,
    judge,
    parse_rule,
    refuse_without_baseline,
    rule_ks,
    without_new,
)
from pytest_codecollapse.measure import (
    Outcome,
    Pipeline,
    Planned,
    assemble,
    load_report,
    settings_for,
)
from pytest_codecollapse.model import Environment, Report, Settings, Verdict
from pytest_codecollapse.options import compare_settings_from, copy_command, settings_from
from pytest_codecollapse.plugin.distributed import is_worker
from pytest_codecollapse.plugin.extensions import extensions_of, samples_at
from pytest_codecollapse.plugin.options import Given, read_config
from pytest_codecollapse.plugin.sharing import shared_samples
from pytest_codecollapse.samples import (
    Entry,
    SamplesFile,
    SamplesFiles,
    check_problems,
    is_saved_report,
    is_there,
    read_saved_report,
    real_path,
)
from pytest_codecollapse.sandbox import open_engine, require_supported_platform

_KEY: pytest.StashKey[Suite] = pytest.StashKey()


class Suite:
    """Measures samples for one pytest session, each problem once.

    Nothing runs before an outcome is asked for.
    """

    def __init__(self, config: pytest.Config, given: Given) -> None:
        require_supported_platform()
        check_problems(given.values["problems"])
        self.given = given
        self._config = config
        self.metrics, canonicalizers = extensions_of(config)
        self.rules = _parse_rules(given, self.metrics)
        self.settings = msgspec.structs.replace(
            settings_from(given.values, rule_ks(self.rules)), canonicalizers=canonicalizers
        )
        self.measuring = self.settings
        self._folder = config.invocation_params.dir
        self._engine = open_engine(given.values, default_jobs=_default_jobs(config))
        self._files = SamplesFiles(self._open)
        self._outcomes: dict[Planned, Outcome] = {}
        self._planned: Sequence[Planned] = ()
        self._pipeline: Optional[Pipeline] = None
        self._before: Optional[Report] = None
        self.no_baseline = _no_baseline(given, self.shown)
        self.jobs = self._engine.jobs

    @property
    def environment(self) -> Environment:
        """Where programs run; the first process is started to find out.

        Raises
        ------
        UsageError
            Where the isolation asked for is not to be had.
        SandboxError
            Where the interpreter does not start.
        """
        return self._engine.environment

    @property
    def missing(self) -> dict[str, str]:
        """What the rungs of isolation above the one in force lack."""
        return self._engine.missing

    def shown(self, path: Path) -> str:
        """Return a path as messages name it: relative to where pytest was called, if below."""
        relative = os.path.relpath(path, self._folder)
        return str(path) if relative.startswith("..") else relative

    def open(self, path: Path) -> SamplesFile:
        """Return a samples file, scanned when it is first asked for.

        Raises
        ------
        SamplesError
            Where it is missing or malformed.
        """
        return self._files.open(real_path(path))

    @property
    def opened(self) -> Sequence[SamplesFile]:
        """The samples that were opened up to now, in that order."""
        return self._files.opened

    def _open(self, path: Path) -> SamplesFile:
        shown_as = self.shown(path)
        shared = shared_samples(self._config, path, shown_as)
        return shared or samples_at(self._config, path, self.given.values, shown_as)

    def plan(self, planned: Sequence[Planned]) -> None:
        """Say in which order outcomes will be asked for, to have them ready in time."""
        self._planned = planned

    def allow_draws(self, rules: Iterable[Rule]) -> None:
        """Measure the numbers of draws that further rules name, too; before anything runs."""
        ks = tuple(sorted({*self.measuring.k, *rule_ks(rules)}))
        self.measuring = msgspec.structs.replace(self.measuring, k=ks)

    def outcome(self, samples: SamplesFile, entry: Entry) -> Outcome:
        """Return the outcome of one problem, waiting for it if need be."""
        planned = (samples, entry)
        if planned not in self._outcomes:
            self._outcomes[planned] = self._started_pipeline().outcome(planned)
        return self._outcomes[planned]

    def _started_pipeline(self) -> Pipeline:
        if self._pipeline is None:
            self._pipeline = Pipeline(
                self._planned, self.measuring, self._engine, metrics=self.metrics
            )
        return self._pipeline

    def known_outcome(self, samples: SamplesFile, entry: Entry) -> Optional[Outcome]:
        """Return the outcome of one problem if it was asked for before."""
        return self._outcomes.get((samples, entry))

    def report(self, samples: SamplesFile) -> Report:
        """Return the report of a whole samples file, measuring what is missing."""
        wanted = [(samples, entry) for entry in samples.entries]
        missing = [each for each in wanted if each not in self._outcomes]
        if missing:
            self._started_pipeline().put_first(missing)
        outcomes = [self.outcome(*each) for each in wanted]
        return self.assembled(samples, outcomes, self.measuring)

    def assembled(
        self, samples: SamplesFile, outcomes: Sequence[Outcome], settings: Settings
    ) -> Report:
        """Put outcomes of a samples file together to a report."""
        settings = settings_for(samples, settings)
        return assemble(outcomes, settings, self.environment, self.metrics)

    @property
    def floors(self) -> tuple[BoundRule, ...]:
        """The rules that each problem's own test checks."""
        return tuple(rule for rule in self.rules if isinstance(rule, BoundRule) and rule.every)

    @property
    def gates(self) -> tuple[Rule, ...]:
        """The rules over all problems of a samples file, each a test of its own."""
        return tuple(
            rule for rule in self.rules if not (isinstance(rule, BoundRule) and rule.every)
        )

    def judged(
        self, report: Report, samples: Path
    ) -> tuple[tuple[Verdict, ...], Optional[Baseline]]:
        """Judge the gates over the whole report of a samples file."""
        baseline = self._baseline_of(report, samples)
        return judge(self.gates, report, baseline=baseline, policy=self._policy(samples)), baseline

    def judged_by(
        self, rules: Sequence[Rule], report: Report, samples: Path
    ) -> tuple[Verdict, ...]:
        """Judge other rules than the gates, those of a marker."""
        needs_baseline = not all(isinstance(rule, BoundRule) for rule in rules)
        baseline = self._baseline_of(report, samples) if needs_baseline else None
        verdicts = judge(rules, report, baseline=baseline, policy=self._policy(samples))
        return self.accepted(rules, verdicts) if samples in self.given.samples else verdicts

    def accepted(self, rules: Sequence[Rule], verdicts: tuple[Verdict, ...]) -> tuple[Verdict, ...]:
        """Skip what fails because of a change that the update of the baseline accepts."""
        if self.given.update != "all":
            return verdicts
        return accept_changes(rules, verdicts, "--codecollapse-update-baseline=all")

    def _baseline_of(self, after: Report, samples: Path) -> Optional[Baseline]:
        if self.given.baseline is None or self.no_baseline is not None:
            return None
        if self._before is None:
            self._before = load_report(
                self.given.baseline,
                self.measuring,
                self._engine,
                shown_as=self.shown(self.given.baseline),
                open_with=self.open,
                metrics=self.metrics,
            )
        if self.given.update is not None and samples in self.given.samples:
            after = without_new(self._before, after)  # they are added, so none is missing
        comparison = compare(self._before, after, compare_settings_from(self.given.values))
        return Baseline(report=self._before, comparison=comparison)

    def _policy(self, samples: Path) -> Policy:
        baseline = self.given.baseline
        command = None
        if baseline is not None and self.given.update != "all":  # else it was asked for
            command = (
                "pytest ... --codecollapse-update-baseline=all"
                if is_saved_report(baseline)
                else copy_command(Path(self.shown(samples)), Path(self.shown(baseline)))
            )
        return Policy(
            stale=self.given.values["stale"],
            inconclusive=self.given.values["inconclusive"],
            accept_command=command,
            no_baseline=self.no_baseline,
        )

    def check_baseline(self) -> None:
        """Read the baseline before anything runs.

        Raises
        ------
        UsageError
            Where it is missing or unreadable, or a gate needs one and none was named.
        """
        baseline = self.given.baseline
        if baseline is None:
            if self.given.samples:
                refuse_without_baseline(self.rules)
        elif self.no_baseline is not None:
            return
        elif not is_there(baseline):
            raise UsageError(
                "there is no such baseline (got no file, expected a report or a samples file)",
                where=Where(self.shown(baseline)),
                remedy="check its path, or write it with --codecollapse-update-baseline=missing",
            )
        elif is_saved_report(baseline):
            report = read_saved_report(baseline, shown_as=self.shown(baseline))
            if self.given.update is not None and not report.problems:
                self.no_baseline = f"the baseline {self.shown(baseline)} holds no problem yet"
        elif not is_worker(self._config):  # else whoever judges reads it
            self.open(baseline)

    def close(self) -> None:
        """Stop what runs, end every process and let go of the files."""
        self._engine.close()
        self._files.close()


def _no_baseline(given: Given, shown: Callable[[Path], str]) -> Optional[str]:
    """Say why there is nothing to compare with, where this run writes the first baseline."""
    if given.update is None or given.baseline is None or is_there(given.baseline):
        return None
    return f"there is no baseline {shown(given.baseline)} yet"


def _default_jobs(config: pytest.Config) -> int:
    """Use every core (0), but leave it to pytest-xdist to spread its workers over them."""
    return 1 if is_worker(config) else 0


def start(config: pytest.Config, suite: Suite) -> None:
    """Find out before any test runs whether programs can run as it was asked for.

    Raises
    ------
    pytest.UsageError
        Where they cannot. With --collect-only nothing is started, and nothing found out.
    """
    if config.option.collectonly:
        return
    try:
        _ = suite.environment
    except CodecollapseError as error:
        raise pytest.UsageError(str(error)) from error


def _parse_rules(given: Given, metrics: Metrics) -> tuple[Rule, ...]:
    if given.baseline is not None and not given.rules:
        return tuple(DEFAULT_COMPARE_RULES)
    return tuple(
        parse_rule(text, where=Where(source), metrics=metrics) for source, text in given.rules
    )


def suite_of(config: pytest.Config) -> Suite:
    """Return the session's suite, made when it is first asked for.

    Raises
    ------
    pytest.UsageError
        Where the options do not go together, or the baseline cannot be read.
    """
    if _KEY not in config.stash:
        given = read_config(config)
        try:
            suite = Suite(config, given)
            suite.check_baseline()
        except CodecollapseError as error:
            raise pytest.UsageError(str(error)) from error
        config.stash[_KEY] = suite
        config.add_cleanup(suite.close)
    return config.stash[_KEY]
