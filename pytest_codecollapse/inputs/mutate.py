"""Type-aware mutation of recorded arguments."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any


def mutated(calls: Sequence[Sequence[Any]], rng: random.Random) -> Iterator[tuple[Any, ...]]:
    """Yield arguments that are like those of some calls, without end and without repetition.

    Parameters
    ----------
    calls
        Arguments of at least one call: None, numbers, strings, bytes and containers of them.
    rng
        Where every choice comes from.
    """
    yield from ()
