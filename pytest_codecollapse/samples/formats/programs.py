"""A problem and the texts sampled for it -> a record of the native format."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from pytest_codecollapse.extraction import Extracted, extract
from pytest_codecollapse.samples.benchmarks.benchmark import Problem
from pytest_codecollapse.samples.formats.row import Row


def record(
    problem: Problem, rows: Iterable[Row], extraction: Literal["auto", "none"]
) -> dict[str, Any]:
    """Return the fields of a problem with its candidates.

    With ``extraction`` ``auto`` each text is searched for its program, and ``repairs`` says what
    was done; with ``none`` a completion is joined to its prompt, and other texts stay as they are.
    The record's prompt is the benchmark's in any case: it is the same problem whoever sampled.
    """
    if extraction == "none":
        joined = [
            (problem.code if row.prompt is None else row.prompt) + text
            if row.kind == "completion"
            else text
            for row in rows
            for text in row.texts
        ]
        return {**problem.fields, "candidates": joined}
    programs = _extracted(problem, rows)
    return {
        **problem.fields,
        "candidates": [each.source for each in programs],
        "repairs": [list(each.repairs) for each in programs],
    }


def _extracted(problem: Problem, rows: Iterable[Row]) -> list[Extracted]:
    """Extract each program; a text that was sampled twice is searched once."""
    entry_point = problem.fields["entry_point"]
    known: dict[tuple[str, str, bool], Extracted] = {}
    programs = []
    for row in rows:
        prompt = problem.code if row.prompt is None else row.prompt
        is_completion = row.kind == "completion"
        for text in row.texts:
            program = known.get((prompt, text, is_completion))
            if program is None:
                program = extract(
                    text, prompt=prompt, entry_point=entry_point, completion=is_completion
                )
                known[prompt, text, is_completion] = program
            programs.append(program)
    return programs
