"""One lane: measures a problem, from its tests and its reference to its candidates.

Theory of operation
-------------------
A lane is a pair of zygotes, one under each hash seed, and serves one problem at a time, in steps
that each have problem servers of their own:

1. the *tests*, where there are any, are run with the reference, and the calls that they make are
   recorded: see ``child.examination``;
2. the *reference* answers the inputs, and adds some where they are few: see ``reference``;
3. the *candidates* run, on what the reference answers: see ``candidates``;
4. the tests are run again, with what each candidate did: see ``verdicts``. Where there is no
   reference and they ask for calls that nobody knew of, candidates and tests run once more.

So no server that candidates are forked from ever holds the reference, its results or the tests.

For a person to see what behaviours are, the reference runs once more to give texts of its results,
and so does a candidate of each behaviour; see ``witnesses``.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Callable, NamedTuple, Optional

from pytest_codecollapse.errors import ProblemError
from pytest_codecollapse.model import Checked, Execution, Executions, Problem, Settings, Shown
from pytest_codecollapse.sandbox.candidates import CHUNK, CandidateRuns, Did
from pytest_codecollapse.sandbox.launch import Interpreter, Launcher
from pytest_codecollapse.sandbox.layout import Layout, lay_out, make_pool
from pytest_codecollapse.sandbox.messages import Examined, Hello
from pytest_codecollapse.sandbox.reference import Answers, ReferenceRuns
from pytest_codecollapse.sandbox.refusals import no_inputs, refuse_tests
from pytest_codecollapse.sandbox.requests import Given, Needed, tests_limit_s
from pytest_codecollapse.sandbox.server import ProblemServer
from pytest_codecollapse.sandbox.verdicts import (
    Judge,
    answers_of,
    checked_of,
    within_tolerance,
)
from pytest_codecollapse.sandbox.witnesses import questions
from pytest_codecollapse.sandbox.zygote import Zygote

HASH_SEEDS = (1, 2)
_ROUNDS = 8  # in which tests without a reference may ask for further calls
_MOST_ASKED = 1000  # each program is run on all of them


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
        """Run tests and reference, then every candidate; identical sources run once.

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
        tests = self._recorded(problem, settings)
        layout = lay_out(problem, settings, tests.calls)
        if not layout.pool:
            raise no_inputs(problem, tests.examined)
        digests: Sequence[str] = ()
        if problem.reference is None:
            answers = _unanswered(layout)
        else:
            answers, digests = self._answered(problem, settings, layout)
        ran = self._ran(problem, settings, answers, digests, on_candidates)
        checked, asked = self._judged(problem, settings, answers.layout, tests, ran)
        for _ in range(_ROUNDS):
            if not asked or len(tests.asked) == _MOST_ASKED:
                break
            tests = tests._replace(asked=(*tests.asked, *asked)[:_MOST_ASKED])
            layout = lay_out(problem, settings, tests.calls, tests.asked)
            again = self._ran(problem, settings, _unanswered(layout), (), lambda count: None)
            checked, asked = self._judged(problem, settings, layout, tests, again)
        shown = Shown(arguments=answers.arguments, expected=answers.expected, outputs=ran.outputs)
        return Executions(
            reference=answers.execution,
            candidates=ran.executions,
            left_out=answers.left_out,
            shown=None if problem.reference is None else shown,
            reference_checked=tests.checked,
            checked=checked,
            origins=answers.layout.origins,
            argument_counts=ran.argument_counts,
        )

    def _recorded(self, problem: Problem, settings: Settings) -> _Tests:
        """Run the tests with the reference; return what they call it with."""
        if problem.tests is None:
            return _Tests()
        with self._examiner(problem, settings) as server:
            examined = server.examine(problem.reference)
        refuse_tests(problem, examined, tests_limit_s(settings))
        checked = None if problem.reference is None else checked_of(examined)
        return _Tests(examined.calls, (), checked, examined)

    def _examiner(self, problem: Problem, settings: Settings) -> ProblemServer:
        """Open a server that has the tests; its seed is the one that programs' values are of."""
        given = Given([], with_tests=True)
        sources = [problem.reference or ""]
        return ProblemServer(self._zygotes[0], self._rungs, problem, settings, sources, given)

    def _answered(
        self, problem: Problem, settings: Settings, layout: Layout
    ) -> tuple[Answers, Sequence[str]]:
        """Run the reference; return what it does, and digests of the inputs that are left."""
        layout = layout.with_pool(make_pool(problem, settings, layout))
        given = Given(layout.written, generates=layout.generated > 0, with_texts=True)
        with ExitStack() as stack:
            sources = [problem.reference or ""]
            first, second = self._servers(stack, problem, settings, sources, given)
            answers = ReferenceRuns(first, second, problem, settings, layout).answers()
            return answers, [first.digests[index] for index in answers.kept]

    def _ran(
        self,
        problem: Problem,
        settings: Settings,
        answers: Answers,
        digests: Sequence[str],
        on_candidates: Callable[[int], None],
    ) -> _Ran:
        layout = answers.layout
        given = Given(layout.written, generates=layout.generated > 0, needed=answers.needed)
        sources = list(dict.fromkeys(problem.candidates))
        valued = sorted({*layout.calls.values(), *(answers.inputs if problem.atol else ())})
        done: dict[str, Did] = {}
        with ExitStack() as stack:
            first, second = self._servers(stack, problem, settings, sources, given)
            if digests and list(first.digests) != list(digests):
                raise _unsteady_inputs(problem)
            runs = CandidateRuns(first, second, answers.inputs, valued)
            for start in range(0, len(sources), CHUNK):
                chunk = sources[start : start + CHUNK]
                names = [f"candidate {problem.candidates.index(source)}" for source in chunk]
                done.update(zip(chunk, runs.run_all(chunk, names)))
                for source in chunk:
                    on_candidates(problem.candidates.count(source))
            settled = {
                source: within_tolerance(problem, answers, did) for source, did in done.items()
            }
            executions = tuple(settled[source] for source in problem.candidates)
            outputs = _outputs(first, problem.candidates, executions, answers)
            return _Ran(done, executions, outputs, first.argument_counts)

    def _judged(
        self, problem: Problem, settings: Settings, layout: Layout, tests: _Tests, ran: _Ran
    ) -> tuple[Optional[tuple[Checked, ...]], Sequence[str]]:
        """Run the tests on what each candidate did; return also what they asked in vain.

        Nothing where there are no tests.
        """
        if problem.tests is None:
            return None, ()
        with self._examiner(problem, settings) as server:
            judge = Judge(server, problem.reference, tests.asserts)
            checked = {
                source: judge.checked(answers_of(did.valued, layout))
                for source, did in ran.done.items()
            }
        return tuple(checked[source] for source in problem.candidates), tuple(judge.asked)

    def _servers(
        self,
        stack: ExitStack,
        problem: Problem,
        settings: Settings,
        sources: Sequence[str],
        given: Given,
    ) -> tuple[ProblemServer, ProblemServer]:
        first, second = (
            stack.enter_context(
                ProblemServer(zygote, self._rungs, problem, settings, sources, given)
            )
            for zygote in self._zygotes
        )
        if first.digests != second.digests:
            raise _unsteady_inputs(problem)
        return first, second

    def interrupt(self) -> None:
        """Stop for good, from any thread."""
        for zygote in self._zygotes:
            zygote.interrupt()

    def close(self) -> None:
        """End the zygotes."""
        for zygote in self._zygotes:
            zygote.close()


class _Tests(NamedTuple):
    """The tests: the calls that they make, as text, and what the reference did in them.

    ``asked`` are further calls, which they make because of what candidates return.
    """

    calls: Sequence[str] = ()
    asked: tuple[str, ...] = ()
    checked: Optional[Checked] = None
    examined: Optional[Examined] = None

    @property
    def asserts(self) -> int:
        """How many come when the tests are run through, as far as that is known.

        What stopped them where there was no reference came of that.
        """
        if self.examined is None or (self.checked is None and self.examined.stopped):
            return 0
        return self.examined.asserts


class _Ran(NamedTuple):
    """What candidates did: by source, and in their order; and texts of what some returned."""

    done: dict[str, Did]
    executions: tuple[Execution, ...]
    outputs: dict[int, str]
    argument_counts: tuple[int, ...]


def _unanswered(layout: Layout) -> Answers:
    """Stand in for the answers of a reference that there is none of."""
    nothing = [0] * layout.total
    inputs = list(range(layout.pool))
    return Answers(Execution(tokens=()), inputs, Needed(nothing, nothing), (), layout, inputs)


def _outputs(
    server: ProblemServer,
    sources: Sequence[str],
    executions: Sequence[Execution],
    answers: Answers,
) -> dict[int, str]:
    """Return, by candidate, texts of what incorrect ones returned."""
    if not answers.execution.tokens:
        return {}
    asked = questions(sources, executions, answers.execution, answers.inputs)
    replies = server.run_all([question.program for question in asked])
    return {question.candidate: question.answer(ran) for question, ran in zip(asked, replies)}


def _unsteady_inputs(problem: Problem) -> ProblemError:
    return ProblemError(
        "input_gen makes other inputs each time it runs, expected the same for the same rng",
        where=problem.where,
        remedy="take every random number from rng, and do not depend on the order of a set",
    )
