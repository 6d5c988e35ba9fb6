"""The hooks of a session that measures samples; registered only where samples are named."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, Optional

import pytest

from pytest_codecollapse.errors import CodecollapseError
from pytest_codecollapse.plugin.distributed import is_worker
from pytest_codecollapse.plugin.gates import Gates
from pytest_codecollapse.plugin.items import ProblemItem, SamplesCollector, node_id_of
from pytest_codecollapse.plugin.markers import plan_ahead
from pytest_codecollapse.plugin.options import Given
from pytest_codecollapse.plugin.results import Results, attach_outcome
from pytest_codecollapse.plugin.sharing import share_samples
from pytest_codecollapse.plugin.suite import Suite, start, suite_of
from pytest_codecollapse.plugin.summary import (
    annotate,
    isolation_header,
    reading_header,
    write_summary,
)
from pytest_codecollapse.plugin.updating import refuse_what_cannot_be_updated
from pytest_codecollapse.plugin.writers import check_reports, write_reports
from pytest_codecollapse.samples import SharedSamples, is_there, real_path


def activate(config: pytest.Config, given: Given) -> None:
    """Check what can be checked before anything runs, and register the hooks.

    Raises
    ------
    pytest.UsageError
        Where a file is missing, the baseline is unreadable, or options do not go together.
    """
    _check_paths(given)
    check_reports(given)
    suite = suite_of(config)
    refuse_what_cannot_be_updated(suite)
    config.pluginmanager.register(ActivePlugin(suite), "codecollapse-active")


def _check_paths(given: Given) -> None:
    for path in given.samples:
        if not is_there(path) or not (path.is_file() or path.is_dir()):
            raise pytest.UsageError(
                f"{path}: no such samples file (got nothing there, expected a file or a directory);"
                " check the path, and quote it in an ini file where it has spaces"
            )
    one_each = [*(["baseline"] if given.baseline is not None else []), *given.reports]
    if one_each and len(given.samples) > 1:
        raise pytest.UsageError(
            f"--codecollapse-{one_each[0]} goes with one samples file (got {len(given.samples)}); "
            "run pytest once for each"
        )


class ActivePlugin:
    """Collects, gathers results, judges at the end, and sums up."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        self._results = Results(suite.metrics)
        self._collected: set[Path] = set()
        self._gates: Optional[Gates] = None
        self._shared: Optional[SharedSamples] = None

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """End the session where programs cannot run as it was asked for."""
        start(session.config, self._suite)

    def pytest_report_header(self, config: pytest.Config) -> list[str]:
        """Say what is measured, and how far it is isolated."""
        suite = self._suite
        shown = [suite.shown(path) for path in suite.given.samples]
        baseline = suite.given.baseline
        against = "" if baseline is None else f" against {suite.shown(baseline)}"
        update = "" if suite.given.update is None else f", updating it ({suite.given.update})"
        head = f"codecollapse: {', '.join(shown)}{against}{update}"
        return [head, *reading_header(config, suite), *isolation_header(config, suite)]

    def pytest_collect_file(
        self, file_path: Path, parent: pytest.Collector
    ) -> Optional[pytest.Collector]:
        """Collect the samples files that were named."""
        return self._collector(file_path, parent)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collect_directory(
        self, path: Path, parent: pytest.Collector
    ) -> Optional[pytest.Collector]:
        """Collect directories that were named as samples, and so none of their files as tests."""
        return self._collector(path, parent)

    def _collector(self, path: Path, parent: pytest.Collector) -> Optional[pytest.Collector]:
        if real_path(path) not in self._suite.given.samples:
            return None
        collector: pytest.Collector = SamplesCollector.from_parent(
            parent, path=path, nodeid=node_id_of(parent.config, path)
        )
        return collector

    def pytest_collectstart(self, collector: pytest.Collector) -> None:
        """Remember which samples files the arguments led to."""
        if isinstance(collector, SamplesCollector):
            self._collected.add(real_path(collector.path))

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(
        self, session: pytest.Session, items: list[pytest.Item]
    ) -> None:
        """Collect the other samples files, too, whatever the arguments and ``testpaths`` say.

        They are not appended to the arguments: pytest 8 drops the tests of a folder where a file
        inside is an argument as well.
        """
        for path in self._suite.given.samples:
            if path not in self._collected:
                collector = SamplesCollector.from_parent(
                    session, path=path, nodeid=node_id_of(session.config, path)
                )
                items.extend(session.genitems(collector))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Tell the suite what is coming, in order, for it to work ahead."""
        self._results.expect(item.nodeid for item in session.items)
        plan_ahead(self._suite, session)

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Give a worker what this process has converted already, and needs itself in the end."""
        if self._shared is None:
            self._shared = SharedSamples()
            node.config.add_cleanup(self._shared.close)
        share_samples(node, self._shared, self._suite.given.samples, self._suite.open)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """Remember what the workers are to run: the controller collects nothing itself."""
        self._results.expect(ids)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[Any]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Let the outcome of a problem ride on its report, as plain builtins."""
        report = yield
        if isinstance(item, ProblemItem) and call.when == "call":
            attach_outcome(report, item)
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Gather the outcomes, wherever they were measured."""
        self._results.take(report)

    @pytest.hookimpl(wrapper=True, trylast=True)  # before the terminal closes its last line
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        """Judge the gates when every test has run; a loop that ends early judges nothing."""
        config = session.config
        if is_worker(config) or config.option.collectonly:
            return (yield)
        gates = Gates(self._suite, self._results)
        is_distributed = config.pluginmanager.hasplugin("dsession")
        if session.testscollected:  # or the progress would pass 100%
            session.testscollected += gates.count
        result = yield
        if is_distributed and session.testscollected:  # counted by now, without the gates
            session.testscollected += gates.count
        if session.testscollected:
            try:
                gates.judge(session)
                gates.written = write_reports(config, self._suite, gates.judged)
            except CodecollapseError as error:
                raise pytest.UsageError(str(error)) from error
            self._gates = gates
        return result

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Annotate the run where it is one of GitHub's."""
        if self._gates is not None and self._suite.given.values["github"]:
            annotate(session.config, self._gates.judged)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Show the tables and the gates."""
        if not terminalreporter.config.option.collectonly:
            write_summary(terminalreporter, self._suite, self._gates)
