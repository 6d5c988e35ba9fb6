"""An examination, as the problem server sees it: one child, and the lines that it writes.

No candidate's code is in that child, so SIGKILL comes from outside, from the system where memory is
short for one, or from the tests themselves; and it says nothing of the candidate that is judged.
Another child does all of it again, and one that is killed as well is a fault of the sandbox's.
"""

import json
from typing import Any, Callable, Dict, List, NoReturn, Optional

from . import scratch
from .examination import Sources, examine
from .inputs import describe
from .limits import BLOCKED_FACTOR, Allowance
from .process import CRASHED, KILLED, Child, keep_only
from .standins import MOST_BYTES

_TRIES = 2


class Report:
    """The lines of one examination, as they come from its child; see ``wire.Replies``.

    Attributes
    ----------
    tokens
        One when all is done: there is one step.
    longest
        More than a pipe holds: lines are read as they come.
    calls
        The arguments of each call that was recorded, as text.
    done
        The last line, once it is there.
    """

    def __init__(self) -> None:
        self.tokens: List[str] = []
        self.longest = MOST_BYTES
        self.calls: List[str] = []
        self.done: Optional[Dict[str, Any]] = None
        self._pending = b""
        self._left = 2 * MOST_BYTES

    def feed(self, data: bytes) -> None:
        """Take what has come; what is no line of ours is left out, as is what is too much."""
        self._left -= len(data)
        if self._left < 0 or self.done is not None:
            return
        *lines, self._pending = (self._pending + data).split(b"\n")
        for line in lines:
            try:
                text = line.decode("ascii")
                said = json.loads(text)
            except ValueError:
                continue
            if isinstance(said, list):
                self.calls.append(text)
            elif isinstance(said, dict):
                self.done = said
                self.tokens.append("done")

    @property
    def is_complete(self) -> bool:
        """Whether no further line is due."""
        return self.done is not None


def run_examination(
    sources: Sources,
    answers: Optional[Dict[str, List[Any]]],
    confine: Callable[[], None],
    scratch_folder: str,
    limit_s: float,
    reader: int,
    still_alive: Callable[[], None],
) -> Dict[str, Any]:
    """Run the tests of a problem; return the message that says what became of them.

    Parameters
    ----------
    sources, answers
        As for ``examination.examine``.
    confine
        Confines the process that calls it, the child.
    scratch_folder
        Is cleared before.
    limit_s
        CPU time that all the tests may take.
    reader
        A descriptor that hangs up when the host is gone.
    still_alive
        Called at least once a second.
    """
    allowance = Allowance(limit_s, limit_s, BLOCKED_FACTOR * limit_s, 0)

    def main(writer: int) -> NoReturn:
        confine()
        examine(sources, answers, allowance, keep_only(writer))

    for _ in range(_TRIES):
        report = Report()
        try:
            scratch.clear(scratch_folder, still_alive)
            child = Child(main, [allowance], report)
            try:
                verdict = child.watch(reader, still_alive)
            finally:
                child.end()
        except OSError as error:
            return {"kind": "fault", "what": describe(error)}
        if verdict != KILLED:
            return _examined(report, verdict)
    return {"kind": "fault", "what": f"SIGKILL ended their process {_TRIES} times"}


def _examined(report: Report, verdict: Optional[str]) -> Dict[str, Any]:
    """Say what became of the tests, from the verdict on a child that nobody has killed."""
    ended = "crash" if verdict == CRASHED else "timeout" if verdict else ""
    nothing = {"passed": 0, "asserts": 0, "failure": None, "error": None}
    done = report.done if report.done is not None else nothing
    return {"kind": "examined", "calls": report.calls, "ended": ended, **done}
