"""Report -> JSON text: sorted, exact beside rounded, one problem a line; and writing it safely."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Optional

import msgspec

from pytest_codecollapse.behaviour import stable_at
from pytest_codecollapse.errors import SamplesError, UsageError
from pytest_codecollapse.model import (
    BehaviourClass,
    Comparison,
    Number,
    ProblemReport,
    Report,
    Verdict,
)
from pytest_codecollapse.report.tally import tally
from pytest_codecollapse.samples import (
    JsonClass,
    JsonProblem,
    JsonReport,
    JsonValue,
    problem_from_json,
)

#: Of a number that is written exactly: 1,200 digits. Python itself refuses more than 4,300.
_MOST_BITS = 4000


def render_report(
    report: Report,
    verbatim: Optional[Mapping[str, str]] = None,
    added: Optional[Mapping[str, Any]] = None,
) -> str:
    """Return a report as JSON, ready to be read back; the same report is the same text.

    Parameters
    ----------
    report
        The measurement.
    verbatim
        By problem id the JSON texts of problems that are written as they stand there.
    added
        Keys that a report has not, with their values.
    """
    return one_item_a_line({**report_object(report), **(added or {})}, "problems", verbatim)


def report_object(report: Report) -> dict[str, Any]:
    """Return a report's JSON object as plain builtins."""
    counts = tally(report.problems)
    whole = JsonReport(
        tool_version=report.tool_version,
        environment=report.environment,
        settings=report.settings,
        mean=_values(report.mean),
        ari=_optional_value(report.ari),
        causes=counts.causes,
        repairs=counts.repairs,
        disagreements={
            "only_tests": counts.only_tests,
            "only_reference": counts.only_reference,
        },
        unmeasured=report.unmeasured,
        problems=tuple(map(_problem, report.problems)),
    )
    builtins: dict[str, Any] = msgspec.to_builtins(whole)
    return builtins


def render_object(whole: dict[str, Any]) -> str:
    """Return a report's JSON object as text, after others may have changed it.

    Raises
    ------
    UsageError
        Where it holds what JSON cannot, or could not be read back.
    """
    fields = JsonReport.__struct_fields__
    try:
        msgspec.convert(whole, JsonReport)
        for problem in whole["problems"]:
            problem_from_json(problem)
        known = {name: whole[name] for name in fields}  # a reader knows a report by its first key
        added = {name: whole[name] for name in sorted(whole.keys() - known.keys())}
        return one_item_a_line({**known, **added}, "problems")
    except (msgspec.MsgspecError, KeyError, TypeError, ValueError, SamplesError) as error:
        raise UsageError(
            f"what is left is no report of schema 1 ({error})",
            remedy="add keys to the object, and leave those that it has",
        ) from error


def render_comparison(comparison: Comparison, verdicts: tuple[Verdict, ...]) -> str:
    """Return a comparison and its verdicts as JSON, with exact values beside rounded ones."""
    settings, stale = comparison.settings, comparison.staleness
    whole = {
        "schema": 1,
        "settings": {
            "resamples": settings.resamples,
            "confidence": float(settings.confidence),
            "seed": settings.seed,
            "interval": settings.interval,
        },
        "paired": comparison.paired,
        "staleness": stale,
        "environment": comparison.environment,
        "caution": comparison.caution,
        "verdicts": verdicts,
        "metrics": [
            {
                "metric": row.metric,
                "pairs": row.pairs,
                "before": value_of(row.before),
                "after": value_of(row.after),
                "delta": value_of(row.delta),
                "interval": None if row.interval is None else [value_of(x) for x in row.interval],
            }
            for row in comparison.metrics
        ],
    }
    return one_item_a_line(whole, "metrics")


def value_of(number: Number) -> JsonValue:
    """Return a statistic as a fraction, such as ``59/33``, beside its nearest float.

    A fraction of thousands of digits is left out: Python refuses to write it.
    """
    exact = str(number) if isinstance(number, Fraction) and _is_short(number) else None
    return JsonValue(exact=exact, value=None if number is None else float(number))


def _is_short(number: Fraction) -> bool:
    return max(number.numerator.bit_length(), number.denominator.bit_length()) <= _MOST_BITS


def problem_to_json(problem: ProblemReport) -> dict[str, Any]:
    """Return a problem's JSON form as plain builtins."""
    builtins: dict[str, Any] = msgspec.to_builtins(_problem(problem))
    return builtins


def _optional_value(number: Optional[Fraction]) -> Optional[JsonValue]:
    return None if number is None else value_of(number)


def _values(statistics: Mapping[str, Number]) -> dict[str, JsonValue]:
    return {name: value_of(number) for name, number in statistics.items()}


def _problem(problem: ProblemReport) -> JsonProblem:
    partition = problem.partition
    return JsonProblem(
        problem_id=problem.problem_id,
        identity=problem.identity.whole,
        identity_parts=problem.identity.parts,
        n=problem.n,
        correct=problem.correct,
        classes=tuple(map(_class, partition.classes)),
        nondeterministic=partition.nondeterministic,
        order_dependent=partition.order_dependent,
        distinct_ast=len(partition.ast_classes),
        ast_classes=partition.ast_classes,
        stability_curve=partition.stability_curve,
        stable_at=stable_at(partition.stability_curve),
        correct_curve=partition.correct_curve,
        inputs_left_out=problem.left_out,
        ari=_optional_value(problem.ari),
        cluster=problem.cluster,
        oracle=problem.oracle,
        checks=problem.checks,
        causes=problem.causes,
        misnamed=problem.misnamed,
        repairs=problem.repairs,
        input_origins=problem.input_origins,
        statistics=_values(problem.statistics),
    )


def _class(behaviour: BehaviourClass) -> JsonClass:
    return JsonClass(
        fingerprint=behaviour.fingerprint,
        members=behaviour.members,
        correct=behaviour.correct,
        outcomes=behaviour.outcomes,
        witness=behaviour.witness,
    )


def one_item_a_line(whole: Any, field: str, texts: Optional[Mapping[str, str]] = None) -> str:
    """Encode an object with the items of its last field a line each, so that diffs are read.

    Of items whose problem id has a text, that is written.
    """
    fields = msgspec.to_builtins(whole)
    items = fields.pop(field)
    encode = msgspec.json.encode
    known = texts or {}
    head = encode(fields).decode()[:-1]
    body = ",\n".join(known.get(item.get("problem_id")) or encode(item).decode() for item in items)
    return f'{head},"{field}":[\n{body}\n]}}\n'
