"""What a worker makes of what the controller of pytest-xdist has given it."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_codecollapse.errors import SamplesError
from pytest_codecollapse.plugin.sharing import share_samples, shared_samples
from pytest_codecollapse.samples import SamplesFile, SamplesFiles, SharedSamples, open_records

RECORD = {
    "problem_id": "p",
    "entry_point": "f",
    "candidates": ["def f(x): return x"],
    "reference": "def f(x): return x",
    "inputs": [[1]],
}


def open_one(path: Path) -> SamplesFile:
    """Open samples by their name: converted ones, native ones, or bad ones."""
    if path.name == "full":
        raise OSError("no space left")
    if path.name == "bad":
        raise SamplesError("they are bad", remedy="mend them")
    if path.name == "native":
        return SamplesFile(path, BytesIO(), (), "native")
    return open_records(path, [RECORD])


def test_a_worker_opens_what_was_converted_and_reads_the_rest_itself() -> None:
    """So it does where a copy cannot be opened, on another host; and faults stay to be found."""
    worker: Any = SimpleNamespace(workerinput={})
    paths = [Path("/bad"), Path("/full"), Path("/native"), Path("/converted")]
    with SharedSamples() as shared, SamplesFiles(open_one) as files:
        share_samples(worker, shared, paths, files.open)
        for path in paths[:3]:
            assert shared_samples(worker, path, "shown") is None
        given = shared_samples(worker, paths[3], "shown")
        assert given is not None
        with given:
            assert [entry.problem_id for entry in given.entries] == ["p"]
    assert shared_samples(worker, paths[3], "shown") is None


def test_a_session_without_workers_is_given_nothing(pytestconfig: pytest.Config) -> None:
    """It opens samples itself."""
    config: Any = SimpleNamespace(rootpath=pytestconfig.rootpath)
    assert shared_samples(config, Path("/converted"), "shown") is None
