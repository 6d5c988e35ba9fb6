"""One lane: runs the programs of a problem, each under both hash seeds, one at a time.

Theory of operation
-------------------
A program runs under seed 1 with the inputs in order and under seed 2 with the inputs reversed.
Where the two differ, seed 2 runs once more in order: what differs still is **nondeterministic**
(unseeded random, set order, time, addresses), what agrees then is **order-dependent** (state kept
between calls). The tokens of seed 1 stand in any case.

A problem's programs run in chunks, first under seed 1, then under seed 2, so that each server finds
its next program waiting when it is done with one.

An input that the reference does not answer has no right answer to compare with: it is left out
for the problem, and the executions say so. The reference's work is counted on every input, for
what it needed is what the limits of candidates are made from.

A timeout under a shrunk limit is a guess, and is not held against the program: where the run
under seed 2, which comes to the inputs in another order, got a result, seed 1 tries the input
again under the full limit. What has timed out under the full limit is a suspect in later runs: a
low limit is enough to confirm it.

For a person to see what behaviours are, the reference runs once more to give texts of its results,
on its own server like all its runs, and so does a candidate of each of them; see ``witnesses``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any, Callable, NamedTuple, Optional

from pytest_codecollapse.errors import ProblemError
from pytest_codecollapse.model import Execution, Executions, Problem, Settings, Shown
from pytest_codecollapse.sandbox.launch import Interpreter, Launcher
from pytest_codecollapse.sandbox.messages import Hello, Ran
from pytest_codecollapse.sandbox.server import PATIENCE, Needed, ProblemServer, Program
from pytest_codecollapse.sandbox.witnesses import UNSTEADY, questions
from pytest_codecollapse.sandbox.zygote import Zygote

HASH_SEEDS = (1, 2)
_TIMEOUT = "TIMEOUT"
_CHUNK = 8  # programs that run under one seed before they run under the other
_NO_ANSWERS = (_TIMEOUT, "CRASH")


class Lane:
    """A pair of zygotes that stay up over many problems; ``close`` ends them."""

    def __init__(self, launcher: Launcher, interpreter: Interpreter) -> None:
        self._zygotes = tuple(Zygote(launcher, interpreter, seed) for seed in HASH_SEEDS)
        self._rungs = launcher.rungs

    def settle(self) -> Hello:
        """Start a zygote on the best rung that is to be had; the lane keeps to that one.

        Raises
        ------
        SandboxError
            Where it does not start.
        """
        hello = self._zygotes[0].start(self._rungs)
        if hello.rung:
            self.keep_to(hello.rung)
        return hello

    def keep_to(self, rung: str) -> None:
        """Have every zygote stand on this rung."""
        self._rungs = (rung,)

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
        if problem.reference is None or (problem.inputs is None and problem.input_gen is None):
            raise ProblemError(
                "tests as oracle are not supported yet",
                where=problem.where,
                remedy="give a reference and inputs",
            )
        with ExitStack() as stack:
            runner = self._runner(stack, problem, settings, [problem.reference], None)
            answers = runner.answers(problem.reference)
            _check_reference(problem, settings, answers)
            arguments, expected = runner.reference_texts(problem.reference, answers)
            digests = runner.digests
        sources = list(dict.fromkeys(problem.candidates))
        done: dict[str, Execution] = {}
        with ExitStack() as stack:
            runner = self._runner(stack, problem, settings, sources, answers.needed)
            if runner.digests != digests:
                raise _unsteady_inputs(problem)
            for first in range(0, len(sources), _CHUNK):
                chunk = sources[first : first + _CHUNK]
                names = [f"candidate {problem.candidates.index(source)}" for source in chunk]
                done.update(zip(chunk, runner.run_all(chunk, names, answers)))
                for source in chunk:
                    on_candidates(problem.candidates.count(source))
            candidates = tuple(done[source] for source in problem.candidates)
            outputs = runner.outputs(problem.candidates, candidates, answers)
        return Executions(
            reference=answers.execution,
            candidates=candidates,
            left_out=answers.left_out,
            shown=Shown(arguments=arguments, expected=expected, outputs=outputs),
        )

    def _runner(
        self,
        stack: ExitStack,
        problem: Problem,
        settings: Settings,
        sources: list[str],
        needed: Optional[Needed],
    ) -> _Runner:
        first, second = (
            stack.enter_context(
                ProblemServer(zygote, self._rungs, problem, settings, sources, needed)
            )
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


class _Answers(NamedTuple):
    """What the reference did: on which inputs, what it needed, and where it had no answer."""

    execution: Execution
    inputs: list[int]
    needed: Needed
    left_out: tuple[int, ...]


class _Runner:
    """Runs programs on two problem servers that made the same inputs."""

    def __init__(self, first: ProblemServer, second: ProblemServer) -> None:
        self._first = first
        self._second = second
        self.digests = first.digests

    def answers(self, reference: str) -> _Answers:
        """Run the reference on every input that it answers in every run."""
        name, everything = "the reference", list(range(len(self.digests)))
        first = self._first.run(Program(reference, everything, name))
        indices = [index for index, token in first.tokens if token not in _NO_ANSWERS]
        backwards, again = self._second.run_all(
            [Program(reference, order, name) for order in (indices[::-1], indices)]
        )
        unanswered = {
            index
            for run in (first, backwards, again)
            for index, token in run.tokens
            if token in _NO_ANSWERS
        }
        tokens = {index: token for index, token in first.tokens if index not in unanswered}
        events, cpu_ns = dict(first.events), dict(first.cpu_ns)
        return _Answers(
            execution=Execution(
                tokens=tuple(tokens.values()),
                nondeterministic=not _agrees(tokens, again),
                order_dependent=_agrees(tokens, again) and not _agrees(tokens, backwards),
            ),
            inputs=list(tokens),
            needed=Needed(
                [events.get(index, 0) for index in everything],
                [cpu_ns.get(index, 0) for index in everything],
            ),
            left_out=tuple(index for index in everything if index not in tokens),
        )

    def reference_texts(
        self, reference: str, answers: _Answers
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return texts of the inputs that the reference answers, and of what it returns."""
        inputs = answers.inputs
        ran = self._first.run(Program(reference, inputs, "the reference", texts=True))
        tokens, texts = dict(ran.tokens), dict(ran.texts)
        expected = (
            texts.get(index, "") if tokens[index] == token else UNSTEADY
            for index, token in zip(inputs, answers.execution.tokens)
        )
        return tuple(self._first.arguments[index] for index in inputs), tuple(expected)

    def outputs(
        self, sources: Sequence[str], candidates: Sequence[Execution], answers: _Answers
    ) -> dict[int, str]:
        """Return, by candidate, texts of what incorrect ones returned."""
        asked = questions(sources, candidates, answers.execution, answers.inputs)
        replies = self._first.run_all([question.program for question in asked])
        return {question.candidate: question.answer(ran) for question, ran in zip(asked, replies)}

    def run_all(
        self, sources: Sequence[str], names: Sequence[str], answers: _Answers
    ) -> list[Execution]:
        """Run candidates under both seeds, on the inputs that the reference answers."""
        inputs = answers.inputs
        in_order = [Program(source, inputs, name) for source, name in zip(sources, names)]
        firsts = self._first.run_all(in_order)
        reversed_ones = [
            program._replace(order=inputs[::-1], **_lessons_of(first))
            for program, first in zip(in_order, firsts)
        ]
        seconds = self._second.run_all(reversed_ones)
        return [
            self._compare(program, first, backwards)
            for program, first, backwards in zip(in_order, firsts, seconds)
        ]

    def _compare(self, program: Program, first: Ran, backwards: Ran) -> Execution:
        """Settle what a program did from its two runs, with a third where they differ."""
        tokens = dict(first.tokens)
        unconfirmed = {index for index, token in backwards.tokens if token != _TIMEOUT}
        doubtful = sorted(unconfirmed.intersection(first.shrunk))
        if doubtful:
            tokens.update(self._first.run(program._replace(order=doubtful)).tokens)
        stands = tuple(tokens[index] for index in program.order)
        if _agrees(tokens, backwards):
            return Execution(tokens=stands)
        again = self._second.run(program._replace(**_lessons_of(first)))
        steady = _agrees(tokens, again)
        return Execution(tokens=stands, nondeterministic=not steady, order_dependent=steady)


def _lessons_of(first: Ran) -> dict[str, Any]:
    """Say what a run under seed 2 need not find out again, for ``Program``."""
    timeouts = {index for index, token in first.tokens if token == _TIMEOUT}
    return {
        "suspects": sorted(timeouts.difference(first.shrunk)),
        "patience": PATIENCE if len(timeouts) < PATIENCE else 1,
    }


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
            f"{settings.timeout_s:g} s, or ends its process",
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
