"""Counts of candidates over the problems of a suite: why they fail, and what was repaired."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from pytest_codecollapse.model import CAUSES, ProblemReport

#: Causes that may lie in how a program was got out of a text, and not in the model.
EXTRACTION = ("no code", "syntax", "name")

#: A suite fails mostly for these where they are more than half of what fails, and are enough of
#: all candidates to matter; or where they are so many of all that little else is measured.
_MOST_OF_FAILURES = Fraction(1, 2)
_ENOUGH_TO_MATTER = Fraction(1, 20)
_MANY_OF_ALL = Fraction(1, 5)


class Tally(NamedTuple):
    """Counts over problems: of candidates; ``origins`` of inputs.

    ``causes`` stand in the order of ``CAUSES``, ``repairs``, ``misnamed`` and ``origins`` by name.
    ``untouched`` have no repair, ``repaired_often`` several.
    """

    candidates: int
    incorrect: int
    causes: dict[str, int]
    misnamed: dict[str, int]
    repairs: dict[str, int]
    untouched: int
    repaired_often: int
    origins: dict[str, int]
    only_tests: int
    only_reference: int

    @property
    def extraction(self) -> int:
        """Number of candidates that fail for a reason of extraction."""
        return sum(self.causes.get(cause, 0) for cause in EXTRACTION)

    @property
    def is_mostly_extraction(self) -> bool:
        """Whether so many fail for these that what is measured is not the model's."""
        found = self.extraction
        return (
            found > _MOST_OF_FAILURES * self.incorrect
            and found >= _ENOUGH_TO_MATTER * self.candidates
        ) or found > _MANY_OF_ALL * self.candidates


def tally(problems: Iterable[ProblemReport]) -> Tally:
    """Count over problems."""
    problems = tuple(problems)
    causes = _sizes(each.causes for each in problems)
    times = [
        count
        for each in problems
        for count in Counter(at for members in each.repairs.values() for at in members).values()
    ]
    candidates = sum(each.n for each in problems)
    origins: Counter[str] = Counter()
    for each in problems:
        origins.update(each.input_origins)
    checks = [each.checks for each in problems if each.checks is not None]
    return Tally(
        candidates=candidates,
        incorrect=candidates - sum(each.correct for each in problems),
        causes={cause: causes[cause] for cause in CAUSES if causes[cause]},
        misnamed=_by_name(_sizes(each.misnamed for each in problems)),
        repairs=_by_name(_sizes(each.repairs for each in problems)),
        untouched=candidates - len(times),
        repaired_often=sum(count > 1 for count in times),
        origins=_by_name(origins),
        only_tests=sum(len(each.only_tests) for each in checks),
        only_reference=sum(len(each.only_reference) for each in checks),
    )


def _sizes(groupings: Iterable[Mapping[str, tuple[int, ...]]]) -> Counter[str]:
    sizes: Counter[str] = Counter()
    for grouping in groupings:
        sizes.update({name: len(members) for name, members in grouping.items()})
    return sizes


def _by_name(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items()))
