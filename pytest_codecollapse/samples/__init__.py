"""File -> Problem: a module or a folder per format; every fault names path:line and problem id."""

from __future__ import annotations

from pytest_codecollapse.samples.files import (
    SamplesFiles,
    check_problems,
    is_there,
    real_path,
)
from pytest_codecollapse.samples.opening import open_samples
from pytest_codecollapse.samples.reader import Entry, SamplesFile
from pytest_codecollapse.samples.records import open_records
from pytest_codecollapse.samples.saved_report import (
    JsonClass,
    JsonProblem,
    JsonReport,
    JsonValue,
    is_saved_report,
    problem_from_json,
    read_saved_report,
)
from pytest_codecollapse.samples.saved_text import read_added_keys, read_problem_texts
from pytest_codecollapse.samples.sharing import SharedSamples, open_shared
from pytest_codecollapse.samples.writing import write_native

__all__ = [
    "Entry",
    "JsonClass",
    "JsonProblem",
    "JsonReport",
    "JsonValue",
    "SamplesFile",
    "SamplesFiles",
    "SharedSamples",
    "check_problems",
    "is_saved_report",
    "is_there",
    "open_records",
    "open_samples",
    "open_shared",
    "problem_from_json",
    "read_added_keys",
    "read_problem_texts",
    "read_saved_report",
    "real_path",
    "write_native",
]
