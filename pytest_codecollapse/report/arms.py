"""A trial of arms -> a table a metric, and its JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pytest_codecollapse.gate import (
    Intervention,
    Trial,
    describe_allowed,
    describe_staleness,
    effect_of,
    format_interval,
    format_number,
    is_stale,
    percent_text,
    plural,
)
from pytest_codecollapse.model import MetricDelta
from pytest_codecollapse.report.jsonfile import one_item_a_line, value_of
from pytest_codecollapse.report.text import Column, Screen, printable, table, wrapped


def arms_tables(trial: Trial, screen: Screen) -> str:
    """Show a row an intervention for pass@k and E[D_k] at each k, and what they rest on.

    Parameters
    ----------
    trial
        The interventions against their control.
    screen
        What it is shown on.
    """
    metrics = [metric for metric in _metrics(trial) if _is_defined(trial, metric)]
    tables = [_table(trial, metric, screen) for metric in metrics or [f"pass@{min(trial.ks)}"]]
    notes = "\n".join(wrapped(note, screen) for note in _notes(trial))
    return "\n\n".join([*tables, notes])


def render_arms(trial: Trial) -> str:
    """Return a trial as JSON, an intervention a line; the same trial is the same text."""
    each = trial.interventions[0].comparison.settings
    whole = {
        "schema": 1,
        "settings": {
            "resamples": trial.settings.resamples,
            "confidence": value_of(trial.settings.confidence),
            "correction": trial.correction,
            "confidence_each": value_of(each.confidence),
            "seed": trial.settings.seed,
            "interval": trial.settings.interval,
        },
        "control": trial.control,
        "caution": trial.caution,
        "interventions": list(map(_object, trial.interventions)),
    }
    return one_item_a_line(whole, "interventions")


def _object(each: Intervention) -> dict[str, Any]:
    comparison = each.comparison
    return {
        "arm": each.name,
        "paired": comparison.paired,
        "prompts_differ": each.prompts_differ,
        "staleness": comparison.staleness,
        "environment": comparison.environment,
        "caution": comparison.caution,
        "verdicts": each.verdicts,
        "metrics": [
            {
                "metric": row.metric,
                "pairs": row.pairs,
                "control": value_of(row.before),
                "arm": value_of(row.after),
                "delta": value_of(row.delta),
                "interval": None if row.interval is None else [value_of(x) for x in row.interval],
                "effect": effect_of(row),
            }
            for row in comparison.metrics
        ],
    }


def _metrics(trial: Trial) -> Iterator[str]:
    """Name the metrics that are shown; one draw is always one behaviour."""
    yield from (f"pass@{k}" for k in trial.ks)
    yield from (f"E[D_{k}]" for k in trial.ks if k > 1)


def _is_defined(trial: Trial, metric: str) -> bool:
    """Whether any problem has so many candidates in the control and in an arm."""
    return any(_row(each, metric).pairs for each in trial.interventions)


def _table(trial: Trial, metric: str, screen: Screen) -> str:
    rows = [_row(each, metric) for each in trial.interventions]
    confidence = trial.interventions[0].comparison.settings.confidence
    names = Column(metric, [printable(each.name) for each in trial.interventions])
    columns = [
        Column("control", [format_number(row.before) for row in rows]),
        Column("arm", [format_number(row.after) for row in rows]),
        Column("delta", [format_number(row.delta) for row in rows]),
        Column(
            f"{percent_text(confidence)} interval", [format_interval(row.interval) for row in rows]
        ),
    ]
    if metric.startswith("pass@"):
        columns.append(Column("verdict", [effect_of(row) or "-" for row in rows]))
    columns.append(Column("problems", [str(row.pairs) for row in rows]))
    return table(names, columns, screen)


def _row(each: Intervention, metric: str) -> MetricDelta:
    """Return a metric's row; one of nothing where reports hold no problem at all."""
    for row in each.comparison.metrics:
        if row.metric == metric:
            return row
    return MetricDelta(metric=metric, pairs=0, before=None, after=None, delta=None, interval=None)


def _notes(trial: Trial) -> Iterator[str]:
    resamples = plural(trial.settings.resamples, "resample")
    yield (
        f"control: {printable(trial.control)}; {resamples} ({trial.settings.interval}); an arm"
        " fixes where the interval of the delta lies above zero, and harms where it lies below"
    )
    undefined = [metric for metric in _metrics(trial) if not _is_defined(trial, metric)]
    if undefined and any(each.comparison.paired for each in trial.interventions):
        yield f"no {', '.join(undefined)}: no problem has so many candidates in both arms"
    if trial.caution is not None:
        yield trial.caution
    names: dict[str, list[str]] = {}  # what is to be said of several arms is said once
    for each in trial.interventions:
        for note in _notes_of(each, trial):
            names.setdefault(note, []).append(each.name)
    yield from (printable(f"{', '.join(names[note])}: {note}") for note in names)


def _notes_of(each: Intervention, trial: Trial) -> Iterable[str]:
    comparison = each.comparison
    if comparison.caution is not None:
        yield comparison.caution
    if each.prompts_differ:
        yield (
            f"{plural(each.prompts_differ, 'problem')} asked by another prompt, as an intervention"
            " may"
        )
    if comparison.environment:
        yield f"measured elsewhere than the control: {', '.join(comparison.environment)}"
    if is_stale(comparison.staleness) and not _said(each):
        yield f"not comparable with {trial.control}: {describe_staleness(comparison.staleness)}"
    if allowed := describe_allowed(comparison.staleness):
        yield f"as allowed: {allowed}"


def _said(each: Intervention) -> bool:
    """Whether a verdict tells that the sides are not comparable."""
    return any(verdict.status == "stale" for verdict in each.verdicts)
