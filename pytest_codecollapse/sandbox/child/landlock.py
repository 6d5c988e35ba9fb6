"""Landlock: which files a process, and all that it forks, may read and write.

Theory of operation
-------------------
A *ruleset* names what it handles, and then, path by path, what of that is allowed; a process that
restricts itself by it is in a *domain* from then on, and nothing leads out. Domains nest: a
problem server can put itself into one, and each child into a narrower one; every layer must allow
what is done. A ruleset is made once and may serve many children.

Everything that the kernel's ABI in force knows is handled, so what no rule allows is denied:

====  =====  =======================================================================
ABI   Linux  adds
====  =====  =======================================================================
1     5.13   execute, read, write, list, make, remove
2     5.19   linking and renaming from one folder into another (in 1 it is always denied)
3     6.2    truncating
4     6.7    TCP
5     6.10   ioctl on devices
6     6.12   abstract UNIX sockets and signals of processes outside the domain
7     6.15   whether denials are logged: programs must not fill the host's audit log
====  =====  =======================================================================

Landlock says nothing about mode, owner, times and attributes of a file, nor, before ABI 3, about
truncating one that may be read. The seccomp filter denies those. Nor does it cover descriptors
that were open before: whoever forks closes them.
"""

import contextlib
import ctypes
import os
import stat
import struct
from typing import Sequence

from . import libc

# the numbers are the same on every architecture
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_CREATE_RULESET_VERSION = 1
_RULE_PATH_BENEATH = 1
_LOG_SAME_EXEC_OFF = 1

_WRITE_FILE = 1 << 1
_READ_FILE = 1 << 2
_READ_DIR = 1 << 3
_MAKE_CHAR = 1 << 6
_MAKE_BLOCK = 1 << 11
_REFER = 1 << 13
_TRUNCATE = 1 << 14
_IOCTL_DEV = 1 << 15
_OF_A_FILE = _READ_FILE | _WRITE_FILE | _TRUNCATE | _IOCTL_DEV
_FILES_OF_ABI_1 = (1 << 13) - 1  # from execute (1 << 0) to making symbolic links (1 << 12)

_TCP = 0b11  # to bind, to connect
_SCOPES = 0b11  # abstract UNIX sockets, signals

#: Never allowed: no program may be executed, and no device made, wherever it is.
_NEVER = (1 << 0) | _MAKE_CHAR | _MAKE_BLOCK


def abi() -> int:
    """Return the version of Landlock's ABI; 0 where the kernel has none, or has it turned off."""
    if not libc.architecture():
        return 0
    try:
        return libc.call(_CREATE_RULESET, 0, 0, _CREATE_RULESET_VERSION)
    except OSError:
        return 0


class Ruleset:
    """Rules that a process can put itself under; made once, for many children.

    Parameters
    ----------
    descriptor
        Refers to the ruleset in the kernel. An exec closes it; a fork does not.
    """

    __slots__ = ("_restrict", "descriptor")

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        flags = _LOG_SAME_EXEC_OFF if abi() >= 7 else 0
        self._restrict = libc.bind(_RESTRICT_SELF, descriptor, flags)

    def restrict_self(self) -> None:
        """Put this thread, and whatever it starts from now on, under the rules, for good.

        The process must have set ``no_new_privs``, and have one thread.

        Raises
        ------
        OSError
            EPERM without ``no_new_privs``; E2BIG where it is in 16 domains already.
        """
        if self._restrict() < 0:
            raise libc.error()

    def close(self) -> None:
        """Let go of the descriptor; who is under the rules stays there."""
        os.close(self.descriptor)


def make_ruleset(
    readable: Sequence[str], writable: Sequence[str], devices: Sequence[str]
) -> Ruleset:
    """Make a ruleset.

    Parameters
    ----------
    readable
        Files and folders to be read, with all that is below them. One that does not exist, or
        that this process cannot reach, is passed over.
    writable
        Folders in which everything may be read, written, made, renamed and removed, but devices.
    devices
        Files such as ``/dev/null``, to be read and written; passed over like the readable ones.

    Raises
    ------
    OSError
        Where the kernel has no Landlock, or a writable folder cannot be opened.
    """
    version = abi()
    handled = _handled_files(version)
    attributes = struct.pack(
        "=QQQ", handled, _TCP if version >= 4 else 0, _SCOPES if version >= 6 else 0
    )
    buffer = ctypes.create_string_buffer(attributes, len(attributes))
    # older kernels take a longer record than they know, where the rest is zero
    ruleset = libc.call(_CREATE_RULESET, ctypes.addressof(buffer), len(attributes), 0)
    try:
        for path in readable:
            _allow_if_reached(ruleset, path, _READ_FILE | _READ_DIR)
        for path in devices:
            _allow_if_reached(ruleset, path, handled & _OF_A_FILE)
        for path in writable:
            _allow(ruleset, path, handled & ~_NEVER)
    except OSError:
        os.close(ruleset)
        raise
    return Ruleset(ruleset)


def _handled_files(version: int) -> int:
    handled = _FILES_OF_ABI_1
    for right, since in ((_REFER, 2), (_TRUNCATE, 3), (_IOCTL_DEV, 5)):
        if version >= since:
            handled |= right
    return handled


def _allow_if_reached(ruleset: int, path: str, rights: int) -> None:
    with contextlib.suppress(FileNotFoundError, NotADirectoryError, PermissionError):
        _allow(ruleset, path, rights)


def _allow(ruleset: int, path: str, rights: int) -> None:
    """Allow ``rights`` at a path and below; of these, what can be done to a file, if it is one."""
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= _OF_A_FILE
        rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, descriptor))
        libc.call(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, ctypes.addressof(rule), 0)
    finally:
        os.close(descriptor)
