"""The machine that runs seccomp filters, as far as ours use it: to see what one answers."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NamedTuple

_LONGEST = 4096  # instructions in a filter; it cannot loop, for jumps go forward


class Answer(NamedTuple):
    """What the kernel is told to do, and after how many instructions."""

    action: int
    steps: int


def run(code: bytes, architecture: int, number: int, arguments: Sequence[int] = ()) -> Answer:
    """Run a filter on one system call; ``arguments`` are 64 bits each, the rest is zero."""
    words = [*arguments, *(0,) * (6 - len(arguments))]
    data = struct.pack("<IIQ6Q", number, architecture, 0, *words)
    instructions = list(struct.iter_unpack("<HBBI", code))
    register = at = 0
    for steps in range(1, _LONGEST):
        operation, yes, no, operand = instructions[at]
        at += 1
        if operation == 0x06:
            return Answer(operand, steps)
        if operation == 0x20:
            (register,) = struct.unpack_from("<I", data, operand)
        elif operation == 0x54:
            register &= operand
        elif operation == 0x15:
            at += yes if register == operand else no
        elif operation == 0x35:
            at += yes if register >= operand else no
        else:
            raise ValueError(f"instruction {at - 1} is {operation:#x}, which this machine has not")
    raise ValueError("the filter does not end")
