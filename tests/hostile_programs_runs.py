"""Running hostile programs, each with a neighbour after it, and seeing what came of them.

Theory of operation
-------------------
Programs that want the same inputs and settings share problems, for most of what one costs is the
making of its servers. Such a *batch* is run when the first of its programs is asked for.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from hostile_programs_record import REFERENCE, SAME, Anything, Expected, Hostile, Like, OneOf
from sandbox_leftovers import Leftovers
from sandbox_problems import make_problem

from pytest_codecollapse.model import Execution
from pytest_codecollapse.sandbox import LocalEngine

_MOST_IN_A_BATCH = 16

#: Does what the reference does where it finds its world as every program should.
HEALTHY = """
import os, signal, sys

def oddities():
    yield from os.listdir(".")
    yield from (name for name in os.listxattr(".") if name.startswith("user."))
    yield from (name for name in vars(sys.modules["solution"]) if "hostile" in name)
    yield from (n for n in (signal.SIGPROF, signal.SIGTERM) if signal.getsignal(n))
    yield from signal.pthread_sigmask(signal.SIG_BLOCK, ())
    with open("mine", "w") as file:
        file.write("mine")
    os.remove("mine")

found = list(oddities())

def f(x):
    return (x, found) if found else x
"""


class Outcome(NamedTuple):
    """What came of a program and its neighbour, and of the machine in the course of their batch."""

    hostile: Execution
    neighbour: Execution
    reference: Execution
    likes: dict[str, tuple[str, ...]]
    before: tuple[object, ...]
    after: tuple[object, ...]

    def wanted(self, expected: Expected) -> tuple[str, ...]:
        """Return what the hostile program's tokens must be; where it has a choice, its own."""
        if expected == SAME:
            return self.reference.tokens
        if isinstance(expected, Like):
            tokens = self.likes[expected.source]
            assert not set(tokens) & set(self.reference.tokens)
            return tokens
        own = self.hostile.tokens
        if isinstance(expected, Anything):
            return own
        if isinstance(expected, OneOf):
            choice = " or ".join(sorted(expected.tokens))
            return tuple(each if each in expected.tokens else choice for each in own)
        if isinstance(expected, str):
            return (expected,) * len(own)
        return tuple(
            each if isinstance(each, str) else self.wanted(each)[index]
            for index, each in enumerate(expected)
        )


class Arena:
    """Where hostile programs run: an engine at one rung, and the places that it may not change.

    Parameters
    ----------
    rung
        The rung that the engine stands on.
    engine
        With at least one lane, and all its temporary files in ``temporary``.
    temporary
        A folder.
    outside
        A folder of the host's with a file in it; ``OUTSIDE`` is its path in every program.
    everyone
        The programs that may be asked for.
    """

    def __init__(
        self,
        rung: str,
        engine: LocalEngine,
        temporary: Path,
        outside: Path,
        everyone: Sequence[Hostile],
    ) -> None:
        self.rung = rung
        self._engine = engine
        self._temporary = temporary
        self._outside = outside
        self._batches = batches([each for each in everyone if each.at(rung) is not None])
        self._outcomes: dict[str, Outcome] = {}

    def outcome(self, hostile: Hostile) -> Outcome:
        """Run the batch that a program is in, unless it has been run; return what came of it."""
        if hostile.name not in self._outcomes:
            (batch,) = [batch for batch in self._batches if hostile in batch]
            self._run(batch)
        return self._outcomes[hostile.name]

    def _run(self, batch: Sequence[Hostile]) -> None:
        pairs = [(each.source, f"{HEALTHY}# {index}") for index, each in enumerate(batch)]
        problem = make_problem(
            *itertools.chain.from_iterable(pairs),
            *(source for each in batch for source in each.likes(self.rung)),
            reference=REFERENCE,
            setup=f"OUTSIDE = {str(self._outside)!r}\n",
            inputs=batch[0].inputs,
        )
        before = self._machine()
        done = self._engine.submit(problem, batch[0].settings, lambda count: None).result()
        after = self._machine()
        executions = dict(zip(problem.candidates, done.candidates))
        tokens = {source: execution.tokens for source, execution in executions.items()}
        for each, (source, neighbour) in zip(batch, pairs):
            self._outcomes[each.name] = Outcome(
                executions[source], executions[neighbour], done.reference, tokens, before, after
            )

    def _machine(self) -> tuple[object, ...]:
        """Look at what could have been left, and all there is to know of the folder outside."""
        (file,) = self._outside.iterdir()
        known = [each.stat() for each in (self._outside, file)]
        facts = [(each.st_mode, each.st_uid, each.st_gid, each.st_mtime_ns) for each in known]
        return (*Leftovers.below(self._temporary), file.read_text(), *facts)


def batches(programs: Sequence[Hostile]) -> list[list[Hostile]]:
    """Put those together that can share a problem, not too many at a time."""
    alike: dict[str, list[Hostile]] = {}
    for each in programs:
        alike.setdefault(repr((each.inputs, each.settings, each.slow)), []).append(each)
    return [
        some[start : start + _MOST_IN_A_BATCH]
        for some in alike.values()
        for start in range(0, len(some), _MOST_IN_A_BATCH)
    ]
