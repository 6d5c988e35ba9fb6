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

A run can be asked for texts, too, beside each result's token: for a person to read, or of the
value, for the problem's tests. They are untrusted like all that a child says, and no token depends
on them. Where they are values the tokens of results are all the same.
"""

import time
from typing import Any, Callable, Dict, List, NoReturn, Optional, Sequence, Tuple

from . import program, scratch
from .inputs import describe
from .limits import Allowance, Limits
from .process import CPU, CRASHED, KILLED, Child, keep_only
from .snapshot import Input
from .texts import MAX_TEXT
from .wire import MalformedReplyError, Replies, send_message

TIMEOUT, CRASH = "TIMEOUT", "CRASH"

#: What a run may reply with beside tokens -> what makes its outcomes, and their longest text.
_REPLY_WITH: Dict[str, Tuple[Callable[[bool], program.Outcome], int]] = {
    "tokens": (program.make_outcome, 0),
    "texts": (program.make_shown_outcome, MAX_TEXT),
    "values": (program.make_valued_outcome, program.MAX_VALUES),
}
_ALIVE_EVERY_S = 1.0


class Pulse:
    """Tells the host, once a second, that a server works, whether or not replies come."""

    def __init__(self, writer: int) -> None:
        self._writer = writer
        self._last_s = time.monotonic()

    def beat(self) -> None:
        """Say so if it is time."""
        now_s = time.monotonic()
        if now_s - self._last_s >= _ALIVE_EVERY_S:
            self._last_s = now_s
            send_message(self._writer, {"kind": "alive"})


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
        ``source``; ``order``, the indices of the inputs to run, in that order; ``reply_with``, what
        is wanted of each result beside its token; ``patience`` and ``suspects``, for ``Limits``.
    reader, writer
        The descriptors that lead to the host.
    """

    def __init__(self, problem: Problem, request: Dict[str, Any], reader: int, writer: int) -> None:
        self._problem = problem
        self._source: str = request["source"]
        self._pending: List[int] = request["order"]
        self._reply_with: str = request["reply_with"]
        self._make_outcome, self._longest_text = _REPLY_WITH[self._reply_with]
        self._limits = Limits(
            problem.limit_s, problem.needed, request["patience"], request["suspects"]
        )
        # what the reference needs is to be found out, unless that has been done
        unknown = problem.needed is None and not self._longest_text
        self._traced = unknown or self._limits.too_short_to_be_quick
        self._reader = reader
        self._pulse = Pulse(writer)
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
            **({self._reply_with: sorted(self._texts.items())} if self._longest_text else {}),
        }

    def _run_child(self) -> None:
        load = self._limits.load(self._traced)
        calls = self._limits.calls(self._pending, self._traced)
        scratch.clear(self._problem.scratch, self._pulse.beat)
        replies = Replies(len(calls), self._longest_text, self._reply_with == "values")
        child = Child(
            lambda writer: self._become_program(load, calls, writer),
            [load, *calls],
            replies,
        )
        try:
            verdict = child.watch(self._reader, self._pulse.beat)
        finally:
            child.end()
        if not self._starts_again(verdict):
            self._take(replies, verdict)

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
        program.run(
            [problem.setup, self._source],
            problem.entry_point,
            zip([problem.inputs[index] for index in self._pending], calls),
            self._make_outcome(problem.by_value),
            load,
            keep_only(writer),
        )

    def _take(self, replies: Replies, verdict: Any) -> None:
        """Give each input that the child got to its token."""
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
