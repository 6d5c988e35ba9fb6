"""How often an interval holds the true change: both methods, over simulated checkpoint pairs.

Makes the table behind ``pytest_codecollapse.stats.MEASURED_COVERAGE``::

    python tests/benchmarks/interval_coverage.py --pairs 10000 --seed 0

The population is infinitely many problems of the kinds below. How candidates of a problem fall
into behaviours follows a Chinese restaurant process: the next one shows a new behaviour with
probability θ/(θ + candidates so far), else that of an earlier candidate, drawn uniformly. Then
E[D_k] in the population is Σ θ/(θ + j) over j < k (Ewens 1972), so the true change is known
exactly. Training leaves θ alone on most problems, and divides it on the others, so that the
per-problem deltas are as skewed as those of real checkpoints: many near zero, a few large.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from pytest_codecollapse.stats import Coverage, Resampler, expected_distinct, mean_interval
from pytest_codecollapse.stats.intervals import Method

K = 5
CANDIDATES = 20
CONFIDENCE = Fraction(95, 100)
RESAMPLES = 2000
PROBLEM_COUNTS = (2, 3, 4, 5, 8, 12, 20, 50, 80, 100)


class ProblemKind(NamedTuple):
    """Concentration θ of a problem's behaviours, before and after training."""

    before: Fraction
    after: Fraction


#: Every kind is as common as any other.
PROBLEM_KINDS = tuple(
    ProblemKind(before, before * kept)
    for before, kept in product(
        [Fraction(1, 4), Fraction(1), Fraction(4), Fraction(16)],
        [Fraction(1), Fraction(1), Fraction(1), Fraction(1, 2), Fraction(1, 16)],
    )
)


def true_delta() -> Fraction:
    """Return the change of the mean E[D_k] in the population."""
    changes = [_true_distinct(kind.after) - _true_distinct(kind.before) for kind in PROBLEM_KINDS]
    return sum(changes, Fraction(0)) / len(changes)


def _true_distinct(theta: Fraction) -> Fraction:
    return sum((theta / (theta + j) for j in range(K)), Fraction(0))


def simulate_deltas(problems: int, rng: random.Random) -> list[Fraction]:
    """Return the measured change of E[D_k] on each problem of one checkpoint pair."""
    kinds = rng.choices(PROBLEM_KINDS, k=problems)
    return [
        _measured_distinct(kind.after, rng) - _measured_distinct(kind.before, rng) for kind in kinds
    ]


def _measured_distinct(theta: Fraction, rng: random.Random) -> Fraction:
    value = expected_distinct(simulate_class_sizes(float(theta), rng), K)
    assert value is not None
    return value


def simulate_class_sizes(theta: float, rng: random.Random) -> list[int]:
    """Return the behaviour class sizes of one problem's candidates."""
    sizes: list[int] = []
    behaviours: list[int] = []
    for drawn in range(CANDIDATES):
        if rng.random() * (theta + drawn) < theta:
            behaviours.append(len(sizes))
            sizes.append(1)
        else:
            behaviour = rng.choice(behaviours)
            behaviours.append(behaviour)
            sizes[behaviour] += 1
    return sizes


def measured_coverage(problems: int, pairs: int, seed: int) -> Coverage:
    """Return the share of simulated checkpoint pairs whose interval holds the true change.

    Parameters
    ----------
    problems
        Number of problems of each pair.
    pairs
        Number of checkpoint pairs simulated.
    seed
        Seed of the simulation, and of the resampling.
    """
    # A stream of its own: the resamples must not be drawn by the numbers that made the problems.
    rng = random.Random(f"checkpoint pairs {seed}")
    resampler = Resampler(RESAMPLES, seed)
    truth = true_delta()
    percentile = expanded = 0
    for _ in range(pairs):
        groups = [[delta] for delta in simulate_deltas(problems, rng)]
        percentile += _covers(groups, resampler, "percentile", truth)
        expanded += _covers(groups, resampler, "expanded", truth)
    return Coverage(percentile / pairs, expanded / pairs)


def _covers(
    groups: Sequence[Sequence[Fraction]], resampler: Resampler, method: Method, truth: Fraction
) -> bool:
    interval = mean_interval(groups, resampler, confidence=CONFIDENCE, method=method)
    assert interval is not None
    return interval[0] <= truth <= interval[1]


def main() -> None:
    """Print the table of coverages, a row a number of problems."""
    parser = argparse.ArgumentParser(description="Measure the coverage of both intervals.")
    parser.add_argument("--pairs", type=int, default=1000, help="pairs a row (default 1000)")
    parser.add_argument("--seed", type=int, default=0, help="seed (default 0)")
    options = parser.parse_args()
    print(f"coverage at a nominal {float(CONFIDENCE)}, {options.pairs} checkpoint pairs a row")
    print("problems  percentile  expanded")
    for problems in PROBLEM_COUNTS:
        coverage = measured_coverage(problems, options.pairs, options.seed)
        print(f"{problems:8}  {coverage.percentile:10.3f}  {coverage.expanded:8.3f}", flush=True)


if __name__ == "__main__":
    main()
