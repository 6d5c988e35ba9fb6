"""The system calls that Python has no function for, through one handle on the C library.

Every argument is passed as a machine word, an address as the number it is. The numbers are those
of x86-64 and aarch64; elsewhere, and where the interpreter is a 32-bit one, there are none.
"""

import ctypes
import functools
import os
import sys
from typing import Callable

_PR_SET_NO_NEW_PRIVS = 38
_ARGUMENTS = 6

_function = ctypes.CDLL(None, use_errno=True).syscall
_function.restype = ctypes.c_long
_function.argtypes = [ctypes.c_long] * (1 + _ARGUMENTS)


def architecture() -> str:
    """Return ``x86_64`` or ``aarch64``; empty where system calls cannot be made by number."""
    machine = os.uname().machine
    known = sys.platform == "linux" and sys.maxsize > 2**32
    return machine if known and machine in ("x86_64", "aarch64") else ""


def bind(number: int, *arguments: int) -> Callable[[], int]:
    """Prepare a system call for a child that is yet to be forked.

    In a fresh child the first write to each page costs a page fault, some 1.5 µs, and Python
    writes to every object that it uses. So what a child runs does not count in instructions but
    in objects: a bound call takes a few, ``call`` some twenty.

    Returns
    -------
    Callable
        Makes the call and returns what it returned; where that is negative, ``error`` says why.
    """
    return functools.partial(_function, number, *arguments, *(0,) * (_ARGUMENTS - len(arguments)))


def error() -> OSError:
    """Return the error of this thread's last system call, to be raised."""
    code = ctypes.get_errno()
    return OSError(code, os.strerror(code))


def call(number: int, *arguments: int) -> int:
    """Make a system call.

    Returns
    -------
    int
        What it returned; not negative.

    Raises
    ------
    OSError
        Where it failed.
    """
    returned = bind(number, *arguments)()
    if returned < 0:
        raise error()
    return returned


def prctl(option: int, *arguments: int) -> int:
    """Call ``prctl``; see ``call``."""
    return call({"x86_64": 157, "aarch64": 167}[architecture()], option, *arguments)


def set_no_new_privs() -> None:
    """Give up for good what an exec could gain; without it only root may restrict itself.

    Inherited by every child. Landlock and seccomp ask for it.

    Raises
    ------
    OSError
        Where the kernel does not know it (before 3.5).
    """
    prctl(_PR_SET_NO_NEW_PRIVS, 1)
