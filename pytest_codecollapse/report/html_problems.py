"""Findings -> the HTML report's account of each problem: its classes, and code of their members."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Optional

from pytest_codecollapse.gate import format_number, plural
from pytest_codecollapse.model import BehaviourClass, ProblemReport, SharedFailure, Witness
from pytest_codecollapse.report.findings import Findings, Sources
from pytest_codecollapse.report.highlight import highlight
from pytest_codecollapse.report.reasons import (
    asserts_passed,
    causes_among,
    counted_causes,
    disagreeing,
    disagreement_of,
    failed_assert,
    first_failure,
    left_out_head,
    listed,
)
from pytest_codecollapse.report.text import printable

if TYPE_CHECKING:
    from markupsafe import Markup

_MOST_CLASSES = 12
_MOST_CODE = 5
_MOST_DISAGREEMENTS = 5
_MOST_NAMES = 5
_MOST_LINES = 60
_MOST_CHARACTERS = 4000
_STRIP = 1000


class Segment(NamedTuple):
    """A class in the strip of a problem, in thousandths of its candidates."""

    kind: str
    x: float
    width: float
    title: str


class ClassView(NamedTuple):
    """One class: how large, what it does, and a member's code where there is any.

    ``why`` says why its members fail, ``tests`` how many asserts they passed; ``failed`` is the
    first assert that its first failing member failed.
    """

    correct: bool
    size: int
    share: float
    outcomes: str
    news: str
    why: str
    tests: str
    failed: Optional[SharedFailure]
    witness: Optional[Witness]
    code: Optional[Markup]
    code_note: str


class ProblemView(NamedTuple):
    """One problem. ``facts`` are short texts, ``strips`` have a name and its segments."""

    problem_id: str
    anchor: str
    suspect: bool
    facts: tuple[str, ...]
    strips: tuple[tuple[str, tuple[Segment, ...]], ...]
    notes: tuple[str, ...]
    disagreements: tuple[str, ...]
    classes: tuple[ClassView, ...]
    classes_left_out: str
    lost: tuple[ClassView, ...]
    lost_left_out: str


def view_problems(findings: Findings) -> tuple[ProblemView, ...]:
    """Return what the page tells of each problem, the worst first."""
    before, suspects = findings.counterparts(), findings.suspects()
    anchors = anchors_of(findings)
    return tuple(
        _problem(findings, each, before.get(each.problem_id), anchors, suspects)
        for each in findings.worst_first()
    )


def anchors_of(findings: Findings) -> dict[str, str]:
    """Name the place of each problem in the page; an id is hostile text, a number is not."""
    return {each.problem_id: f"p{index}" for index, each in enumerate(findings.after.problems)}


def _problem(
    findings: Findings,
    problem: ProblemReport,
    before: Optional[ProblemReport],
    anchors: dict[str, str],
    suspects: frozenset[str],
) -> ProblemView:
    known = _fingerprints(before)
    sources = findings.sources(problem.problem_id)
    classes = problem.partition.classes
    lost = _lost(before, problem)
    old_sources = _sources_of(lost, findings.baseline_sources, problem.problem_id)
    strips = [("before", before), ("after", problem)] if before else [("", problem)]
    return ProblemView(
        problem_id=problem.problem_id,
        anchor=anchors[problem.problem_id],
        suspect=problem.problem_id in suspects,
        facts=_facts(problem, before, findings.headline()),
        strips=tuple((name, _segments(each)) for name, each in strips),
        notes=_notes(problem),
        disagreements=_disagreements(problem),
        classes=_views(classes, problem, sources, known),
        classes_left_out=_left_out(classes, sources),
        lost=() if before is None else _views(lost, before, old_sources, None),
        lost_left_out=_left_out(lost, old_sources),
    )


def _fingerprints(before: Optional[ProblemReport]) -> Optional[dict[str, int]]:
    if before is None:
        return None
    return {each.fingerprint: len(each.members) for each in before.partition.classes}


def _lost(before: Optional[ProblemReport], after: ProblemReport) -> Sequence[BehaviourClass]:
    if before is None:
        return ()
    kept = {each.fingerprint for each in after.partition.classes}
    return [each for each in before.partition.classes if each.fingerprint not in kept]


def _sources_of(
    classes: Sequence[BehaviourClass], sources: Sources, problem_id: str
) -> Sequence[str]:
    return sources(problem_id) if classes else ()


def _facts(
    problem: ProblemReport, before: Optional[ProblemReport], headline: str
) -> tuple[str, ...]:
    def moved(now: object, then: object) -> str:
        return str(now) if before is None or then == now else f"{then} → {now}"

    old = problem if before is None else before
    values = [format_number(each.statistics.get(headline)) for each in (problem, old)]
    behaviours, asts = len(problem.partition.classes), len(problem.partition.ast_classes)
    return (
        f"{headline} {moved(*values)}",
        f"{moved(behaviours, len(old.partition.classes))}"
        f" {'behaviour' if behaviours == 1 else 'behaviours'}",
        f"{moved(asts, len(old.partition.ast_classes))} {'AST' if asts == 1 else 'ASTs'}",
        f"{moved(f'{problem.correct}/{problem.n}', f'{old.correct}/{old.n}')} correct",
    )


def _segments(problem: ProblemReport) -> tuple[Segment, ...]:
    """Lay the classes side by side: the correct ones first, then the largest."""
    segments = []
    start = 0
    for each in sorted(problem.partition.classes, key=lambda each: not each.correct):
        size = len(each.members)
        what = "correct" if each.correct else "wrong"
        segments.append(
            Segment(
                kind=what,
                x=round(_STRIP * start / problem.n, 1),
                width=round(_STRIP * size / problem.n, 1),
                title=f"{size} of {problem.n} candidates, {what}: {_outcomes(each)}",
            )
        )
        start += size
    return tuple(segments)


def _notes(problem: ProblemReport) -> tuple[str, ...]:
    partition = problem.partition
    counted = (
        (len(partition.nondeterministic), "differ from run to run"),
        (len(partition.order_dependent), "depend on the order of calls"),
    )
    notes = [f"{count} of {problem.n} candidates {what}" for count, what in counted if count]
    stable_at = format_number(problem.statistics.get("stable_at"))
    notes.append(f"stable after {stable_at} of {len(partition.stability_curve)} inputs")
    if problem.left_out:
        notes.append(f"{plural(len(problem.left_out), 'input')} left out, unanswered by reference")
    if problem.checks is not None and problem.checks.left_out:
        notes.append(f"{left_out_head([problem])} {printable(problem.checks.first_left_out)}")
    if problem.oracle == "tests":
        notes.append("there is no reference: the tests decide what is correct")
    if problem.causes:
        notes.append(f"why candidates fail: {listed(counted_causes(problem))}")
    if problem.misnamed:
        names = {name: len(members) for name, members in problem.misnamed.items()}
        notes.append(f"differently named: {listed(names, _MOST_NAMES)}")
    return tuple(notes)


def _disagreements(problem: ProblemReport) -> tuple[str, ...]:
    """Say on which candidates tests and reference disagree, and what the reference fails."""
    lines = []
    checks = problem.checks
    if checks is not None and checks.reference_failure is not None:
        lines.append(
            f"the reference fails its own tests: {failed_assert(checks.reference_failure)}"
        )
    found = disagreeing(problem)
    for candidate in found[:_MOST_DISAGREEMENTS]:
        lines.append(f"candidate {candidate} {disagreement_of(problem, candidate)}")
    more = len(found) - _MOST_DISAGREEMENTS
    return (*lines, *([f"and {more} more disagreements"] if more > 0 else []))


def _views(
    classes: Sequence[BehaviourClass],
    problem: ProblemReport,
    sources: Sequence[str],
    known: Optional[dict[str, int]],
) -> tuple[ClassView, ...]:
    with_code = _first(classes, _MOST_CODE)
    return tuple(
        _view(each, problem, sources if each in with_code else (), known)
        for each in _first(classes, _MOST_CLASSES)
    )


def _first(classes: Sequence[BehaviourClass], most: int) -> Sequence[BehaviourClass]:
    """Keep the largest classes, and a correct one however small it is."""
    return [each for index, each in enumerate(classes) if index < most or each.correct]


def _left_out(classes: Sequence[BehaviourClass], sources: Sequence[str]) -> str:
    """Say which classes are not shown, and of which no code is."""
    shown = _first(classes, _MOST_CLASSES)
    left = len(classes) - len(shown)
    notes = []
    if left:
        members = sum(len(each.members) for each in classes if each not in shown)
        candidates = plural(members, "candidate")
        smaller = plural(left, "smaller class", "smaller classes")
        notes.append(f"{smaller} with {candidates} left out")
    with_code = len(_first(classes, _MOST_CODE))
    if sources and with_code < len(classes):
        notes.append(f"code of the {with_code} largest and correct classes only")
    return "; ".join(notes)


def _view(
    each: BehaviourClass,
    problem: ProblemReport,
    sources: Sequence[str],
    known: Optional[dict[str, int]],
) -> ClassView:
    member = each.members[0]
    source = sources[member] if member < len(sources) else None
    code, note = (None, "") if source is None else _code(source)
    news = ""
    if known is not None:
        then = known.get(each.fingerprint)
        news = "new" if then is None else f"was {then}"
    return ClassView(
        correct=each.correct,
        size=len(each.members),
        share=round(100 * len(each.members) / problem.n, 1),
        outcomes=_outcomes(each),
        news=news,
        why=listed(causes_among(problem, each.members)),
        tests=asserts_passed(problem, each.members),
        failed=first_failure(problem, each.members),
        witness=each.witness,
        code=code,
        code_note=f"candidate {member}{note}",
    )


def _code(source: str) -> tuple[Markup, str]:
    lines = source.splitlines()
    shown = "\n".join(lines[:_MOST_LINES])[:_MOST_CHARACTERS]
    cut = len(shown) < len("\n".join(lines))
    note = f", its first {plural(len(shown.splitlines()), 'line')} of {len(lines)}" if cut else ""
    return highlight(shown), note


def _outcomes(each: BehaviourClass) -> str:
    """Say how many inputs ended how, such as ``value on 47, ValueError on 3 inputs``."""
    outcomes = sorted(each.outcomes.items(), key=lambda item: (-item[1], item[0]))
    told = ", ".join(f"{kind.replace('exc:', '')} on {count}" for kind, count in outcomes)
    return f"{told} {'input' if told.endswith(' on 1') else 'inputs'}"
