"""What a report holds."""

from __future__ import annotations

from fractions import Fraction
from typing import Optional

import msgspec

from pytest_codecollapse.model.behaviour import Partition
from pytest_codecollapse.model.numbers import Statistics
from pytest_codecollapse.model.problem import Settings


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """SHA-256 (hex) of what defines a problem, whole and by part, to say which part changed."""

    whole: str
    parts: dict[str, str]


class ProblemReport(msgspec.Struct, frozen=True, kw_only=True):
    """One measured problem: its partition and every statistic of it.

    ``left_out`` are indices of inputs that the reference does not answer; nothing is about them.
    """

    problem_id: str
    identity: Identity
    partition: Partition
    statistics: Statistics
    ari: Optional[Fraction] = None
    cluster: Optional[str] = None
    left_out: tuple[int, ...] = ()

    @property
    def n(self) -> int:
        """Number of candidates."""
        return sum(len(behaviour.members) for behaviour in self.partition.classes)

    @property
    def correct(self) -> int:
        """Number of candidates that do what the reference does on every input."""
        return sum(len(each.members) for each in self.partition.classes if each.correct)


class Unmeasured(msgspec.Struct, frozen=True, kw_only=True):
    """A problem that could not be measured, and the whole message that says why."""

    problem_id: str
    message: str


class Environment(msgspec.Struct, frozen=True, kw_only=True):
    """Where a report was measured.

    ``python`` is the version of the candidates' interpreter, ``isolation`` the rung that was in
    force. Tokens of another ``canonical_form`` mean something else.
    """

    python: str
    platform: str
    isolation: str
    canonical_form: int = 1


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The measurement of one samples file. ``mean`` is over the problems that define a value."""

    tool_version: str
    environment: Environment
    settings: Settings
    problems: tuple[ProblemReport, ...]
    unmeasured: tuple[Unmeasured, ...]
    mean: Statistics
    ari: Optional[Fraction] = None
