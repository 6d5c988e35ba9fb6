"""The engine: programs of many problems over parallel lanes.

Theory of operation
-------------------
``jobs`` lanes, each a thread with a pair of zygotes of its own, take one problem at a time from
the queue of submitted ones; the work is in the lanes' processes, so threads suffice. Nothing is
shared between lanes. Closing the engine hangs up on all zygotes: threads that wait for an answer
get an error, and the processes end.
"""

from __future__ import annotations

import os
import queue
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Callable, Protocol

from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.model import Executions, Problem, Settings
from pytest_codecollapse.sandbox.lane import Lane


def require_supported_platform() -> None:
    """Refuse a system without fork.

    Raises
    ------
    UsageError
        On Windows.
    """
    if sys.platform == "win32":
        raise UsageError(
            "programs cannot be run on Windows", remedy="use Linux or macOS, WSL or a container"
        )


def available_cores() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Engine(Protocol):
    """Runs the programs of problems somewhere."""

    @property
    def isolation(self) -> str:
        """Name of the rung on the isolation ladder that is in force."""

    @property
    def jobs(self) -> int:
        """How many programs run at a time."""

    def submit(
        self, problem: Problem, settings: Settings, on_candidates: Callable[[int], None]
    ) -> Future[Executions]:
        """Queue a problem; see ``Lane.execute`` for what its future gives or raises."""

    def close(self) -> None:
        """Stop what runs, and end every process."""


class LocalEngine:
    """Runs programs in processes of this machine; a context manager.

    Parameters
    ----------
    jobs
        How many programs run at a time, at least 1.
    python
        The candidates' interpreter.
    """

    isolation = "process"

    def __init__(self, jobs: int, python: str = sys.executable) -> None:
        require_supported_platform()
        self.jobs = jobs
        self._lanes = [Lane(python) for _ in range(jobs)]
        self._idle: queue.SimpleQueue[Lane] = queue.SimpleQueue()
        for lane in self._lanes:
            self._idle.put(lane)
        self._threads = ThreadPoolExecutor(jobs, thread_name_prefix="codecollapse")

    def __enter__(self) -> LocalEngine:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def submit(
        self, problem: Problem, settings: Settings, on_candidates: Callable[[int], None]
    ) -> Future[Executions]:
        """Queue a problem; see ``Lane.execute`` for what its future gives or raises."""
        return self._threads.submit(self._execute, problem, settings, on_candidates)

    def _execute(
        self, problem: Problem, settings: Settings, on_candidates: Callable[[int], None]
    ) -> Executions:
        lane = self._idle.get()
        try:
            return lane.execute(problem, settings, on_candidates)
        finally:
            self._idle.put(lane)

    def close(self) -> None:
        """Stop what runs, and end every process."""
        for lane in self._lanes:
            lane.interrupt()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for lane in self._lanes:
            lane.close()
