"""Which launcher a rung of the isolation ladder needs."""

from __future__ import annotations

from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.options import ISOLATIONS
from pytest_codecollapse.sandbox.child.rungs import CONFINED, NAMESPACES, PROCESS
from pytest_codecollapse.sandbox.launch import DirectLauncher, Launcher
from pytest_codecollapse.sandbox.launch_bwrap import BwrapLauncher
from pytest_codecollapse.sandbox.launch_container import ContainerLauncher

AUTO, BWRAP, DOCKER = "auto", "bwrap", "docker"

_LADDER = (NAMESPACES, CONFINED, PROCESS)


def launcher_for(isolation: str, image: str) -> Launcher:
    """Return what starts zygotes at a rung, one of ``ISOLATIONS``.

    Parameters
    ----------
    isolation
        The rung.
    image
        For the rung "docker"; "" for the default, and at every other rung.

    Raises
    ------
    UsageError
        Where it is none of them, or needs a command that is not there.
    """
    if isolation not in ISOLATIONS:
        raise UsageError(f"isolation {isolation!r}: expected {', '.join(ISOLATIONS)}")
    if isolation == DOCKER:
        return ContainerLauncher(image)
    if image:
        raise UsageError(
            f"isolation {isolation} takes no image", remedy="ask for isolation docker as well"
        )
    if isolation == BWRAP:
        return BwrapLauncher()
    return DirectLauncher(_LADDER if isolation == AUTO else (isolation,))
