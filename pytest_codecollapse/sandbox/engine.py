"""The engine: programs of many problems over parallel lanes.

Theory of operation
-------------------
``jobs`` lanes, each a thread with a pair of zygotes of its own, take one problem at a time from
the queue of submitted ones; the work is in the lanes' processes, so threads suffice. Nothing is
shared between lanes but the rung of isolation, which the first zygote finds. Closing the engine
hangs up on all zygotes: threads that wait for an answer get an error, and the processes end.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Callable, Optional, Protocol

from pytest_codecollapse.errors import SandboxError, UsageError
from pytest_codecollapse.model import Environment, Executions, Problem, Settings
from pytest_codecollapse.sandbox.child.canon import CANONICAL_FORM
from pytest_codecollapse.sandbox.lane import Lane
from pytest_codecollapse.sandbox.launch import Interpreter
from pytest_codecollapse.sandbox.launchers import AUTO, launcher_for
from pytest_codecollapse.sandbox.messages import Hello


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
    def environment(self) -> Environment:
        """Where the programs run: interpreter, platform, and the rung of isolation in force."""

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
    isolation
        A rung of the isolation ladder, or "auto" for the highest that is to be had.
    interpreter
        The candidates' interpreter; this one if it is None.
    image
        Name of the image that the rung "docker" takes; "" for the default.

    Raises
    ------
    UsageError
        Where the platform cannot run programs, or a rung needs a command that is not there.
    """

    def __init__(
        self,
        jobs: int,
        isolation: str = AUTO,
        interpreter: Optional[Interpreter] = None,
        image: str = "",
    ) -> None:
        require_supported_platform()
        self.jobs = jobs
        self._asked = isolation
        launcher = launcher_for(isolation, image)
        self._name = launcher.name
        chosen = interpreter or Interpreter(sys.executable)
        self._lanes = [Lane(launcher, chosen) for _ in range(jobs)]
        self._idle: queue.SimpleQueue[Lane] = queue.SimpleQueue()
        for lane in self._lanes:
            self._idle.put(lane)
        self._threads = ThreadPoolExecutor(jobs, thread_name_prefix="codecollapse")
        self._settling = threading.Lock()
        self._hello: Optional[Hello] = None

    def __enter__(self) -> LocalEngine:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def environment(self) -> Environment:
        """Where the programs run; the first process is started to find out.

        Raises
        ------
        UsageError
            Where the isolation asked for is not to be had, with what is missing.
        SandboxError
            Where the interpreter does not start.
        """
        hello = self._settled()
        return Environment(
            python=hello.python,
            platform=hello.platform,
            isolation=self._name or hello.rung,
            canonical_form=CANONICAL_FORM,
        )

    @property
    def missing(self) -> dict[str, str]:
        """What the rungs above the one in force lack, by rung."""
        return self._settled().missing

    def submit(
        self, problem: Problem, settings: Settings, on_candidates: Callable[[int], None]
    ) -> Future[Executions]:
        """Queue a problem; see ``Lane.execute`` for what its future gives or raises."""
        try:
            return self._threads.submit(self._execute, problem, settings, on_candidates)
        except RuntimeError as error:  # the system has no thread to spare
            failed: Future[Executions] = Future()
            failed.set_exception(SandboxError(str(error), where=problem.where))
            return failed

    def _execute(
        self, problem: Problem, settings: Settings, on_candidates: Callable[[int], None]
    ) -> Executions:
        self._settled()
        lane = self._idle.get()
        try:
            return lane.execute(problem, settings, on_candidates)
        finally:
            self._idle.put(lane)

    def _settled(self) -> Hello:
        """Find out which rung is to be had, once, and keep all lanes to it."""
        with self._settling:
            if self._hello is None:
                hello = self._lanes[0].settle()
                if not hello.rung:
                    self._lanes[0].close()
                    raise _refusal(self._asked, hello.missing)
                for lane in self._lanes:
                    lane.keep_to(hello.rung)
                self._hello = hello
            return self._hello

    def close(self) -> None:
        """Stop what runs, and end every process."""
        for lane in self._lanes:
            lane.interrupt()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for lane in self._lanes:
            lane.close()


def _refusal(asked: str, missing: dict[str, str]) -> UsageError:
    lacks = "; ".join(missing[rung] for rung in missing)
    return UsageError(
        f"isolation {asked} is not to be had here: {lacks}",
        remedy="ask for a lower rung, or for auto, which takes the highest that is",
    )
