"""A zygote: a fresh interpreter that forks a server for each problem and runs nothing itself.

Theory of operation
-------------------
::

    host ── socket pair ── zygote ── fork ── problem server ── fork ── one child per program

The host starts one zygote for each lane and each hash seed, with an empty environment. A zygote
puts the interpreter into the state that candidates find it in: only the standard library on
``sys.path``, none of our modules in ``sys.modules``, no standard streams, few descriptors. Then
it waits for a problem, forks a server, and leaves the socket pair to it until it is gone: the
host speaks with the server directly.

The zygote learns that the server is gone by a pipe whose other end only the server holds, and
that the host is gone by its end of the socket pair; it then ends the server and itself. A server
that ends in any way but by the host's request is reported as ``died`` with its wait status, and
the host starts a new zygote.

Messages from the host: ``problem``, then any number of ``run``, then ``end``. From here:
``hello`` once; ``ready`` or ``refused``; ``alive`` while a program takes long; ``ran`` or
``fault`` for each run; ``idle`` or ``died``.
"""

import builtins
import contextlib
import os
import resource
import select
import shutil
import signal
import sys
from typing import Any, Dict, NoReturn

from . import confine, server
from .wire import receive_message, send_message

_GRACE_MS = 1000


def exit_program(code: object = None) -> NoReturn:
    """Stand in for ``exit`` and ``quit``, which come with the site module that is left out."""
    raise SystemExit(code)


def main() -> None:
    """Serve problems until the host is gone; arguments: descriptor, hash seed, directory."""
    channel, seed, directory = int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    try:
        _prepare_interpreter()
        send_message(channel, {"kind": "hello"})
        while True:
            message = receive_message(channel)
            if message is None:
                return
            _serve_one(channel, message, directory, seed)
    finally:  # the host does it, too, unless it was killed
        shutil.rmtree(directory, ignore_errors=True)


def _prepare_interpreter() -> None:
    """Leave nothing of ours, of the user's or of the environment's for a candidate to find."""
    package = __name__.partition(".")[0]
    sys.path[:] = [path for path in sys.path if path not in ("", sys.argv[1])]
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        del sys.modules[name]
    sys.modules["__main__"] = type(sys)("__main__")
    sys.argv = [""]
    os.environ.clear()
    for name in ("exit", "quit"):
        setattr(builtins, name, exit_program)
    resource.setrlimit(resource.RLIMIT_NOFILE, (confine.OPEN_FILES, confine.OPEN_FILES))
    confine.patch_socket()


def _serve_one(channel: int, message: Dict[str, Any], directory: str, seed: int) -> None:
    watch, lifeline = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.close(watch)
            server.serve(channel, message, directory, seed)
            status = 0
        finally:
            os._exit(status)
    os.close(lifeline)
    if not _wait_for_end(channel, watch):
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    os.close(watch)
    with contextlib.suppress(BrokenPipeError):  # the host is gone, as the next read will say
        send_message(channel, {"kind": "died", "status": status} if status else {"kind": "idle"})


def _wait_for_end(channel: int, watch: int) -> bool:
    """Wait until the server has ended; False where it outlives the host by more than a moment."""
    poller = select.poll()
    poller.register(watch, select.POLLIN)
    poller.register(channel, 0)
    if watch in dict(poller.poll()):
        return True
    poller.unregister(channel)
    return bool(poller.poll(_GRACE_MS))
