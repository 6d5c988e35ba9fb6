"""One lane: runs the programs of a problem, each under both hash seeds, one at a time.

Theory of operation
-------------------
A program runs under seed 1 with the inputs in order and under seed 2 with the inputs reversed.
Where the two differ, seed 2 runs once more in order: what differs still is **nondeterministic**
(unseeded random, set order, time, addresses), what agrees then is **order-dependent** (state kept
between calls). The tokens of seed 1 stand in any case.

A timeout under a shrunk limit is a guess, and is not held against the program: where the run
under seed 2, which comes to the inputs in another order, got a result, seed 1 tries the input
again under the full limit. What has timed out under the full limit is a suspect in later runs: a
low limit is enough to confirm it.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Callable, Optional

from pytest_codecollapse.errors import ProblemError
from pytest_codecollapse.model import Execution, Executions, Problem, Settings
from pytest_codecollapse.sandbox.messages import Ran
from pytest_codecollapse.sandbox.server import PATIENCE, REFERENCE_LIMIT_FACTOR, ProblemServer
from pytest_codecollapse.sandbox.zygote import Zygote

HASH_SEEDS = (1, 2)
_TIMEOUT = "TIMEOUT"


class Lane:
    """A pair of zygotes that stay up over many problems; ``close`` ends them."""

    def __init__(self, python: str) -> None:
        self._zygotes = tuple(Zygote(python, seed) for seed in HASH_SEEDS)

    def execute(
        self, problem: Problem, settings: Settings, on_candidates: Callable[[int], None]
    ) -> Executions:
        """Run the reference, then every candidate; identical sources run once.

        Parameters
        ----------
        problem, settings
            The problem and how to measure it.
        on_candidates
            Told how many further candidates are done.

        Raises
        ------
        ProblemError
            Where the problem cannot be measured.
        SandboxError
            Where the sandbox fails.
        """
        with ExitStack() as stack:
            runner = self._runner(stack, problem, settings, [problem.reference])
            reference = runner.run(problem.reference, None, "the reference")
            digests, cpu_s = runner.digests, runner.cpu_s
        _check_reference(problem, settings, reference)
        sources = list(dict.fromkeys(problem.candidates))
        done: dict[str, Execution] = {}
        with ExitStack() as stack:
            runner = self._runner(stack, problem, settings, sources)
            if runner.digests != digests:
                raise _unsteady_inputs(problem)
            for source in sources:
                name = f"candidate {problem.candidates.index(source)}"
                done[source] = runner.run(source, cpu_s, name)
                on_candidates(problem.candidates.count(source))
        return Executions(
            reference=reference, candidates=tuple(done[source] for source in problem.candidates)
        )

    def _runner(
        self, stack: ExitStack, problem: Problem, settings: Settings, sources: list[str]
    ) -> _Runner:
        first, second = (
            stack.enter_context(ProblemServer(zygote, problem, settings, sources))
            for zygote in self._zygotes
        )
        if first.digests != second.digests:
            raise _unsteady_inputs(problem)
        return _Runner(first, second)

    def interrupt(self) -> None:
        """Stop for good, from any thread."""
        for zygote in self._zygotes:
            zygote.interrupt()

    def close(self) -> None:
        """End the zygotes."""
        for zygote in self._zygotes:
            zygote.close()


class _Runner:
    """Runs programs on two problem servers that made the same inputs."""

    def __init__(self, first: ProblemServer, second: ProblemServer) -> None:
        self._first = first
        self._second = second
        self.digests = first.digests
        self._in_order = list(range(len(first.digests)))
        self.cpu_s: list[float] = []

    def run(self, source: str, cpu_s: Optional[list[float]], name: str) -> Execution:
        """Run a program under both seeds; leaves its CPU time per input in ``cpu_s``."""
        first = self._first.run(source, self._in_order, cpu_s, name)
        tokens = dict(first.tokens)
        timeouts = {index for index, token in first.tokens if token == _TIMEOUT}
        suspects = sorted(timeouts.difference(first.shrunk))
        patience = PATIENCE if len(timeouts) < PATIENCE else 1
        backwards = self._second.run(source, self._in_order[::-1], cpu_s, name, suspects, patience)
        unconfirmed = {index for index, token in backwards.tokens if token != _TIMEOUT}
        doubtful = sorted(unconfirmed.intersection(first.shrunk))
        if doubtful:
            tokens.update(self._first.run(source, doubtful, cpu_s, name).tokens)
        self.cpu_s = [nanoseconds / 1e9 for _, nanoseconds in first.cpu_ns]
        stands = tuple(tokens[index] for index in self._in_order)
        if _agrees(stands, backwards):
            return Execution(tokens=stands)
        again = self._second.run(source, self._in_order, cpu_s, name, suspects, patience)
        steady = _agrees(stands, again)
        return Execution(tokens=stands, nondeterministic=not steady, order_dependent=steady)


def _agrees(tokens: tuple[str, ...], other: Ran) -> bool:
    guesses = set(other.shrunk)
    return all(tokens[index] == token or index in guesses for index, token in other.tokens)


def _unsteady_inputs(problem: Problem) -> ProblemError:
    return ProblemError(
        "input_gen makes other inputs each time it runs, expected the same for the same rng",
        where=problem.where,
        remedy="take every random number from rng, and do not depend on the order of a set",
    )


def _check_reference(problem: Problem, settings: Settings, reference: Execution) -> None:
    """Refuse a reference that gives candidates nothing to be compared with."""

    def refusal(what: str, remedy: str) -> ProblemError:
        return ProblemError(what, where=problem.where, remedy=remedy)

    tokens = reference.tokens
    limit_s = REFERENCE_LIMIT_FACTOR * settings.timeout_s
    if tokens[0].startswith("load:"):
        raise refusal(
            f"the reference does not load ({tokens[0]})",
            f"it must compile, run and define {problem.entry_point}",
        )
    if reference.nondeterministic:
        raise refusal(
            "the reference is nondeterministic: its results differ from run to run",
            "remove what is random, or depends on time, addresses or the order of a set",
        )
    for index, token in enumerate(tokens):
        if token == _TIMEOUT:
            raise refusal(
                f"the reference takes more than {limit_s:g} s of CPU time for input {index}",
                "allow more time, or take the input out",
            )
        if token == "CRASH":
            raise refusal(
                f"the reference ends its process on input {index}",
                "make it return or raise, or take the input out",
            )
    if all(token.startswith("exc:") for token in tokens):
        raise refusal(
            f"the reference raises on every input ({', '.join(sorted(set(tokens)))})",
            "check that the inputs are argument lists for its entry point",
        )
