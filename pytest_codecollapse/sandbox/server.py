"""The host's handle on one problem server: prepare a problem, run programs on its inputs."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from typing import Any, Optional

from pytest_codecollapse.errors import CodecollapseError, ProblemError, SandboxError
from pytest_codecollapse.model import Problem, Settings
from pytest_codecollapse.sandbox.messages import (
    Alive,
    Died,
    Examined,
    Fault,
    Idle,
    Message,
    Ran,
    Ready,
    Refused,
)
from pytest_codecollapse.sandbox.requests import (
    Given,
    Program,
    input_gen_limit_s,
    problem_message,
)
from pytest_codecollapse.sandbox.zygote import SILENCE_S, Zygote, ZygoteDiedError

_TRIES = 2
_LONGEST_AHEAD = 16_384  # characters: what fits into a socket's buffer in any encoding


class ProblemServer:
    """A problem server on one zygote; a context manager that ends it.

    Parameters
    ----------
    zygote, rungs
        The zygote is started here if need be, on one of the rungs; it serves this problem alone
        until the server is closed.
    problem, settings
        The problem and how to measure it.
    sources
        The programs that will run.
    given
        What else it is to have.

    Attributes
    ----------
    digests
        One for each input that was made.
    arguments
        A text of each, where there are texts.
    argument_counts
        The numbers of arguments that they have, ascending.

    Raises
    ------
    ProblemError
        Where the inputs cannot be made.
    SandboxError
        Where the sandbox fails.
    """

    def __init__(
        self,
        zygote: Zygote,
        rungs: Sequence[str],
        problem: Problem,
        settings: Settings,
        sources: Sequence[str],
        given: Given,
    ) -> None:
        self._zygote = zygote
        self._rungs = rungs
        self._problem = problem
        self._message = problem_message(problem, settings, sources, given)
        self._limit_s = input_gen_limit_s(settings)
        self.arguments: tuple[str, ...] = ()
        self.argument_counts: tuple[int, ...] = ()
        self.digests = self._prepare()

    def __enter__(self) -> ProblemServer:
        return self

    def __exit__(self, *exception: object) -> None:
        try:
            self._zygote.send({"kind": "end"})
            ended = isinstance(self._zygote.receive(SILENCE_S), Idle)
        except (ZygoteDiedError, SandboxError):
            ended = False
        if not ended:
            self._zygote.close()

    def run(self, program: Program) -> Ran:
        """Run one program; see ``run_all``."""
        (ran,) = self.run_all([program])
        return ran

    def run_all(self, programs: Sequence[Program]) -> list[Ran]:
        """Run programs one after the other; each is sent while the one before it runs.

        Raises
        ------
        SandboxError
            Where the sandbox fails, or a program brings it down each time it is tried.
        """
        done: list[Ran] = []
        sent = tries = 0
        while len(done) < len(programs):
            name = programs[len(done)].name
            try:
                sent = self._send_ahead(programs, len(done), sent)
                reply = self._reply()
            except ZygoteDiedError as error:
                tries += 1
                if tries == _TRIES:
                    what = f"{name} brought the sandbox down {_TRIES} times ({error.what})"
                    raise self._fault(what) from error
                self._zygote.close()
                self.digests = self._prepare()
                sent = len(done)
                continue
            if not isinstance(reply, Ran):
                raise self._fault(f"{name} could not be run ({_said(reply)})")
            done.append(reply)
            tries = 0
        return done

    def examine(
        self, reference: Optional[str], answers: Optional[dict[str, list[Any]]] = None
    ) -> Examined:
        """Run the tests of the problem.

        Parameters
        ----------
        reference
            The reference, None where there is none.
        answers
            By the arguments of a call, as text, what the program in question did; None to have
            the calls recorded.

        Raises
        ------
        SandboxError
            Where the sandbox fails, or the tests bring it down each time they are tried.
        """
        for _ in range(_TRIES):
            try:
                self._zygote.send({"kind": "examine", "reference": reference, "answers": answers})
                reply = self._reply()
            except ZygoteDiedError as error:
                failure = self._fault(f"the tests brought the sandbox down ({error.what})")
                self._zygote.close()
                self.digests = self._prepare()
                continue
            if isinstance(reply, Examined):
                return reply
            raise self._fault(f"the tests could not be run ({_said(reply)})")
        raise failure

    def _send_ahead(self, programs: Sequence[Program], done: int, sent: int) -> int:
        """Send the program that is due, and the next if both sides can be sure to read on."""
        while sent < min(done + 2, len(programs)):
            program = programs[sent]
            if sent > done and len(program.source) > _LONGEST_AHEAD:
                break
            self._zygote.send({"kind": "run", **program._asdict()})
            sent += 1
        return sent

    def _reply(self) -> Message:
        while True:
            reply = self._zygote.receive(SILENCE_S)
            if isinstance(reply, Died):
                raise ZygoteDiedError(f"its server ended with {ending(reply.status)}")
            if not isinstance(reply, Alive):
                return reply

    def _prepare(self) -> tuple[str, ...]:
        """Have the inputs made; once more where something killed the processes meanwhile."""
        for _ in range(_TRIES):
            self._zygote.start(self._rungs)
            try:
                self._zygote.send(self._message)
                reply = self._zygote.receive(SILENCE_S + self._limit_s)
            except ZygoteDiedError as error:
                if self._zygote.is_interrupted:
                    raise self._fault("the run was interrupted") from error
                what = f"the sandbox came down {_TRIES} times as the inputs were made ({error})"
                failure: CodecollapseError = self._fault(what)
                continue
            if isinstance(reply, Died) and os_signal(reply.status) == signal.SIGKILL:
                self._zygote.close()
                failure = self._ended(reply)
                continue
            return self._digests_of(reply)
        raise failure

    def _digests_of(self, reply: Message) -> tuple[str, ...]:
        if isinstance(reply, Ready):
            self.arguments = reply.arguments
            self.argument_counts = reply.argument_counts
            return reply.digests
        if isinstance(reply, Refused):
            self._zygote.receive(SILENCE_S)
            if reply.source != "input_gen":
                raise self._canonicalizer_refusal(reply)
            raise self._refusal(f"input_gen failed: {reply.what}")
        self._zygote.close()
        if isinstance(reply, Died) and os_signal(reply.status) == signal.SIGPROF:
            raise self._refusal(
                f"input_gen took more than {self._limit_s:g} s of CPU time for "
                f"{self._message['count']} inputs"
            )
        raise self._ended(reply)

    def _ended(self, reply: Message) -> CodecollapseError:
        """Say who ended a server that was to make inputs: input_gen, where it runs one."""
        if self._message["input_gen"] is None:
            return self._fault(f"its server ended as the inputs were read ({_said(reply)})")
        return self._refusal(f"input_gen ended its process ({_said(reply)})")

    def _refusal(self, what: str) -> ProblemError:
        return ProblemError(
            what,
            where=self._problem.where,
            remedy="it must define generate(rng, m) and return m tuples of positional arguments",
        )

    def _canonicalizer_refusal(self, reply: Refused) -> ProblemError:
        return ProblemError(
            f"{reply.source} failed: {reply.what}",
            where=self._problem.where,
            remedy="it must load in the candidates' interpreter and define canonicalize(value)",
        )

    def _fault(self, what: str) -> SandboxError:
        return SandboxError(what, where=self._problem.where)


def os_signal(status: int) -> int:
    """Return the signal that a wait status tells of, 0 where there is none."""
    return status & 0x7F


def ending(status: int) -> str:
    """Say in words what a wait status tells."""
    number = os_signal(status)
    if not number:
        return f"exit status {status >> 8}"
    named = {each.value: each.name for each in signal.Signals}  # real-time signals have no names
    return named.get(number, f"signal {number}")


def _said(reply: Message) -> str:
    if isinstance(reply, (Died, Idle)):
        return ending(reply.status if isinstance(reply, Died) else 0)
    return reply.what if isinstance(reply, Fault) else type(reply).__name__
