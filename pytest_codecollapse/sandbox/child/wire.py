"""Length-prefixed frames between the processes; nothing is ever unpickled.

Theory of operation
-------------------
Two kinds of frame go over two kinds of pipe.

*Messages* are JSON objects between the host and a zygote or the problem server that it forked,
over one socket pair, one at a time in each direction. Both ends are ours.

*Replies* go from a program's child to its problem server over a pipe that the program can reach,
so they are untrusted: of bounded length, of fixed form, and believed only as far as that the
program did something with the input in progress. ``Replies`` takes bytes as they come and refuses
whatever it does not expect; what ended a program is never read from here.
"""

import json
import os
import re
import struct
from typing import Any, Dict, List, Optional, Tuple

_MESSAGE_HEAD = struct.Struct(">I")
_REPLY = struct.Struct(">HIQ")  # length of the token, number of the reply, CPU time in ns
_TOKEN = re.compile(rb"\A(?:[0-9a-f]{16}|(?:exc|load):[\x21-\x7e]{1,80})\Z")

MAX_TOKEN_BYTES = 96
LOADED = b"0" * 16  # what the first reply says where the program loaded


class MalformedReplyError(Exception):
    """A reply that its reader did not expect: forged, for ours are as they should be."""


def send_message(descriptor: int, message: Dict[str, Any]) -> None:
    """Write one message whole."""
    payload = json.dumps(message).encode("ascii")
    data = memoryview(_MESSAGE_HEAD.pack(len(payload)) + payload)
    while data:
        data = data[os.write(descriptor, data) :]


def receive_message(descriptor: int) -> Optional[Dict[str, Any]]:
    """Read one message; None where the other end is closed."""
    head = _read_exactly(descriptor, _MESSAGE_HEAD.size)
    if head is None:
        return None
    payload = _read_exactly(descriptor, _MESSAGE_HEAD.unpack(head)[0])
    return None if payload is None else json.loads(payload)


def _read_exactly(descriptor: int, size: int) -> Optional[bytes]:
    chunks: List[bytes] = []
    while size:
        chunk = os.read(descriptor, min(size, 1 << 20))
        if not chunk:
            return None
        chunks.append(chunk)
        size -= len(chunk)
    return b"".join(chunks)


def pack_reply(number: int, cpu_ns: int, token: bytes) -> bytes:
    """Frame one reply; short enough to be written whole at once."""
    return _REPLY.pack(len(token), number, cpu_ns) + token


class Replies:
    """Reads the replies of one child, in order: number 0 says that it loaded, i the i-th input."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._pending = b""
        self._next = 0

    def feed(self, data: bytes) -> List[Tuple[bytes, int]]:
        """Return the (token, cpu_ns) of the replies that ``data`` completes.

        Raises
        ------
        MalformedReplyError
            Where a frame is too long, of another form, out of order or one too many.
        """
        self._pending += data
        complete = []
        while len(self._pending) >= _REPLY.size:
            length, number, cpu_ns = _REPLY.unpack_from(self._pending)
            if length > MAX_TOKEN_BYTES or number != self._next or self.is_complete:
                raise MalformedReplyError("a reply out of order")
            end = _REPLY.size + length
            if len(self._pending) < end:
                break
            token = self._pending[_REPLY.size : end]
            if not _TOKEN.match(token) or token.startswith(b"load:") != (
                number == 0 and token != LOADED
            ):
                raise MalformedReplyError("a reply of another form")
            complete.append((token, cpu_ns))
            self._pending = self._pending[end:]
            self._next = self._count + 1 if token.startswith(b"load:") else number + 1
        return complete

    @property
    def is_complete(self) -> bool:
        """Whether no further reply is due."""
        return self._next > self._count
