"""What a program may not do: the limits a child puts on itself before it reads any source.

Theory of operation
-------------------
A limit here can only be lowered by the program, never raised: hard rlimits, one process group per
program, an empty directory as the current one. Nothing here raises an exception inside the
program when it strikes, because programs swallow exceptions: the kernel fails the system call or
ends the process.

This is the rung ``process``: it bounds what a program costs and what it leaves behind. It does
not keep a program from reading files or from reaching the network by ``_socket``; the stronger
rungs (Landlock, seccomp, namespaces) belong into ``enter`` as well.

On Linux a problem server is the reaper of everything its children fork (``PR_SET_CHILD_SUBREAPER``)
and dies with its zygote, a child with its server (``PR_SET_PDEATHSIG``).
"""

import contextlib
import ctypes
import math
import os
import resource
import signal
import socket
import sys
from typing import Any, List

OPEN_FILES = 64
FILE_SIZE_BYTES = 16 << 20

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def _prctl(option: int, argument: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(option, argument, 0, 0, 0)


def die_with_parent() -> None:
    """Have the kernel end this process when the one that forked it ends (Linux)."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def adopt_orphans() -> None:
    """Make this process the parent of descendants whose own parent ended (Linux)."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def mapped_bytes() -> int:
    """Return the size of this process's address space; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", "rb") as statm:
            return int(statm.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 0


def limit_memory(budget_bytes: int, *, hard: bool) -> None:
    """Allow ``budget_bytes`` of address space beyond what is mapped already (Linux)."""
    mapped = mapped_bytes()
    if mapped:  # an absolute limit could lie below what is mapped already
        limit = mapped + budget_bytes
        _lower(resource.RLIMIT_AS, limit, limit if hard else resource.RLIM_INFINITY)


def lift_memory() -> None:
    """Take back a limit that was not hard."""
    _lower(resource.RLIMIT_AS, resource.RLIM_INFINITY, resource.RLIM_INFINITY)


def _lower(what: int, soft: int, hard: int) -> None:
    ceiling = resource.getrlimit(what)[1]
    if ceiling != resource.RLIM_INFINITY:
        soft = ceiling if soft == resource.RLIM_INFINITY else min(soft, ceiling)
        hard = ceiling if hard == resource.RLIM_INFINITY else min(hard, ceiling)
    with contextlib.suppress(OSError, ValueError):  # macOS refuses some; the others still hold
        resource.setrlimit(what, (soft, hard))


def enter(directory: str, memory_bytes: int, cpu_s: float) -> None:
    """Put this process under the limits of one program.

    Parameters
    ----------
    directory
        An empty directory, the program's own.
    memory_bytes
        Address space beyond what is mapped already.
    cpu_s
        CPU time of the whole process; the backstop behind the timer of each input.
    """
    os.setsid()
    die_with_parent()
    os.chdir(directory)
    whole_s = math.ceil(cpu_s)
    _lower(resource.RLIMIT_CPU, whole_s, whole_s + 1)
    _lower(resource.RLIMIT_CORE, 0, 0)
    _lower(resource.RLIMIT_NOFILE, OPEN_FILES, OPEN_FILES)
    _lower(resource.RLIMIT_FSIZE, FILE_SIZE_BYTES, FILE_SIZE_BYTES)
    limit_memory(memory_bytes, hard=True)


def patch_socket() -> None:
    """Refuse new sockets; those of ``socketpair``, which asyncio needs, come with a descriptor."""

    class Socket(socket.socket):
        def __init__(self, *arguments: Any, **named: Any) -> None:
            if (arguments[3] if len(arguments) > 3 else named.get("fileno")) is None:
                raise PermissionError("no network in this sandbox")
            super().__init__(*arguments, **named)

    Socket.__name__ = Socket.__qualname__ = "socket"
    Socket.__module__ = "socket"
    socket.socket = Socket  # type: ignore[misc]


def descendants() -> List[int]:
    """List the pids of this process's children (Linux)."""
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", "rb") as children:
            return [int(pid) for pid in children.read().split()]
    except OSError:
        return []


def end_descendants() -> None:
    """Kill and reap whatever an ended program left running, as far as the system shows it."""
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            pids = descendants()
            if not pids:
                return
            for each in pids:
                os.kill(each, signal.SIGKILL)
            os.waitpid(-1, 0)
