"""What zygotes and problem servers say to the host: parsed once, here."""

from __future__ import annotations

import re
from typing import Annotated, Literal, Optional, Union

import msgspec

from pytest_codecollapse.errors import SandboxError
from pytest_codecollapse.model import FailedAssert
from pytest_codecollapse.sandbox.child.program import MAX_VALUES
from pytest_codecollapse.sandbox.child.texts import MAX_TEXT

#: What a person reads: bounded, and printable ASCII; what it says is a program's own claim.
Text = Annotated[str, msgspec.Meta(max_length=MAX_TEXT, pattern=r"\A[\x20-\x7e]*\Z")]

ValueText = Annotated[str, msgspec.Meta(max_length=MAX_VALUES, pattern=r"\A[\x20-\x7e]*\Z")]

#: The token of a result, where others say how a call ended.
_RESULT = re.compile("[0-9a-f]{16}")


class Hello(msgspec.Struct, frozen=True, tag_field="kind", tag="hello"):
    """The zygote is up, on a rung; or on none ("") of those asked for, and what they lack."""

    rung: str
    missing: dict[str, str]
    python: str
    platform: str


class Ready(msgspec.Struct, frozen=True, tag_field="kind", tag="ready"):
    """The problem's inputs are made; a digest of each, and a text where texts were asked for.

    ``argument_counts`` are the numbers of arguments that they have.
    """

    digests: tuple[str, ...]
    arguments: tuple[Text, ...] = ()
    argument_counts: tuple[int, ...] = ()


class Refused(msgspec.Struct, frozen=True, tag_field="kind", tag="refused"):
    """The problem cannot be prepared, and why; what failed is the user's ``source``."""

    what: str
    source: str


class Alive(msgspec.Struct, frozen=True, tag_field="kind", tag="alive"):
    """The program in progress takes long."""


class Ran(msgspec.Struct, frozen=True, tag_field="kind", tag="ran"):
    """What a program did, as pairs with the index of an input.

    ``events`` and ``cpu_ns`` are of the inputs on which it was traced; ``shrunk`` are the indices
    of timeouts under less than the full limit; ``texts`` are of results, and ``values`` are results
    and exceptions as JSON, where they were asked for.
    """

    tokens: tuple[tuple[int, str], ...]
    events: tuple[tuple[int, int], ...]
    cpu_ns: tuple[tuple[int, int], ...]
    shrunk: tuple[int, ...]
    texts: tuple[tuple[int, Text], ...] = ()
    values: tuple[tuple[int, ValueText], ...] = ()

    def results(self) -> dict[int, str]:
        """Return the values of results alone, by index."""
        returned = {index for index, token in self.tokens if _RESULT.fullmatch(token)}
        return {index: text for index, text in self.values if index in returned}


class Examined(msgspec.Struct, frozen=True, tag_field="kind", tag="examined"):
    """What became of a problem's tests.

    ``calls`` are the arguments of each call as JSON, where they were recorded; ``ended`` says how
    the tests ended before they were through, "" where they were; ``error`` why they cannot be run.
    ``left_out`` asserts have calls that no program can be given; the first one is told with the
    reason. ``stopped`` says where an exception outside of an assert ended some of the tests, or
    what they define without calling it.
    """

    calls: tuple[str, ...]
    passed: int
    asserts: int
    failure: Optional[FailedAssert]
    error: Optional[str]
    ended: Literal["", "timeout", "crash"]
    left_out: int = 0
    first_left_out: str = ""
    stopped: str = ""


class Fault(msgspec.Struct, frozen=True, tag_field="kind", tag="fault"):
    """The problem server could not run a program."""

    what: str


class Idle(msgspec.Struct, frozen=True, tag_field="kind", tag="idle"):
    """The problem server has ended as it was asked to."""


class Died(msgspec.Struct, frozen=True, tag_field="kind", tag="died"):
    """The problem server has ended otherwise."""

    status: int


Message = Union[Hello, Ready, Refused, Alive, Ran, Examined, Fault, Idle, Died]
_DECODER = msgspec.json.Decoder(Message)


def parse(payload: bytes) -> Message:
    """Parse one message.

    Raises
    ------
    SandboxError
        Where it is none; the processes it comes from run no candidate's code, but a candidate
        may have broken them.
    """
    try:
        return _DECODER.decode(payload)
    except msgspec.MsgspecError as error:
        raise SandboxError(f"the sandbox sent a message that cannot be read ({error})") from error
