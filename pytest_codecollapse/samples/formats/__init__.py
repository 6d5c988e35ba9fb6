"""Samples as other tools write them -> texts by task -> records of the native format."""

from __future__ import annotations

from pytest_codecollapse.samples.formats.conversion import Conversion, converted
from pytest_codecollapse.samples.formats.recognise import Format, recognised

__all__ = ["Conversion", "Format", "converted", "recognised"]
