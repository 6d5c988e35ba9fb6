"""The host's handle on one zygote: start it, speak with it, end it.

Theory of operation
-------------------
A zygote and the problem server that it has forked share a process group, so one signal ends both;
programs have groups of their own and end with their server. They all end by themselves, too, when
the host's end of the socket pair is closed, which the system does even for a host that was killed.

The conversation is strictly in turns. Whoever is silent for longer than agreed is taken for
broken, as is a closed connection: ``ZygoteDiedError`` says so, and the handle is then closed and
can be started again. ``interrupt`` may be called from another thread: it hangs up, and the thread
that waits for an answer gets the error.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import signal
import socket
import struct
import subprocess
import time
from collections.abc import Sequence
from typing import Any, Optional

from pytest_codecollapse.errors import SandboxError
from pytest_codecollapse.sandbox.launch import Interpreter, Launched, Launcher
from pytest_codecollapse.sandbox.messages import Hello, Message, parse

SILENCE_S = 30.0  # a problem server reports once a second while a program takes long
_END_S = 3.0
_HEAD = struct.Struct(">I")
_CHUNK_BYTES = 65_536
_HINT = re.compile(r"^(See|Run) '.* --help'")  # what follows an error of docker's


class ZygoteDiedError(Exception):
    """The zygote or its problem server is gone or silent; ``what`` says how it ended."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class Zygote:
    """One zygote under one hash seed, started when it is first needed.

    Parameters
    ----------
    launcher, interpreter
        How to start it, and what.
    hash_seed
        For PYTHONHASHSEED.

    Attributes
    ----------
    is_interrupted
        Whether it was told to stop for good.
    """

    def __init__(self, launcher: Launcher, interpreter: Interpreter, hash_seed: int) -> None:
        self._launcher = launcher
        self._interpreter = interpreter
        self._hash_seed = hash_seed
        self.is_interrupted = False
        self._process: Optional[subprocess.Popen[bytes]] = None
        self._socket: Optional[socket.socket] = None
        self._received = bytearray()
        self._launched: Optional[Launched] = None
        self._hello: Optional[Hello] = None

    def start(self, rungs: Sequence[str]) -> Hello:
        """Start the process unless it runs; return what it said about itself.

        Parameters
        ----------
        rungs
            Those that will do, best first.

        Raises
        ------
        UsageError, SandboxError
            Where the interpreter does not start or does not answer.
        """
        if self._process is not None and self._hello is not None:
            return self._hello
        if self.is_interrupted:
            raise SandboxError("the run was interrupted")
        try:
            self._launched = self._launcher.prepare(self._interpreter, self._hash_seed, rungs)
            self._process, self._socket = _spawn(self._launched)
        except OSError as error:
            self.close()
            raise SandboxError(f"cannot start {self._interpreter.path} ({error})") from error
        try:
            hello = self.receive(self._launcher.start_limit_s)
        except ZygoteDiedError as error:
            raise self._launcher.failure(self._interpreter, error.what) from error
        if not isinstance(hello, Hello):
            self.close()
            raise self._launcher.failure(self._interpreter, f"it said {hello!r}")
        self._hello = hello
        return hello

    def send(self, message: dict[str, Any]) -> None:
        """Send one message.

        Raises
        ------
        ZygoteDiedError
            Where nobody reads it.
        """
        payload = json.dumps(message).encode("ascii")
        try:
            self._connection.sendall(_HEAD.pack(len(payload)) + payload)
        except OSError as error:
            raise self._died(str(error)) from error

    def receive(self, silence_s: float) -> Message:
        """Receive one message.

        Raises
        ------
        ZygoteDiedError
            Where none comes within ``silence_s``, or the connection is closed.
        """
        deadline_s = time.monotonic() + silence_s
        self._receive_at_least(_HEAD.size, deadline_s)
        (size,) = _HEAD.unpack_from(self._received)
        self._receive_at_least(_HEAD.size + size, deadline_s)
        message = bytes(self._received[_HEAD.size : _HEAD.size + size])
        del self._received[: _HEAD.size + size]
        return parse(message)

    def _receive_at_least(self, size: int, deadline_s: float) -> None:
        """Have so many bytes in ``_received``; what comes with them is of the next message."""
        poller = select.poll()
        poller.register(self._connection, select.POLLIN)
        while len(self._received) < size:
            if not poller.poll(max(0.0, deadline_s - time.monotonic()) * 1000):
                raise self._died("it does not answer")
            try:
                chunk = self._connection.recv(max(_CHUNK_BYTES, size - len(self._received)))
            except OSError as error:
                raise self._died(str(error)) from error
            if not chunk:
                raise self._died("it has ended")
            self._received += chunk

    @property
    def _connection(self) -> socket.socket:
        if self._socket is None:
            raise ZygoteDiedError("it is closed")
        return self._socket

    def _died(self, how: str) -> ZygoteDiedError:
        """Close the handle and tell what is known of the end."""
        said = self.close()
        return ZygoteDiedError(f"{how}: {said}" if said else how)

    def interrupt(self) -> None:
        """Hang up for good, from any thread: what waits for an answer gets an error."""
        self.is_interrupted = True
        connection = self._socket
        if connection is not None:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> str:
        """End the process, if it runs, and all that it started; return what it said last."""
        process, self._process = self._process, None
        connection, self._socket = self._socket, None
        self._received.clear()
        said = ""
        if connection is not None:
            connection.close()
        if process is not None:
            said = _end(process)
        if self._launched is not None:
            self._launched.clean_up()
            self._launched = None
        return said


def _spawn(launched: Launched) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Start what was made ready, with one end of a socket pair as its input and output."""
    ours, theirs = socket.socketpair()
    with theirs:
        try:
            process = subprocess.Popen(
                list(launched.command),
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                stderr=subprocess.PIPE,
                env=launched.environment,
                cwd="/",
                start_new_session=True,
            )
        except OSError:
            ours.close()
            raise
    return process, ours


def _end(process: subprocess.Popen[bytes]) -> str:
    """Let a zygote end that has been hung up on; kill its group where it does not."""
    assert process.stderr is not None
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_END_S)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    with process.stderr as stderr:
        os.set_blocking(stderr.fileno(), False)
        text = (stderr.read() or b"").decode("utf-8", "replace")
    lines = [line for line in text.splitlines() if line.strip() and not _HINT.search(line)]
    return lines[-1].strip() if lines else ""
