"""Namespaces of a zygote's own: users, processes, network, ipc, host name and mounts.

Theory of operation
-------------------
A process that unshares its pid namespace stays outside; its next child is process 1 of the new
one. So ``enter`` forks: the child goes on as the zygote, and when it ends the kernel ends all
that is left in the namespace. The parent waits for it and does nothing else.

An ordinary user may do all this inside a user namespace, where it has every capability over what
the namespace owns. They are given up before any program runs; see ``capabilities``.

Inside, ``/proc`` shows the processes of the namespace alone, and the scratch directory is a file
system in memory of bounded size.
"""

import contextlib
import ctypes
import os
import signal
from typing import NoReturn, Optional

from . import libc
from .syscalls import number

_NEW_MOUNT, _NEW_UTS, _NEW_IPC = 0x00020000, 0x04000000, 0x08000000
_NEW_USER, _NEW_PID, _NEW_NETWORK = 0x10000000, 0x20000000, 0x40000000
_ALL = _NEW_MOUNT | _NEW_UTS | _NEW_IPC | _NEW_USER | _NEW_PID | _NEW_NETWORK
_READ_ONLY, _NO_SUID, _NO_DEVICES, _NO_EXEC, _RECURSIVE, _PRIVATE = 1, 2, 4, 8, 1 << 14, 1 << 18
_PR_SET_PDEATHSIG, _DETACH = 1, 2
_SCRATCH = "size=64m,nr_inodes=4096,mode=0700"


def lack() -> str:
    """Say what keeps this process from namespaces of its own, by trying; empty if nothing does."""
    text = _try() or _try()  # a try that somebody killed says nothing
    return "" if text == "fine" else text or "user namespaces cannot be made"


def _try() -> str:
    """Try, in a process that ends; return what it said."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        _report_lack(writer)
    os.close(writer)
    with open(reader, encoding="ascii", errors="replace") as said:
        text = said.read()
    os.waitpid(pid, 0)
    return text


def _report_lack(writer: int) -> None:
    """Try, say how it went, and end."""
    try:
        enter(None)
        os.write(writer, b"fine")
    except OSError as error:
        os.write(writer, str(error).encode("ascii", "replace"))
    finally:
        os._exit(0)


def enter(scratch: Optional[str]) -> None:
    """Go on as process 1 of new namespaces, in a forked process.

    Parameters
    ----------
    scratch
        The directory to mount a bounded file system on.

    Raises
    ------
    OSError
        Where the system refuses, which says what.
    """
    user, group = os.geteuid(), os.getegid()
    _step("making user namespaces", "unshare", _ALL)
    with contextlib.suppress(FileNotFoundError):  # before Linux 3.19
        _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{user} {user} 1")
    _write("/proc/self/gid_map", f"{group} {group} 1")
    _go_on_inside(scratch)
    _mount("none", "/", "", _RECURSIVE | _PRIVATE, "")
    # read-only: root's files below /proc/sys are the whole machine's
    _mount("proc", "/proc", "proc", _READ_ONLY | _NO_SUID | _NO_DEVICES | _NO_EXEC, "")
    if scratch is not None:
        _mount("tmpfs", scratch, "tmpfs", _NO_SUID | _NO_DEVICES | _NO_EXEC, _SCRATCH)


def _go_on_inside(scratch: Optional[str]) -> None:
    pid = os.fork()
    if pid:
        _wait_outside(pid, scratch)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _wait_outside(pid: int, scratch: Optional[str]) -> NoReturn:
    """Hold nothing open that others wait for the end of; end as the child does.

    The host removes the scratch directory, too, unless it was killed. From inside it is the place
    of a mount, which cannot be removed.
    """
    os.closerange(0, 64)
    _, status = os.waitpid(pid, 0)
    if scratch is not None:
        with contextlib.suppress(OSError):
            path = ctypes.create_string_buffer(os.fsencode(scratch))
            _step("unmounting", "umount2", ctypes.addressof(path), _DETACH)
            os.rmdir(scratch)
    os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 1)


def _mount(source: str, target: str, kind: str, flags: int, options: str) -> None:
    texts = [os.fsencode(text) + b"\0" for text in (source, target, kind, options)]
    buffers = [ctypes.create_string_buffer(text) for text in texts]
    where, at, what, how = (ctypes.addressof(buffer) for buffer in buffers)
    _step(f"mounting {kind or 'privately'} on {target}", "mount", where, at, what, flags, how)


def _step(doing: str, name: str, *arguments: int) -> None:
    try:
        call = number(name, libc.architecture())
        assert call is not None, name  # both architectures have it
        libc.call(call, *arguments)
    except OSError as error:
        raise OSError(f"{doing} failed ({error.strerror})") from error


def _write(path: str, text: str) -> None:
    try:
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise OSError(f"writing {path} failed ({error.strerror})") from error
