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
import select
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Optional

from pytest_codecollapse.errors import SandboxError
from pytest_codecollapse.sandbox.messages import Message, parse

SILENCE_S = 30.0  # a problem server reports once a second while a program takes long
_END_S = 3.0
_HEAD = struct.Struct(">I")
_BOOT = "import sys; sys.path.append(sys.argv[1]); from child.main import main; main()"


class ZygoteDiedError(Exception):
    """The zygote or its problem server is gone or silent; ``what`` says how it ended."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class Zygote:
    """One zygote under one hash seed, started when it is first needed."""

    def __init__(self, python: str, hash_seed: int) -> None:
        self._python = python
        self._hash_seed = hash_seed
        self._interrupted = False
        self._process: Optional[subprocess.Popen[bytes]] = None
        self._socket: Optional[socket.socket] = None
        self._directory = ""

    def start(self) -> None:
        """Start the process unless it runs.

        Raises
        ------
        SandboxError
            Where the interpreter does not start or does not answer.
        """
        if self._process is not None:
            return
        if self._interrupted:
            raise SandboxError("the run was interrupted")
        self._directory = tempfile.mkdtemp(prefix="codecollapse-")
        self._socket, theirs = socket.socketpair()
        with theirs:
            try:
                self._process = self._spawn(theirs.fileno())
            except OSError as error:
                self.close()
                raise SandboxError(f"cannot start {self._python} ({error})") from error
        try:
            self.receive(SILENCE_S)
        except ZygoteDiedError as error:
            raise SandboxError(f"{self._python} did not start as a sandbox: {error}") from error

    def _spawn(self, descriptor: int) -> subprocess.Popen[bytes]:
        arguments = [str(Path(__file__).parent), str(descriptor), str(self._hash_seed)]
        return subprocess.Popen(
            # not -I or -E, which ignore PYTHONHASHSEED
            [self._python, "-s", "-S", "-c", _BOOT, *arguments, self._directory],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            pass_fds=[descriptor],
            env={"PYTHONHASHSEED": str(self._hash_seed)},
            cwd="/",
            start_new_session=True,
        )

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
        (size,) = _HEAD.unpack(self._receive_exactly(_HEAD.size, deadline_s))
        return parse(self._receive_exactly(size, deadline_s))

    def _receive_exactly(self, size: int, deadline_s: float) -> bytes:
        chunks = bytearray()
        poller = select.poll()
        poller.register(self._connection, select.POLLIN)
        while len(chunks) < size:
            if not poller.poll(max(0.0, deadline_s - time.monotonic()) * 1000):
                raise self._died("it does not answer")
            try:
                chunk = self._connection.recv(size - len(chunks))
            except OSError as error:
                raise self._died(str(error)) from error
            if not chunk:
                raise self._died("it has ended")
            chunks += chunk
        return bytes(chunks)

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
        self._interrupted = True
        connection = self._socket
        if connection is not None:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> str:
        """End the process, if it runs, and all that it started; return what it said last."""
        process, self._process = self._process, None
        connection, self._socket = self._socket, None
        said = ""
        if connection is not None:
            connection.close()
        if process is not None:
            said = _end(process)
        if self._directory:
            shutil.rmtree(self._directory, ignore_errors=True)
            self._directory = ""
        return said


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
        lines = (stderr.read() or b"").decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else ""
