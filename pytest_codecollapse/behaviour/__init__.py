"""Executions -> Partition: who does the same, who is written the same, and why some are wrong."""

from pytest_codecollapse.behaviour.causes import Reasons, reasons_of
from pytest_codecollapse.behaviour.classes import (
    are_correct,
    correct_curve,
    oracle_of,
    partition,
    stability_curve,
    stable_at,
)
from pytest_codecollapse.behaviour.fingerprint import fingerprint, outcome_kind, outcome_kinds
from pytest_codecollapse.behaviour.structure import structure_hash

__all__ = [
    "Reasons",
    "are_correct",
    "correct_curve",
    "fingerprint",
    "oracle_of",
    "outcome_kind",
    "outcome_kinds",
    "partition",
    "reasons_of",
    "stability_curve",
    "stable_at",
    "structure_hash",
]
