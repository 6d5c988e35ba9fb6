"""What a program did, as one name: equal fingerprints mean the same token on every input."""

from __future__ import annotations

import hashlib
from collections import Counter

from pytest_codecollapse.model import Execution

#: Stands behind the tokens of a behaviour that fails tests; no token is like it.
_FAILS = "fails its tests"


def fingerprint(execution: Execution, *, fails: bool = False) -> str:
    """Name a behaviour: the first 16 hex digits of SHA-256 over its tokens, in input order.

    Two programs of the same problem, inputs and canonical form have the same fingerprint exactly
    where they behave the same, also in different runs. Where tests decide what is correct, programs
    of the same tokens are two behaviours if one of them ``fails``.
    """
    told = [*execution.tokens, _FAILS] if fails else execution.tokens
    return hashlib.sha256("\n".join(told).encode("ascii")).hexdigest()[:16]


def outcome_kind(token: str) -> str:
    """Return the kind of a token: ``value`` for a result, any other token stands for itself."""
    return "value" if len(token) == 16 and ":" not in token else token


def outcome_kinds(execution: Execution) -> dict[str, int]:
    """Count the inputs of a program by outcome kind, most frequent first, ties by name."""
    counts = Counter(map(outcome_kind, execution.tokens))
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
