"""Length-prefixed frames between the processes; nothing is ever unpickled.

Theory of operation
-------------------
Two kinds of frame go over two kinds of pipe.

*Messages* are JSON objects between the host and a zygote or the problem server that it forked,
over one socket pair, one at a time in each direction. Both ends are ours.

*Replies* go from a program's child to its problem server over a pipe that the program can reach,
so they are untrusted: lines of bounded length, of fixed form, and believed only as far as that the
program did something with the input in progress. ``Replies`` takes bytes as they come and refuses
whatever it does not expect; what ended a program is never read from here.

Where texts were asked for, the reply for a result has one after a tab: printable ASCII of bounded
length. It is to be shown to a person, or is the result as a value for the problem's tests, for
which the reply for an exception has one, too; what the program does is told by neither.
"""

import json
import os
import re
import struct
from typing import Any, Dict, List, Optional, Protocol

_MESSAGE_HEAD = struct.Struct(">I")
#: Lines of: number of the reply, trace events, CPU time in ns, token.
_REPLIES = re.compile(
    r"(?:\d{1,6} \d{1,18} \d{1,18} (?:[0-9a-f]{16}|(?:exc|load):[\x21-\x7e]{1,80})\n)*"
)
_TEXT = re.compile(r"[\x20-\x7e]+")
_TOKEN_OF_RESULT = re.compile(r".* [0-9a-f]{16}")
_TOKEN_OF_OUTCOME = re.compile(r".* (?:[0-9a-f]{16}|exc:[\x21-\x7e]+)")

MAX_REPLY_BYTES = 140
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


def pack_reply(number: int, events: int, cpu_ns: int, token: bytes) -> bytes:
    """Write one reply; short enough to be written whole at once."""
    return b"%d %d %d %b\n" % (number, events, cpu_ns, token)


class ReplyReader(Protocol):
    """Takes what a child writes, step by step."""

    longest: int
    tokens: List[str]

    def feed(self, data: bytes) -> None:
        """Take what has come."""

    @property
    def is_complete(self) -> bool:
        """Whether nothing further is due."""


class Replies:
    """The replies of one child, in order: number 0 says that it loaded, i the i-th input.

    Parameters
    ----------
    count
        How many inputs there are.
    longest_text
        Characters that the text in the reply for a result may have; 0 where it is to have none.
    tells_exceptions
        Whether the reply for an exception is to have a text as well.

    Attributes
    ----------
    tokens, events, cpu_ns
        What they say, of those that have come.
    texts
        Likewise where there are texts, "" where a reply has none.
    longest
        Bytes of the longest reply.
    """

    def __init__(self, count: int, longest_text: int = 0, tells_exceptions: bool = False) -> None:
        self.texts: List[str] = []
        self.longest = MAX_REPLY_BYTES + (longest_text + 1 if longest_text else 0)
        self._longest_text = longest_text
        self._has_text = _TOKEN_OF_OUTCOME if tells_exceptions else _TOKEN_OF_RESULT
        self.tokens: List[str] = []
        self.events: List[int] = []
        self.cpu_ns: List[int] = []
        self._count = count
        self._pending = b""

    def feed(self, data: bytes) -> None:
        """Take what has come.

        Raises
        ------
        MalformedReplyError
            Where a line is too long, of another form, out of order or one too many.
        """
        whole, newline, self._pending = (self._pending + data).rpartition(b"\n")
        text = (whole + newline).decode("latin-1")
        if self._longest_text:
            text = self._take_texts(text)
        if len(self._pending) > self.longest or not _REPLIES.fullmatch(text):
            raise MalformedReplyError("a reply of another form")
        fields = text.split()
        first = len(self.tokens)
        self.tokens += fields[3::4]
        self.events += map(int, fields[1::4])
        self.cpu_ns += map(int, fields[2::4])
        if fields[0::4] != [str(number) for number in range(first, len(self.tokens))]:
            raise MalformedReplyError("a reply out of order")
        if len(self.tokens) > (1 if self.load_failed else self._count + 1):
            raise MalformedReplyError("one reply too many")
        if first == 0 and self.load_failed and not self.tokens[0].startswith("load:"):
            raise MalformedReplyError("a reply about loading of another form")
        if any(token.startswith("load:") for token in self.tokens[max(first, 1) :]):
            raise MalformedReplyError("a reply that belongs elsewhere")

    def _take_texts(self, lines: str) -> str:
        """Take the texts out of whole lines."""
        heads = []
        for line in lines.split("\n")[:-1]:
            head, tab, text = line.partition("\t")
            due = bool(self.texts) and self._has_text.fullmatch(head) is not None
            fits = len(text) <= self._longest_text and _TEXT.fullmatch(text) is not None
            if due != bool(tab) or (due and not fits):
                raise MalformedReplyError("a reply with a text of another form, or without one")
            self.texts.append(text)
            heads.append(f"{head}\n")
        return "".join(heads)

    @property
    def load_failed(self) -> bool:
        """Whether the program did not load; the first token then says why."""
        return bool(self.tokens) and self.tokens[0].encode("ascii") != LOADED

    @property
    def is_complete(self) -> bool:
        """Whether no further reply is due."""
        return self.load_failed or len(self.tokens) > self._count
