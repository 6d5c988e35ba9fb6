"""Findings -> GitHub-flavoured markdown, for a job's summary or a comment.

Text that is not ours stands in ``code`` or ``pre`` elements with what could be markup as
entities: there nothing is markup, and GitHub makes no mention, link or reference of it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Optional

from pytest_codecollapse.gate import (
    describe_staleness,
    format_interval,
    format_number,
    plural,
)
from pytest_codecollapse.model import MetricDelta, ProblemReport, Verdict
from pytest_codecollapse.report.findings import Findings
from pytest_codecollapse.report.reasons import (
    cause_rows,
    disagreements,
    extraction_warning,
    main_cause,
    problem_details,
    remarks,
)
from pytest_codecollapse.report.tally import tally
from pytest_codecollapse.report.text import printable

#: What GitHub takes of a step's summary.
MOST_BYTES = 1024 * 1024 - 1024

#: Signs that are no markup by themselves, where all others are entities.
_NO_MARKUP = " ,.-+/()%="

#: A dot that would make a link of what follows.
_WWW = re.compile(r"(?<=[wW])\.")

_WORST = 10
_MOST_FAULTS = 50
_CUT = "\n\n… cut here: the report is longer than GitHub takes.\n"

_SIGNS = {
    "pass": "✅ pass",
    "fail": "❌ fail",
    "stale": "❌ stale",
    "inconclusive": "❔ inconclusive",
    "skipped": "⏭️ skipped",
}


def render_markdown(findings: Findings) -> str:
    """Return the findings as markdown of less than a mebibyte; the same are the same text."""
    parts = [_title(findings), _tally(findings), *_gates(findings), *_notes(findings)]
    parts += [_metrics(findings), _causes(findings), _worst(findings), _unmeasured(findings)]
    return fitted("\n\n".join(part for part in parts if part) + "\n", MOST_BYTES)


def fitted(text: str, most_bytes: int) -> str:
    """Cut a text that is too long at the end of a line, and say so."""
    if len(text.encode()) <= most_bytes:
        return text
    room = most_bytes - len(_CUT.encode())
    head = text.encode()[: max(room, 0)].decode(errors="ignore")
    return head.rpartition("\n")[0] + _CUT if room > 0 else ""


def code(text: str) -> str:
    """Set hostile text in a line or a cell of a table, so that it is shown and nothing else."""
    shown = "".join(map(_entity, printable(text)))
    return f"<code>{_WWW.sub('&#46;', shown)}</code>"


def _entity(character: str) -> str:
    plain = character.isalnum() or character in _NO_MARKUP
    return character if plain else f"&#{ord(character)};"


def _block(lines: Iterable[str]) -> str:
    """Set hostile lines as they are; a blank line would end what HTML markdown lets through."""
    return f"<pre>{chr(10).join(html.escape(printable(line)) or '&#32;' for line in lines)}</pre>"


def _title(findings: Findings) -> str:
    against = f" against {code(findings.baseline_name)}" if findings.baseline else ""
    return f"## codecollapse: {code(findings.name)}{against}"


def _tally(findings: Findings) -> str:
    if findings.partial:
        return f"**No gate was judged: {findings.partial}**"
    failed = sum(verdict.failed for verdict in findings.verdicts)
    if failed:
        return f"**{failed} of {plural(len(findings.verdicts), 'gate')} failed**"
    passed = sum(verdict.status == "pass" for verdict in findings.verdicts)
    if not findings.verdicts:
        return "No gate was asked for."
    return f"**{passed} of {plural(len(findings.verdicts), 'gate')} passed**"


def _gates(findings: Findings) -> Iterator[str]:
    if findings.verdicts:
        rows = [(_SIGNS[each.status], code(each.summary)) for each in findings.verdicts]
        yield _table(("", "gate"), rows, "--")
    for verdict in findings.verdicts:
        if verdict.failed and verdict.details:
            yield _details(verdict)


def _details(verdict: Verdict) -> str:
    head = f"<details><summary>{code(verdict.rule)}</summary>"
    return f"{head}\n\n{_block(verdict.details)}\n\n</details>"


def _notes(findings: Findings) -> Iterator[str]:
    doubt = extraction_warning(findings.after)
    if doubt:
        yield f"**Warning:** {code(doubt.partition(': ')[2])}"
    if findings.baseline is None:
        return
    comparison = findings.baseline.comparison
    stale = describe_staleness(comparison.staleness)
    if stale:
        yield f"**Not comparable:** {code(stale)}"
    if comparison.caution is not None:
        yield f"**Caution:** {code(comparison.caution)}"


def _metrics(findings: Findings) -> str:
    if findings.baseline is None:
        means = findings.after.mean.items()
        rows = [(f"`{name}`", format_number(value)) for name, value in means]
        return f"### Means\n\n{_table(('metric', 'mean'), rows, '-:')}" if rows else ""
    metrics = findings.baseline.comparison.metrics
    if not metrics:
        return ""
    header = ("metric", "before", "after", "delta", findings.interval_title(), "")
    return f"### Metrics\n\n{_table(header, map(_metric_row, metrics), '-:')}"


def _metric_row(row: MetricDelta) -> tuple[str, ...]:
    excludes_zero = row.interval is not None and (row.interval[0] > 0 or row.interval[1] < 0)
    return (
        f"`{row.metric}`",
        *map(format_number, (row.before, row.after, row.delta)),
        format_interval(row.interval),
        "\\*" if excludes_zero else "",
    )


def _causes(findings: Findings) -> str:
    """Say why candidates fail, what was repaired, and where tests and reference disagree."""
    counts = tally(findings.after.problems)
    rows = [(cause, str(count), share) for cause, count, share in cause_rows(counts)]
    parts = [_table(("cause", "candidates", "share"), rows, "-:")] if rows else []
    parts += map(code, remarks(counts))
    for head, lines in disagreements(findings.after.problems, counts):
        parts.append(_block((head, *(f"  {line}" for line in lines))))
    return "\n\n".join(["### Why candidates fail", *parts]) if parts else ""


def _worst(findings: Findings) -> str:
    before, headline = findings.counterparts(), findings.headline()
    problems = findings.worst_first()
    if not problems:
        return ""
    most = f"lost most `{headline}`" if before else "hide most behind their text"
    header = ("problem", f"`{headline}`", "behaviours", "ASTs", "correct", "main cause")
    rows = [_problem_row(each, before.get(each.problem_id), headline) for each in problems[:_WORST]]
    left = len(problems) - len(rows)
    more = f"\n\n{plural(left, 'further problem')}." if left else ""
    table = f"### Problems, those that {most} first\n\n{_table(header, rows, '-:')}{more}"
    return "\n\n".join([table, *filter(None, map(_asserts, problems[:_WORST]))])


def _asserts(problem: ProblemReport) -> str:
    """Set apart which asserts the candidates of a problem fail first; empty where none."""
    lines = problem_details(problem)[1:]
    if not lines:
        return ""
    head = f"<details><summary>{code(problem.problem_id)}: failed asserts</summary>"
    return f"{head}\n\n{_block(line.strip() for line in lines)}\n\n</details>"


def _problem_row(
    problem: ProblemReport, before: Optional[ProblemReport], headline: str
) -> tuple[str, ...]:
    now = _figures(problem, headline)
    then = now if before is None else _figures(before, headline)
    moves = (new if new == old else f"{old} → {new}" for old, new in zip(then, now))
    return (code(problem.problem_id), *moves, main_cause(problem))


def _figures(problem: ProblemReport, headline: str) -> tuple[str, ...]:
    return (
        format_number(problem.statistics.get(headline)),
        str(len(problem.partition.classes)),
        str(len(problem.partition.ast_classes)),
        f"{problem.correct}/{problem.n}",
    )


def _unmeasured(findings: Findings) -> str:
    faults = findings.unmeasured()
    if not faults:
        return ""
    left = len(faults) - _MOST_FAULTS
    lines = [*faults[:_MOST_FAULTS], *([f"… and {left} more"] if left > 0 else [])]
    return f"### Not measured\n\n{_block(lines)}"


def _table(header: Sequence[str], rows: Iterable[Sequence[str]], alignment: str) -> str:
    """Write a table; the first column is names, the others are aligned as told."""
    rules = ["--", *[alignment] * (len(header) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, rules, *rows))
