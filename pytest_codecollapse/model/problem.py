"""What comes out of a samples file, and how it is to be measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Optional, Union

import msgspec

from pytest_codecollapse.errors import Where


class Checks(msgspec.Struct, frozen=True, kw_only=True):
    """The tests of a problem, as its author wrote them.

    ``source`` is code that defines ``check(candidate)``, or a list of assert statements about the
    entry point. ``setup`` is code that stands before them, and that programs do not get.
    """

    source: Union[str, tuple[str, ...]]
    setup: str = ""


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """One problem of a samples file, validated.

    At most one of ``input_gen`` and ``inputs`` is set; where neither is, inputs are recorded from
    the ``tests``. ``inputs`` are the arguments of calls: lists where they come from JSON, tuples
    where they were written as Python. ``reference`` is None only where there are tests. The
    ``contract`` is statements about the parameters of the reference by name, which raise where a
    call does not keep to it. ``atol`` is by how much a float may be off from the reference's.

    ``labels`` and ``repairs``, where given, have one entry per candidate; a candidate's repairs
    name what was done to get a program out of what the model wrote; see ``extraction``.
    """

    problem_id: str
    entry_point: str
    candidates: tuple[str, ...]
    reference: Optional[str]
    where: Where
    input_gen: Optional[str] = None
    inputs: Optional[tuple[Sequence[Any], ...]] = None
    tests: Optional[Checks] = None
    contract: Optional[str] = None
    labels: Optional[tuple[str, ...]] = None
    repairs: Optional[tuple[tuple[str, ...], ...]] = None
    prompt: str = ""
    setup: str = ""
    equality: Literal["strict", "python"] = "strict"
    atol: float = 0.0
    cluster: Optional[str] = None


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything the user can set that changes what is measured; part of every report.

    ``extract`` is how programs were got out of what models wrote: ``auto`` or ``none``; None where
    candidates came as programs, or as from before reports said it.

    ``canonicalizers`` maps the full name of a type, ``module.TypeName``, to source that defines
    ``canonicalize(value)``: what it returns is compared in the place of the value.
    """

    inputs: int = 50
    timeout_s: float = 0.5
    memory_mb: int = 512
    input_seed: int = 0
    site_packages: bool = False
    extract: Optional[Literal["auto", "none"]] = None
    canonicalizers: dict[str, str] = {}
    k: tuple[int, ...] = (1, 5, 10)
