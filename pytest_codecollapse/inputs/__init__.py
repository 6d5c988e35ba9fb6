"""Inputs beside those that a problem has: made from them, by mutation."""

from __future__ import annotations

from pytest_codecollapse.inputs.mutate import mutated

__all__ = ["mutated"]
