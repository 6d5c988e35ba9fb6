"""Work, counted: trace events, which are the same on every run of every machine.

Theory of operation
-------------------
A trace function counts the lines, calls and returns of the program's main thread. When the work
of a step is used up it ends the process by the signal of the profiling timer, as the timer would
have done. A program that takes the function away, or works in other threads, is left to the
timer, which gets a new start with each part of the work.

One-line loops emit no events in CPython 3.10 and 3.11; they, too, are left to the timer.
"""

import os
import signal
import sys
from typing import Any, Callable, Tuple

from .limits import PARTS, Allowance

Tracer = Callable[[Any, str, Any], Any]


def make_counter() -> Tuple[Callable[[Allowance], None], Callable[[], int]]:
    """Make the functions that begin a traced step, and end it and return its events.

    They bind what they need here, before the program is loaded.
    """
    settrace, arm, timer = sys.settrace, signal.setitimer, signal.ITIMER_PROF
    left = part = parts = 0
    cpu_s = 0.0

    def trace(frame: Any, event: str, argument: Any) -> Tracer:
        nonlocal left, parts
        left -= 1
        if left < 0:
            parts -= 1
            if parts <= 0:
                end()
            left = part
            arm(timer, cpu_s)
        return trace

    def begin(allowance: Allowance) -> None:
        nonlocal left, part, parts, cpu_s
        cpu_s, part = allowance.cpu_s, allowance.events
        left, parts = part, PARTS
        arm(timer, cpu_s)
        settrace(trace)

    def finish() -> int:
        settrace(None)
        arm(timer, 0.0)
        return PARTS * part - ((parts - 1) * part + left)

    end = _make_end()
    return begin, finish


def _make_end() -> Callable[[], None]:
    """Make a function that ends this process as its timer would, whatever the program did."""
    kill, pid, number = os.kill, os.getpid(), signal.SIGPROF
    handle, default = signal.signal, signal.SIG_DFL
    unmask, unblock = signal.pthread_sigmask, signal.SIG_UNBLOCK

    def end() -> None:
        handle(number, default)
        unmask(unblock, [number])
        kill(pid, number)

    return end
