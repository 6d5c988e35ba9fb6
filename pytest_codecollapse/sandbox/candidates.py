"""What candidates do: each program under both hash seeds, and on what tests ask.

Theory of operation
-------------------
A program runs under seed 1 with the inputs in order and under seed 2 with the inputs reversed.
Where the two differ, seed 2 runs once more in order: what differs still is **nondeterministic**
(unseeded random, set order, time, addresses), what agrees then is **order-dependent** (state kept
between calls). The tokens of seed 1 stand in any case.

Programs run in chunks, first under seed 1, then under seed 2, so that each server finds its next
program waiting when it is done with one.

A timeout under a shrunk limit is a guess, and is not held against the program: where the run
under seed 2, which comes to the inputs in another order, got a result, seed 1 tries the input
again under the full limit. What has timed out under the full limit is a suspect in later runs: a
low limit is enough to confirm it.

Where values are wanted, of the calls that tests make or for a tolerance, a program runs once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from pytest_codecollapse.model import Execution
from pytest_codecollapse.sandbox.messages import Ran
from pytest_codecollapse.sandbox.reference import agrees
from pytest_codecollapse.sandbox.requests import PATIENCE, Program
from pytest_codecollapse.sandbox.server import ProblemServer

CHUNK = 8  # programs that run under one seed before they run under the other
_TIMEOUT = "TIMEOUT"


class Did(NamedTuple):
    """What a candidate did: its tokens, and its run for values, where values were wanted."""

    execution: Execution
    valued: Ran


class CandidateRuns:
    """Runs candidates on two problem servers that made the same inputs.

    Parameters
    ----------
    first, second
        Servers under the two seeds.
    inputs
        Indices of the inputs that tokens are about.
    valued
        Indices of what values are wanted of.
    """

    def __init__(
        self,
        first: ProblemServer,
        second: ProblemServer,
        inputs: list[int],
        valued: list[int],
    ) -> None:
        self._first = first
        self._second = second
        self._inputs = inputs
        self._valued = valued

    def run_all(self, sources: Sequence[str], names: Sequence[str]) -> list[Did]:
        """Run candidates; there are as many names as sources, for errors.

        Raises
        ------
        SandboxError
            Where the sandbox fails.
        """
        inputs = self._inputs
        in_order = [Program(source, inputs, name) for source, name in zip(sources, names)]
        firsts = self._first.run_all(in_order)
        lessons = [_lessons_of(first) for first in firsts]
        reversed_ones = [
            program._replace(order=inputs[::-1], **lesson)
            for program, lesson in zip(in_order, lessons)
        ]
        seconds = self._second.run_all(reversed_ones)
        executions = [
            self._compare(program, first, backwards)
            for program, first, backwards in zip(in_order, firsts, seconds)
        ]
        valued = map(self._late_alike, executions, self._values(in_order, lessons))
        return list(map(Did, executions, valued))

    def _values(self, programs: Sequence[Program], lessons: Sequence[dict[str, Any]]) -> list[Ran]:
        if not self._valued:
            return [Ran(tokens=(), events=(), cpu_ns=(), shrunk=())] * len(programs)
        return self._first.run_all(
            [
                program._replace(order=self._valued, reply_with="values", **lesson)
                for program, lesson in zip(programs, lessons)
            ]
        )

    def _late_alike(self, execution: Execution, valued: Ran) -> Ran:
        """Have a program be late where its tokens say so, whether or not it was in this run.

        To write a value has a bound of its own, which an endless iterator may reach in time.
        """
        tokens = zip(self._inputs, execution.tokens)
        late = {index for index, token in tokens if token == _TIMEOUT}
        settled = ((index, _TIMEOUT if index in late else token) for index, token in valued.tokens)
        return msgspec.structs.replace(valued, tokens=tuple(settled))

    def _compare(self, program: Program, first: Ran, backwards: Ran) -> Execution:
        """Settle what a program did from its two runs, with a third where they differ."""
        tokens = dict(first.tokens)
        unconfirmed = {index for index, token in backwards.tokens if token != _TIMEOUT}
        doubtful = sorted(unconfirmed.intersection(first.shrunk))
        if doubtful:
            tokens.update(self._first.run(program._replace(order=doubtful)).tokens)
        stands = tuple(tokens[index] for index in program.order)
        if agrees(tokens, backwards):
            return Execution(tokens=stands)
        again = self._second.run(program._replace(**_lessons_of(first)))
        steady = agrees(tokens, again)
        return Execution(tokens=stands, nondeterministic=not steady, order_dependent=steady)


def _lessons_of(first: Ran) -> dict[str, Any]:
    """Say what a later run need not find out again, for ``Program``."""
    timeouts = {index for index, token in first.tokens if token == _TIMEOUT}
    return {
        "suspects": sorted(timeouts.difference(first.shrunk)),
        "patience": PATIENCE if len(timeouts) < PATIENCE else 1,
    }
