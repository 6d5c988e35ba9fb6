"""What a program may not do: the limits that a server and its children put on themselves.

Theory of operation
-------------------
A limit here can only be lowered by the program, never raised: hard rlimits, one process group per
program, an empty directory as the current one. Nothing here raises an exception inside the
program when it strikes, because programs swallow exceptions: the kernel fails the system call or
ends the process. What is the same for all programs is set once, in the zygote or in the problem
server, and inherited; a child adds what is its own, in as few steps as can be, for each page of
memory that it touches has to be copied.

At the rung ``process`` that is all: it bounds what a program costs and leaves behind, and keeps
it from neither files nor the network. At ``confined`` and above, server and child are each in a
Landlock domain and under a filter of system calls: the server's keep ``input_gen`` from the host,
and the child's keep a program from starting, signalling or reading any other process.

On Linux a problem server is the reaper of everything its children fork (``PR_SET_CHILD_SUBREAPER``)
and dies with its zygote, a child with its server (``PR_SET_PDEATHSIG``).
"""

import contextlib
import ctypes
import math
import os
import resource
import signal
import sys
from typing import Any, Callable, List, Sequence, Tuple

from . import landlock, libc, policy, seccomp
from .rungs import Mechanisms

OPEN_FILES = 64
FILE_SIZE_BYTES = 16 << 20

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache")
_TIME_ZONES = ("/usr/share/zoneinfo", "/etc/localtime")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


def _prctl_function() -> Callable[..., Any]:
    """Return ``prctl``, or where there is none a function that does nothing."""
    if sys.platform != "linux":
        return lambda *arguments: None
    function: Callable[..., Any] = ctypes.CDLL(None, use_errno=True).prctl
    return function


def limit_zygote() -> None:
    """Set what is the same for all programs."""
    _lower(resource.RLIMIT_CORE, 0, 0)
    _lower(resource.RLIMIT_NOFILE, OPEN_FILES, OPEN_FILES)
    _lower(resource.RLIMIT_FSIZE, FILE_SIZE_BYTES, FILE_SIZE_BYTES)


def die_with_parent(parent: int) -> None:
    """Have the kernel end this process when the one that forked it, ``parent``, ends (Linux)."""
    _prctl_function()(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it has ended before
        os._exit(1)


def adopt_orphans() -> None:
    """Make this process the parent of descendants whose own parent ended (Linux)."""
    _prctl_function()(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def mapped_bytes() -> int:
    """Return the size of this process's address space; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", "rb") as statm:
            return int(statm.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 0


def limit_memory(budget_bytes: int) -> None:
    """Allow ``budget_bytes`` of address space beyond what is mapped already, for now (Linux)."""
    mapped = mapped_bytes()
    if mapped:  # an absolute limit could lie below what is mapped already
        _lower(resource.RLIMIT_AS, mapped + budget_bytes, resource.RLIM_INFINITY)


def lift_memory() -> None:
    """Take back the limit on memory."""
    _lower(resource.RLIMIT_AS, resource.RLIM_INFINITY, resource.RLIM_INFINITY)


def _capped(what: int, soft: int, hard: int) -> Tuple[int, int]:
    """Lower limits to what is allowed here, so that setting them cannot fail."""
    ceiling = resource.getrlimit(what)[1]
    if ceiling != resource.RLIM_INFINITY:
        soft = ceiling if soft == resource.RLIM_INFINITY else min(soft, ceiling)
        hard = ceiling if hard == resource.RLIM_INFINITY else min(hard, ceiling)
    return soft, hard


def _lower(what: int, soft: int, hard: int) -> None:
    with contextlib.suppress(OSError, ValueError):  # macOS refuses some; the others still hold
        resource.setrlimit(what, _capped(what, soft, hard))


class Confinement:
    """Puts problem servers and their children under their limits; made once, in the zygote.

    Parameters
    ----------
    mechanisms
        What is to be in force.
    scratch
        The directory that programs may write to.
    libraries
        Folders with modules that programs may import.
    """

    def __init__(self, mechanisms: Mechanisms, scratch: str, libraries: Sequence[str]) -> None:
        self._scratch = scratch
        self._server_steps: List[Callable[[], Any]] = []
        self._program_steps: List[Callable[[], Any]] = []
        if mechanisms.landlock or mechanisms.seccomp:
            self._server_steps.append(libc.set_no_new_privs)
        if mechanisms.landlock:
            own_libraries = os.path.join(sys.base_prefix, "lib")
            readable = [*libraries, own_libraries, *_LIBRARIES, *_TIME_ZONES]
            for steps, more in ((self._server_steps, ["/proc"]), (self._program_steps, [])):
                ruleset = landlock.make_ruleset([*readable, *more], [scratch], _DEVICES)
                steps.append(ruleset.restrict_self)
        if mechanisms.seccomp:
            own_pid = os.getpid
            for_server = seccomp.compile_filter(policy.SERVER)
            for_program = seccomp.compile_filter(policy.PROGRAM)
            self._server_steps.append(lambda: for_server.install(own_pid()))
            self._program_steps.append(lambda: for_program.install(own_pid()))

    def enter_server(self) -> None:
        """Confine this process, a problem server: it may read ``/proc`` still, and fork."""
        for step in self._server_steps:
            step()

    def for_programs(self, memory_bytes: int, cpu_s: float) -> Callable[[], None]:
        """Make the function that confines a child, in the child.

        Parameters
        ----------
        memory_bytes
            Address space beyond what is mapped at this moment.
        cpu_s
            CPU time of the whole process; the backstop behind the timer of each input.
        """
        limits = _program_limits(memory_bytes, cpu_s)
        return _make_enter(self._scratch, limits, self._program_steps)


def _program_limits(memory_bytes: int, cpu_s: float) -> List[Tuple[int, Tuple[int, int]]]:
    """List the rlimits of a program that are its own: what, and (soft, hard)."""
    whole_s = math.ceil(cpu_s)
    limits = [(resource.RLIMIT_CPU, _capped(resource.RLIMIT_CPU, whole_s, whole_s + 1))]
    mapped = mapped_bytes()
    if mapped:
        space = mapped + memory_bytes
        limits.append((resource.RLIMIT_AS, _capped(resource.RLIMIT_AS, space, space)))
    return limits


def _make_enter(
    scratch: str,
    limits: Sequence[Tuple[int, Tuple[int, int]]],
    steps: Sequence[Callable[[], Any]],
) -> Callable[[], None]:
    server, lead, parent, go_to = os.getpid(), os.setsid, os.getppid, os.chdir
    prctl, set_limit, leave, kill = _prctl_function(), resource.setrlimit, os._exit, signal.SIGKILL

    def enter() -> None:
        lead()
        prctl(_PR_SET_PDEATHSIG, kill, 0, 0, 0)
        if parent() != server:
            leave(1)
        go_to(scratch)
        for what, limit in limits:
            set_limit(what, limit)
        for step in steps:
            step()

    return enter


def patch_socket() -> None:
    """Refuse new sockets where no filter does; those of ``socketpair`` come with a descriptor."""
    import socket  # which maps a good deal into every child

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


def end_group(pid: int) -> None:
    """Kill what is left of the process group of an ended child, and all it started elsewhere."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    end_descendants()


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
