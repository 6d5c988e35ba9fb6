"""How often an intervention that does nothing looks as if it did: by the number of arms.

    python tests/benchmarks/arms_false_signals.py --trials 1000 --seed 0

In each trial a control and m interventions sample the same problems. A problem is solved with a
probability of its own, which is the same in every arm: so no arm fixes or harms. How hard a
problem is, is drawn from a Beta(1/2, 1/2), where most are nearly always or nearly never solved.
Counted is the share of trials in which the interval of pass@1's delta of at least one of the m
interventions excludes zero, and that in which one lies above zero: a "fix" by luck.
"""

from __future__ import annotations

import argparse
import random
from fractions import Fraction
from typing import NamedTuple

from pytest_codecollapse.stats import Resampler, mean_interval

CANDIDATES = 10
CONFIDENCE = Fraction(95, 100)
RESAMPLES = 2000
PROBLEM_COUNTS = (20, 50)
ARM_COUNTS = (1, 2, 5)


class Signals(NamedTuple):
    """Share of trials in which any interval excludes zero, and in which any lies above zero."""

    excludes: float
    fixes: float


def solved(rate: float, rng: random.Random) -> int:
    """Return how many candidates of a problem are correct."""
    return sum(rng.random() < rate for _ in range(CANDIDATES))


def simulate_deltas(problems: int, arms: int, rng: random.Random) -> list[list[Fraction]]:
    """Return per arm each problem's measured delta of pass@1; the control is shared."""
    rates = [rng.betavariate(0.5, 0.5) for _ in range(problems)]
    control = [solved(rate, rng) for rate in rates]
    return [
        [Fraction(solved(rate, rng) - was, CANDIDATES) for rate, was in zip(rates, control)]
        for _ in range(arms)
    ]


def false_signals(problems: int, arms: int, trials: int, seed: int, *, correct: bool) -> Signals:
    """Return how often trials without any effect signal one.

    Parameters
    ----------
    problems
        Number of problems.
    arms
        Number of interventions.
    trials
        Number of trials simulated.
    seed
        Seed of the simulation, and of the resampling.
    correct
        Whether each interval is at 1 − (1 − c)/m.
    """
    rng = random.Random(f"arms {seed}")  # not the numbers that the resamples are drawn by
    resampler = Resampler(RESAMPLES, seed)
    confidence = 1 - (1 - CONFIDENCE) / (arms if correct else 1)
    excludes = fixes = 0
    for _ in range(trials):
        intervals = [
            mean_interval([[delta] for delta in deltas], resampler, confidence=confidence)
            for deltas in simulate_deltas(problems, arms, rng)
        ]
        ends = [interval for interval in intervals if interval is not None]
        above = any(lower > 0 for lower, _ in ends)
        fixes += above
        excludes += above or any(upper < 0 for _, upper in ends)
    return Signals(excludes / trials, fixes / trials)


def main() -> None:
    """Print the table of rates, a row a number of problems and of arms."""
    parser = argparse.ArgumentParser(description="Measure how often arms signal by luck.")
    parser.add_argument("--trials", type=int, default=500, help="trials a row (default 500)")
    parser.add_argument("--seed", type=int, default=0, help="seed (default 0)")
    options = parser.parse_args()
    print(f"share of {options.trials} trials at a nominal {float(CONFIDENCE)}: any of the arms")
    print("                  none               bonferroni")
    print("problems  arms    excludes 0  fixes  excludes 0  fixes")
    for problems in PROBLEM_COUNTS:
        for arms in ARM_COUNTS:
            figures = [
                value
                for correct in (False, True)
                for value in false_signals(
                    problems, arms, options.trials, options.seed, correct=correct
                )
            ]
            plain, plain_fixes, corrected, fixes = figures
            print(
                f"{problems:8}  {arms:4}    {plain:10.3f}  {plain_fixes:5.3f}"
                f"  {corrected:10.3f}  {fixes:5.3f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
