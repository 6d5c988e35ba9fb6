"""What comparing and judging say."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, Optional

import msgspec

from pytest_codecollapse.model.numbers import Number


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
