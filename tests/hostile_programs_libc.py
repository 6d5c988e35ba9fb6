"""Calls of the C library for hostile programs, and how to ask for many that must be refused.

Where a call could do harm even to the machine of a sandbox that fails, it is made so that an
unconfined kernel refuses it for another reason (a bad address, a bad magic number): the filter
comes first and says EPERM.
"""

from __future__ import annotations

from hostile_programs_record import like

LIBC = """
import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
def check(result):
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
def refused(calls):
    'Name the calls that were answered in any way but EPERM.'
    answers = []
    for name, *arguments in calls:
        ctypes.set_errno(0)
        if isinstance(name, str):
            result = getattr(libc, name)(*arguments)
        else:
            numbers = name if isinstance(name, tuple) else (name, name)
            result = libc.syscall(numbers[os.uname().machine == 'aarch64'], *arguments)
        if result != -1 or ctypes.get_errno() != errno.EPERM:
            answers.append((name, result, ctypes.get_errno()))
    return answers
"""

#: What a program comes to that returns what ``refused`` does, where everything was.
NONE_LEFT = like("return []")
