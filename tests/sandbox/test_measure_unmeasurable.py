"""Problems that cannot be measured: each says why, and the others still are."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from pytest_codecollapse.measure import measure
from pytest_codecollapse.model import Report, Settings
from pytest_codecollapse.samples import SamplesFile
from pytest_codecollapse.sandbox import LocalEngine

#: ``input_gen`` may take ten times the timeout.
SETTINGS = Settings(inputs=5, timeout_s=0.05)

GENERATE = "it must define generate(rng, m) and return m tuples of positional arguments"
STEADY = "take every random number from rng, and do not depend on the order of a set"
NO_ANSWER = (
    "the reference answers no input: each takes too long at a limit of 0.05 s, or ends its process"
)
UNSTEADY = "input_gen makes other inputs each time it runs, expected the same for the same rng"


def generator(body: str) -> dict[str, str]:
    """Return the fields of a problem with this ``generate``."""
    return {"input_gen": f"import os, random, itertools\ndef generate(rng, m): {body}"}


def reference(source: str) -> dict[str, str]:
    """Return the fields of a problem with this reference."""
    return {"reference": source}


#: Problem id -> fields, what the message says is wrong, and its remedy.
UNMEASURABLE: dict[str, tuple[dict[str, str], str, str]] = {
    "does not load": (
        reference("def f(x) return x"),
        "the reference does not load (load:SyntaxError)",
        "it must compile, run and define f",
    ),
    "has no entry point": (
        reference("def g(x): return x"),
        "the reference does not load (load:NameError)",
        "it must compile, run and define f",
    ),
    "raises on every input": (
        reference("def f(x):\n    if x % 2: raise KeyError(x)\n    raise ValueError(x)"),
        "the reference raises on every input (exc:KeyError, exc:ValueError)",
        "check that the inputs are argument lists for its entry point",
    ),
    "is nondeterministic": (
        reference("import random\ndef f(x): return random.random()"),
        "the reference is nondeterministic: its results differ from run to run",
        "remove what is random, or depends on time, addresses or the order of a set",
    ),
    "hangs on every input": (
        reference("def f(x):\n    while True: pass"),
        NO_ANSWER,
        "allow more time, or check the reference",
    ),
    "ends its process": (
        reference("import os\ndef f(x): os._exit(0)"),
        NO_ANSWER,
        "allow more time, or check the reference",
    ),
    "ends its process at once": (
        reference("import os\nos._exit(0)"),
        NO_ANSWER,
        "allow more time, or check the reference",
    ),
    "generate raises": (
        generator("raise ValueError('no\\n\\x1b[31m idea')"),
        "input_gen failed: ValueError: no\\n\\x1b[31m idea",
        GENERATE,
    ),
    "generate exits": (generator("exit(3)"), "input_gen failed: SystemExit: 3", GENERATE),
    "generate is greedy": (
        generator("return [('a' * 10**10,)]"),
        "input_gen failed: MemoryError",
        GENERATE,
    ),
    "generate hangs": (
        generator("\n    while True: pass"),
        "input_gen took more than 0.5 s of CPU time for 5 inputs",
        GENERATE,
    ),
    "an input has no end": (
        generator("return [(itertools.count(),)] * m"),
        "input_gen took more than 0.5 s of CPU time for 5 inputs",
        GENERATE,
    ),
    "generate returns None": (
        generator("pass"),
        "input_gen failed: TypeError: generate returned None, expected a list of 5 tuples",
        GENERATE,
    ),
    "generate yields": (
        generator("yield (1,)"),
        "input_gen failed: TypeError: generate returned generator, expected a list of 5 tuples",
        GENERATE,
    ),
    "generate returns a dict": (
        generator("return {(1,): 2}"),
        "input_gen failed: TypeError: generate returned dict, expected a list of 5 tuples",
        GENERATE,
    ),
    "generate returns ints": (
        generator("return [1] * m"),
        "input_gen failed: TypeError: generate returned int as item 0, expected a tuple of"
        " positional arguments",
        GENERATE,
    ),
    "generate returns lists": (
        generator("return [(0,), *([i] for i in range(1, m))]"),
        "input_gen failed: TypeError: generate returned list as item 1, expected a tuple of"
        " positional arguments",
        GENERATE,
    ),
    "generate returns too few": (
        generator("return [(0,)] * (m - 1)"),
        "input_gen failed: TypeError: generate returned 4 inputs, expected 5",
        GENERATE,
    ),
    "generate returns too many": (
        generator("return [(0,)] * (m + 1)"),
        "input_gen failed: TypeError: generate returned 6 inputs, expected 5",
        GENERATE,
    ),
    "an input cannot be copied": (
        generator("return [((i for i in [1]),)] * m"),
        "input_gen failed: TypeError: cannot pickle 'generator' object",
        GENERATE,
    ),
    "generate is misspelt": (
        {"input_gen": "def generat(rng, m): return [(0,)] * m"},
        "input_gen failed: NameError: it does not define generate(rng, m)",
        GENERATE,
    ),
    "generate takes one argument": (
        {"input_gen": "def generate(m): return [(0,)] * m"},
        "input_gen failed: TypeError: generate() takes 1 positional argument but 2 were given",
        GENERATE,
    ),
    "input_gen does not compile": (
        {"input_gen": "?"},
        "input_gen failed: SyntaxError: invalid syntax (<input_gen>, line 1)",
        GENERATE,
    ),
    "input_gen raises": (
        {"input_gen": "1 / 0"},
        "input_gen failed: ZeroDivisionError: division by zero",
        GENERATE,
    ),
    "generate ends its process": (
        generator("os._exit(3)"),
        "input_gen ended its process (exit status 3)",
        GENERATE,
    ),
    "generate ends it well": (
        generator("os._exit(0)"),
        "input_gen ended its process (exit status 0)",
        GENERATE,
    ),
    "generate kills it": (
        generator("os.kill(os.getpid(), 9)"),
        "input_gen ended its process (SIGKILL)",
        GENERATE,
    ),
    "inputs in the order of a set": (
        generator("return [(list({'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'}),)] * m"),
        UNSTEADY,
        STEADY,
    ),
    "unseeded random inputs": (generator("return [(random.random(),)] * m"), UNSTEADY, STEADY),
    "addresses as inputs": (
        generator("return [(id(object()),) for _ in range(m)]"),
        UNSTEADY,
        STEADY,
    ),
}

if sys.platform == "linux":  # other systems have no signals without names
    UNMEASURABLE["generate kills it oddly"] = (
        generator("os.kill(os.getpid(), 40)"),
        "input_gen ended its process (signal 40)",
        GENERATE,
    )


def line(problem_id: str, **fields: Any) -> str:
    """Write a problem; by default it can be measured."""
    source = "input_gen" if "input_gen" in fields else "inputs"
    problem = {
        "problem_id": problem_id,
        "entry_point": "f",
        "reference": "def f(x): return x",
        "candidates": ["def f(x): return x", "def f(x): return [x]"],
        source: [[number] for number in range(5)],
        **fields,
    }
    return json.dumps(problem)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory, engine: LocalEngine) -> Report:
    """Measure a file in which a sound problem follows each of these."""
    path = tmp_path_factory.mktemp("unmeasurable") / "samples.jsonl"
    with path.open("w") as file:
        for problem_id, (fields, _, _) in UNMEASURABLE.items():
            print(line(problem_id, **fields), file=file)
            print(line(f"after: {problem_id}"), file=file)
    with SamplesFile.open(path, shown_as="a.jsonl") as samples:
        return measure(samples, SETTINGS, engine)


@pytest.mark.parametrize("problem_id", UNMEASURABLE)
def test_a_problem_that_cannot_be_measured_says_why(report: Report, problem_id: str) -> None:
    """The message names path, line and problem, what is wrong, and the remedy."""
    messages = {each.problem_id: each.message for each in report.unmeasured}
    number = [*UNMEASURABLE].index(problem_id) * 2 + 1
    _, what, remedy = UNMEASURABLE[problem_id]
    assert messages[problem_id] == f"a.jsonl:{number}: problem {problem_id!r}: {what}; {remedy}"


def test_the_other_problems_are_measured(report: Report) -> None:
    """Whatever the problem before did, the next one has two behaviours, one of them right."""
    assert [problem.problem_id for problem in report.problems] == [
        f"after: {problem_id}" for problem_id in UNMEASURABLE
    ]
    for problem in report.problems:
        assert [each.members for each in problem.partition.classes] == [(0,), (1,)]
        assert problem.correct == 1
