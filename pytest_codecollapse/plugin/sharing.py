"""Samples that the controller of pytest-xdist has converted, for its workers.

The controller has them for its header and for its judgement; converted by each worker again, they
would cost more CPU time the more workers there are.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Callable, Optional

import pytest

from pytest_codecollapse.errors import CodecollapseError
from pytest_codecollapse.samples import SamplesFile, SharedSamples, open_shared

_INPUT = "codecollapse_samples"


def share_samples(
    worker: Any, shared: SharedSamples, paths: Iterable[Path], open_: Callable[[Path], SamplesFile]
) -> None:
    """Let a worker that is about to start have the samples that had to be converted.

    A fault in them is the collection's to tell; where they cannot be copied, workers convert.
    """
    tickets = {}
    for path in paths:
        with suppress(CodecollapseError, OSError):
            samples = open_(path)
            if samples.is_converted:
                tickets[str(path)] = shared.ticket(samples)
    worker.workerinput[_INPUT] = tickets


def shared_samples(config: pytest.Config, path: Path, shown_as: str) -> Optional[SamplesFile]:
    """Open samples as the controller has them; None where it has none, or is on another host."""
    ticket = getattr(config, "workerinput", {}).get(_INPUT, {}).get(str(path))
    if ticket is None:
        return None
    try:
        return open_shared(ticket, path, shown_as=shown_as)
    except OSError:
        return None
