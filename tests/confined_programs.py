"""Run programs under Landlock or seccomp alone, to see what each of them does by itself.

``Confined`` starts an interpreter that runs this file as a script. It knows the candidates' side
only, like a zygote. For each program it forks a child, which puts itself under what is asked for,
runs the source, and sends what the program left in ``result``, or what it raised. The tests'
own process is not forked: it may have threads, and it must not be left in a sandbox.
"""

from __future__ import annotations

import asyncio
import concurrent.futures.thread
import contextlib
import ctypes
import encodings.idna
import errno
import fcntl
import importlib
import json
import multiprocessing.popen_fork
import os
import random
import resource
import select
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, Optional

#: What programs find imported: an ordinary user may be unable to read root's standard library.
_IMPORTED = (
    *(
        asyncio,
        contextlib,
        ctypes,
        encodings,
        errno,
        fcntl,
        multiprocessing,
        os,
        random,
        resource,
        select,
        shutil,
    ),
    *(signal, socket, sqlite3, subprocess, tempfile, threading, time),
)
_LIMIT_S = 20  # the kernel ends a child that hangs
_NOBODY = 65534
_LIBRARY = str(Path(os.__file__).parent)
SANDBOX = Path(__file__).parent.parent / "pytest_codecollapse" / "sandbox"

#: Whose process a program is: that of whoever runs the tests, and an ordinary user's.
USERS = (0, _NOBODY) if os.geteuid() == 0 else (os.geteuid(),)


class Outcome(NamedTuple):
    """What became of a program."""

    result: Any = None  #: JSON's idea of what it left in ``result``
    raised: str = ""  #: the name of the exception that ended it
    errno: Optional[int] = None  #: and its error number, where it was an OSError
    signal: int = 0  #: the number of the signal that ended the child
    said: str = ""  #: the exception as text


class Confined:
    """The interpreter that forks programs; ``folder`` is one of its own, for all users."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.readable = folder / "readable"
        self.readable.mkdir()
        (self.readable / "file").write_text("to be read")
        (folder / "outside").mkdir()
        (folder / "outside" / "file").write_text("not to be read")
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o777)
        command = [sys.executable, "-s", __file__, str(SANDBOX)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd="/"
        )

    def run(
        self,
        source: str,
        user: int = USERS[0],
        *,
        landlock: bool = False,
        rules: tuple[str, ...] = (),
        capabilities: bool = False,
        new_privileges: bool = False,
        **names: Any,
    ) -> Outcome:
        """Run a program in a child.

        Parameters
        ----------
        source
            Python; the modules above are imported; ``readable``, ``outside`` and ``scratch``, the
            current directory, are paths, and ``parent`` is the pid of a process to be left alone.
        user
            The user that the child becomes first.
        landlock, rules
            Whether to enter a Landlock domain, and which rules of ``policy`` to install.
        capabilities, new_privileges
            Whether root keeps the former, and whether an exec could gain the latter.
        names
            Further names that the source may use.
        """
        scratch = tempfile.mkdtemp(dir=self.folder)
        if user != os.geteuid():
            os.chown(scratch, user, user)
        names.update(
            readable=str(self.readable), outside=str(self.folder / "outside"), scratch=scratch
        )
        order = {"source": source, "names": names, "user": user, "landlock": landlock}
        order.update(rules=rules, capabilities=capabilities, new_privileges=new_privileges)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        outcome = Outcome(**json.loads(self._process.stdout.readline()))
        shutil.rmtree(scratch, ignore_errors=True)
        return outcome

    def close(self) -> None:
        """End the interpreter."""
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            stream.close()
        self._process.wait()


@contextlib.contextmanager
def start() -> Iterator[Confined]:
    """Start the interpreter, with a folder that every user reaches, as pytest's own are not."""
    with tempfile.TemporaryDirectory() as folder:
        running = Confined(Path(folder))
        try:
            yield running
        finally:
            running.close()


def _serve() -> None:
    while True:
        line = sys.stdin.readline()
        if not line:
            return
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(reader)
            _become(json.loads(line), writer)
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            reply = json.loads(pipe.read() or b"{}")
        _, status = os.waitpid(pid, 0)
        reply["signal"] = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


def _become(order: dict[str, Any], writer: int) -> NoReturn:
    signal.alarm(_LIMIT_S)
    names: dict[str, Any] = {module.__name__: module for module in _IMPORTED}
    names.update(order["names"], parent=os.getppid(), concurrent=concurrent)
    try:
        os.chdir("/")
        if order["user"] != os.geteuid():
            os.setgroups([])
            os.setgid(order["user"])
            os.setuid(order["user"])
        os.chdir(names["scratch"])
        _confine(order)
        exec(compile(order["source"], "<program>", "exec"), names)
        reply: dict[str, Any] = {"result": names.get("result")}
    except BaseException as error:
        number = error.errno if isinstance(error, OSError) else None
        reply = {"raised": type(error).__name__, "errno": number, "said": str(error)}
    os.write(writer, json.dumps(reply).encode())
    os._exit(0)


def _confine(order: dict[str, Any]) -> None:
    """As a server and its child do it, in one process."""
    child = {
        name: importlib.import_module(f"child.{name}")
        for name in ("capabilities", "landlock", "libc", "policy", "seccomp")
    }
    names = order["names"]
    if not order["new_privileges"]:
        child["libc"].set_no_new_privs()
    if not order["capabilities"]:
        child["capabilities"].drop_capabilities()
    if order["landlock"]:
        readable = [_LIBRARY, names["readable"], "/no/such/path"]
        devices = ["/dev/null", "/dev/no_such_device"]
        ruleset = child["landlock"].make_ruleset(readable, [names["scratch"]], devices)
        ruleset.restrict_self()
        ruleset.close()
    for rules in order["rules"]:
        child["seccomp"].compile_filter(getattr(child["policy"], rules)).install(os.getpid())


if __name__ == "__main__":
    sys.path.append(sys.argv[1])
    for module_name in ("capabilities", "landlock", "libc", "policy", "seccomp"):
        importlib.import_module(f"child.{module_name}")
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
        _serve()
