"""One child process: forked, watched until it is done or has ended, cleared away.

Replies say which inputs are done. What ended a child is taken from clocks and the wait status
alone: a timer's signal with the CPU time to go with it is TIMEOUT, and so is being ended here;
anything else that ends it early is CRASH.

Where a child's replies fit into its pipe they are read when it is done, or when the time of one
input has passed without its end, which saves a wake-up for each reply.
"""

import contextlib
import os
import resource
import select
import signal
import sys
import time
from typing import Any, Callable, List, NoReturn, Optional, Tuple

from . import confine
from .clock import ChildClock
from .wire import Replies

TIMEOUT, CRASH = "TIMEOUT", "CRASH"
_REPLY_DESCRIPTOR = 3
_FORK_TRIES = 5
_LONGEST_PAUSE_S = 0.1
_REPLIES_IN_A_PIPE = 500  # of at most 110 bytes, in the 64 KiB that Linux gives a pipe


class Child:
    """A forked process that runs ``main(descriptor)`` and replies once for each limit.

    Parameters
    ----------
    main
        What the child runs; it gets the descriptor to reply on and must not return.
    load_limit_s, limits_s
        CPU limits of loading and of each input.

    Attributes
    ----------
    replies
        The (token, cpu_ns) received; the first says how the program loaded.
    """

    def __init__(
        self, main: Callable[[int], NoReturn], load_limit_s: float, limits_s: List[float]
    ) -> None:
        self.replies: List[Tuple[bytes, int]] = []
        self._cpu_s = 0.0
        self._limits_s = [load_limit_s, *limits_s]
        self._parser = Replies(len(limits_s))
        self._status: Optional[int] = None
        self._reader, writer = os.pipe()
        os.set_blocking(self._reader, False)
        fits_the_pipe = sys.platform == "linux" and len(limits_s) <= _REPLIES_IN_A_PIPE
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
            TIMEOUT or CRASH, for what is in progress; None where all is done, or where the last
            reply came just before the child was ended.

        Raises
        ------
        MalformedReplyError
            Where the child sent what it should not.
        """
        clock = ChildClock(self._pid)
        clock.restart(self._limits_s[0])
        poller = select.poll()
        poller.register(self._reader, self._events)
        poller.register(host, 0)
        while not self._parser.is_complete:
            ready = dict(poller.poll(clock.wait_ms))
            if host in ready:
                self.end()
                os._exit(0)
            still_alive()
            if self._drain():
                clock.restart(self._limit_in_progress_s())
            elif self._reader in ready:
                return self._verdict_after_hang_up(clock, still_alive)
            elif self._has_ended():  # and what it started keeps the pipe open
                return None if self._drain() else self._verdict_of_status()
            elif clock.is_over():
                self._kill()
                return None if self._drain() else TIMEOUT
        return None

    def end(self) -> None:
        """End the child and whatever it started, and let go of its pipe."""
        self._kill()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._pid, signal.SIGKILL)
        confine.end_descendants()
        os.close(self._reader)

    def _drain(self) -> bool:
        """Read what the child has written so far; whether that completed any reply."""
        before = len(self.replies)
        with contextlib.suppress(BlockingIOError):
            while True:
                data = os.read(self._reader, 65536)
                if not data:
                    break
                self.replies.extend(self._parser.feed(data))
        return len(self.replies) > before

    def _limit_in_progress_s(self) -> float:
        return self._limits_s[min(len(self.replies), len(self._limits_s) - 1)]

    def _verdict_after_hang_up(self, clock: ChildClock, still_alive: Callable[[], Any]) -> str:
        """Wait for a child whose pipe is closed to end, unless it closed it and goes on."""
        clock.restart(self._limit_in_progress_s())  # what the timer ends has used up the old one
        pause_s = 0.0005
        while not self._has_ended():
            if clock.is_over():
                self._kill()
                return CRASH
            time.sleep(pause_s)
            pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
            still_alive()
        return self._verdict_of_status()

    def _verdict_of_status(self) -> str:
        status = self._reap()
        timed = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGXCPU)
        spent = self._cpu_s >= self._limit_in_progress_s() / 2  # or it sent itself the signal
        return TIMEOUT if timed and spent else CRASH

    def _has_ended(self) -> bool:
        if self._status is None:
            pid, status, usage = os.wait4(self._pid, os.WNOHANG)
            if pid:
                self._note_end(status, usage)
        return self._status is not None

    def _kill(self) -> None:
        if not self._has_ended():
            os.kill(self._pid, signal.SIGKILL)
            self._reap()

    def _reap(self) -> int:
        if self._status is None:
            _, status, usage = os.wait4(self._pid, 0)
            self._note_end(status, usage)
        assert self._status is not None
        return self._status

    def _note_end(self, status: int, usage: resource.struct_rusage) -> None:
        self._status = status
        self._cpu_s = usage.ru_utime + usage.ru_stime


def _become(main: Callable[[int], NoReturn], writer: int) -> NoReturn:
    """Run ``main`` with no descriptor but the one to reply on; nothing may return from here."""
    try:
        os.dup2(writer, _REPLY_DESCRIPTOR)
        os.closerange(_REPLY_DESCRIPTOR + 1, confine.OPEN_FILES)
        main(_REPLY_DESCRIPTOR)
    finally:
        os._exit(1)


def _fork() -> int:
    """Fork, and try again where the host has no process to spare at this moment."""
    for attempt in range(1, _FORK_TRIES):
        with contextlib.suppress(BlockingIOError):
            return os.fork()
        select.select([], [], [], 0.05 * attempt)
    return os.fork()
