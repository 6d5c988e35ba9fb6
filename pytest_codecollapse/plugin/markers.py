"""``@pytest.mark.diversity_floor``: rules that a test's samples must keep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, Optional

import pytest

from pytest_codecollapse.errors import CodecollapseError, UsageError
from pytest_codecollapse.gate import BoundRule, Rule, parse_rule, refuse_without_baseline
from pytest_codecollapse.measure import Planned
from pytest_codecollapse.model import Report, Verdict
from pytest_codecollapse.plugin.distributed import is_worker, usage_errors_told
from pytest_codecollapse.plugin.items import ProblemItem
from pytest_codecollapse.plugin.suite import Suite, start, suite_of
from pytest_codecollapse.plugin.summary import isolation_header, read_lines
from pytest_codecollapse.report import printable
from pytest_codecollapse.samples import Entry, SamplesFile

_KNOWN = {"samples", "problem"}
_IDS_NAMED = 5


class Floors(NamedTuple):
    """The rules of a marked test, and what they are about: a problem, or a whole file."""

    rules: tuple[Rule, ...]
    samples: SamplesFile
    entry: Optional[Entry]


_KEY: pytest.StashKey[Floors] = pytest.StashKey()


def bind_floors(config: pytest.Config, items: Sequence[pytest.Item]) -> None:
    """Read the markers of items; the closest one counts.

    Raises
    ------
    pytest.UsageError
        Where a marker's arguments are wrong; it names the test and its line. Where programs
        cannot run as it was asked for.
    """
    with usage_errors_told(config):
        suite = suite_of(config)
        for item in items:
            _bind(suite, item)
        start(config, suite)
    if not suite.given.samples:  # else there is one
        config.pluginmanager.register(_MarkedSession(suite), "codecollapse-marked")


def _bind(suite: Suite, item: pytest.Item) -> None:
    marker = item.get_closest_marker("diversity_floor")
    assert marker is not None
    try:
        item.stash[_KEY] = _floors(suite, item, marker.args, marker.kwargs)
    except CodecollapseError as error:
        path, line, _ = item.location
        raise pytest.UsageError(
            f"{path}:{(line or 0) + 1}: {item.name}: diversity_floor: {error}"
        ) from error


class _MarkedSession:
    """The hooks of a session in which only markers name samples."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Tell the suite what is coming."""
        plan_ahead(self._suite, session)

    def pytest_report_collectionfinish(self, config: pytest.Config) -> list[str]:
        """Say what the header would, had anything been known by then."""
        suite = self._suite
        return [*read_lines(config, suite, suite.opened), *isolation_header(config, suite)]


def plan_ahead(suite: Suite, session: pytest.Session) -> None:
    """Tell the suite which problems the tests will ask for, in order, for it to work ahead.

    A worker of pytest-xdist has collected every test, and does not know which it will run: it
    would measure what the others do.
    """
    if not is_worker(session.config):
        wanted = (each for item in session.items for each in _wanted(item))
        suite.plan(list(dict.fromkeys(wanted)))


def _wanted(item: pytest.Item) -> Iterator[Planned]:
    floors = item.stash.get(_KEY, None)
    if isinstance(item, ProblemItem):
        yield item.samples, item.entry
    elif floors is None or any(map(item.get_closest_marker, ("skip", "skipif"))):
        return  # what may not run is not run for
    elif floors.entry is not None:
        yield floors.samples, floors.entry
    else:
        yield from ((floors.samples, entry) for entry in floors.samples.entries)


def _floors(
    suite: Suite, item: pytest.Item, texts: Sequence[Any], named: Mapping[str, Any]
) -> Floors:
    unknown = sorted(named.keys() - _KNOWN)
    if unknown:
        raise UsageError(
            f"unknown argument {unknown[0]!r}", remedy="it takes rules, samples= and problem="
        )
    if not texts or not all(isinstance(text, str) for text in texts):
        raise UsageError(
            f"expected one or more rules as text (got {', '.join(map(repr, texts)) or 'none'})",
            remedy="write diversity_floor('E[D_5] >= 2', samples='after.jsonl')",
        )
    rules = tuple(parse_rule(text, metrics=suite.metrics) for text in texts)
    if suite.given.baseline is None:
        refuse_without_baseline(rules)
    samples, entry = _subject(suite, item, named)
    if entry is not None and not all(isinstance(rule, BoundRule) for rule in rules):
        raise UsageError(
            "one problem cannot be judged against a baseline: it has no interval",
            remedy="leave problem= out, or use METRIC >= NUMBER",
        )
    suite.allow_draws(rules)
    return Floors(rules, samples, entry)


def _subject(
    suite: Suite, item: pytest.Item, named: Mapping[str, Any]
) -> tuple[SamplesFile, Optional[Entry]]:
    if isinstance(item, ProblemItem):
        if named:
            raise UsageError(
                f"{min(named)}= does not go with a problem of a samples file, which has its own",
                remedy="leave samples= and problem= out",
            )
        return item.samples, item.entry
    samples = suite.open(_samples_path(suite, item, named.get("samples")))
    problem_id = named.get("problem")
    if problem_id is None:
        return samples, None
    for entry in samples.entries:
        if entry.problem_id == problem_id:
            return samples, entry
    ids = [entry.problem_id for entry in samples.entries]
    known = ", ".join([*ids[:_IDS_NAMED], *(["…"] if len(ids) > _IDS_NAMED else [])])
    raise UsageError(f"no problem {problem_id!r} in its samples (expected one of {known})")


def _samples_path(suite: Suite, item: pytest.Item, written: Any) -> Path:
    """Resolve ``samples=`` beside the test's file; the session's only samples file if left out."""
    if isinstance(written, (str, PathLike)):
        return item.path.parent / written
    if written is not None:
        raise UsageError(f"expected samples= to be a path (got {written!r})")
    given = suite.given.samples
    if len(given) != 1:
        raise UsageError(
            f"samples= is missing, and the session has {len(given)} samples files",
            remedy="name the file: samples='after.jsonl', relative to the test's folder",
        )
    return given[0]


def check_floors(item: pytest.Item) -> None:
    """Measure what the marker of an item is about; fail the test where a rule is not kept."""
    floors = item.stash[_KEY]
    suite = suite_of(item.config)
    report = _report(suite, floors)
    if report.unmeasured:
        pytest.fail("\n".join(each.message for each in report.unmeasured), pytrace=False)
    verdicts = suite.judged_by(floors.rules, report, floors.samples.path)
    lines = [line for verdict in verdicts if verdict.failed for line in _lines(verdict)]
    if lines:
        pytest.fail("\n".join(map(printable, lines)), pytrace=False)
    skipped = [verdict.summary for verdict in verdicts if verdict.status == "skipped"]
    if skipped:  # a pass would say that they hold
        pytest.skip("\n".join(map(printable, skipped)))


def _report(suite: Suite, floors: Floors) -> Report:
    if floors.entry is None:
        return suite.report(floors.samples)
    outcomes = [suite.outcome(floors.samples, floors.entry)]
    return suite.assembled(floors.samples, outcomes, suite.measuring)


def _lines(verdict: Verdict) -> list[str]:
    return [verdict.summary, *(f"  {detail}" for detail in verdict.details)]
