"""``codecollapse synth``."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from cli_runs import run_main

from pytest_codecollapse.samples import SamplesFile


def test_a_corpus_is_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """It has four problems, of as many candidates as asked for, and labels; it can be read."""
    path = tmp_path / "new" / "corpus.jsonl"
    assert run_main(capsys, "synth", "-o", path, "--candidates", "5", "--collapse", "0.4") == (
        0,
        f"{path}: 4 problems, 20 candidates\n",
        "",
    )
    with SamplesFile.open(path) as samples:
        problems = list(samples.problems())
    assert [problem.problem_id for problem in problems] == [
        "positive_squares",
        "window_sums",
        "count_in_range",
        "safe_ratio",
    ]
    for problem in problems:
        assert len(problem.candidates) == 5
        assert problem.labels is not None
        assert problem.labels.count("reference") == 2


def test_a_corpus_is_the_same_every_time(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The bytes depend on the arguments alone: not on the run, nor on the version of Python."""
    path = tmp_path / "corpus.jsonl"
    digests = []
    for seed in ("0", "0", "1"):
        run_main(capsys, "synth", "--output", path, "--candidates", "3", "--seed", seed)
        digests.append(hashlib.sha256(path.read_bytes()).hexdigest()[:16])
    assert digests == ["831859e2d2e98ada", "831859e2d2e98ada", "190290ae9348d3c8"]


def test_an_unwritable_corpus_exits_2(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The message names the path and what the system said."""
    assert run_main(capsys, "synth", "-o", tmp_path) == (
        2,
        "",
        f"codecollapse: error: {tmp_path}: cannot be written (Is a directory);"
        " choose another place\n",
    )
