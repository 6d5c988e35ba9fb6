"""What an update keeps of a saved report as it stands in the file, for its diff to be reviewed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from pytest_codecollapse.samples.saved_report import JsonReport


class _Raw(msgspec.Struct):
    problems: tuple[msgspec.Raw, ...]


class _Named(msgspec.Struct):
    problem_id: str


def read_problem_texts(path: Path) -> dict[str, str]:
    """Return the JSON text of each problem of a report that was read before."""
    raw = msgspec.json.decode(path.read_bytes(), type=_Raw)
    return {
        msgspec.json.decode(each, type=_Named).problem_id: bytes(each).decode()
        for each in raw.problems
    }


def read_added_keys(path: Path) -> dict[str, Any]:
    """Return what somebody has added to a report that was read before: keys that it has not."""
    whole: dict[str, Any] = msgspec.json.decode(path.read_bytes())
    return {key: whole[key] for key in whole if key not in JsonReport.__struct_fields__}
