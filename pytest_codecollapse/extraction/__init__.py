"""Text that a model wrote -> program, with what was done to it."""

from __future__ import annotations

from pytest_codecollapse.extraction.extract import Extracted, extract
from pytest_codecollapse.extraction.prose import has_code
from pytest_codecollapse.extraction.repairs import REPAIRS, Repair

__all__ = ["REPAIRS", "Extracted", "Repair", "extract", "has_code"]
