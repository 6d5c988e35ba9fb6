"""What comes out of the sandbox."""

from __future__ import annotations

from typing import Literal, Optional

import msgspec


class Execution(msgspec.Struct, frozen=True, kw_only=True):
    """What one program did: a token per input, in the inputs' order, under hash seed 1.

    A token is 16 hex digits (the digest of the canonical result), ``exc:<TypeName>``,
    ``load:<TypeName>``, ``TIMEOUT`` or ``CRASH``.
    """

    tokens: tuple[str, ...]
    nondeterministic: bool = False
    order_dependent: bool = False

    def first_difference(self, other: Execution) -> Optional[int]:
        """Return the place of the first token that differs from another execution's."""
        pairs = zip(self.tokens, other.tokens)
        return next((at for at, (mine, its) in enumerate(pairs) if mine != its), None)


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """What a person is to see of executions: short texts of printable ASCII, beside the digests.

    ``arguments`` and ``expected``, what the reference returned, have one text per token; where it
    raised, the latter is empty. ``outputs`` are what incorrect candidates, by index, returned on
    the first input on which they differ from the reference. They are the programs' own claims.
    """

    arguments: tuple[str, ...]
    expected: tuple[str, ...]
    outputs: dict[int, str]


class FailedAssert(msgspec.Struct, frozen=True, kw_only=True):
    """The first assert that a program failed; short texts of printable ASCII.

    ``assertion`` is its source; ``got`` what the code did in it, a claim of the program's own.
    ``kind`` says how it failed: the function returned something else, raised, took too long, ended
    its process, or was not there to be called.
    """

    assertion: str
    got: str
    kind: Literal["value", "exception", "timeout", "crash", "load"]


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """What a program did in the tests of its problem: how many ``asserts`` it passed.

    An assert in a loop counts each time that it comes. ``left_out`` are asserts about calls that no
    program can be given; they count neither way, and the first is told with the reason.
    """

    passed: int
    asserts: int
    failure: Optional[FailedAssert] = None
    left_out: int = 0
    first_left_out: str = ""

    @property
    def ok(self) -> bool:
        """Whether it passed them all."""
        return self.failure is None


class Executions(msgspec.Struct, frozen=True, kw_only=True):
    """What the programs of one problem did: the reference, and each candidate in order.

    The reference has no tokens where the problem has no reference. ``left_out`` are indices of
    inputs that it does not answer; no token is about them. ``checked`` has one entry per candidate
    where the problem has tests. ``origins`` counts the inputs by where they came from: ``given``,
    ``input_gen``, ``tests`` or ``mutation``. ``argument_counts`` are the numbers of arguments that
    inputs have, ascending.
    """

    reference: Execution
    candidates: tuple[Execution, ...]
    left_out: tuple[int, ...] = ()
    shown: Optional[Shown] = None
    reference_checked: Optional[Checked] = None
    checked: Optional[tuple[Checked, ...]] = None
    origins: dict[str, int] = {}
    argument_counts: tuple[int, ...] = ()
