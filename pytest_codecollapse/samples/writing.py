"""Problems -> lines of the native format, for what was read from another format."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Protocol, Union

from pytest_codecollapse.model import Problem
from pytest_codecollapse.samples.literals import write_arguments
from pytest_codecollapse.samples.reader import SamplesFile


class _Stream(Protocol):
    def write(self, text: str, /) -> object: ...


def write_native(samples: SamplesFile, stream: _Stream) -> None:
    r"""Write the problems of a samples file as native lines, one by one.

    Parameters
    ----------
    samples
        An open file.
    stream
        Takes text, which is ASCII and has ``\n`` alone as line end. The same problems give the
        same text; reading it gives problems that are equal to these but for ``where``.

    Raises
    ------
    SamplesError
        Where the file has changed since it was opened.
    """
    for problem in samples.problems():
        stream.write(json.dumps(_fields(problem)) + "\n")


def _fields(problem: Problem) -> dict[str, Any]:
    """Return the fields in the order of the README's table, without those that say nothing."""
    fields = {
        "problem_id": problem.problem_id,
        "entry_point": problem.entry_point,
        "candidates": problem.candidates,
        "reference": problem.reference,
        "input_gen": problem.input_gen,
        "inputs": None if problem.inputs is None else list(map(_arguments, problem.inputs)),
        "tests": None if problem.tests is None else problem.tests.source,
        "test_setup": (problem.tests and problem.tests.setup) or None,
        "contract": problem.contract,
        "labels": problem.labels,
        "repairs": problem.repairs,
        "prompt": problem.prompt or None,
        "setup": problem.setup or None,
        "equality": None if problem.equality == "strict" else problem.equality,
        "atol": problem.atol or None,
        "cluster": problem.cluster,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _arguments(arguments: Sequence[Any]) -> Union[str, Sequence[Any]]:
    """Return what stands for a call's arguments: a list came from JSON, a tuple from Python."""
    return arguments if isinstance(arguments, list) else write_arguments(arguments)
