"""The frozen records that pass between the stages, in the order in which data flows.

::

    Problem -> Executions -> Partition -> ProblemReport -> Report -> Comparison, Verdict

Numbers are exact: a statistic is a ``Fraction``, a ``float`` only where its formula is irrational
(``hill_q1``), and ``None`` outside its domain. Rounding is the reports' business.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal, Optional, Union

import msgspec

from pytest_codecollapse.errors import Where

#: A statistic's value; ``None`` where it is not defined (no candidates, k > n).
Number = Union[Fraction, float, None]

#: Name of a statistic -> its value, in the order in which reports show them.
Statistics = dict[str, Number]


# -- what comes out of a samples file ---------------------------------------------------------


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a samples file, validated.

    Exactly one of ``input_gen`` and ``inputs`` is set. ``labels``, where given, has one entry
    per candidate.
    """

    problem_id: str
    entry_point: str
    candidates: tuple[str, ...]
    reference: str
    where: Where
    input_gen: Optional[str] = None
    inputs: Optional[tuple[list[Any], ...]] = None
    labels: Optional[tuple[str, ...]] = None
    prompt: str = ""
    setup: str = ""
    equality: Literal["strict", "python"] = "strict"
    cluster: Optional[str] = None


# -- what comes out of the sandbox ------------------------------------------------------------


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything the user can set that changes what is measured; part of every report.

    ``canonicalizers`` maps the full name of a type, ``module.TypeName``, to source that defines
    ``canonicalize(value)``: what it returns is compared in the place of the value.
    """

    inputs: int = 50
    timeout_s: float = 0.5
    memory_mb: int = 512
    input_seed: int = 0
    site_packages: bool = False
    canonicalizers: dict[str, str] = {}
    k: tuple[int, ...] = (1, 5, 10)


class Execution(msgspec.Struct, frozen=True, kw_only=True):
    """What one program did: a token per input, in the inputs' order, under hash seed 1.

    A token is 16 hex digits (the digest of the canonical result), ``exc:<TypeName>``,
    ``load:<TypeName>``, ``TIMEOUT`` or ``CRASH``.
    """

    tokens: tuple[str, ...]
    nondeterministic: bool = False
    order_dependent: bool = False

    def first_difference(self, other: Execution) -> Optional[int]:
        """Return the place of the first token that differs from another execution's."""
        pairs = zip(self.tokens, other.tokens)
        return next((at for at, (mine, its) in enumerate(pairs) if mine != its), None)


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """What a person is to see of executions: short texts of printable ASCII, beside the digests.

    ``arguments`` and ``expected``, what the reference returned, have one text per token; where it
    raised, the latter is empty. ``outputs`` are what incorrect candidates, by index, returned on
    the first input on which they differ from the reference. They are the programs' own claims.
    """

    arguments: tuple[str, ...]
    expected: tuple[str, ...]
    outputs: dict[int, str]


class Executions(msgspec.Struct, frozen=True, kw_only=True):
    """What the programs of one problem did: the reference, and each candidate in order.

    ``left_out`` are indices of inputs that the reference does not answer; no token is about them.
    """

    reference: Execution
    candidates: tuple[Execution, ...]
    left_out: tuple[int, ...] = ()
    shown: Optional[Shown] = None


# -- what comes out of classifying ------------------------------------------------------------


class Witness(msgspec.Struct, frozen=True, kw_only=True):
    """One input on which a behaviour differs from the reference's, for a person to read.

    ``input`` is its index; ``arguments``, ``output`` and ``expected`` are short, printable texts:
    what was given, what the behaviour's first member did, and what the reference did.
    """

    input: int
    arguments: str
    output: str
    expected: str


class BehaviourClass(msgspec.Struct, frozen=True, kw_only=True):
    """Candidates that did the same on every input.

    ``members`` are candidate indices, ascending. ``outcomes`` counts the inputs by outcome kind:
    ``value``, ``exc:<TypeName>``, ``load:<TypeName>``, ``TIMEOUT`` or ``CRASH``. ``fingerprint``
    (16 hex digits) names the behaviour across runs of the same problem and inputs. ``witness`` is
    None for a correct class, and for the smallest where there are very many.
    """

    fingerprint: str
    members: tuple[int, ...]
    correct: bool
    outcomes: dict[str, int]
    witness: Optional[Witness] = None


class Partition(msgspec.Struct, frozen=True, kw_only=True):
    """The candidates of one problem, grouped by what they do and by how they are written.

    ``classes`` come largest first, ties by their first member; so do ``ast_classes``, the member
    lists of equal AST-normalised hash. ``stability_curve[m-1]`` is the number of behaviours that
    the first m inputs tell apart, ``correct_curve[m-1]`` the number of candidates that match the
    reference on them. ``nondeterministic`` and ``order_dependent`` are candidate indices.
    """

    classes: tuple[BehaviourClass, ...]
    ast_classes: tuple[tuple[int, ...], ...]
    nondeterministic: tuple[int, ...]
    order_dependent: tuple[int, ...]
    stability_curve: tuple[int, ...]
    correct_curve: tuple[int, ...]


# -- what a report holds ----------------------------------------------------------------------


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


# -- what comparing and judging say -----------------------------------------------------------


class CompareSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How reports are compared.

    Intervals are made of ``resamples`` drawn with a ``seed``, with a confidence in (0, 1), by a
    method. ``allow_removed`` are the problems, as ids or patterns of ids, that may be gone or have
    fewer candidates or inputs than in the baseline.
    """

    resamples: int = 2000
    confidence: Fraction = Fraction(95, 100)
    seed: int = 0
    interval: Literal["expanded", "percentile"] = "expanded"
    allow_removed: tuple[str, ...] = ()


class MetricDelta(msgspec.Struct, frozen=True, kw_only=True):
    """One metric, before and after: means over the ``pairs`` problems that define it on both.

    ``interval`` bounds the mean of the per-problem deltas (after - before); ``None`` with fewer
    than two problems.
    """

    metric: str
    pairs: int
    before: Number
    after: Number
    delta: Number
    interval: Optional[tuple[Fraction, Fraction]]


class Staleness(msgspec.Struct, frozen=True, kw_only=True):
    """Why two reports are not comparable; empty where they are.

    ``settings`` are lines such as ``inputs 50 -> 20``; ``changed`` maps a problem id to the parts
    of its identity that differ; ``gone`` and ``new`` are problems on one side only, and
    ``unmeasured`` those of the baseline that could not be measured now. ``fewer`` maps a problem
    id to what it has fewer of than before: ``{"candidates": (12, 10)}``.

    ``allowed`` and ``allowed_fewer`` keep nothing from being compared, because the user listed
    them: problems that are left out, and problems that are compared with fewer candidates.
    """

    paired: int
    settings: tuple[str, ...] = ()
    changed: dict[str, tuple[str, ...]] = {}
    gone: tuple[str, ...] = ()
    unmeasured: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    fewer: dict[str, dict[str, tuple[int, int]]] = {}
    allowed: tuple[str, ...] = ()
    allowed_fewer: tuple[str, ...] = ()


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two reports, paired by problem: a row a metric, and what keeps them from being paired.

    ``environment`` says where they were measured differently: ``python 3.11.7 -> 3.11.9``.
    """

    settings: CompareSettings
    paired: tuple[str, ...]
    metrics: tuple[MetricDelta, ...]
    staleness: Staleness
    caution: Optional[str] = None
    environment: tuple[str, ...] = ()


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """One gate's outcome. ``summary`` is one line; ``details`` explain a verdict that fails.

    ``stale`` and ``inconclusive`` are failures unless the user asked otherwise; ``skipped`` is
    what they become then.
    """

    rule: str
    status: Literal["pass", "fail", "inconclusive", "stale", "skipped"]
    summary: str
    details: tuple[str, ...] = ()
    problem_ids: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether this verdict fails the run."""
        return self.status in ("fail", "inconclusive", "stale")
