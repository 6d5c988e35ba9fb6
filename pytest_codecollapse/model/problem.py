"""What comes out of a samples file, and how it is to be measured."""

from __future__ import annotations

from typing import Any, Literal, Optional

import msgspec

from pytest_codecollapse.errors import Where


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a samples file, validated.

    Exactly one of ``input_gen`` and ``inputs`` is set. ``labels``, where given, has one entry
    per candidate.
    """

    problem_id: str
    entry_point: str
    candidates: tuple[str, ...]
    reference: str
    where: Where
    input_gen: Optional[str] = None
    inputs: Optional[tuple[list[Any], ...]] = None
    labels: Optional[tuple[str, ...]] = None
    prompt: str = ""
    setup: str = ""
    equality: Literal["strict", "python"] = "strict"
    cluster: Optional[str] = None


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything the user can set that changes what is measured; part of every report.

    ``canonicalizers`` maps the full name of a type, ``module.TypeName``, to source that defines
    ``canonicalize(value)``: what it returns is compared in the place of the value.
    """

    inputs: int = 50
    timeout_s: float = 0.5
    memory_mb: int = 512
    input_seed: int = 0
    site_packages: bool = False
    canonicalizers: dict[str, str] = {}
    k: tuple[int, ...] = (1, 5, 10)
