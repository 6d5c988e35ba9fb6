"""Processes of the sandbox that somebody kills: the machine's own killer, for one.

One that is killed costs a little time and nothing else. A program whose process is killed again
when it is tried again is taken to have done it itself.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
from pathlib import Path

import pytest
from sandbox_faults import (
    PATIENCE_S,
    RUNGS,
    becomes_true,
    by_depth,
    engine_below,
    innocent_problem,
    nothing_is_left,
    processes_of,
    run,
    skip_without,
)
from sandbox_problems import make_problem

from pytest_codecollapse.model import Settings

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")

#: How deep below the host they are.
ROLES = {
    "process": {"zygote": 0, "problem server": 1, "child": 2},
    "namespaces": {"parent of the zygote": 0, "zygote": 1, "problem server": 2, "child": 3},
}


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Give what comes of a run in which nobody is killed, by rung."""
    found = {}
    for rung in RUNGS:
        skip_without(rung)
        with engine_below(tmp_path_factory.mktemp("unharmed"), rung) as engine:
            found[rung] = run(engine, innocent_problem())
        assert found[rung].startswith('{"reference"')
        assert "CRASH" not in found[rung]
        assert "TIMEOUT" not in found[rung]
    return found


def kill(pid: int) -> bool:
    """Kill a process; whether it was still there."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def kill_one_at(depth: int, folder: Path) -> bool:
    """Kill one process at a depth, if there is any."""
    return any(kill(pid) for pid, found in by_depth(folder).items() if found == depth)


@pytest.mark.parametrize(
    ("rung", "role"), [(rung, role) for rung, roles in ROLES.items() for role in roles]
)
def test_one_killed_process_changes_nothing(
    tmp_path: Path, right: dict[str, str], rung: str, role: str
) -> None:
    """Whichever it is, the results are those of a run in which nobody is killed."""
    struck = threading.Event()

    def strike() -> None:
        if becomes_true(lambda: kill_one_at(ROLES[rung][role], tmp_path)):
            struck.set()

    with engine_below(tmp_path, rung) as engine:
        assert run(engine, innocent_problem()) == right[rung]  # so that both zygotes are up
        killer = threading.Thread(target=strike)
        killer.start()
        while killer.is_alive():
            assert run(engine, innocent_problem()) == right[rung]
        assert struck.is_set()
        assert run(engine, innocent_problem()) == right[rung]
    assert becomes_true(lambda: nothing_is_left(tmp_path))


@pytest.mark.parametrize("rung", RUNGS)
def test_who_is_killed_over_and_over_is_one_clear_error(
    tmp_path: Path, right: dict[str, str], rung: str
) -> None:
    """An engine whose problem servers are all killed gives up, and works when that has ended."""
    depth, found = ROLES[rung]["problem server"], []
    problem = make_problem("import time\ndef f(x): time.sleep(3600)")
    patient = Settings(timeout_s=600.0)
    with engine_below(tmp_path, rung) as engine:
        assert engine.environment.isolation == rung  # what finds that out is not at stake
        thread = threading.Thread(target=lambda: found.append(run(engine, problem, patient)))
        thread.start()

        def is_over() -> bool:
            kill_one_at(depth, tmp_path)
            return not thread.is_alive()

        assert becomes_true(is_over)
        (said,) = found
        assert said.startswith("SandboxError: samples.jsonl:1: problem 'p': ")
        assert "SIGKILL" in said or "it has ended" in said
        assert run(engine, innocent_problem()) == right[rung]
    assert becomes_true(lambda: nothing_is_left(tmp_path))


def one_kill(folder: Path, rung: str, rng: random.Random) -> tuple[str, str]:
    """Kill a process at some moment of a run; what came of it, and of the run after it."""
    moment = threading.Event()

    def strike() -> None:
        moment.wait(rng.uniform(0.0, 1.0))
        becomes_true(lambda: any(kill(pid) for pid in rng.sample(*sample())) or moment.is_set())

    def sample() -> tuple[list[int], int]:
        found = sorted(processes_of(folder))
        return found, min(1, len(found))

    with engine_below(folder, rung) as engine:
        assert engine.environment.isolation == rung
        killer = threading.Thread(target=strike)
        killer.start()
        struck = run(engine, innocent_problem())
        moment.set()
        killer.join(PATIENCE_S)
        return struck, run(engine, innocent_problem())


@pytest.mark.parametrize("rung", RUNGS)
@pytest.mark.parametrize(
    "times", [pytest.param(3), pytest.param(25, marks=[pytest.mark.slow])], ids=["few", "many"]
)
def test_a_kill_at_any_moment(tmp_path: Path, right: dict[str, str], rung: str, times: int) -> None:
    """The results are right, or there is one error of the sandbox's, and the engine goes on."""
    rng = random.Random(f"{rung} {times}")
    for _ in range(times):
        started = time.monotonic()
        struck, after = one_kill(tmp_path, rung, rng)
        assert struck == right[rung] or struck.startswith("SandboxError: "), struck
        assert after == right[rung]
        assert becomes_true(lambda: nothing_is_left(tmp_path))
        assert time.monotonic() - started < PATIENCE_S
