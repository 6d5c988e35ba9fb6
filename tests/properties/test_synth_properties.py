"""What synth plants, seen by running it: these sources are the package's own, so in process."""

from __future__ import annotations

import ast
import itertools
import random
from fractions import Fraction
from typing import Any, Callable

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from pytest_codecollapse.behaviour import structure_hash
from pytest_codecollapse.synth import REFERENCE_LABEL, SamplesLine, make_corpus
from pytest_codecollapse.synth.layout import reformat
from pytest_codecollapse.synth.mutate import mutant
from pytest_codecollapse.synth.problems import PROBLEMS, ReferenceProblem
from pytest_codecollapse.synth.rename import rename
from pytest_codecollapse.synth.rewrite import STRUCTURAL_REWRITES, Rewrite, structures
from pytest_codecollapse.synth.syntax import parse_function, to_source

INPUT_SEEDS = (0, 1, 2)

problems = pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.name)
input_seeds = pytest.mark.parametrize("input_seed", INPUT_SEEDS)


def behaviour(
    source: str, entry_point: str, input_gen: str, *, input_seed: int = 0, inputs: int = 50
) -> tuple[str, ...]:
    """Run a program on generated inputs: value or exception type, and arguments, an input each."""
    generator: dict[str, Any] = {}
    program: dict[str, Any] = {}
    exec(input_gen, generator)
    exec(source, program)
    drawn = generator["generate"](random.Random(input_seed), inputs)
    return tuple(outcome(program[entry_point], arguments) for arguments in drawn)


def outcome(function: Callable[..., object], arguments: tuple[Any, ...]) -> str:
    """Call the function: what came of it, and the arguments after the call."""
    try:
        result = repr(function(*arguments))
    except Exception as error:
        result = type(error).__name__
    return f"{result} {arguments!r}"


def behaviours(line: SamplesLine) -> list[tuple[str, ...]]:
    """Run every candidate of a line."""
    return [
        behaviour(source, line["entry_point"], line["input_gen"]) for source in line["candidates"]
    ]


def hashes(line: SamplesLine) -> set[str]:
    """AST-normalised hashes of a line's candidates."""
    return {structure_hash(source, line["entry_point"]) for source in line["candidates"]}


def programs(problem: ReferenceProblem) -> list[ast.FunctionDef]:
    """Build the reference and every mutant of it."""
    reference = parse_function(problem.reference)
    return [reference, *(mutant(reference, mutation) for mutation in problem.mutations)]


@input_seeds
@problems
def test_every_mutation_is_a_behaviour_of_its_own(
    problem: ReferenceProblem, input_seed: int
) -> None:
    """On 50 inputs no two of the reference and its mutants do the same."""
    done = {
        behaviour(to_source(each), problem.name, problem.input_gen, input_seed=input_seed)
        for each in programs(problem)
    }
    assert len(done) == 1 + len(problem.mutations)


@problems
def test_a_handful_of_inputs_tells_the_mutations_apart(problem: ReferenceProblem) -> None:
    """The first six inputs are enough to see every mutation."""
    done = {
        behaviour(to_source(each), problem.name, problem.input_gen, inputs=6)
        for each in programs(problem)
    }
    assert len(done) == 1 + len(problem.mutations)


@input_seeds
@pytest.mark.parametrize("rewrite", STRUCTURAL_REWRITES)
def test_a_structural_rewrite_keeps_behaviour_and_changes_structure(
    rewrite: Rewrite, input_seed: int
) -> None:
    """Wherever it fits, a rewrite does the same on 50 inputs and has another hash."""
    rewritten_count = 0
    for problem in PROBLEMS:
        for function in (form for program in programs(problem) for form in structures(program)[:3]):
            source = to_source(function)
            done = behaviour(source, problem.name, problem.input_gen, input_seed=input_seed)
            for other in map(to_source, rewrite(function)):
                rewritten_count += 1
                assert structure_hash(other, problem.name) != structure_hash(source, problem.name)
                assert done == behaviour(
                    other, problem.name, problem.input_gen, input_seed=input_seed
                )
    assert rewritten_count >= 7


@problems
def test_all_structures_of_a_program_do_the_same_and_hash_apart(problem: ReferenceProblem) -> None:
    """However the rewrites are combined, behaviour stays and no two share a hash."""
    for program in programs(problem):
        sources = [to_source(form) for form in structures(program)]
        done = {behaviour(source, problem.name, problem.input_gen) for source in sources}
        assert len(done) == 1
        assert len({structure_hash(source, problem.name) for source in sources}) == len(sources) > 1


@input_seeds
@problems
def test_renaming_and_reformatting_keep_behaviour_and_structure(
    problem: ReferenceProblem, input_seed: int
) -> None:
    """Other names and another layout do the same on 50 inputs and have the same hash."""
    rng = random.Random(input_seed)
    for program in programs(problem):
        before = to_source(program)
        renamed = to_source(rename(program, rng))
        relaid = reformat(before, rng, summary=problem.summary)
        done = {
            behaviour(source, problem.name, problem.input_gen, input_seed=input_seed)
            for source in (before, renamed, relaid)
        }
        assert len(done) == 1
        assert structure_hash(renamed, problem.name) == structure_hash(before, problem.name)
        assert structure_hash(relaid, problem.name) == structure_hash(before, problem.name)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_rewrites_alone_are_one_behaviour_in_several_structures(seed: int) -> None:
    """With collapse 1, four candidates do what the reference does and have four hashes."""
    for line in make_corpus(candidates=4, collapse=1, seed=seed):
        reference = behaviour(line["reference"], line["entry_point"], line["input_gen"])
        assert behaviours(line) == [reference] * 4
        assert len(hashes(line)) == 4


def assert_labels_are_the_behaviours(line: SamplesLine) -> None:
    """Labels and behaviours map one to one, and the reference's label is its behaviour."""
    done = behaviours(line)
    labels = line["labels"]
    assert len(set(zip(labels, done))) == len(set(labels)) == len(set(done))
    reference = behaviour(line["reference"], line["entry_point"], line["input_gen"])
    assert [label == REFERENCE_LABEL for label in labels] == [each == reference for each in done]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_labels_agree_with_behaviour_in_planted_corpora(seed: int) -> None:
    """In 4 problems x 10 candidates the labels are the behaviour partition, so ARI is 1."""
    for line in make_corpus(candidates=10, seed=seed):
        assert_labels_are_the_behaviours(line)


# An example is small as it is drawn, and making it smaller would take minutes.
@settings(max_examples=10, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(
    candidates=st.integers(1, 16),
    collapse=st.fractions(0, 1, max_denominator=12),
    seed=st.integers(),
)
def test_any_corpus_is_planted_as_labelled(candidates: int, collapse: Fraction, seed: int) -> None:
    """For any arguments labels are behaviours, and the reference's share is off by half at most."""
    for line in make_corpus(candidates=candidates, collapse=collapse, seed=seed):
        assert_labels_are_the_behaviours(line)
        assert abs(line["labels"].count(REFERENCE_LABEL) - collapse * candidates) <= Fraction(1, 2)


def mean(values: list[Fraction]) -> Fraction:
    """Arithmetic mean, exact."""
    return sum(values, Fraction(0)) / len(values)


def mean_distinct(done: list[tuple[str, ...]], k: int) -> Fraction:
    """Mean number of distinct behaviours over all draws of k candidates, counted one by one."""
    return mean([Fraction(len(set(draw))) for draw in itertools.combinations(done, k)])


def test_a_checkpoint_can_collapse_while_pass_at_1_rises() -> None:
    """From collapse 0.2 to 0.9 pass@1 and masking ratio rise and E[D_5] falls, in every problem."""
    before, after = make_corpus(collapse=0.2, seed=1), make_corpus(collapse=0.9, seed=2)
    for one, other in zip(before, after):
        done, done_later = behaviours(one), behaviours(other)
        reference = behaviour(one["reference"], one["entry_point"], one["input_gen"])
        assert (done.count(reference), done_later.count(reference)) == (2, 11)
        assert mean_distinct(done, 5) > 4 > 2 > mean_distinct(done_later, 5)
        assert (
            Fraction(len(hashes(one)), len(set(done)))
            < 2
            < 4
            < Fraction(len(hashes(other)), len(set(done_later)))
        )
