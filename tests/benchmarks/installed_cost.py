"""What it costs to have the plugin installed and not to use it.

``pytest --co`` runs in an empty folder, once with the plugin and once with ``-p no:codecollapse``,
which keeps pytest from importing it at all::

    python tests/benchmarks/installed_cost.py --repeats 60

The two take turns, and each turn begins with the other one. Both figures are medians over the
turns: of the ratio within a turn, and of the difference. On a machine that does other things, look
at CPU time. Other plugins that are installed are kept out of both: they would add to the noise.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib import metadata
from statistics import median
from typing import NamedTuple

import pytest

NAME = "codecollapse"
WITHOUT = ("-p", f"no:{NAME}")


class Cost(NamedTuple):
    """What one run of pytest took, with all it started; in seconds."""

    wall_s: float
    cpu_s: float


class Turn(NamedTuple):
    """Both runs of one turn."""

    with_plugin: Cost
    without: Cost


def cpu_of_children_s() -> float:
    """Return the CPU time of the processes that this one has started and that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def without_others() -> list[str]:
    """Return the arguments that keep the other plugins that are installed out."""
    names = {
        entry.name
        for distribution in metadata.distributions()
        for entry in distribution.entry_points
        if entry.group == "pytest11" and entry.name != NAME
    }
    return [f"-pno:{name}" for name in sorted({*names, "cacheprovider"})]


def with_bytecode(folder: str) -> dict[str, str]:
    """Return the environment, with a folder for bytecode: what is installed has been compiled."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return {**inherited, "PYTHONPYCACHEPREFIX": folder}


def run_pytest(folder: str, environment: dict[str, str], *arguments: str) -> Cost:
    """Collect nothing in an empty folder."""
    command = [sys.executable, "-m", "pytest", "--co", "-q", *arguments]
    started_s, before_s = time.perf_counter(), cpu_of_children_s()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    wall_s = time.perf_counter() - started_s
    if done.returncode != pytest.ExitCode.NO_TESTS_COLLECTED:
        raise RuntimeError(f"pytest ended with {done.returncode}: {done.stderr.decode()}")
    return Cost(wall_s, cpu_of_children_s() - before_s)


def take_turns(repeats: int) -> list[Turn]:
    """Run both in turns, after one turn that is not counted: it writes the bytecode."""
    turns = []
    others = without_others()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as bytecode:
        environment = with_bytecode(bytecode)
        for repeat in range(repeats + 1):
            if repeat % 2:
                without = run_pytest(folder, environment, *others, *WITHOUT)
                turns.append(Turn(run_pytest(folder, environment, *others), without))
            else:
                with_plugin = run_pytest(folder, environment, *others)
                turns.append(Turn(with_plugin, run_pytest(folder, environment, *others, *WITHOUT)))
        if os.listdir(folder):  # noqa: PTH208 (a name is all that is wanted)
            raise RuntimeError(f"files were written: {os.listdir(folder)}")  # noqa: PTH208
    return turns[1:]


def table(turns: Sequence[Turn]) -> str:
    """Return the medians, a row a kind of time."""
    rows = [f"{'':4}  {'without':>8}  {'with':>8}  {'more':>8}  {'ratio':>6}"]
    for name, index in (("wall", 0), ("CPU", 1)):
        pairs = [(turn.with_plugin[index], turn.without[index]) for turn in turns]
        figures = (
            median(without for _, without in pairs),
            median(with_plugin for with_plugin, _ in pairs),
            median(with_plugin - without for with_plugin, without in pairs),
        )
        ratio = median(with_plugin / without for with_plugin, without in pairs)
        shown = "  ".join(f"{1000 * figure:5.1f} ms" for figure in figures)
        rows.append(f"{name:4}  {shown}  {ratio:6.3f}")
    return "\n".join(rows)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Measure what the plugin costs unused.")
    parser.add_argument("--repeats", type=int, default=40, help="turns (default 40)")
    options = parser.parse_args()
    print(f"Python {platform.python_version()}, pytest {pytest.__version__}", end="")
    print(f", {options.repeats} turns, load {os.getloadavg()[0]:.1f}")
    print(table(take_turns(options.repeats)))


if __name__ == "__main__":
    main()
