"""Random choices that are the same on every Python.

Of ``random.Random`` only ``random()`` is promised to give the same sequence for a seed in every
version, so all draws are made from it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")


def pick(rng: random.Random, options: Sequence[T]) -> T:
    """Draw one of the options, each with the same probability."""
    return options[int(rng.random() * len(options))]


def shuffled(rng: random.Random, items: Iterable[T]) -> list[T]:
    """Put the items in random order."""
    return sorted(items, key=lambda _: rng.random())
