"""What a report holds."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, Optional

import msgspec

from pytest_codecollapse.model.behaviour import Partition
from pytest_codecollapse.model.execution import FailedAssert
from pytest_codecollapse.model.numbers import Statistics
from pytest_codecollapse.model.problem import Settings


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """SHA-256 (hex) of what defines a problem, whole and by part, to say which part changed."""

    whole: str
    parts: dict[str, str]


class SharedFailure(msgspec.Struct, frozen=True, kw_only=True):
    """The first assert that some candidates failed, and what they did in it; see FailedAssert."""

    assertion: str
    got: str
    kind: str
    members: tuple[int, ...]


class ChecksReport(msgspec.Struct, frozen=True, kw_only=True):
    """What the candidates of a problem did in its tests.

    ``passed`` is the number of ``asserts`` that each candidate passed; ``failures`` come by the
    number of members, most first. ``only_tests`` are candidates that pass the tests and differ
    from the reference, ``only_reference`` those that do as it does and fail: each is a weak test
    or a wrong reference. ``reference_failure`` is set where the reference fails the tests itself.
    ``left_out`` asserts are about calls that no program can be given, and count for none of this;
    ``first_left_out`` is the first, with the reason.
    """

    asserts: int
    passed: tuple[int, ...]
    failures: tuple[SharedFailure, ...] = ()
    only_tests: tuple[int, ...] = ()
    only_reference: tuple[int, ...] = ()
    reference_failure: Optional[FailedAssert] = None
    left_out: int = 0
    first_left_out: str = ""

    def failure_of(self, candidate: int) -> Optional[SharedFailure]:
        """Return the first assert that a candidate failed; None where it passed them all."""
        return next((each for each in self.failures if candidate in each.members), None)


class ProblemReport(msgspec.Struct, frozen=True, kw_only=True):
    """One measured problem: its partition and every statistic of it.

    ``left_out`` are indices of inputs that the reference does not answer; nothing is about them.
    ``oracle`` says what decided which candidates are correct. ``causes`` and ``repairs`` map why
    candidates are not correct, and what was done to their texts, to the indices of candidates;
    an incorrect candidate has one cause. ``misnamed`` are those of cause ``name`` that define
    something of a similar name instead, by that name. ``input_origins`` counts inputs by where they
    came from.
    """

    problem_id: str
    identity: Identity
    partition: Partition
    statistics: Statistics
    ari: Optional[Fraction] = None
    cluster: Optional[str] = None
    left_out: tuple[int, ...] = ()
    oracle: Literal["reference", "tests"] = "reference"
    checks: Optional[ChecksReport] = None
    causes: dict[str, tuple[int, ...]] = {}
    misnamed: dict[str, tuple[int, ...]] = {}
    repairs: dict[str, tuple[int, ...]] = {}
    input_origins: dict[str, int] = {}

    @property
    def n(self) -> int:
        """Number of candidates."""
        return sum(len(behaviour.members) for behaviour in self.partition.classes)

    @property
    def correct(self) -> int:
        """Number of candidates that are correct: by the reference, or else by the tests."""
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
