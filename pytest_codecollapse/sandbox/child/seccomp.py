"""A filter of system calls that a process puts itself under: rules made into BPF, and installed.

Theory of operation
-------------------
A filter is compiled once, in a problem server, into a buffer from which the kernel copies it; a
child writes its own pid into the comparisons that ask for it and makes one system call. What that
costs grows with the length of the filter, which the kernel translates each time (measured: 25 µs
and 0.15 µs per instruction). So the long list of rules that a server can live with as well is
installed once in the server and inherited, and the child's own is short: see ``policy``.

The number of a call is looked up in a balanced tree. Where the answer is "allowed" whatever the
arguments are, as for read, mmap or futex, Linux 5.11 and newer remembers that and runs no filter.

The architecture is checked first, for the numbers mean other calls in another one: a process that
makes a 32-bit call, or an x32 one, is ended with all of its threads.
"""

import ctypes
import errno
import struct
from typing import List, Mapping, Tuple

from . import libc
from .bpf import ARCHITECTURE, INSTRUCTION_BYTES, NUMBER, Assembler, Label, argument
from .policy import FIRST_UNKNOWN, OWN_PID, Rule
from .syscalls import number

_AUDIT_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32_BIT = 0x40000000

KILL_PROCESS, _ERRNO, ALLOW = 0x80000000, 0x00050000, 0x7FFF0000

_SECCOMP = {"x86_64": 317, "aarch64": 277}
_SET_MODE_FILTER, _GET_ACTION_AVAIL = 1, 2
_FLAG_SPEC_ALLOW = 4


class Filter:
    """A filter that a process can put itself under; made once, for many children.

    Parameters
    ----------
    code
        The instructions, as the kernel reads them.
    pid_offsets
        Where in them the pid of the process has to be.
    """

    __slots__ = ("_buffers", "_install", "_pid_places", "_words")

    def __init__(self, code: bytes, pid_offsets: List[int]) -> None:
        instructions = ctypes.create_string_buffer(code, len(code))
        address = ctypes.addressof(instructions)
        record = struct.pack("@HP", len(code) // INSTRUCTION_BYTES, address)  # struct sock_fprog
        program = ctypes.create_string_buffer(record, len(record))
        number_of_call = _SECCOMP[libc.architecture()]
        self._install = libc.bind(
            number_of_call, _SET_MODE_FILTER, _flags(number_of_call), ctypes.addressof(program)
        )
        self._words = memoryview(instructions).cast("B").cast("I")
        self._pid_places = tuple(offset // self._words.itemsize for offset in pid_offsets)
        self._buffers = (instructions, program)  # so that the addresses stay good

    def install(self, pid: int) -> None:
        """Put this process, and whatever it starts from now on, under the filter, for good.

        It must have set ``no_new_privs``, and have one thread.

        Parameters
        ----------
        pid
            The process's own, as it sees it.

        Raises
        ------
        OSError
            EACCES without ``no_new_privs``; ENOMEM where there are too many filters already.
        """
        for place in self._pid_places:
            self._words[place] = pid
        if self._install() < 0:
            raise libc.error()


def is_available() -> bool:
    """Whether this machine is known and its kernel has what the filters use (Linux 4.14)."""
    architecture = libc.architecture()
    if not architecture:
        return False
    action = ctypes.c_uint32(KILL_PROCESS)
    try:
        libc.call(_SECCOMP[architecture], _GET_ACTION_AVAIL, 0, ctypes.addressof(action))
    except OSError:
        return False
    return True


def compile_filter(rules: Mapping[str, Rule]) -> Filter:
    """Make a filter of rules such as ``policy.SERVER``, for this machine."""
    return Filter(*assemble(rules, libc.architecture()))


def _flags(call: int) -> int:
    """Return the flag that leaves speculation as it is, where the kernel knows it (Linux 4.17).

    Before 5.16 a filter otherwise turns on mitigations that cost each program a good part of its
    speed. They keep a process from reading its own memory past its own checks; a program may read
    all of its memory.
    """
    try:
        libc.call(call, _SET_MODE_FILTER, _FLAG_SPEC_ALLOW, 0)
    except OSError as error:  # no filter at address 0: EFAULT, if the flag is known
        return _FLAG_SPEC_ALLOW if error.errno == errno.EFAULT else 0
    raise AssertionError("the kernel took a filter from address 0")


def assemble(rules: Mapping[str, Rule], architecture: str) -> Tuple[bytes, List[int]]:
    """Return the instructions for an architecture, and where the pid has to be."""
    code = Assembler()
    code.load(ARCHITECTURE)
    code.jump_if_equal(_AUDIT_ARCHITECTURE[architecture], None, KILL_PROCESS)
    code.load(NUMBER)
    bounds = _bounds(rules, architecture)
    code.choose(bounds)
    for rule in dict.fromkeys(label for _, label in bounds if isinstance(label, Rule)):
        code.place(rule)
        _check(code, rule)
    errors = sorted({rule.error for rule in rules.values()} | {errno.ENOSYS})
    for action in (ALLOW, KILL_PROCESS, *(_ERRNO | error for error in errors)):
        code.place(action)
        code.end_with(action)
    return code.assemble(), code.offsets_of(OWN_PID)


def _bounds(rules: Mapping[str, Rule], architecture: str) -> List[Tuple[int, Label]]:
    """List from which number on which label applies: an action, or a rule that asks for more."""
    by_number = {number(name, architecture): rule for name, rule in rules.items()}
    bounds: List[Tuple[int, Label]] = []
    for index in range(FIRST_UNKNOWN):
        rule = by_number.get(index)
        label: Label = ALLOW
        if rule is not None:
            label = rule if rule.unless else _ERRNO | rule.error
        if not bounds or bounds[-1][1] != label:
            bounds.append((index, label))
    bounds.append((FIRST_UNKNOWN, _ERRNO | errno.ENOSYS))
    bounds.append((_X32_BIT, KILL_PROCESS))
    return bounds


def _check(code: Assembler, rule: Rule) -> None:
    """Look at the arguments; allow where every condition holds."""
    refused = _ERRNO | rule.error
    for condition in rule.unless:
        holds: Label = ALLOW if condition is rule.unless[-1] else object()
        code.load(argument(condition.argument, high=condition.high))
        if condition.mask != 0xFFFFFFFF:
            code.mask(condition.mask)
        matched, otherwise = (holds, refused) if condition.allowed else (refused, holds)
        for value in condition.values[:-1]:
            code.jump_if_equal(value, matched)
        code.jump_if_equal(condition.values[-1], matched, otherwise)
        if holds is not ALLOW:
            code.place(holds)
