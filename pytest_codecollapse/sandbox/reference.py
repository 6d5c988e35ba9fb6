"""What the reference does: the inputs it answers, what it needs, and the inputs it adds.

Theory of operation
-------------------
An input that the reference does not answer has no right answer to compare with: it is left out
for the problem, and the executions say so. The reference's work is counted on every input, for
what it needed is what the limits of candidates are made from.

A member of the pool of mutated inputs becomes an input where the contract's program, if there is a
contract, and then the reference return normally, and soon; the first ones that do, as many as are
missing. One on which the reference differs from run to run is dropped again: the problem's own
inputs are its author's business, and such a reference is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Optional

from pytest_codecollapse.errors import ProblemError
from pytest_codecollapse.model import Execution, Problem, Settings
from pytest_codecollapse.sandbox.contract import contract_program
from pytest_codecollapse.sandbox.layout import Layout, missing_inputs
from pytest_codecollapse.sandbox.messages import Ran
from pytest_codecollapse.sandbox.requests import Needed, Program
from pytest_codecollapse.sandbox.server import ProblemServer
from pytest_codecollapse.sandbox.witnesses import UNSTEADY

NO_ANSWERS = ("TIMEOUT", "CRASH")
_NAME = "the reference"
_RESULT = re.compile("[0-9a-f]{16}")


class Answers(NamedTuple):
    """What the reference did.

    Parameters
    ----------
    execution
        Its tokens, on the inputs that it answers.
    inputs
        The index of the input that each token is about.
    needed
        What it needed for each index of the layout.
    left_out
        Indices of inputs that it does not answer.
    layout
        Inputs and extra calls, the pool chosen from.
    kept
        Its indices, as they were when there was a pool.
    arguments, expected
        A text of each input in ``inputs``, and of what it returned.
    values
        Index -> what it returned, as ``child.values`` writes it, where that was asked for.
    """

    execution: Execution
    inputs: list[int]
    needed: Needed
    left_out: tuple[int, ...]
    layout: Layout
    kept: list[int]
    arguments: tuple[str, ...] = ()
    expected: tuple[str, ...] = ()
    values: Mapping[int, str] = {}


class ReferenceRuns:
    """Runs the reference on two problem servers that made the same inputs.

    Parameters
    ----------
    first, second
        Servers under the two seeds.
    problem, settings
        What is measured, and how.
    layout
        What the servers have.
    """

    def __init__(
        self,
        first: ProblemServer,
        second: ProblemServer,
        problem: Problem,
        settings: Settings,
        layout: Layout,
    ) -> None:
        self._first = first
        self._second = second
        self._problem = problem
        self._settings = settings
        self._layout = layout
        self._source = problem.reference or ""

    def answers(self) -> Answers:
        """Run the reference on every input, and on those it adds.

        Raises
        ------
        ProblemError
            Where it gives candidates nothing to be compared with.
        SandboxError
            Where the sandbox fails.
        """
        layout = self._layout
        inputs, extra = list(range(layout.pool)), list(range(layout.extra, layout.total))
        asked = self._first.run(Program(self._source, [*inputs, *extra], _NAME))
        added = self._chosen()
        ran = [asked, *([] if added is None else [added])]
        tokens = {
            index: token for each in ran for index, token in each.tokens if index < layout.extra
        }
        indices = sorted(index for index, token in tokens.items() if token not in NO_ANSWERS)
        again, backwards = map(dict, self._under_the_other_seed(indices))
        kept = {
            index
            for index in indices
            if index < layout.pool or tokens[index] == again[index] == backwards[index]
        }
        dropped = set(range(layout.pool, layout.extra)) - kept
        answered = [
            index
            for index in sorted(kept)
            if again[index] not in NO_ANSWERS and backwards[index] not in NO_ANSWERS
        ]
        execution = _settled(
            [each[index] for index in answered] for each in (tokens, again, backwards)
        )
        self._check(execution)
        unanswered = sorted(set(inputs).difference(answered))
        return self._renumbered(execution, answered, unanswered, ran, dropped)

    def _under_the_other_seed(self, indices: list[int]) -> Iterator[tuple[tuple[int, str], ...]]:
        """Run inputs in their order and reversed; yield what became of each."""
        for order in (indices, indices[::-1]):
            yield self._second.run(Program(self._source, order, _NAME)).tokens

    def _chosen(self) -> Optional[Ran]:
        """Run what the pool has, and return what became of those that are kept."""
        layout, problem = self._layout, self._problem
        pool = list(range(layout.pool, layout.extra))
        if not pool:
            return None
        if problem.contract is not None:
            pool = self._keeping_to(problem.contract, pool)
        # each has the least limit: what the reference needs long for, every candidate would, too
        ran = self._first.run(Program(self._source, pool, _NAME, suspects=pool))
        returned = [index for index, token in ran.tokens if _RESULT.fullmatch(token)]
        kept = frozenset(returned[: missing_inputs(problem, self._settings, layout)])
        return Ran(
            tokens=tuple(each for each in ran.tokens if each[0] in kept),
            events=ran.events,
            cpu_ns=ran.cpu_ns,
            shrunk=(),
        )

    def _keeping_to(self, contract: str, pool: list[int]) -> list[int]:
        source = contract_program(self._source, self._problem.entry_point, contract)
        if source is None:
            raise self._no_contract("it cannot be put into the reference")
        ran = self._first.run(Program(source, pool, "the contract", suspects=pool))
        if ran.tokens[0][1].startswith("load:"):
            raise self._no_contract(ran.tokens[0][1])
        return [index for index, token in ran.tokens if _RESULT.fullmatch(token)]

    def _no_contract(self, why: str) -> ProblemError:
        return ProblemError(
            f"the contract does not load ({why})",
            where=self._problem.where,
            remedy="give statements about the parameters of the reference, or leave it out",
        )

    def _renumbered(
        self,
        execution: Execution,
        stands: list[int],
        unanswered: list[int],
        ran: Sequence[Ran],
        dropped: set[int],
    ) -> Answers:
        """Say it by the numbers of a layout without what was dropped from the pool."""
        kept = [index for index in range(self._layout.total) if index not in dropped]
        number = {index: at for at, index in enumerate(kept)}
        events = {index: count for each in ran for index, count in each.events}
        cpu_ns = {index: count for each in ran for index, count in each.cpu_ns}
        arguments, expected = self._texts(stands, execution)
        values = {}
        if self._problem.atol:
            said = self._first.run(Program(self._source, stands, _NAME, reply_with="values"))
            values = {number[index]: text for index, text in said.results().items()}
        return Answers(
            execution=execution,
            inputs=[number[index] for index in stands],
            needed=Needed(
                [events.get(index, 0) for index in kept],
                [cpu_ns.get(index, 0) for index in kept],
            ),
            left_out=tuple(number[index] for index in unanswered),
            layout=self._layout.without(dropped),
            kept=kept,
            arguments=arguments,
            expected=expected,
            values=values,
        )

    def _texts(
        self, inputs: list[int], execution: Execution
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return texts of the inputs that the reference answers, and of what it returns."""
        ran = self._first.run(Program(self._source, inputs, _NAME, reply_with="texts"))
        tokens, texts = dict(ran.tokens), dict(ran.texts)
        expected = (
            texts.get(index, "") if tokens[index] == token else UNSTEADY
            for index, token in zip(inputs, execution.tokens)
        )
        return tuple(self._first.arguments[index] for index in inputs), tuple(expected)

    def _check(self, execution: Execution) -> None:
        """Refuse a reference that gives candidates nothing to be compared with."""
        problem, tokens = self._problem, execution.tokens

        def refusal(what: str, remedy: str) -> ProblemError:
            return ProblemError(what, where=problem.where, remedy=remedy)

        if not tokens:
            raise refusal(
                "the reference answers no input: each takes too long at a limit of "
                f"{self._settings.timeout_s:g} s, or ends its process",
                "allow more time, or check the reference",
            )
        if tokens[0].startswith("load:"):
            raise refusal(
                f"the reference does not load ({tokens[0]})",
                f"it must compile, run and define {problem.entry_point}",
            )
        if execution.nondeterministic:
            raise refusal(
                "the reference is nondeterministic: its results differ from run to run",
                "remove what is random, or depends on time, addresses or the order of a set",
            )
        if all(token.startswith("exc:") for token in tokens):
            raise refusal(
                f"the reference raises on every input ({', '.join(sorted(set(tokens)))})",
                "check that the inputs are argument lists for its entry point",
            )


def _settled(runs: Iterable[list[str]]) -> Execution:
    """Settle what the reference did from a run under seed 1, and two under seed 2."""
    tokens, again, backwards = runs
    return Execution(
        tokens=tuple(tokens),
        nondeterministic=tokens != again,
        order_dependent=tokens == again and tokens != backwards,
    )


def agrees(tokens: Mapping[int, str], other: Ran) -> bool:
    """Whether another run did the same on the inputs in ``tokens``, as far as it knows."""
    found = dict(other.tokens)
    return all(found[index] == token or index in other.shrunk for index, token in tokens.items())
