"""The isolation ladder: which rung this process can stand on, and stepping onto it.

========== ======================================================================================
namespaces what ``confined`` is, in user, pid, network, ipc, uts and mount namespaces of its own
confined   Landlock and a filter of system calls around each program
process    rlimits and a process group, on any POSIX system
container  for a zygote that was started inside one: what is to be had of ``confined``
========== ======================================================================================

The host asks for rungs in the order of its preference; the first that is to be had is taken.
"""

import sys
from typing import Dict, List, NamedTuple, Tuple

from . import landlock, namespaces, seccomp

NAMESPACES, CONFINED, PROCESS, CONTAINER = "namespaces", "confined", "process", "container"


class Mechanisms(NamedTuple):
    """What confines a program beyond rlimits."""

    landlock: bool
    seccomp: bool


def choose(asked: List[str]) -> Tuple[str, Dict[str, str]]:
    """Return the first rung that is to be had, or "", and what the ones before it lack."""
    missing: Dict[str, str] = {}
    for rung in asked:
        lack = _lack_of(rung)
        if not lack:
            return rung, missing
        missing[rung] = lack
    return "", missing


def mechanisms(rung: str) -> Mechanisms:
    """Return what is in force at a rung, on this machine."""
    if rung == PROCESS or sys.platform != "linux":
        return Mechanisms(landlock=False, seccomp=False)
    return Mechanisms(landlock=landlock.abi() > 0, seccomp=seccomp.is_available())


def _lack_of(rung: str) -> str:
    """Say what keeps this machine from a rung; empty where nothing does."""
    if rung in (PROCESS, CONTAINER):
        return ""
    if sys.platform != "linux":
        return "it needs Linux"
    found = mechanisms(rung)
    if not found.landlock:
        return 'the kernel has no Landlock (Linux 5.13, and "landlock" in its lsm= list)'
    if not found.seccomp:
        return "there is no seccomp filter for this machine (Linux 4.14 on x86-64 or aarch64)"
    if rung == CONFINED:
        return ""
    return namespaces.lack()
