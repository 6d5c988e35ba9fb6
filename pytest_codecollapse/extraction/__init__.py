"""Text that a model wrote -> program, with what was done to it."""

from __future__ import annotations

from pytest_codecollapse.extraction.extract import Extracted, extract

__all__ = ["Extracted", "extract"]
