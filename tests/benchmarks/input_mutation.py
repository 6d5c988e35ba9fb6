"""How many mutants of the tests' inputs are inputs: on how many the reference returns.

    python tests/benchmarks/input_mutation.py HumanEval.jsonl.gz --mutants 50 --seed 0

Takes problems in HumanEval's form, records the calls that their tests make of the reference,
mutates them, and runs the reference on each mutant. The more of them raise or take too long, the
more are thrown away; and mutants on which it returns the same value tell fewer programs apart.
The references run in this process: they are the benchmark's own.
"""

from __future__ import annotations

import argparse
import copy
import gzip
import json
import random
import signal
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import Any, Callable, NamedTuple, NoReturn, Optional

from pytest_codecollapse.inputs import mutated

TIMEOUT_S = 1.0
TESTS_TIMEOUT_S = 20.0


class Outcome(NamedTuple):
    """Of one problem or several: calls recorded, mutants made, returned from, distinct results."""

    recorded: int
    mutants: int
    returned: int
    distinct: int


class _TookTooLong(BaseException):
    """Not an Exception, so that no reference takes it for one of its own."""


def mutate_problem(problem: Mapping[str, str], mutants: int, seed: int) -> Outcome:
    """Record the calls of a problem's tests and run its reference on mutants of them."""
    names: dict[str, Any] = {}
    exec(problem["prompt"] + problem["canonical_solution"], names)
    reference = names[problem["entry_point"]]
    calls: list[tuple[Any, ...]] = []

    def recorder(*arguments: Any) -> Any:
        calls.append(copy.deepcopy(arguments))
        return reference(*arguments)

    exec(problem["test"], names)
    _timed(TESTS_TIMEOUT_S, names["check"], (recorder,))
    made = list(islice(mutated(calls, random.Random(seed)), mutants))
    results = [_result(reference, each) for each in made]
    returned = [each for each in results if each is not None]
    return Outcome(len(calls), len(made), len(returned), len(set(returned)))


def total(outcomes: Iterable[Outcome]) -> Outcome:
    """Add up the outcomes of several problems."""
    return Outcome(*map(sum, zip(*outcomes)))


def _result(reference: Callable[..., Any], arguments: Sequence[Any]) -> Optional[str]:
    """Return what the reference's result looks like, or None where it has none."""
    try:
        return repr(_timed(TIMEOUT_S, reference, arguments))
    except (Exception, _TookTooLong):
        return None


def _timed(seconds: float, function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    before = signal.signal(signal.SIGALRM, _stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return function(*copy.deepcopy(tuple(arguments)))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _stop(number: int, frame: Optional[FrameType]) -> NoReturn:
    raise _TookTooLong


def main(arguments: Optional[Sequence[str]] = None) -> None:
    """Print the figures of a file of problems."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("problems", type=Path, help="HumanEval.jsonl.gz")
    parser.add_argument("--mutants", type=int, default=50, help="a problem")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    with gzip.open(options.problems, "rt", encoding="utf-8") as lines:
        problems = [json.loads(line) for line in lines]
    all_of_them = total(mutate_problem(each, options.mutants, options.seed) for each in problems)
    print(f"problems {len(problems)}, recorded calls {all_of_them.recorded}")
    print(f"mutants {all_of_them.mutants}")
    print(f"the reference returns on {all_of_them.returned / all_of_them.mutants:.1%} of them")
    print(f"distinct results {all_of_them.distinct / all_of_them.returned:.1%} of these")


if __name__ == "__main__":
    main()
