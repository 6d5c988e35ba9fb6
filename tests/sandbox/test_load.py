"""A machine under load gives the verdicts of an idle one."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from sandbox_load import QUICK, WHOLE, Corpus, busy_machine, measured

from pytest_codecollapse.measure import load_report
from pytest_codecollapse.model import Settings
from pytest_codecollapse.report import render_report
from pytest_codecollapse.sandbox import LocalEngine

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="without Linux's clocks a busy machine's time is a program's"
)

#: More than a machine has cores: what waits for one is then delayed by the others, too.
LANES = 6


def same_under_load(corpora: Sequence[Corpus], repeats: int) -> None:
    """Measure once as things are, and again and again on a busy machine."""
    with LocalEngine(LANES) as engine:
        idle = measured(corpora, engine)
        with busy_machine():
            for repeat in range(repeats):
                busy = measured(corpora, engine)
                changed = {name: (idle[name], busy[name]) for name in idle} if busy != idle else {}
                assert not {n: both for n, both in changed.items() if both[0] != both[1]}, repeat


def tokens(found: dict[str, bytes], name: str) -> list[str]:
    """Return what a program did, with every result by value as "value"."""
    named: list[str] = json.loads(found[name])["tokens"]
    return [token if token == "TIMEOUT" or ":" in token else "value" for token in named]


def test_the_corpus_is_on_both_sides_of_every_limit() -> None:
    """What is under a limit has a result and what is over it has none, so both can change."""
    with LocalEngine(LANES) as engine:
        found = measured(QUICK, engine)
    for name in QUICK[0].programs:
        assert tokens(found, name) == ["value", "value", "TIMEOUT"], name
    for corpus in QUICK[1:4]:
        for name in corpus.programs:
            expected = "value" if name in ("fast", "random") else "TIMEOUT"
            if name not in ("raises", "ends"):
                assert tokens(found, name)[1] == expected, name


def test_a_busy_machine_gives_the_verdicts_of_an_idle_one() -> None:
    """Two repeats of a few programs of each kind."""
    same_under_load(QUICK, 2)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_twenty_times_the_verdicts_of_an_idle_machine() -> None:
    """Every token and every flag of every program, to the byte."""
    same_under_load(WHOLE, 20)


@pytest.mark.soak
@pytest.mark.timeout(1200)
def test_reports_of_real_samples_are_the_same_under_load(shared_data: Path, tmp_path: Path) -> None:
    """Two hundred programs of a model's, hangs and all, once idle and once on a busy machine."""
    samples = tmp_path / "samples.jsonl"
    lines = (shared_data / "native" / "odd_codegen16b.jsonl").read_text().splitlines()
    with samples.open("w") as file:
        for number, line in enumerate(lines):  # its problem ids are not unique
            problem = json.loads(line)
            problem["problem_id"] += f" line {number}"
            file.write(json.dumps(problem) + "\n")
    with LocalEngine(LANES) as engine:
        idle = load_report(samples, Settings(), engine)
        with busy_machine():
            busy = load_report(samples, Settings(), engine)
    assert len(idle.problems) + len(idle.unmeasured) == len(lines)
    assert render_report(busy) == render_report(idle)
