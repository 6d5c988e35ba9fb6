"""What takes another way under pytest-xdist: workers run the tests, a controller judges."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

_OUTPUT = "codecollapse_usage_error"


def is_worker(config: pytest.Config) -> bool:
    """Whether this process runs tests for another one, which judges."""
    return hasattr(config, "workerinput")


@contextmanager
def usage_errors_told(config: pytest.Config) -> Iterator[None]:
    """Let a usage error that a worker meets while it collects end the whole session.

    pytest-xdist passes on what goes wrong in a collector, not what ends the collection: it would
    find itself without workers, and call that an internal error.
    """
    try:
        yield
    except pytest.UsageError as error:
        if is_worker(config):
            config.workeroutput[_OUTPUT] = str(error)  # type: ignore[attr-defined]
        raise


def raise_usage_error_of(worker: Any) -> None:
    """End the session with the usage error that ended a worker, if one did.

    Raises
    ------
    pytest.UsageError
        With the same message.
    """
    output = getattr(worker, "workeroutput", {})  # a worker that crashed has none
    if _OUTPUT in output:
        raise pytest.UsageError(output[_OUTPUT])
