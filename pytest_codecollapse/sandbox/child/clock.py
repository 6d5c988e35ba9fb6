"""When a child has had its time: CPU time first, and wall time only while it sleeps.

Theory of operation
-------------------
The kernel ends a child whose profiling timer fires. A program can reset that timer, block its
signal or sleep, so its server looks as well. It reads the CPU clock of the child, and it counts
how long the child was *blocked*: neither running nor waiting for a processor. A busy host delays
a program but does not block it, so a verdict does not depend on the load.

Where the system has no such clocks (macOS), all of the wall time counts as blocked.
"""

import math
import os
import sys
import time
from typing import Optional, Tuple

from .limits import Allowance

_GRACE_S = 0.010  # the kernel's timer ticks every 1 to 10 ms; it gets to act first
_LONGEST_WAIT_S = 1.0  # so that a server that waits still shows that it lives


def _cpu_s(pid: int) -> float:
    """Return the CPU time of all threads of a process."""
    if sys.platform != "linux":
        return 0.0
    return time.clock_gettime((~pid << 3) | 2)  # MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED)


def _queued_s(pid: int) -> float:
    """Return how long the threads of a process have been ready to run without a processor."""
    total_ns = 0
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/schedstat", "rb") as schedstat:
                total_ns += int(schedstat.read().split()[1])
    except (OSError, IndexError):  # it ends at this moment
        pass
    return total_ns / 1e9


class ChildClock:
    """Watches the time that one child takes for the step in progress."""

    def __init__(self, pid: int, allowance: Allowance) -> None:
        self._pid = pid
        self._cpu_start_s = 0.0
        self._set(allowance)

    def _set(self, allowance: Allowance) -> None:
        self._cpu_s = allowance.whole_cpu_s
        self._blocked_s = allowance.blocked_s
        self._blocked_start: Optional[Tuple[float, float, float]] = None
        self._wait_s = min(self._cpu_s, self._blocked_s) + _GRACE_S

    def begin(self, allowance: Allowance) -> None:
        """Begin another step than the first, that of a process which has just been forked."""
        self._cpu_start_s = self._read_cpu_s()
        self._set(allowance)

    @property
    def wait_ms(self) -> int:
        """How long to wait for a reply before looking again."""
        return math.ceil(min(self._wait_s, _LONGEST_WAIT_S) * 1000)

    def look(self) -> Optional[str]:
        """Return which limit the step in progress has reached, "cpu" or "blocked", if any."""
        cpu_s = self._read_cpu_s()
        left_s = self._cpu_s - (cpu_s - self._cpu_start_s)
        if left_s <= 0:
            return "cpu"
        now = (time.monotonic(), cpu_s, _queued_s(self._pid))
        if self._blocked_start is None:
            self._blocked_start = now
        wall_s, ran_s, queued_s = (b - a for a, b in zip(self._blocked_start, now))
        blocked_left_s = self._blocked_s - (wall_s - ran_s - queued_s)
        if blocked_left_s <= 0:
            return "blocked"
        self._wait_s = min(left_s, blocked_left_s) + _GRACE_S
        return None

    def _read_cpu_s(self) -> float:
        try:
            return _cpu_s(self._pid)
        except OSError:  # it has ended; its pipe says so
            return self._cpu_start_s
