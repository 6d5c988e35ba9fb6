"""What the host asks of problem servers: problems to prepare, and programs to run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Optional

from pytest_codecollapse.model import Problem, Settings
from pytest_codecollapse.sandbox.imports import imported_modules

INPUT_GEN_LIMIT_FACTOR = 10
TESTS_LIMIT_FACTOR = 60  # they call the reference as often as they like
PATIENCE = 3


class Needed(NamedTuple):
    """What the reference needed for each input, 0 where it has no answer."""

    events: list[int]
    cpu_ns: list[int]


def input_gen_limit_s(settings: Settings) -> float:
    """Return the CPU time that an ``input_gen`` may take for all inputs."""
    return INPUT_GEN_LIMIT_FACTOR * settings.timeout_s


def tests_limit_s(settings: Settings) -> float:
    """Return the CPU time that the tests of a problem may take in all."""
    return TESTS_LIMIT_FACTOR * settings.timeout_s


class Given(NamedTuple):
    """What a problem server is to prepare.

    Parameters
    ----------
    inputs
        Arguments of calls, as ``child.values`` writes them; they come behind those of ``input_gen``
        where the server is to make those.
    generates
        Whether it is.
    needed
        What the reference needed for each, which limits are made from. None for the reference
        itself, whose work is counted from the start.
    with_texts
        Whether the inputs are to have texts.
    with_tests
        Whether the tests are to be run here: then no candidate is.
    """

    inputs: list[list[Any]]
    generates: bool = False
    needed: Optional[Needed] = None
    with_texts: bool = False
    with_tests: bool = False


def problem_message(
    problem: Problem, settings: Settings, sources: Sequence[str], given: Given
) -> dict[str, Any]:
    """Say what a problem server must know; of the programs only the modules they import."""
    input_gen = problem.input_gen if given.generates else None
    canonicalizers = settings.canonicalizers
    modules, others = imported_modules(
        [problem.setup, input_gen or "", *sources, *canonicalizers.values()]
    )
    message = {
        "kind": "problem",
        "entry_point": problem.entry_point,
        "setup": problem.setup,
        "by_value": problem.equality == "python",
        "input_gen": input_gen,
        "inputs": given.inputs,
        "count": settings.inputs,
        "input_seed": settings.input_seed,
        "limit_s": settings.timeout_s,
        "needed": None if given.needed is None else given.needed._asdict(),
        "input_gen_limit_s": input_gen_limit_s(settings),
        "memory_mb": settings.memory_mb,
        "modules": modules,
        "others": others,
        "texts": given.with_texts,
        "canonicalizers": canonicalizers,
    }
    if given.with_tests and problem.tests is not None:
        message.update(
            tests=problem.tests.source,
            test_setup=problem.tests.setup,
            tests_limit_s=tests_limit_s(settings),
        )
    return message


class Program(NamedTuple):
    """A run of one program.

    Parameters
    ----------
    source
        The program.
    order
        Indices of inputs, in the order in which it is called with them.
    name
        What to call the program in an error.
    suspects
        Indices of inputs on which the program has timed out before.
    patience
        Timeouts after which the limit shrinks.
    reply_with
        What is wanted of each result: its token; a text beside it, for a person to read; or the
        value, and no token to speak of.
    """

    source: str
    order: list[int]
    name: str
    suspects: Sequence[int] = ()
    patience: int = PATIENCE
    reply_with: Literal["tokens", "texts", "values"] = "tokens"
