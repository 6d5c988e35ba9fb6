"""The names of the statistics, as rules, reports and tables spell them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable
from typing import Optional

_PER_K = ("pass@{}", "E[D_{}]", "E[W_{}]", "E[A_{}]")
_PER_PROBLEM = (
    "hill_q0",
    "hill_q1",
    "hill_q2",
    "chao1",
    "distinct_ast",
    "masking_ratio",
    "stable_at",
    "nondeterministic",
    "order_dependent",
)

_K = r"(?P<k>[1-9][0-9]{0,8})"
_PASS = re.compile(rf"pass@{_K}")
_EXPECTED = re.compile(rf"E\[(?P<kind>[DWA])_{_K}\]")
_SHORT = re.compile(rf"(?P<kind>[DWA])@{_K}")


def metrics_help(further: Collection[str] = ()) -> str:
    """Return what a usage error lists: the metrics, and further ones that this run has."""
    others = [*_PER_PROBLEM, *further]
    return (
        "the metrics are pass@k, E[D_k], E[W_k] and E[A_k] for any k from 1 (D@5 is short for"
        f" E[D_5]), {', '.join(others[:-1])} and {others[-1]}"
    )


def metric_names(ks: Iterable[int]) -> tuple[str, ...]:
    """Every statistic of a problem, in the order in which reports show them.

    >>> metric_names((1, 5))[:4]
    ('pass@1', 'pass@5', 'E[D_1]', 'E[D_5]')
    """
    ordered = sorted(set(ks))
    return tuple(name.format(k) for name in _PER_K for k in ordered) + _PER_PROBLEM


def canonical_metric(text: str, further: Collection[str] = ()) -> Optional[str]:
    """Spell a metric's name as reports do; ``None`` where there is no such metric.

    ``further`` are the names of metrics that are not built in.

    >>> canonical_metric("D@5"), canonical_metric("E[ D_5 ]"), canonical_metric("E[D_0]")
    ('E[D_5]', 'E[D_5]', None)
    """
    name = "".join(text.split())
    short = _SHORT.fullmatch(name)
    if short:
        return f"E[{short['kind']}_{short['k']}]"
    known = name in _PER_PROBLEM or name in further or metric_k(name) is not None
    return name if known else None


def metric_k(metric: str) -> Optional[int]:
    """Return the number of draws k that a metric's canonical name carries, if it has one.

    >>> metric_k("pass@10"), metric_k("hill_q1")
    (10, None)
    """
    match = _PASS.fullmatch(metric) or _EXPECTED.fullmatch(metric)
    return int(match["k"]) if match else None


def undefined_reason(metric: str) -> str:
    """Say what makes a measured metric undefined for a problem.

    >>> undefined_reason("E[D_5]"), undefined_reason("E[A_5]")
    ('fewer than 5 candidates', 'fewer than 5 correct candidates')
    """
    k = metric_k(metric)
    if k is None:
        return "no value"
    return f"fewer than {k} {'correct ' if metric.startswith('E[A_') else ''}candidates"


def nearest_metric(text: str, further: Collection[str] = ()) -> Optional[str]:
    """Return the metric that a misspelling most likely meant, with the k it was written with.

    >>> nearest_metric("pss@3"), nearest_metric("maskingratio"), nearest_metric("coverage")
    ('pass@3', 'masking_ratio', None)
    """
    digits = re.search(r"[1-9][0-9]{0,8}", text)
    k = int(digits[0]) if digits else 5
    spellings = [*metric_names((k,)), f"D@{k}", f"W@{k}", f"A@{k}", *further]
    by_lower = {spelling.lower(): spelling for spelling in spellings}
    nearest = difflib.get_close_matches(text.lower(), by_lower, n=1)
    return canonical_metric(by_lower[nearest[0]], further) if nearest else None
