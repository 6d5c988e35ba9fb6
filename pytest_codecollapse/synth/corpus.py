"""Corpora with known classes: candidates planted in the reference problems, as samples lines."""

from __future__ import annotations

import ast
import itertools
import json
import math
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import TypedDict, Union

from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.synth.draws import shuffled
from pytest_codecollapse.synth.layout import reformat
from pytest_codecollapse.synth.mutate import mutant
from pytest_codecollapse.synth.problems import PROBLEMS, ReferenceProblem
from pytest_codecollapse.synth.rename import rename
from pytest_codecollapse.synth.rewrite import structures
from pytest_codecollapse.synth.syntax import parse_function, to_source

#: Ground truth class of the candidates that do what the reference does.
REFERENCE_LABEL = "reference"


class SamplesLine(TypedDict):
    """One line of a samples file in the native format."""

    problem_id: str
    entry_point: str
    prompt: str
    reference: str
    input_gen: str
    candidates: list[str]
    labels: list[str]


def make_corpus(
    *, candidates: int = 12, collapse: Union[Fraction, float] = 0.6, seed: int = 0
) -> tuple[SamplesLine, ...]:
    """Plant candidates with known classes in the four reference problems.

    A share of a problem's candidates are rewrites of its reference: programs that do the same and
    are written otherwise. The others carry its planted mutations, as evenly as their number
    allows, and are rewritten likewise. Everything but ``candidates`` and ``labels`` is the same
    for any arguments, so two corpora are two checkpoints' samples of the same problems.

    Parameters
    ----------
    candidates
        Number of candidates a problem, at least 1.
    collapse
        Share of the candidates that are rewrites of the reference, in [0, 1]; of ``collapse *
        candidates`` the nearest whole number, halves up. A float is taken as it is written: 0.35
        is 35/100.
    seed
        Which corpus; the same one gives the same corpus on every Python.

    Returns
    -------
    tuple of SamplesLine
        A line a problem. A label names the mutation that a candidate carries, or is ``reference``;
        two candidates of a problem have the same label exactly if they do the same.

    Raises
    ------
    UsageError
        If ``candidates`` is below 1 or ``collapse`` outside [0, 1].

    Examples
    --------
    >>> [line["problem_id"] for line in make_corpus()]
    ['positive_squares', 'window_sums', 'count_in_range', 'safe_ratio']
    >>> line = make_corpus(candidates=4, collapse=0.5)[0]
    >>> line["labels"].count("reference")
    2
    """
    if candidates < 1:
        raise UsageError(
            f"a corpus needs candidates (got {candidates} a problem, expected at least 1)",
            remedy="ask for one candidate or more",
        )
    if not 0 <= collapse <= 1:
        raise UsageError(
            f"collapse is a share of the candidates (got {collapse}, expected 0 to 1)",
            remedy="0 plants mutations only, 1 plants rewrites of the reference only",
        )
    correct = math.floor(Fraction(str(collapse)) * candidates + Fraction(1, 2))
    return tuple(_line(problem, candidates, correct, seed) for problem in PROBLEMS)


def render(line: SamplesLine) -> str:
    """Write a line of a samples file, without its newline: one JSON object in ASCII."""
    return json.dumps(line)


def _line(problem: ReferenceProblem, candidates: int, correct: int, seed: int) -> SamplesLine:
    """Plant one problem, from draws of its own."""
    rng = random.Random(f"{problem.name} {seed}")
    reference = parse_function(problem.reference)
    counts = {REFERENCE_LABEL: correct}
    functions = {REFERENCE_LABEL: reference}
    mutations = itertools.cycle(shuffled(rng, problem.mutations))
    for mutation in itertools.islice(mutations, candidates - correct):
        counts[mutation.label] = counts.get(mutation.label, 0) + 1
        functions[mutation.label] = mutant(reference, mutation)
    planted = [
        (source, label)
        for label, count in counts.items()
        for source in _variants(functions[label], count, rng, problem.summary)
    ]
    planted = shuffled(rng, planted)
    return SamplesLine(
        problem_id=problem.name,
        entry_point=problem.name,
        prompt=problem.prompt,
        reference=problem.reference,
        input_gen=problem.input_gen,
        candidates=[source for source, _ in planted],
        labels=[label for _, label in planted],
    )


def _variants(
    function: ast.FunctionDef, count: int, rng: random.Random, summary: str
) -> Iterator[str]:
    """Write the function in so many ways; no structure comes twice before each came once."""
    if count == 0:
        return
    forms = itertools.cycle(shuffled(rng, structures(function)))
    for form in itertools.islice(forms, count):
        yield reformat(to_source(rename(form, rng)), rng, summary=summary)
