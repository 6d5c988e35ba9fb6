"""One lane: runs the programs of a problem, each under both hash seeds, one at a time.

Theory of operation
-------------------
A program runs under seed 1 with the inputs in order and under seed 2 with the inputs reversed.
Where the two differ, seed 2 runs once more in order: what differs still is **nondeterministic**
(unseeded random, set order, time, addresses), what agrees then is **order-dependent** (state kept
between calls). The tokens of seed 1 stand in any case.

An input that the reference does not answer has no right answer to compare with: it is left out
for the problem, and the executions say so. What is left out must not depend on how fast the
machine is at that moment, so the reference's work is counted first, in trace events: an input that
takes more than ``EVENTS_PER_S`` for each second of the timeout is left out. That many events take
a fifth of the timeout or so, which leaves room for noise. What no event counts, work in C, is up
to the CPU limit as for candidates.

A timeout under a shrunk limit is a guess, and is not held against the program: where the run
under seed 2, which comes to the inputs in another order, got a result, seed 1 tries the input
again under the full limit. What has timed out under the full limit is a suspect in later runs: a
low limit is enough to confirm it.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from typing import Callable, NamedTuple

from pytest_codecollapse.errors import ProblemError
from pytest_codecollapse.model import Execution, Executions, Problem, Settings
from pytest_codecollapse.sandbox.messages import Ran
from pytest_codecollapse.sandbox.server import PATIENCE, ProblemServer
from pytest_codecollapse.sandbox.zygote import Zygote

HASH_SEEDS = (1, 2)
_TIMEOUT = "TIMEOUT"
EVENTS_PER_S = 20_000_000
_NO_ANSWERS = (_TIMEOUT, "CRASH")


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
            answers = runner.answers(problem.reference)
            digests = runner.digests
        _check_reference(problem, settings, answers)
        sources = list(dict.fromkeys(problem.candidates))
        done: dict[str, Execution] = {}
        with ExitStack() as stack:
            runner = self._runner(stack, problem, settings, sources)
            if runner.digests != digests:
                raise _unsteady_inputs(problem)
            for source in sources:
                name = f"candidate {problem.candidates.index(source)}"
                done[source] = runner.run(source, answers, name)
                on_candidates(problem.candidates.count(source))
        return Executions(
            reference=answers.execution,
            candidates=tuple(done[source] for source in problem.candidates),
            left_out=answers.left_out,
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
        return _Runner(first, second, settings.timeout_s)

    def interrupt(self) -> None:
        """Stop for good, from any thread."""
        for zygote in self._zygotes:
            zygote.interrupt()

    def close(self) -> None:
        """End the zygotes."""
        for zygote in self._zygotes:
            zygote.close()


class _Answers(NamedTuple):
    """What the reference did: on which inputs, in which CPU time each, and where it did not."""

    execution: Execution
    inputs: list[int]
    cpu_s: list[float]
    left_out: tuple[int, ...]


class _Runner:
    """Runs programs on two problem servers that made the same inputs."""

    def __init__(self, first: ProblemServer, second: ProblemServer, timeout_s: float) -> None:
        self._first = first
        self._second = second
        self._budget = int(EVENTS_PER_S * timeout_s)
        self.digests = first.digests

    def answers(self, reference: str) -> _Answers:
        """Run the reference on every input that it answers in every run."""
        name, everything = "the reference", list(range(len(self.digests)))
        work = self._first.run(reference, everything, None, name, event_budget=self._budget)
        indices = [index for index, token in work.tokens if token not in _NO_ANSWERS]
        first = self._first.run(reference, indices, None, name)
        backwards = self._second.run(reference, indices[::-1], None, name)
        again = self._second.run(reference, indices, None, name)
        unanswered = {
            index
            for run in (first, backwards, again)
            for index, token in run.tokens
            if token in _NO_ANSWERS
        }
        tokens = {index: token for index, token in first.tokens if index not in unanswered}
        cpu_ns = dict(first.cpu_ns)
        return _Answers(
            execution=Execution(
                tokens=tuple(tokens.values()),
                nondeterministic=not _agrees(tokens, again),
                order_dependent=_agrees(tokens, again) and not _agrees(tokens, backwards),
            ),
            inputs=list(tokens),
            cpu_s=[cpu_ns.get(index, 0) / 1e9 for index in everything],
            left_out=tuple(index for index in everything if index not in tokens),
        )

    def run(self, source: str, answers: _Answers, name: str) -> Execution:
        """Run a candidate under both seeds, on the inputs that the reference answers."""
        indices, cpu_s = answers.inputs, answers.cpu_s
        first = self._first.run(source, indices, cpu_s, name)
        tokens = dict(first.tokens)
        timeouts = {index for index, token in first.tokens if token == _TIMEOUT}
        suspects = sorted(timeouts.difference(first.shrunk))
        patience = PATIENCE if len(timeouts) < PATIENCE else 1
        backwards = self._second.run(source, indices[::-1], cpu_s, name, suspects, patience)
        unconfirmed = {index for index, token in backwards.tokens if token != _TIMEOUT}
        doubtful = sorted(unconfirmed.intersection(first.shrunk))
        if doubtful:
            tokens.update(self._first.run(source, doubtful, cpu_s, name).tokens)
        stands = tuple(tokens[index] for index in indices)
        if _agrees(tokens, backwards):
            return Execution(tokens=stands)
        again = self._second.run(source, indices, cpu_s, name, suspects, patience)
        steady = _agrees(tokens, again)
        return Execution(tokens=stands, nondeterministic=not steady, order_dependent=steady)


def _agrees(tokens: Mapping[int, str], other: Ran) -> bool:
    """Whether another run did the same on the inputs in ``tokens``, as far as it knows."""
    found = dict(other.tokens)
    return all(found[index] == token or index in other.shrunk for index, token in tokens.items())


def _unsteady_inputs(problem: Problem) -> ProblemError:
    return ProblemError(
        "input_gen makes other inputs each time it runs, expected the same for the same rng",
        where=problem.where,
        remedy="take every random number from rng, and do not depend on the order of a set",
    )


def _check_reference(problem: Problem, settings: Settings, answers: _Answers) -> None:
    """Refuse a reference that gives candidates nothing to be compared with."""

    def refusal(what: str, remedy: str) -> ProblemError:
        return ProblemError(what, where=problem.where, remedy=remedy)

    tokens = answers.execution.tokens
    if not tokens:
        raise refusal(
            "the reference answers no input: each takes too long at a limit of "
            f"{settings.timeout_s:g} s of CPU time, or ends its process",
            "allow more time, or check the reference",
        )
    if tokens[0].startswith("load:"):
        raise refusal(
            f"the reference does not load ({tokens[0]})",
            f"it must compile, run and define {problem.entry_point}",
        )
    if answers.execution.nondeterministic:
        raise refusal(
            "the reference is nondeterministic: its results differ from run to run",
            "remove what is random, or depends on time, addresses or the order of a set",
        )
    if all(token.startswith("exc:") for token in tokens):
        raise refusal(
            f"the reference raises on every input ({', '.join(sorted(set(tokens)))})",
            "check that the inputs are argument lists for its entry point",
        )
