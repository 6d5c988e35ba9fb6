"""One child process: forked, watched until it is done or has ended, cleared away.

Replies say which steps are done. What ended a child is taken from clocks and the wait status
alone: a timer's signal with the CPU time to go with it, or being ended here, is a limit reached;
anything else that ends it early is a crash.

Where a child's replies fit into its pipe they are read when it is done, or when the time of one
step has passed without its end, which saves a wake-up for each reply.
"""

import contextlib
import os
import select
import signal
import sys
import time
from typing import Any, Callable, NoReturn, Optional, Sequence

from . import confine
from .clock import ChildClock
from .limits import Allowance
from .wire import ReplyReader

CPU, BLOCKED, CRASHED, KILLED = "cpu", "blocked", "crashed", "killed"
_REPLY_DESCRIPTOR = 3
_FORK_TRIES = 5
_LONGEST_PAUSE_S = 0.1
_PIPE_BYTES = 62_000  # of the 64 KiB that Linux gives a pipe; ends of its pages are left empty
_SPENT_SHARE = 0.1  # of a limit, at least, has been spent by a child that the limit ended


class Child:
    """A forked process that runs ``main(writer)`` and replies once for each step.

    Parameters
    ----------
    main
        What the child runs; it gets a descriptor to reply on, which it is to make its only one,
        and must not return.
    allowances
        What each step may take; the first is loading.
    replies
        Takes what it says.
    """

    def __init__(
        self,
        main: Callable[[int], NoReturn],
        allowances: Sequence[Allowance],
        replies: ReplyReader,
    ) -> None:
        self._allowances = allowances
        self.replies = replies
        self._status: Optional[int] = None
        self._cpu_s = 0.0
        self._is_closed = False  # the child's end of the pipe, as far as has been read
        self._reader, writer = os.pipe()
        os.set_blocking(self._reader, False)
        most_bytes = len(allowances) * self.replies.longest
        fits_the_pipe = sys.platform == "linux" and most_bytes <= _PIPE_BYTES
        self._events = 0 if fits_the_pipe else select.POLLIN
        self._pid = _fork()
        if self._pid == 0:
            _become(main, writer)
        os.close(writer)

    def watch(self, host: int, still_alive: Callable[[], Any]) -> Optional[str]:
        """Take replies until the child is done or has ended.

        Parameters
        ----------
        host
            A descriptor that hangs up when the host is gone; the process then ends as well.
        still_alive
            Called at every wake-up, at least once a second.

        Returns
        -------
        str or None
            What became of the step in progress: CPU or BLOCKED, the limit that it reached, or
            CRASHED, or KILLED (by SIGKILL). None where all is done, or where the last reply came
            just before the end.

        Raises
        ------
        MalformedReplyError
            Where the child sent what it should not.
        """
        clock = ChildClock(self._pid, self._allowances[0])
        poller = select.poll()
        poller.register(self._reader, self._events)
        poller.register(host, 0)
        while True:
            if host in dict(poller.poll(clock.wait_ms)):
                self.end()
                os._exit(0)
            still_alive()
            if self._drain():
                if self.replies.is_complete:
                    return None
                clock.begin(self._allowance_in_progress())
            elif self._is_closed:
                return self._verdict_after_hang_up(clock, still_alive)
            elif self._has_ended():  # and what it started keeps the pipe open
                return self._unless_it_replied(self._verdict_of_status())
            else:
                limit = clock.look()
                if limit is not None:
                    self._kill()
                    return self._unless_it_replied(limit)

    def end(self) -> None:
        """End the child and whatever it started, and let go of its pipe."""
        self._kill()
        confine.end_group(self._pid)
        os.close(self._reader)

    def _drain(self) -> bool:
        """Read what the child has written so far; whether that completed any reply."""
        before = len(self.replies.tokens)
        with contextlib.suppress(BlockingIOError):
            while True:
                data = os.read(self._reader, 65536)
                if not data:
                    self._is_closed = True
                    break
                self.replies.feed(data)
        return len(self.replies.tokens) > before

    def _unless_it_replied(self, verdict: str) -> Optional[str]:
        return None if self._drain() else verdict

    def _allowance_in_progress(self) -> Allowance:
        return self._allowances[min(len(self.replies.tokens), len(self._allowances) - 1)]

    def _verdict_after_hang_up(self, clock: ChildClock, still_alive: Callable[[], Any]) -> str:
        """Wait for a child whose pipe is closed to end, unless it closed it and goes on."""
        clock.begin(self._allowance_in_progress())  # what the timer ends has used up the old one
        pause_s = 0.0005
        while not self._has_ended():
            if clock.look() is not None:
                self._kill()
                return CRASHED
            time.sleep(pause_s)
            pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
            still_alive()
        return self._verdict_of_status()

    def _verdict_of_status(self) -> str:
        assert self._status is not None
        number = os.WTERMSIG(self._status) if os.WIFSIGNALED(self._status) else 0
        if number == signal.SIGKILL:
            return KILLED
        timed = number in (signal.SIGPROF, signal.SIGXCPU)
        spent = self._cpu_s >= _SPENT_SHARE * self._allowance_in_progress().work_s
        return CPU if timed and spent else CRASHED  # it may have sent itself the signal

    def _has_ended(self) -> bool:
        if self._status is None:
            self._wait(os.WNOHANG)
        return self._status is not None

    def _kill(self) -> None:
        if not self._has_ended():
            os.kill(self._pid, signal.SIGKILL)
            self._wait(0)

    def _wait(self, options: int) -> None:
        pid, status, usage = os.wait4(self._pid, options)
        if pid:
            self._status = status
            self._cpu_s = usage.ru_utime + usage.ru_stime


def keep_only(writer: int) -> int:
    """Close every descriptor of a child but the one to reply on; return its number."""
    os.dup2(writer, _REPLY_DESCRIPTOR)
    os.closerange(_REPLY_DESCRIPTOR + 1, confine.OPEN_FILES)
    return _REPLY_DESCRIPTOR


def _become(main: Callable[[int], NoReturn], writer: int) -> NoReturn:
    """Run ``main``; nothing may return from here."""
    try:
        main(writer)
    finally:
        os._exit(1)


def _fork() -> int:
    """Fork, and try again where the host has no process to spare at this moment."""
    for attempt in range(1, _FORK_TRIES):
        with contextlib.suppress(BlockingIOError):
            return os.fork()
        select.select([], [], [], 0.05 * attempt)
    return os.fork()
