"""The host's handle on one problem server: prepare a problem, run programs on its inputs."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from typing import Any, Optional

from pytest_codecollapse.errors import ProblemError, SandboxError
from pytest_codecollapse.model import Problem, Settings
from pytest_codecollapse.sandbox.imports import imported_modules
from pytest_codecollapse.sandbox.messages import (
    Alive,
    Died,
    Fault,
    Idle,
    Message,
    Ran,
    Ready,
    Refused,
)
from pytest_codecollapse.sandbox.zygote import SILENCE_S, Zygote, ZygoteDiedError

INPUT_GEN_LIMIT_FACTOR = 10
PATIENCE = 3
TRACED_LIMIT_FACTOR = 10
_TRIES = 2


def input_gen_limit_s(settings: Settings) -> float:
    """Return the CPU time that an ``input_gen`` may take for all inputs."""
    return INPUT_GEN_LIMIT_FACTOR * settings.timeout_s


def problem_message(problem: Problem, settings: Settings, sources: list[str]) -> dict[str, Any]:
    """Say what a problem server must know; of the programs only the modules they import."""
    inputs = None if problem.inputs is None else list(problem.inputs[: settings.inputs])
    return {
        "kind": "problem",
        "entry_point": problem.entry_point,
        "setup": problem.setup,
        "by_value": problem.equality == "python",
        "input_gen": problem.input_gen,
        "inputs": inputs,
        "count": settings.inputs,
        "input_seed": settings.input_seed,
        "input_gen_limit_s": input_gen_limit_s(settings),
        "memory_mb": settings.memory_mb,
        "modules": imported_modules([problem.setup, *sources]),
    }


class ProblemServer:
    """A problem server on one zygote; a context manager that ends it.

    Parameters
    ----------
    zygote
        Started here if need be; it serves this problem alone until the server is closed.
    problem, settings
        The problem and how to measure it.
    sources
        The programs that will run.

    Attributes
    ----------
    digests
        One for each input that was made.

    Raises
    ------
    ProblemError
        Where the inputs cannot be made.
    SandboxError
        Where the sandbox fails.
    """

    def __init__(
        self, zygote: Zygote, problem: Problem, settings: Settings, sources: list[str]
    ) -> None:
        self._zygote = zygote
        self._problem = problem
        self._message = problem_message(problem, settings, sources)
        self._timeout_s = settings.timeout_s
        self._limit_s = input_gen_limit_s(settings)
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

    def run(
        self,
        source: str,
        order: list[int],
        reference_cpu_s: Optional[list[float]],
        name: str,
        suspects: Sequence[int] = (),
        patience: int = PATIENCE,
        event_budget: Optional[int] = None,
    ) -> Ran:
        """Run one program on the inputs with the indices ``order``, in that order.

        Parameters
        ----------
        source
            The program.
        order
            Indices of inputs.
        reference_cpu_s
            CPU time in seconds that the reference took for each input, which limits are made
            from. None for the reference itself.
        name
            What to call the program in an error.
        suspects
            Indices of inputs on which the program has timed out before.
        patience
            Timeouts after which the limit shrinks.
        event_budget
            Trace events that each call may take; under one it has ``TRACED_LIMIT_FACTOR`` times
            the CPU limit, since tracing is slow. None for no tracing.

        Raises
        ------
        SandboxError
            Where the sandbox fails, or the program brings it down each time it is tried.
        """
        request = {
            "kind": "run",
            "source": source,
            "order": order,
            "suspects": list(suspects),
            "patience": patience,
            "limit_s": self._timeout_s * (1 if event_budget is None else TRACED_LIMIT_FACTOR),
            "event_budget": event_budget,
            "reference_cpu_s": reference_cpu_s,
        }
        for _ in range(_TRIES):
            try:
                reply = self._ask(request)
            except ZygoteDiedError as error:
                died = error.what
                self._zygote.close()
                self.digests = self._prepare()
                continue
            if isinstance(reply, Ran):
                return reply
            raise self._fault(f"{name} could not be run ({_said(reply)})")
        raise self._fault(f"{name} brought the sandbox down {_TRIES} times ({died})")

    def _ask(self, request: dict[str, Any]) -> Message:
        self._zygote.send(request)
        while True:
            reply = self._zygote.receive(SILENCE_S)
            if isinstance(reply, Died):
                raise ZygoteDiedError(f"its server ended with {ending(reply.status)}")
            if not isinstance(reply, Alive):
                return reply

    def _prepare(self) -> tuple[str, ...]:
        self._zygote.start()
        try:
            self._zygote.send(self._message)
            reply = self._zygote.receive(SILENCE_S + self._limit_s)
        except ZygoteDiedError as error:
            raise self._refusal(f"input_gen did not come to an end ({error})") from error
        if isinstance(reply, Ready):
            return reply.digests
        if isinstance(reply, Refused):
            self._zygote.receive(SILENCE_S)
            raise self._refusal(f"input_gen failed: {reply.what}")
        self._zygote.close()
        if isinstance(reply, Died) and os_signal(reply.status) == signal.SIGPROF:
            raise self._refusal(
                f"input_gen took more than {self._limit_s:g} s of CPU time for "
                f"{self._message['count']} inputs"
            )
        raise self._refusal(f"input_gen ended its process ({_said(reply)})")

    def _refusal(self, what: str) -> ProblemError:
        return ProblemError(
            what,
            where=self._problem.where,
            remedy="it must define generate(rng, m) and return m tuples of positional arguments",
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
