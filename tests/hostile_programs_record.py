"""What one hostile program is, what it must come to, and how to write one."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import NamedTuple, Optional, Union

from pytest_codecollapse.model import Settings

#: Text that no memory but the host's may hold together with a candidate.
SECRET = "what only the reference knows"

REFERENCE = f"def f(x):\n    {SECRET!r}\n    return x\n"


@dataclass(frozen=True)
class Like:
    """Expects what another program gets, and, where it is not the reference's, a difference."""

    source: str


@dataclass(frozen=True)
class OneOf:
    """Expects any of these tokens on each input: which one is chance, or the system's choice."""

    tokens: frozenset[str]


@dataclass(frozen=True)
class Anything:
    """Expects nothing of the program's own tokens, since it races with itself; of the rest all."""

    why: str


SAME = Like(REFERENCE)
DENIED = "exc:PermissionError"
HUNG = "TIMEOUT"
CRASH = "CRASH"

EachInput = tuple[Union[str, Like], ...]
Expected = Union[str, Like, OneOf, Anything, EachInput]

#: Is not run where its harm is not kept from the machine.
HARMFUL = None


@dataclass(frozen=True)
class _Everywhere:
    """The same at every rung."""


EVERYWHERE = _Everywhere()

PROCESS, CONFINED, NAMESPACES = RUNGS = ("process", "confined", "namespaces")


class Hostile(NamedTuple):
    """A program, its token on each input, and what it needs.

    ``expected`` holds at every rung, or from ``confined`` on where ``at_process`` says otherwise
    (``HARMFUL``: it is not run there). ``steady`` programs do the same under both seeds and in
    any order of the inputs. ``slow`` ones run where slow tests are asked for.
    ``fault`` says what is wrong with the sandbox where it does not hold, at the rungs of
    ``fault_at``.
    """

    name: str
    source: str
    expected: Expected
    at_process: Union[Expected, _Everywhere, None] = EVERYWHERE
    inputs: tuple[list[object], ...] = ([0], [1], [2])
    timeout_s: float = 0.1
    memory_mb: int = 128
    steady: bool = True
    slow: bool = False
    fault: str = ""
    fault_at: tuple[str, ...] = RUNGS

    def at(self, rung: str) -> Optional[Expected]:
        """Return what is expected at a rung, or None where the program is not to be run there."""
        if rung != PROCESS or isinstance(self.at_process, _Everywhere):
            return self.expected
        return self.at_process

    @property
    def settings(self) -> Settings:
        """What to measure it with."""
        return Settings(timeout_s=self.timeout_s, memory_mb=self.memory_mb)

    def likes(self, rung: str) -> list[str]:
        """List the programs that its expectation refers to."""
        expected = self.at(rung)
        some = expected if isinstance(expected, tuple) else (expected,)
        return [each.source for each in some if isinstance(each, Like) and each != SAME]


def hangs(name: str, source: str, memory_mb: int = 128) -> Hostile:
    """Expect that a program times out on every input; two of them are enough, and little time."""
    return Hostile(name, source, HUNG, inputs=([0], [1]), timeout_s=0.02, memory_mb=memory_mb)


def hangs_once(name: str, source: str) -> Hostile:
    """Expect that a program times out, on one input: it takes long to be sure of it."""
    return Hostile(name, source, HUNG, inputs=([0],), timeout_s=0.01)


def f(body: str, top: str = "") -> str:
    """Write a program: a function ``f`` of ``x``, with something before it."""
    lines = textwrap.dedent(body).strip()
    return f"{textwrap.dedent(top).strip()}\ndef f(x):\n{textwrap.indent(lines, '    ')}\n"


def top(lines: str) -> str:
    """Write a program that does something when it is loaded, and answers as the reference does."""
    return f("return x", lines)


def one_of(*tokens: str) -> OneOf:
    """Allow several tokens."""
    return OneOf(frozenset(tokens))


def like(body: str, top: str = "") -> Like:
    """Expect what a program with this body gets."""
    return Like(f(body, top))
