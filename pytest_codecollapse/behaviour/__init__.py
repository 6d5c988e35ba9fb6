"""Executions -> Partition: who does the same, and who is written the same."""

from pytest_codecollapse.behaviour.classes import (
    correct_curve,
    partition,
    stability_curve,
    stable_at,
)
from pytest_codecollapse.behaviour.fingerprint import fingerprint, outcome_kind, outcome_kinds
from pytest_codecollapse.behaviour.structure import structure_hash

__all__ = [
    "correct_curve",
    "fingerprint",
    "outcome_kind",
    "outcome_kinds",
    "partition",
    "stability_curve",
    "stable_at",
    "structure_hash",
]
