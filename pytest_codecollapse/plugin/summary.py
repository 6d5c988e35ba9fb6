"""What the terminal shows of the session: how it runs programs; the tables, and a line a gate."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from typing import Any, Optional

import pytest

from pytest_codecollapse.errors import CodecollapseError
from pytest_codecollapse.model import Report
from pytest_codecollapse.plugin.gates import Gates, Judged
from pytest_codecollapse.plugin.suite import Suite
from pytest_codecollapse.plugin.updating import NOT_RUN
from pytest_codecollapse.report import (
    Screen,
    comparison_table,
    environment_line,
    extraction_warning,
    gate_annotations,
    isolation_lines,
    measurement_table,
    printable,
    problem_details,
    reading_lines,
    reason_lines,
    unmeasured_lines,
    verdict_lines,
    wrapped,
)
from pytest_codecollapse.samples import SamplesFile, is_saved_report


def reading_header(config: pytest.Config, suite: Suite) -> list[str]:
    """Say what was recognised in the session's samples, and what is odd about them.

    They are opened for it, and stay open for the collection, or under pytest-xdist for the
    judgement. A fault in them is the collection's to tell.
    """
    baseline = [] if suite.given.baseline is None else [suite.given.baseline]
    opened = []
    for path in (*suite.given.samples, *baseline):
        with suppress(CodecollapseError):
            if not is_saved_report(path):
                opened.append(suite.open(path))
    return read_lines(config, suite, opened)


def read_lines(config: pytest.Config, suite: Suite, opened: Iterable[SamplesFile]) -> list[str]:
    """Say what was recognised in samples that are open."""
    screen = Screen(config.get_terminal_writer().fullwidth)
    return [
        wrapped(f"codecollapse: {line}", screen)
        for samples in opened
        for line in reading_lines(suite.shown(samples.path), samples)
    ]


#: Behind how many problems of failed gates it is said why their candidates fail.
_MOST_DETAILS = 3


def isolation_header(config: pytest.Config, suite: Suite) -> list[str]:
    """Say how far programs are isolated; with --collect-only, when none runs, as it is asked."""
    if config.option.collectonly:
        asked = suite.given.values["isolation"]
        return [f"codecollapse: isolation {asked} (no program is run), jobs {suite.jobs}"]
    screen = Screen(config.get_terminal_writer().fullwidth)
    lines = isolation_lines(suite.environment, suite.jobs, suite.missing)
    return [wrapped(f"codecollapse: {line}", screen) for line in lines]


def write_summary(reporter: pytest.TerminalReporter, suite: Suite, gates: Optional[Gates]) -> None:
    """Write the section of this plugin."""
    reporter.write_sep("=", "codecollapse")
    if gates is None:
        reporter.write_line(f"no gate was judged: {NOT_RUN}")
        if suite.given.update is not None and suite.given.baseline is not None:
            reporter.write_line(
                f"baseline {suite.shown(suite.given.baseline)} not updated: {NOT_RUN}"
            )
        return
    writer = reporter.config.get_terminal_writer()
    screen = Screen(writer.fullwidth, writer.hasmarkup)
    for judged in gates.judged:
        if len(suite.given.samples) > 1:
            reporter.write_sep("-", suite.shown(judged.samples))
        _write_file(reporter, suite, judged, screen)
    for path in gates.written:
        partial = gates.judged[0].partial
        scope = "" if partial is None else f" ({partial})"
        reporter.write_line(f"report written to {suite.shown(path)}{scope}")
    if gates.update is not None:
        for line in gates.update.lines:
            reporter.write_line(wrapped(line, screen))


def annotate(config: pytest.Config, judged: Sequence[Judged]) -> None:
    """Tell GitHub's runner of each failed gate, also where no summary or no terminal is shown."""
    reporter: Any = config.pluginmanager.get_plugin("terminalreporter")
    write = print if reporter is None else reporter.write_line
    write("")  # the line of the progress is not ended yet, and a command has one of its own
    for line in (line for each in judged for line in gate_annotations(each.verdicts)):
        write(line)


def _details(report: Report, problem_ids: Collection[str], screen: Screen) -> str:
    """Say why candidates of the first problems behind failed gates fail, where a row does not."""
    suspects = [
        each
        for each in report.problems
        if each.problem_id in problem_ids and (each.checks is not None or len(each.causes) > 1)
    ]
    lines = []
    for each in suspects[:_MOST_DETAILS]:
        head, *asserts = problem_details(each) or ("",)
        if head:
            lines.append(wrapped(f"{printable(each.problem_id)}: {head}", screen))
            lines += [wrapped(line.strip(), screen, "  ") for line in asserts]
    return "\n".join(lines)


def _write_file(
    reporter: pytest.TerminalReporter, suite: Suite, judged: Judged, screen: Screen
) -> None:
    show = suite.given.values["show"]
    # a stale gate may name every problem, and no figure of theirs is why
    failed = [each for each in judged.verdicts if each.failed and each.status != "stale"]
    behind = {name for each in failed for name in each.problem_ids}
    doubt = extraction_warning(judged.report)
    parts = [wrapped(doubt, screen)] if doubt else []
    if show != "gates" and judged.report.problems:
        parts.append(
            measurement_table(judged.report, screen, None if show == "all" else sorted(behind))
        )
        parts.append(reason_lines(judged.report, screen))
        parts.append(_details(judged.report, behind, screen))
    if show == "all" and judged.baseline is not None:
        parts.append(comparison_table(judged.baseline.comparison, screen))
    elif judged.baseline is not None and judged.baseline.comparison.caution is not None:
        parts.append(wrapped(f"caution: {judged.baseline.comparison.caution}", screen))
    parts.append(unmeasured_lines(judged.report, screen))
    if judged.baseline is not None:
        parts.append(environment_line(judged.baseline.comparison, screen))
        parts.append(unmeasured_lines(judged.baseline.report, screen))
    if judged.partial is not None:
        parts.append(f"{suite.shown(judged.samples)}: {judged.partial}: no gate was judged")
    else:
        parts.append(verdict_lines(judged.verdicts, screen, with_details=False))
    reporter.write_line("\n\n".join(part for part in parts if part))
