"""What candidates did in their runs for tokens and for values, put together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from pytest_codecollapse.sandbox.candidates import CandidateRuns
from pytest_codecollapse.sandbox.messages import Ran
from pytest_codecollapse.sandbox.requests import Program
from pytest_codecollapse.sandbox.server import ProblemServer

A = "a" * 16


class Server:
    """Says that an endless iterator is late for its token, and in time for its value."""

    def run_all(self, programs: Sequence[Program]) -> list[Ran]:
        """Answer for each program."""
        return [self._ran(each) for each in programs]

    def _ran(self, program: Program) -> Ran:
        has_values = program.reply_with == "values"
        tokens = [(at, A if has_values or at else "TIMEOUT") for at in program.order]
        values = [(at, "[1]") for at in program.order] if has_values else []
        return Ran(tokens=tuple(tokens), events=(), cpu_ns=(), shrunk=(), values=tuple(values))


def test_who_is_late_by_its_token_is_late_in_the_tests() -> None:
    """Else a verdict would hang on how far the machine came with writing the value."""
    server = cast("ProblemServer", Server())
    (did,) = CandidateRuns(server, server, [0, 1], [0, 1, 2]).run_all(["source"], ["candidate 0"])
    assert did.execution.tokens == ("TIMEOUT", A)
    assert did.valued.tokens == ((0, "TIMEOUT"), (1, A), (2, A))
    assert did.valued.results() == {1: "[1]", 2: "[1]"}
