"""What comes out of classifying."""

from __future__ import annotations

from typing import Optional

import msgspec

#: Why a candidate is not correct, in the order in which causes are looked for: cheapest first.
CAUSES = (
    "no code",
    "syntax",
    "name",
    "signature",
    "import",
    "runtime error",
    "wrong output",
    "timeout",
    "crash",
)


class Witness(msgspec.Struct, frozen=True, kw_only=True):
    """One input on which a behaviour differs from the reference's, for a person to read.

    ``input`` is its index; ``arguments``, ``output`` and ``expected`` are short, printable texts:
    what was given, what the behaviour's first member did, and what the reference did.
    """

    input: int
    arguments: str
    output: str
    expected: str


class BehaviourClass(msgspec.Struct, frozen=True, kw_only=True):
    """Candidates that did the same on every input, and, without a reference, in the tests.

    ``members`` are candidate indices, ascending. ``outcomes`` counts the inputs by outcome kind:
    ``value``, ``exc:<TypeName>``, ``load:<TypeName>``, ``TIMEOUT`` or ``CRASH``. ``fingerprint``
    (16 hex digits) names the behaviour across runs of the same problem and inputs. ``witness`` is
    None for a correct class, and for the smallest where there are very many.
    """

    fingerprint: str
    members: tuple[int, ...]
    correct: bool
    outcomes: dict[str, int]
    witness: Optional[Witness] = None


class Partition(msgspec.Struct, frozen=True, kw_only=True):
    """The candidates of one problem, grouped by what they do and by how they are written.

    ``classes`` come largest first, ties by their first member; so do ``ast_classes``, the member
    lists of equal AST-normalised hash. ``stability_curve[m-1]`` is the number of behaviours that
    the first m inputs tell apart, ``correct_curve[m-1]`` the number of candidates that match the
    reference on them; where there is none, the tests have decided before any input, and it is the
    number of correct candidates throughout. ``nondeterministic`` and ``order_dependent`` are
    candidate indices.
    """

    classes: tuple[BehaviourClass, ...]
    ast_classes: tuple[tuple[int, ...], ...]
    nondeterministic: tuple[int, ...]
    order_dependent: tuple[int, ...]
    stability_curve: tuple[int, ...]
    correct_curve: tuple[int, ...]
