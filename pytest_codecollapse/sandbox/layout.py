"""Which inputs a problem has, in the order in which its servers have them.

Theory of operation
-------------------
Behaviours are told apart on *inputs*: those that the problem gives or generates, or else the calls
that its tests make. Where there are tests, and fewer inputs than were asked for, the servers of
the reference also get a *pool* of mutated ones, of which those are kept that keep to the contract
and that the reference answers by returning. Calls that tests make and that are no inputs are
*extra*: programs are called with them for the tests alone.

A layout lists inputs, pool and extra calls, in this order, and is written once for the reference;
when the pool has been chosen from, it is written again without the rest, for the candidates.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from pytest_codecollapse.inputs import mutated
from pytest_codecollapse.model import Problem, Settings
from pytest_codecollapse.sandbox.child.reading import read_arguments
from pytest_codecollapse.sandbox.child.values import text_of_written, write_value

_POOL_FACTOR = 4  # of the inputs that are missing: contracts and references refuse many


class Layout(NamedTuple):
    """Inputs, pool and extra calls of a problem.

    Parameters
    ----------
    written
        Their arguments as servers read them, but of generated inputs, which come before them.
    generated
        The number of those.
    pool, extra
        The index at which each begins; inputs begin at 0.
    calls
        The text of the arguments of each call that the tests make -> its index.
    origins
        How many inputs came from where.
    """

    written: list[list[Any]]
    generated: int
    pool: int
    extra: int
    calls: dict[str, int]
    origins: dict[str, int]

    @property
    def total(self) -> int:
        """How many there are in all."""
        return self.generated + len(self.written)

    def with_pool(self, calls: list[list[Any]]) -> Layout:
        """Put a pool between inputs and extra calls."""
        at = self.pool - self.generated
        return self._replace(
            written=[*self.written[:at], *calls, *self.written[at:]],
            extra=self.extra + len(calls),
            calls={
                text: index + len(calls) * (index >= self.extra)
                for text, index in self.calls.items()
            },
        )

    def without(self, dropped: Collection[int]) -> Layout:
        """Make inputs of the members of the pool, but of those that are dropped."""
        kept = self.extra - self.pool - len(dropped)
        behind = self.pool + kept
        return self._replace(
            written=[
                arguments
                for index, arguments in enumerate(self.written, self.generated)
                if index not in dropped
            ],
            pool=behind,
            extra=behind,
            calls={
                text: index - len(dropped) * (index >= self.extra)
                for text, index in self.calls.items()
            },
            origins={**self.origins, **({"mutation": kept} if kept else {})},
        )


def lay_out(
    problem: Problem, settings: Settings, recorded: Sequence[str], asked: Sequence[str] = ()
) -> Layout:
    """Lay out the inputs of a problem, without a pool.

    Parameters
    ----------
    problem, settings
        The problem and how to measure it.
    recorded
        The arguments of calls that its tests make as JSON, each once.
    asked
        Likewise of those that they make because of what candidates return: no inputs.
    """
    most = settings.inputs
    if problem.inputs is not None:
        inputs = [[write_value(each) for each in call] for call in problem.inputs[:most]]
        origins = {"given": len(inputs)}
    elif problem.input_gen is not None:
        inputs, origins = [], {"input_gen": most}
    else:
        inputs = list(map(json.loads, recorded[:most]))
        origins = {"tests": len(inputs)}
    generated = 0 if problem.input_gen is None else most
    places: dict[str, int] = {}
    for index, arguments in enumerate(inputs, generated):
        places.setdefault(text_of_written(arguments), index)
    end = generated + len(inputs)
    extra: list[list[Any]] = []
    calls: dict[str, int] = {}
    for text in (*recorded, *asked):
        if text not in places:
            places[text] = end + len(extra)
            extra.append(json.loads(text))
        calls[text] = places[text]
    return Layout([*inputs, *extra], generated, end, end, calls, origins)


def missing_inputs(problem: Problem, settings: Settings, layout: Layout) -> int:
    """Return how many inputs are to be made by mutation."""
    if problem.tests is None or problem.reference is None or problem.input_gen is not None:
        return 0
    return settings.inputs - layout.pool


def make_pool(problem: Problem, settings: Settings, layout: Layout) -> list[list[Any]]:
    """Return mutated inputs, several times as many as are missing; the same ones each time."""
    count = _POOL_FACTOR * missing_inputs(problem, settings, layout)
    if count <= 0 or not layout.pool:
        return []
    rng = random.Random(f"{settings.input_seed}:{problem.problem_id}")
    calls = [read_arguments(arguments) for arguments in layout.written[: layout.pool]]
    made = itertools.islice(mutated(calls, rng), count)
    return [[write_value(each) for each in arguments] for arguments in made]
