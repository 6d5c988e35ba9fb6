"""What comes out of the sandbox."""

from __future__ import annotations

from typing import Optional

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


class Executions(msgspec.Struct, frozen=True, kw_only=True):
    """What the programs of one problem did: the reference, and each candidate in order.

    ``left_out`` are indices of inputs that the reference does not answer; no token is about them.
    """

    reference: Execution
    candidates: tuple[Execution, ...]
    left_out: tuple[int, ...] = ()
    shown: Optional[Shown] = None
