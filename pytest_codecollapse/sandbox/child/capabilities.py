"""What root may do beyond the owner of its files, given up.

Neither ``no_new_privs`` nor Landlock takes a capability from a process that has it, and a forked
child inherits them all. The ones that matter below the other limits: CAP_SYS_RESOURCE raises hard
rlimits again; CAP_SYS_NICE makes an endless loop one of real-time priority; CAP_KILL, CAP_FOWNER,
CAP_SYS_PTRACE, CAP_SYS_ADMIN and CAP_MKNOD each weaken a rule that Landlock or seccomp then holds
alone. A process of root without any capability is an ordinary user who owns root's files.
"""

import contextlib
import ctypes
import struct

from . import libc

_PR_CAPBSET_DROP = 24
_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL = 47, 4
_CAPSET = {"x86_64": 126, "aarch64": 91}
_VERSION_3 = 0x20080522
_MOST = 64  # bits in the sets of version 3; some 40 are in use


def drop_capabilities() -> None:
    """Give up every capability of this thread and its children, for good.

    To be called once, while the process has one thread, and after whatever needs privileges:
    namespaces, mounts, the reading of folders that belong to other users. An ordinary user has
    none to give up; the call then changes nothing.

    Raises
    ------
    OSError
        Where the kernel refuses, which none is known to do.
    """
    with contextlib.suppress(OSError):  # EINVAL after the last one; EPERM for an ordinary user
        for capability in range(_MOST):
            libc.prctl(_PR_CAPBSET_DROP, capability)
    with contextlib.suppress(OSError):  # before 4.3 there are no ambient ones
        libc.prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL)
    header = ctypes.create_string_buffer(struct.pack("=Ii", _VERSION_3, 0))
    nothing = ctypes.create_string_buffer(24)  # effective, permitted, inheritable; twice 32 bits
    number = _CAPSET[libc.architecture()]
    libc.call(number, ctypes.addressof(header), ctypes.addressof(nothing))
