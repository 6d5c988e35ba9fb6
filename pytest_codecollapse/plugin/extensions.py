"""Calling the hooks: what they return is checked here, once, and what they raise is said."""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Optional

import msgspec
import pytest

from pytest_codecollapse.errors import CodecollapseError, UsageError, Where
from pytest_codecollapse.gate import Metrics, checked_metrics
from pytest_codecollapse.model import Comparison, Report, Verdict
from pytest_codecollapse.report import printable, render_object, report_object
from pytest_codecollapse.samples import SamplesFile, is_there, open_records, open_samples
from pytest_codecollapse.sandbox import checked_canonicalizers

_PREFIX = "pytest_codecollapse_"


class Extensions(NamedTuple):
    """What hooks add to what is measured: metrics by name, canonicalisers by type."""

    metrics: Metrics
    canonicalizers: dict[str, str]


def extensions_of(config: pytest.Config) -> Extensions:
    """Ask the hooks for further metrics and canonicalisers.

    Raises
    ------
    UsageError
        Where a hook raises, or what it returns is not what it is asked for.
    """
    return Extensions(
        metrics=checked_metrics(_pairs(config, "metrics")),
        canonicalizers=checked_canonicalizers(_pairs(config, "canonicalize")),
    )


def samples_at(
    config: pytest.Config, path: Path, values: Mapping[str, Any], shown_as: str
) -> SamplesFile:
    """Open samples, in a format that a hook reads or in one that the package knows.

    Parameters
    ----------
    config
        The session's.
    path
        A file or a directory.
    values
        The parsed values of ``READ_OPTIONS``, by key; a hook is not told of them.
    shown_as
        The path as messages name it.

    Raises
    ------
    SamplesError
        Where they are missing or malformed.
    UsageError
        Where a hook raises.
    """
    records = _call(config, "load_samples", path=path) if is_there(path) else None
    if records is None:
        problems, extract = values["problems"], values["extract"]
        return open_samples(path, problems=problems, extract=extract, shown_as=shown_as)
    if isinstance(records, (str, bytes, Mapping)) or not isinstance(records, Iterable):
        raise _unexpected("load_samples", records, "an iterable of problems, or None")
    return open_records(path, records, shown_as=shown_as)


def reads_more(config: pytest.Config) -> bool:
    """Whether anything implements the hook for other formats."""
    return bool(config.hook.pytest_codecollapse_load_samples.get_hookimpls())


def judges_more(config: pytest.Config) -> bool:
    """Whether anything implements the hook for gates."""
    return bool(config.hook.pytest_codecollapse_gate.get_hookimpls())


def further_verdicts(
    config: pytest.Config, report: Report, comparison: Optional[Comparison], taken: Iterable[str]
) -> tuple[Verdict, ...]:
    """Ask the hooks for verdicts of their own, sorted by rule.

    Parameters
    ----------
    config
        The session's.
    report, comparison
        What is to be judged.
    taken
        Rules that are judged already.

    Raises
    ------
    UsageError
        Where a hook raises, returns what is no verdict, or one of a rule that has another.
    """
    found: dict[str, Verdict] = {}
    rules = set(taken)
    for result in _call(config, "gate", report=report, comparison=comparison):
        for given in [result] if isinstance(result, Verdict) else _items("gate", result):
            verdict = _checked(given)
            if verdict.rule in rules:
                raise UsageError(
                    f"{_PREFIX}gate: two verdicts on the rule {verdict.rule!r}",
                    remedy="give each gate a name of its own",
                )
            rules.add(verdict.rule)
            found[verdict.rule] = verdict
    return tuple(found[rule] for rule in sorted(found))


def _checked(verdict: Any) -> Verdict:
    """Check what the hook has put into a verdict: a status that is none would not fail a run.

    Its texts may quote problems, so they are made printable.
    """
    if not isinstance(verdict, Verdict):
        raise _unexpected("gate", verdict, "pytest_codecollapse.Verdict")
    try:
        read = msgspec.convert(msgspec.to_builtins(verdict), Verdict)
    except msgspec.ValidationError as error:
        raise UsageError(
            f"{_PREFIX}gate returned a verdict that is none ({error})", remedy="correct the hook"
        ) from error
    return msgspec.structs.replace(
        read,
        rule=printable(read.rule),
        summary=printable(read.summary),
        details=tuple(map(printable, read.details)),
    )


def render_modified(config: pytest.Config, report: Report) -> str:
    """Return a report as JSON text, as the hooks have it.

    Raises
    ------
    UsageError
        Where a hook raises, or leaves what is no report.
    """
    whole = report_object(report)
    _call(config, "modify_report", report=whole)
    try:
        return render_object(whole)
    except UsageError as error:
        raise UsageError(f"{_PREFIX}modify_report: {error.what}", remedy=error.remedy) from error


def _pairs(config: pytest.Config, name: str) -> Iterator[tuple[Any, Any]]:
    for result in _call(config, name):
        if not isinstance(result, Mapping):
            raise _unexpected(name, result, "a mapping, or None")
        yield from result.items()


def _items(name: str, result: Any) -> Iterable[Any]:
    if isinstance(result, Iterable):
        return result
    raise _unexpected(name, result, "a verdict, an iterable of them, or None")


def _call(config: pytest.Config, name: str, **arguments: Any) -> Any:
    """Call a hook; an error in it is the user's, and named with its place."""
    try:
        return getattr(config.hook, _PREFIX + name)(config=config, **arguments)
    except (CodecollapseError, pytest.UsageError):
        raise
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        raise UsageError(
            f"{_PREFIX}{name} raised {type(error).__name__}: {error}",
            where=Where(os.path.relpath(last.filename, config.rootpath), last.lineno),
            remedy="correct the hook",
        ) from error


def _unexpected(name: str, got: object, expected: str) -> UsageError:
    return UsageError(
        f"{_PREFIX}{name} returned {got!r:.60} (got {type(got).__name__}, expected {expected})",
        remedy="correct the hook",
    )
