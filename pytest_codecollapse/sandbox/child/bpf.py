"""An assembler for the classic BPF in which the kernel takes seccomp filters.

A filter is a list of instructions that run on one record, ``struct seccomp_data``: the number of
the system call, the architecture, six arguments. There is one register. Jumps go forward only,
and at most 255 instructions far.
"""

import struct
from typing import Dict, Hashable, List, NamedTuple, Optional, Sequence, Tuple

INSTRUCTION_BYTES = 8
NUMBER, ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data

_LOAD_WORD = 0x20  # BPF_LD | BPF_W | BPF_ABS
_AND = 0x54  # BPF_ALU | BPF_AND | BPF_K
_JUMP_IF_EQUAL = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_JUMP_IF_AT_LEAST = 0x35  # BPF_JMP | BPF_JGE | BPF_K
_RETURN = 0x06  # BPF_RET | BPF_K
_FARTHEST = 255

Label = Hashable


class _Instruction(NamedTuple):
    code: int
    operand: int
    yes: Optional[Label] = None  # None: the next instruction
    no: Optional[Label] = None


def argument(index: int, *, high: bool = False) -> int:
    """Return the offset of an argument's low or high 32 bits (both machines are little-endian)."""
    return _ARGUMENTS + 8 * index + 4 * high


class Assembler:
    """Takes instructions in order; labels may be used before they are placed."""

    def __init__(self) -> None:
        self._instructions: List[_Instruction] = []
        self._places: Dict[Label, int] = {}

    def place(self, label: Label) -> None:
        """Let a label stand for the instruction that comes next."""
        assert label not in self._places, label
        self._places[label] = len(self._instructions)

    def load(self, offset: int) -> None:
        """Put a 32-bit field of the record into the register."""
        self._instructions.append(_Instruction(_LOAD_WORD, offset))

    def mask(self, bits: int) -> None:
        """Keep only these bits of the register."""
        self._instructions.append(_Instruction(_AND, bits))

    def jump_if_equal(
        self, value: int, yes: Optional[Label] = None, no: Optional[Label] = None
    ) -> None:
        """Go on at one label or the other; None is the next instruction."""
        self._instructions.append(_Instruction(_JUMP_IF_EQUAL, value, yes, no))

    def jump_if_at_least(
        self, value: int, yes: Optional[Label] = None, no: Optional[Label] = None
    ) -> None:
        """Compare without sign; as ``jump_if_equal``."""
        self._instructions.append(_Instruction(_JUMP_IF_AT_LEAST, value, yes, no))

    def end_with(self, action: int) -> None:
        """Return what the kernel is to do."""
        self._instructions.append(_Instruction(_RETURN, action))

    def choose(self, bounds: Sequence[Tuple[int, Label]]) -> None:
        """Jump by the register, in as many steps as a balanced tree has levels.

        Parameters
        ----------
        bounds
            In rising order: from this value on, up to the next one, go to this label.
        """
        if len(bounds) == 2:
            self.jump_if_at_least(bounds[1][0], bounds[1][1], bounds[0][1])
            return
        middle = len(bounds) // 2
        below, above = bounds[:middle], bounds[middle:]
        no: Optional[Label] = None if len(below) > 1 else below[0][1]
        yes: Label = object() if len(above) > 1 else above[0][1]
        self.jump_if_at_least(above[0][0], yes, no)
        if len(below) > 1:
            self.choose(below)
        if len(above) > 1:
            self.place(yes)
            self.choose(above)

    def assemble(self) -> bytes:
        """Return the instructions as the kernel reads them."""
        return b"".join(
            struct.pack(
                "=HBBI",
                each.code,
                self._distance(index, each.yes),
                self._distance(index, each.no),
                each.operand,
            )
            for index, each in enumerate(self._instructions)
        )

    def _distance(self, index: int, label: Optional[Label]) -> int:
        if label is None:
            return 0
        distance = self._places[label] - index - 1
        assert 0 <= distance <= _FARTHEST, (label, distance)
        return distance

    def offsets_of(self, operand: int) -> List[int]:
        """List where in the assembled bytes the comparisons with a value have that value."""
        return [
            index * INSTRUCTION_BYTES + 4
            for index, each in enumerate(self._instructions)
            if each.code == _JUMP_IF_EQUAL and each.operand == operand
        ]
