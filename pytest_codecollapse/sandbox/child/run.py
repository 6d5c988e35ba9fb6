"""One program on the inputs of a problem: child after child, until every input has a token.

Theory of operation
-------------------
A child that ends early costs the input in progress: TIMEOUT or CRASH. A new child then loads the
program again and goes on at the next input, so that one bad input says nothing about the others.
A program that ends while it loads does so for every input; one that forges a reply is CRASH on
every input.

Twice a child is of no account, and another does all that it did again, so that a program which
keeps state between calls does not show it. A program starts untraced, and when it is slow, to load
or on an input, a traced child counts its work; see ``limits``. And SIGKILL may have come from
outside, from the system where memory is short for one; when it comes a second time it is taken to
be the program's own doing.

A timeout under less than the full limit is listed as ``shrunk``: the host takes it back where
another run of the program shows that it was none.

A run can be asked for texts, too: beside each result's token one for a person to read. It is
untrusted like all that a child says, and no token depends on it.
"""

import time
from typing import Any, Callable, Dict, List, NoReturn, Optional, Sequence

from . import program, scratch
from .inputs import describe
from .limits import Allowance, Limits
from .process import CPU, CRASHED, KILLED, Child, keep_only
from .snapshot import Input
from .wire import MalformedReplyError, send_message

TIMEOUT, CRASH = "TIMEOUT", "CRASH"
_ALIVE_EVERY_S = 1.0


class Problem:
    """What the programs of one problem have in common.

    Parameters
    ----------
    message
        The ``problem`` message.
    inputs
        What to call the entry point with.
    confine
        Confines the process that calls it, a child.
    """

    def __init__(
        self,
        message: Dict[str, Any],
        inputs: Sequence[Input],
        confine: Callable[[], None],
    ) -> None:
        self.entry_point: str = message["entry_point"]
        self.setup: str = message["setup"]
        self.by_value: bool = message["by_value"]
        self.scratch: str = message["scratch"]
        self.limit_s: float = message["limit_s"]
        self.needed: Optional[Dict[str, List[int]]] = message["needed"]
        self.inputs = inputs
        self.confine = confine


class ProgramRun:
    """Runs the program of a ``run`` message.

    Parameters
    ----------
    problem
        The problem that the program is to solve.
    request
        ``source``; ``order``, the indices of the inputs to run, in that order; ``texts``, whether
        texts are wanted; ``patience`` and ``suspects``, for ``Limits``.
    reader, writer
        The descriptors that lead to the host.
    """

    def __init__(self, problem: Problem, request: Dict[str, Any], reader: int, writer: int) -> None:
        self._problem = problem
        self._source: str = request["source"]
        self._pending: List[int] = request["order"]
        self._with_texts: bool = request["texts"]
        self._limits = Limits(
            problem.limit_s, problem.needed, request["patience"], request["suspects"]
        )
        # what the reference needs is to be found out, unless that has been done
        unknown = problem.needed is None and not self._with_texts
        self._traced = unknown or self._limits.too_short_to_be_quick
        self._reader = reader
        self._writer = writer
        self._said_alive_s = time.monotonic()
        self._tokens: Dict[int, str] = {}
        self._events: Dict[int, int] = {}
        self._cpu_ns: Dict[int, int] = {}
        self._shrunk: List[int] = []
        self._texts: Dict[int, str] = {}
        self._killed_at = -1  # how many inputs were left when a child was killed

    def finish(self) -> Dict[str, Any]:
        """Run the program to the end; return the message that says what it did."""
        try:
            while self._pending:
                self._run_child()
        except MalformedReplyError:
            self._tokens = dict.fromkeys([*self._tokens, *self._pending], CRASH)
            self._texts.clear()
        except OSError as error:
            return {"kind": "fault", "what": describe(error)}
        return {
            "kind": "ran",
            "tokens": sorted(self._tokens.items()),
            "events": sorted(self._events.items()),
            "cpu_ns": sorted(self._cpu_ns.items()),
            "shrunk": sorted(self._shrunk),
            "texts": sorted(self._texts.items()),
        }

    def _run_child(self) -> None:
        load = self._limits.load(self._traced)
        calls = self._limits.calls(self._pending, self._traced)
        scratch.clear(self._problem.scratch, self._still_alive)
        child = Child(
            lambda writer: self._become_program(load, calls, writer),
            [load, *calls],
            self._with_texts,
        )
        try:
            verdict = child.watch(self._reader, self._still_alive)
        finally:
            child.end()
        if not self._starts_again(verdict):
            self._take(child, verdict)

    def _starts_again(self, verdict: Optional[str]) -> bool:
        """Whether the child is of no account."""
        if verdict == CPU and not self._traced:
            self._traced = True
            return True
        if verdict == KILLED and self._killed_at != len(self._pending):
            self._killed_at = len(self._pending)
            return True
        return False

    def _become_program(self, load: Allowance, calls: Sequence[Allowance], writer: int) -> NoReturn:
        problem = self._problem
        if problem.needed is not None:  # what the reference needed is no business of a program's
            for each in problem.needed.values():
                each.clear()
        problem.confine()
        make = program.make_shown_outcome if self._with_texts else program.make_outcome
        program.run(
            [problem.setup, self._source],
            problem.entry_point,
            zip([problem.inputs[index] for index in self._pending], calls),
            make(problem.by_value),
            load,
            keep_only(writer),
        )

    def _still_alive(self) -> None:
        """Tell the host, once a second, that this server works, whether or not replies come."""
        now_s = time.monotonic()
        if now_s - self._said_alive_s >= _ALIVE_EVERY_S:
            self._said_alive_s = now_s
            send_message(self._writer, {"kind": "alive"})

    def _take(self, child: Child, verdict: Any) -> None:
        """Give each input that the child got to its token."""
        replies = child.replies
        done = replies.tokens[1:]
        self._tokens.update(zip(self._pending, done))
        self._texts.update(
            (index, text) for index, text in zip(self._pending, replies.texts[1:]) if text
        )
        if self._traced:
            self._events.update(zip(self._pending, replies.events[1:]))
            self._cpu_ns.update(zip(self._pending, replies.cpu_ns[1:]))
        self._pending = self._pending[len(done) :]
        if replies.load_failed:
            self._assign(self._pending, replies.tokens[0])
        elif verdict is not None:
            self._blame(self._pending[:1] if replies.tokens else self._pending, verdict)

    def _blame(self, indices: Sequence[int], verdict: str) -> None:
        if verdict in (CRASHED, KILLED):
            self._assign(indices, CRASH)
            return
        if self._limits.count_timeout(indices[0]):
            self._shrunk.extend(indices)
        self._assign(indices, TIMEOUT)

    def _assign(self, indices: Sequence[int], token: str) -> None:
        self._tokens.update(dict.fromkeys(indices, token))
        self._pending = self._pending[len(indices) :]
