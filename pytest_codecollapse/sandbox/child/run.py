"""One program on the inputs of a problem: child after child, until every input has a token.

Theory of operation
-------------------
A child that ends early costs the input in progress: TIMEOUT or CRASH. A new child then loads the
program again and goes on at the next input, so that one bad input says nothing about the others.
A program that ends while it loads does so for every input; one that forges a reply is CRASH on
every input.

A timeout under less than the full limit is listed as ``shrunk``: the host takes it back where
another run of the program shows that it was none.
"""

import time
from typing import Any, Dict, List, NoReturn, Optional, Sequence

from . import confine, program
from .inputs import Arguments, describe
from .limits import Limits
from .process import CRASH, TIMEOUT, Child
from .scratch import Scratch
from .wire import MalformedReplyError, send_message

_BACKSTOP_S = 1.0
_ALIVE_EVERY_S = 1.0


class Problem:
    """What the programs of one problem have in common."""

    def __init__(self, message: Dict[str, Any], inputs: Sequence[Arguments], seed: int) -> None:
        self.entry_point: str = message["entry_point"]
        self.setup: str = message["setup"]
        self.by_value: bool = message["by_value"]
        self.memory_bytes: int = message["memory_mb"] << 20
        self.inputs = inputs
        self.seed = seed


class ProgramRun:
    """Runs the program of a ``run`` message.

    Parameters
    ----------
    problem
        The problem that the program is to solve.
    request
        ``source``; ``order``, the indices of the inputs to run, in that order; what ``Limits``
        asks for; and ``event_budget``, the trace events that each call may take, or None.
    channel
        The descriptor that leads to the host.
    scratch
        Gives each child its directory.
    """

    def __init__(
        self, problem: Problem, request: Dict[str, Any], channel: int, scratch: Scratch
    ) -> None:
        self._problem = problem
        self._source: str = request["source"]
        self._pending: List[int] = request["order"]
        self._limits = Limits(
            request["limit_s"],
            request["reference_cpu_s"],
            request["patience"],
            request["suspects"],
        )
        self._event_budget: Optional[int] = request["event_budget"]
        self._channel = channel
        self._scratch = scratch
        self._said_alive_s = time.monotonic()
        self._tokens: Dict[int, str] = {}
        self._cpu_ns: Dict[int, int] = {}
        self._shrunk: List[int] = []

    def finish(self) -> Dict[str, Any]:
        """Run the program to the end; return the message that says what it did."""
        try:
            while self._pending:
                self._run_child()
        except MalformedReplyError:
            self._tokens = dict.fromkeys([*self._tokens, *self._pending], CRASH)
        except OSError as error:
            return {"kind": "fault", "what": describe(error)}
        return {
            "kind": "ran",
            "tokens": sorted(self._tokens.items()),
            "cpu_ns": sorted(self._cpu_ns.items()),
            "shrunk": sorted(self._shrunk),
        }

    def _run_child(self) -> None:
        limits_s = [self._limits.now_s(index) for index in self._pending]
        directory = self._scratch.empty()
        child = Child(
            lambda descriptor: self._become_program(directory, limits_s, descriptor),
            self._limits.load_s,
            limits_s,
        )
        try:
            verdict = child.watch(self._channel, self._still_alive)
        finally:
            child.end()
        self._take(child, verdict)

    def _become_program(
        self, directory: str, limits_s: Sequence[float], descriptor: int
    ) -> NoReturn:
        problem = self._problem
        cpu_s = self._limits.load_s + sum(limits_s) + _BACKSTOP_S
        confine.enter(directory, problem.memory_bytes, cpu_s)
        program.run(
            [problem.setup, self._source],
            problem.entry_point,
            [(problem.inputs[index], limit_s) for index, limit_s in zip(self._pending, limits_s)],
            problem.by_value,
            self._limits.load_s,
            self._event_budget,
            problem.seed,
            descriptor,
        )

    def _still_alive(self) -> None:
        """Tell the host, once a second, that this server works, whether or not replies come."""
        now_s = time.monotonic()
        if now_s - self._said_alive_s >= _ALIVE_EVERY_S:
            self._said_alive_s = now_s
            send_message(self._channel, {"kind": "alive"})

    def _take(self, child: Child, verdict: Any) -> None:
        """Give each input that the child got to its token."""
        done = child.replies[1:]
        for index, (token, cpu_ns) in zip(self._pending, done):
            self._tokens[index] = token.decode("ascii")
            self._cpu_ns[index] = cpu_ns
        self._pending = self._pending[len(done) :]
        if child.replies and child.replies[0][0].startswith(b"load:"):
            self._assign(self._pending, child.replies[0][0].decode("ascii"))
        elif verdict is not None:
            blamed = self._pending[:1] if child.replies else self._pending
            if verdict == TIMEOUT and self._limits.count_timeout(blamed[0]):
                self._shrunk.extend(blamed)
            self._assign(blamed, verdict)

    def _assign(self, indices: Sequence[int], token: str) -> None:
        self._tokens.update(dict.fromkeys(indices, token))
        self._pending = self._pending[len(indices) :]
