"""Why candidates fail, what was repaired, and what is to be said of tests, in lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Optional, Union

from pytest_codecollapse.gate import plural
from pytest_codecollapse.model import FailedAssert, ProblemReport, Report, SharedFailure
from pytest_codecollapse.report.tally import EXTRACTION, Tally, tally
from pytest_codecollapse.report.text import Screen, printable, wrapped

_MOST_LISTED = 5
_MOST_ASSERTS = 3
_MOST_NUMBERS = 3


def extraction_warning(report: Report) -> str:
    """Say that a suite fails mostly for reasons of extraction; empty where it does not.

    It is one line, to stand above what it puts in doubt.
    """
    counts = tally(report.problems)
    if not counts.is_mostly_extraction:
        return ""
    found = {cause: count for cause, count in counts.causes.items() if cause in EXTRACTION}
    look = "look at how programs are got out of what it wrote"
    if 2 * found.get("name", 0) > counts.extraction:
        look = (
            "see whether these are the problems that were sampled from,"
            " and whether the prompt names the function"
        )
    return (
        f"warning: {counts.extraction} of {plural(counts.incorrect, 'candidate')} that"
        f" {'is' if counts.incorrect == 1 else 'are'} not correct fail for reasons of extraction"
        f" ({listed(found)}): this is not the model's diversity; {look}"
    )


def reason_lines(report: Report, screen: Screen) -> str:
    """Say over a suite why candidates fail, what was repaired, and what disagrees."""
    counts = tally(report.problems)
    lines = [wrapped(line, screen) for line in suite_reasons(counts)]
    for head, first in disagreements(report.problems, counts):
        lines.append(wrapped(head, screen))
        lines += [wrapped(line, screen, "  ") for line in first]
    return "\n".join(lines)


def suite_reasons(counts: Tally) -> Iterator[str]:
    """Yield a line each on causes, on names, on repairs and on where inputs come from."""
    if counts.causes:
        causes = (f"{name} {count} ({share})" for name, count, share in cause_rows(counts))
        yield f"why candidates fail: {', '.join(causes)}"
    yield from remarks(counts)


def remarks(counts: Tally) -> Iterator[str]:
    """Yield a line each on names, on repairs and on where inputs come from."""
    if counts.misnamed:
        yield f"differently named: {listed(counts.misnamed, _MOST_LISTED)}"
    if counts.repairs:
        several = f" ({counts.repaired_often} had several)" if counts.repaired_often else ""
        yield f"extraction: {counts.untouched} as they were, {listed(counts.repairs)}{several}"
    if {"tests", "mutation"} & counts.origins.keys():
        yield f"inputs by origin: {listed(counts.origins)}"


def cause_rows(counts: Tally) -> tuple[tuple[str, int, str], ...]:
    """Return each cause with its count and its share of what fails, the largest first.

    A share that rounds to none or to all says so: ``<1%``, ``>99%``.
    """
    total = sum(counts.causes.values())
    return tuple(
        (printable(name), count, _percent(Fraction(count, total)))
        for name, count in _most(counts.causes).items()
    )


def _percent(share: Fraction) -> str:
    rounded = round(100 * share)
    if share and not rounded:
        return "<1%"
    return ">99%" if rounded == 100 and share != 1 else f"{rounded}%"


def _most(counts: Mapping[str, int]) -> dict[str, int]:
    """Return counts, the largest first; those that are equal stay in their order."""
    return dict(sorted(counts.items(), key=lambda item: -item[1]))


def listed(counts: Mapping[str, int], most: Optional[int] = None) -> str:
    """Write names with their counts, the largest first; how many are left out where they are."""
    shown = [f"{printable(name)} {count}" for name, count in _most(counts).items()][:most]
    more = len(counts) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def disagreements(
    problems: Iterable[ProblemReport], counts: Tally
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what is to be said of tests: a line, and its first ones.

    On whom they and references disagree, which references fail them, and what is left out; each is
    one line, and printable.
    """
    problems = tuple(problems)
    count = counts.only_tests + counts.only_reference
    if count:
        head = f"tests and reference disagree on {plural(count, 'candidate')}, each a weak test"
        yield f"{head} or a wrong reference:", _first(list(_disagreeing(problems)))
    failing = [
        f"{printable(each.problem_id)}: {failed_assert(each.checks.reference_failure)}"
        for each in problems
        if each.checks is not None and each.checks.reference_failure is not None
    ]
    if failing:
        fail = "fails its" if len(failing) == 1 else "fail their"
        head = f"{plural(len(failing), 'reference')} {fail} own tests:"
        yield head, _first(failing)
    left_out = [each for each in problems if each.checks is not None and each.checks.left_out]
    if left_out:
        yield left_out_head(left_out), _first(list(map(_first_left_out, left_out)))


def left_out_head(problems: Sequence[ProblemReport]) -> str:
    """Say how many asserts of some problems count for nothing, and why."""
    count = sum(each.checks.left_out for each in problems if each.checks is not None)
    are, call = ("is", "calls") if count == 1 else ("are", "call")
    return (
        f"{plural(count, 'assert')} {are} left out, which {call} the function with what no program"
        " can be given:"
    )


def _first_left_out(problem: ProblemReport) -> str:
    said = "" if problem.checks is None else problem.checks.first_left_out
    return f"{printable(problem.problem_id)}: {printable(said)}"


def _first(lines: Sequence[str]) -> tuple[str, ...]:
    more = len(lines) - _MOST_LISTED
    return (
        *lines[:_MOST_LISTED],
        *([f"and {more} more, in the JSON report"] if more > 0 else []),
    )


def _disagreeing(problems: Iterable[ProblemReport]) -> Iterator[str]:
    """Yield a line for the candidates of a problem of whom the same is to be said."""
    for each in problems:
        said: dict[str, list[int]] = {}
        for candidate in disagreeing(each):
            said.setdefault(disagreement_of(each, candidate), []).append(candidate)
        for what, members in said.items():
            yield f"{printable(each.problem_id)}, {_candidates(members)}: {what}"


def _candidates(members: Sequence[int]) -> str:
    """Name candidates by their numbers: three, and how many more.

    >>> _candidates([4]), _candidates([1, 2, 5, 6, 7])
    ('candidate 4', 'candidates 1, 2, 5 and 2 more')
    """
    if len(members) == 1:
        return f"candidate {members[0]}"
    more = len(members) - _MOST_NUMBERS
    numbers = ", ".join(map(str, members[:_MOST_NUMBERS]))
    return f"candidates {numbers}{f' and {more} more' if more > 0 else ''}"


def disagreeing(problem: ProblemReport) -> tuple[int, ...]:
    """Return the candidates on which the tests and the reference of a problem disagree."""
    if problem.checks is None:
        return ()
    return tuple(sorted((*problem.checks.only_tests, *problem.checks.only_reference)))


def disagreement_of(problem: ProblemReport, candidate: int) -> str:
    """Say what a candidate on which tests and reference disagree passes, and what it fails."""
    failure = first_failure(problem, [candidate])
    if failure is not None:
        return f"right by the reference, fails {failed_assert(failure)}"
    classes = problem.partition.classes
    witness = next(each.witness for each in classes if candidate in each.members)
    shown = ""
    if witness is not None:
        shown = f": ({witness.arguments}) -> {witness.output}, expected {witness.expected}"
    return printable(f"right by the tests, not by the reference{shown}")


def failed_assert(failure: Union[FailedAssert, SharedFailure]) -> str:
    """Write an assert with what the code did in it, such as ``assert f(1) == 2 -> 3``."""
    return printable(f"{failure.assertion} -> {failure.got or failure.kind}")


def first_failure(problem: ProblemReport, candidates: Iterable[int]) -> Optional[SharedFailure]:
    """Return the first assert that the first of some candidates failed of those that fail any."""
    if problem.checks is None:
        return None
    failures = map(problem.checks.failure_of, candidates)
    return next((each for each in failures if each is not None), None)


def causes_among(problem: ProblemReport, candidates: Iterable[int]) -> dict[str, int]:
    """Count the causes of some candidates of a problem."""
    among = set(candidates)
    counts = {cause: len(among.intersection(each)) for cause, each in problem.causes.items()}
    return {cause: count for cause, count in counts.items() if count}


def main_cause(problem: ProblemReport) -> str:
    """Name why most of a problem's candidates fail, with how many; ``-`` where none does."""
    counts = _most(counted_causes(problem))
    return next((f"{cause} {count}" for cause, count in counts.items()), "-")


def counted_causes(problem: ProblemReport) -> dict[str, int]:
    """Count the candidates of each cause."""
    return {cause: len(members) for cause, members in problem.causes.items()}


def problem_details(problem: ProblemReport) -> tuple[str, ...]:
    """Say of one problem why its candidates fail, and which asserts they fail first.

    Candidates that do not load fail every assert, and their cause says more.
    """
    if not problem.causes:
        return ()
    failed = problem.n - problem.correct
    causes = listed(counted_causes(problem))
    fail = "fails" if failed == 1 else "fail"
    lines = [f"{failed} of {plural(problem.n, 'candidate')} {fail}: {causes}"]
    failures = () if problem.checks is None else problem.checks.failures
    shown = [each for each in failures if each.kind != "load"][:_MOST_ASSERTS]
    for each in shown:
        members = plural(len(each.members), "candidate")
        verb = "fails" if len(each.members) == 1 else "fail"
        passed = asserts_passed(problem, each.members)
        lines.append(f"  {members} {verb} {failed_assert(each)} ({passed} passed)")
    return tuple(lines)


def asserts_passed(problem: ProblemReport, candidates: Sequence[int]) -> str:
    """Say how many asserts some candidates passed: ``2 of 3 asserts``, or ``0 to 2 of 3``.

    Empty for a problem without tests.
    """
    if problem.checks is None:
        return ""
    counts = [problem.checks.passed[each] for each in candidates]
    least, most = min(counts), max(counts)
    span = str(most) if least == most else f"{least} to {most}"
    return f"{span} of {plural(problem.checks.asserts, 'assert')}"
