"""Which results a person is to see as text, when all tokens are known.

Tokens tell behaviours apart and say nothing to a reader. So of each behaviour that is not the
reference's the first candidate runs once more, on the first input on which it differs, and replies
with a text of its result beside the token. Where the token is not the one on record, the text is
not of the behaviour on record either, and is not shown.

What raises, ends or does not load is known by its token. Behaviours of few candidates are left out
where there are very many: the runs are to cost little beside those that are measured.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, Optional

from pytest_codecollapse.model import Execution
from pytest_codecollapse.sandbox.messages import Ran
from pytest_codecollapse.sandbox.requests import Program

MOST_BEHAVIOURS = 10
UNSTEADY = "differs from run to run"
_RESULT = re.compile("[0-9a-f]{16}")


class Question(NamedTuple):
    """The run that shows what a candidate does on its last input, where its token is this."""

    candidate: int
    program: Program
    token: str

    def answer(self, ran: Ran) -> str:
        """Return the text, if the run did what is on record."""
        index = self.program.order[-1]
        if dict(ran.tokens)[index] != self.token:
            return UNSTEADY
        return dict(ran.texts)[index]


def questions(
    sources: Sequence[str],
    candidates: Sequence[Execution],
    reference: Execution,
    inputs: Sequence[int],
) -> list[Question]:
    """Choose what to run: a question for each of the largest incorrect behaviours, largest first.

    Parameters
    ----------
    sources, candidates
        The candidates and what they did.
    reference
        What the reference did.
    inputs
        The index of the input that each token is about.
    """
    members: dict[tuple[str, ...], list[int]] = {}
    for number, execution in enumerate(candidates):
        members.setdefault(execution.tokens, []).append(number)
    firsts = [group[0] for group in sorted(members.values(), key=lambda group: -len(group))]
    found = (_question(each, sources[each], candidates[each], reference, inputs) for each in firsts)
    return [question for question in found if question is not None][:MOST_BEHAVIOURS]


def _question(
    number: int, source: str, did: Execution, reference: Execution, inputs: Sequence[int]
) -> Optional[Question]:
    at = did.first_difference(reference)
    if at is None or not _RESULT.fullmatch(did.tokens[at]):
        return None
    first = 0 if did.order_dependent else at  # what came before makes a difference, or none
    order = list(inputs[first : at + 1])
    program = Program(source, order, f"candidate {number}", reply_with="texts")
    return Question(number, program, did.tokens[at])
