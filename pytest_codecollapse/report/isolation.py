"""Where programs run, and how far they are isolated, in the words of the header."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_codecollapse.model import Environment
from pytest_codecollapse.report.text import printable

_UNCONFINED = "process"


def isolation_lines(environment: Environment, jobs: int, missing: Mapping[str, str]) -> list[str]:
    """Say where programs run; where they are not confined, warn, and say what keeps them so.

    Parameters
    ----------
    environment
        That of the engine.
    jobs
        How many programs run at a time.
    missing
        What the rungs above the one in force lack, by rung.
    """
    rung = environment.isolation
    lines = [f"isolation {rung}, python {environment.python}, jobs {jobs}"]
    if rung == _UNCONFINED:
        lines.append(
            "warning: programs are limited but not confined: they can read your files, write where"
            " you may write, and reach the network"
        )
        lines += [f"isolation {name} is not to be had: {missing[name]}" for name in missing]
    return [printable(line) for line in lines]
