"""Whole measurements of files whose answer is known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Callable

import pytest

from pytest_codecollapse.measure import measure
from pytest_codecollapse.model import ProblemReport, Report, Settings
from pytest_codecollapse.samples import SamplesFile
from pytest_codecollapse.sandbox import LocalEngine
from pytest_codecollapse.synth import make_corpus, render

Measure = Callable[..., Report]


@pytest.fixture
def measure_lines(tmp_path: Path, engine: LocalEngine) -> Measure:
    """Give a function that measures a file of these lines."""

    def run(*lines: str, settings: Settings = Settings()) -> Report:  # noqa: B008
        path = tmp_path / "samples.jsonl"
        path.write_text("".join(f"{line}\n" for line in lines))
        with SamplesFile.open(path) as samples:
            return measure(samples, settings, engine)

    return run


def line(*candidates: str, **fields: Any) -> str:
    """Write a problem whose reference is the identity."""
    return json.dumps(
        {
            "problem_id": "p",
            "entry_point": "f",
            "reference": "def f(x): return x",
            "candidates": candidates,
            **fields,
        }
    )


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_planted_classes_are_recovered(measure_lines: Measure, seed: int) -> None:
    """Behaviours are the planted labels exactly, for every problem of the corpus."""
    corpus = make_corpus(candidates=10, seed=seed)
    report = measure_lines(*map(render, corpus))
    assert report.unmeasured == ()
    assert [problem.ari for problem in report.problems] == [1, 1, 1, 1]
    assert report.ari == 1
    assert [(problem.n, problem.correct) for problem in report.problems] == [(10, 6)] * 4
    assert [problem.statistics["hill_q0"] for problem in report.problems] == [
        len(set(planted["labels"])) for planted in corpus
    ]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_rewrites_of_the_reference_are_one_class(measure_lines: Measure, seed: int) -> None:
    """Semantics-preserving rewrites collapse by what they do, not by how they are written."""
    report = measure_lines(*map(render, make_corpus(candidates=10, collapse=1, seed=seed)))
    for problem in report.problems:
        assert [each.members for each in problem.partition.classes] == [tuple(range(10))]
        assert problem.correct == 10
        assert len(problem.partition.ast_classes) > 1
        assert problem.statistics["pass@1"] == problem.statistics["E[D_10]"] == 1
    assert report.ari == 1


INPUTS = [[number] for number in range(1, 51)]
UNLIKE_ON_38 = "def f(x): return 0 if x == 38 else x"


def rare(measure_lines: Measure, inputs: int) -> ProblemReport:
    """Measure the identity beside a program that differs on input 38 of 50."""
    problem = line("def f(x): return x", UNLIKE_ON_38, inputs=INPUTS)
    return measure_lines(problem, settings=Settings(inputs=inputs)).problems[0]


def test_a_difference_on_input_38_of_50_shows_from_there_on(measure_lines: Measure) -> None:
    """The curves say how many inputs it takes to see it."""
    problem = rare(measure_lines, 50)
    assert problem.partition.stability_curve == (1,) * 37 + (2,) * 13
    assert problem.partition.correct_curve == (2,) * 37 + (1,) * 13
    assert problem.statistics["stable_at"] == 38
    assert problem.correct == 1


def test_with_37_inputs_it_is_not_seen(measure_lines: Measure) -> None:
    """The inputs measured are the first ones."""
    problem = rare(measure_lines, 37)
    assert problem.partition.stability_curve == (1,) * 37
    assert problem.statistics["stable_at"] == 1
    assert problem.correct == 2


def test_flags_and_outcomes_are_reported_by_candidate(measure_lines: Measure) -> None:
    """The nondeterministic, the stateful, what raises and what does not load: each by index."""
    problem = line(
        "def f(x): return x",
        "import random\ndef f(x): return random.random()",
        "def f(x, seen=[]):\n    seen.append(x)\n    return len(seen)",
        "def f(x):\n    if x > 3: raise ValueError(x)\n    return x",
        "def f(x) return x",
        inputs=[[2], [4], [6]],
    )
    partition = measure_lines(problem).problems[0].partition
    assert partition.nondeterministic == (1,)
    assert partition.order_dependent == (2,)
    assert [each.outcomes for each in partition.classes] == [
        {"value": 3},
        {"value": 3},
        {"value": 3},
        {"exc:ValueError": 2, "value": 1},
        {"load:SyntaxError": 3},
    ]
    assert [each.correct for each in partition.classes] == [True, False, False, False, False]


def test_what_the_reference_does_not_answer_is_left_out(measure_lines: Measure) -> None:
    """Curves and outcomes are about the other inputs, and the report names those left out."""
    problem = line(
        "def f(x): return x",
        reference="import os\ndef f(x):\n    if x == 4: os._exit(0)\n    return x",
        inputs=[[2], [4], [6]],
    )
    report = measure_lines(problem).problems[0]
    assert report.left_out == (1,)
    assert report.partition.stability_curve == (1, 1)
    assert report.partition.classes[0].outcomes == {"value": 2}
    assert report.correct == 1


def test_an_iterator_reaches_every_program_unread(measure_lines: Measure) -> None:
    """Telling inputs apart uses up none of them, so a program that ignores them is no match."""
    problem = line(
        "def f(x): return []",
        "def f(x): return [item for item in x]",
        reference="def f(x): return list(x)",
        input_gen="def generate(rng, m): return [(iter([1, 2, i]),) for i in range(m)]",
    )
    partition = measure_lines(problem, settings=Settings(inputs=3)).problems[0].partition
    assert [(each.members, each.correct) for each in partition.classes] == [
        ((0,), False),
        ((1,), True),
    ]


def test_a_file_is_measured_the_same_every_time(measure_lines: Measure) -> None:
    """Two measurements are equal records."""
    lines = [render(planted) for planted in make_corpus(candidates=4)]
    settings = Settings(inputs=10)
    assert measure_lines(*lines, settings=settings) == measure_lines(*lines, settings=settings)


def test_several_jobs_measure_what_one_does(tmp_path: Path, engine: LocalEngine) -> None:
    """How many programs run at a time changes nothing that is reported."""
    path = tmp_path / "samples.jsonl"
    path.write_text("".join(f"{render(planted)}\n" for planted in make_corpus(candidates=4)))
    with SamplesFile.open(path) as samples, LocalEngine(3) as parallel:
        settings = Settings(inputs=10)
        assert measure(samples, settings, parallel) == measure(samples, settings, engine)
