"""Opening an engine as a user asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_codecollapse.sandbox.engine import LocalEngine, available_cores
from pytest_codecollapse.sandbox.interpreter import find_interpreter


def open_engine(values: Mapping[str, Any], default_jobs: int = 0) -> LocalEngine:
    """Open an engine; its processes are started when they are needed.

    Parameters
    ----------
    values
        The parsed values of ``SANDBOX_OPTIONS`` and ``site_packages``, by key.
    default_jobs
        How many programs run at a time where the values do not say; 0 for one per core.

    Raises
    ------
    UsageError
        Where the interpreter cannot run programs, or a rung of isolation needs a command that is
        not there.
    """
    isolation = values["isolation"]
    return LocalEngine(
        values["jobs"] or default_jobs or available_cores(),
        isolation,
        find_interpreter(values["python"], values["site_packages"], isolation),
        values["image"] or "",
    )
