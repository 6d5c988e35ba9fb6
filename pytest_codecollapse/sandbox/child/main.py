"""A zygote: a fresh interpreter that forks a server for each problem and runs nothing itself.

Theory of operation
-------------------
::

    host ── channel ── zygote ── fork ── problem server ── fork ── one child per program

The host starts one zygote for each lane and each hash seed, directly or inside a container. Their
channel is the zygote's standard input and output. A zygote steps onto a rung of the isolation
ladder and puts the interpreter into the state that candidates find it in: only the standard
library on ``sys.path``, none of our modules in ``sys.modules``, no standard streams, few
descriptors. Then it waits for a problem, forks a server, and leaves the channel to it until it is
gone: the host speaks with the server directly.

The zygote learns that the server is gone by a pipe whose other end only the server holds, and
that the host is gone by the channel; it then ends the server and itself. A server that ends in
any way but by the host's request is reported as ``died`` with its wait status, and the host
starts a new zygote.

Messages from the host: ``problem``, then any number of ``run``, then ``end``. From here:
``hello`` once, with the rung and the interpreter; ``ready`` or ``refused``; ``alive`` while a
program takes long; ``ran`` or ``fault`` for each run; ``idle`` or ``died``. A ``run`` says whether
``ran`` is to have a text of each result, beside its token, for a person to read; a ``problem``,
whether ``ready`` is to have one of each input.

Handlers that run after a fork are not registered: those of random and threading put right what
cannot be wrong here, in every child.
"""

import os

os.register_at_fork = lambda **handlers: None

import builtins  # noqa: E402  (what is imported from here on registers no handlers)
import contextlib  # noqa: E402
import gc  # noqa: E402
import json  # noqa: E402
import select  # noqa: E402
import signal  # noqa: E402
import sys  # noqa: E402
from typing import Any, Dict, List, NoReturn, Tuple  # noqa: E402

from . import capabilities, confine, namespaces, rungs, scratch, server  # noqa: E402
from .rehearsal import rehearse  # noqa: E402
from .wire import receive_message, send_message  # noqa: E402

_GRACE_MS = 1000
_IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)


def exit_program(code: object = None) -> NoReturn:
    """Stand in for ``exit`` and ``quit``, which come with the site module that is left out."""
    raise SystemExit(code)


def main() -> None:
    """Serve problems until the host is gone.

    The last argument is a JSON object: ``isolation``, the rungs that will do, best first;
    ``scratch``, an empty directory; ``seed``, the hash seed; and ``site_packages``, folders that
    programs may import from.
    """
    options: Dict[str, Any] = json.loads(sys.argv[-1])
    reader, writer = _take_channel()
    _reset_signals()
    rung, missing = rungs.choose(options["isolation"])
    if rung == rungs.NAMESPACES:
        namespaces.enter(options["scratch"])
    mechanisms = rungs.mechanisms(rung)
    if mechanisms.landlock or mechanisms.seccomp:
        capabilities.drop_capabilities()
    libraries = _prepare_interpreter(options["site_packages"])
    if not mechanisms.seccomp:
        confine.patch_socket()
    rehearse()
    confinement = confine.Confinement(mechanisms, options["scratch"], libraries)
    setting = server.Setting(reader, writer, options, confinement)
    gc.collect()
    gc.freeze()  # servers need not look at what is here already
    try:
        send_message(writer, {"kind": "hello", "rung": rung, "missing": missing, **_describe()})
        while True:
            message = receive_message(reader)
            if message is None:
                return
            _serve_one(setting, message)
    finally:  # the host does it, too, unless it was killed
        with contextlib.suppress(OSError):
            scratch.remove_contents(options["scratch"])
            os.rmdir(options["scratch"])


def _take_channel() -> Tuple[int, int]:
    """Move the channel away from the standard streams."""
    reader, writer = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    os.close(nothing)
    return reader, writer


def _reset_signals() -> None:
    """Undo what the host blocks or ignores, as a job in the background ignores SIGINT."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    for number in signal.valid_signals():
        if signal.getsignal(number) == signal.SIG_IGN and number not in _IGNORED_BY_PYTHON:
            signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # Python's own, unless it is ignored


def _describe() -> Dict[str, str]:
    system = os.uname()
    version = "{}.{}.{}".format(*sys.version_info)
    return {"python": version, "platform": f"{system.sysname}-{system.machine}"}


def _prepare_interpreter(site_packages: List[str]) -> List[str]:
    """Leave nothing of ours, of the user's or of the environment's for a candidate to find.

    Returns
    -------
    list
        Where modules can be imported from.
    """
    package = __name__.partition(".")[0]
    sys.path[:] = [path for path in sys.path if path not in ("", sys.argv[1])] + site_packages
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        del sys.modules[name]
    sys.modules["__main__"] = type(sys)("__main__")
    sys.argv = [""]
    for name in ("exit", "quit"):
        setattr(builtins, name, exit_program)
    confine.limit_zygote()
    return list(sys.path)


def _serve_one(setting: server.Setting, message: Dict[str, Any]) -> None:
    zygote = os.getpid()
    watch, lifeline = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.close(watch)
            server.serve(setting, zygote, message)
            status = 0
        finally:
            os._exit(status)
    os.close(lifeline)
    if not _wait_for_end(setting.reader, watch):
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    os.close(watch)
    said = {"kind": "died", "status": status} if status else {"kind": "idle"}
    with contextlib.suppress(BrokenPipeError):  # the host is gone, as the next read will say
        send_message(setting.writer, said)


def _wait_for_end(channel: int, watch: int) -> bool:
    """Wait until the server has ended; False where it outlives the host by more than a moment."""
    poller = select.poll()
    poller.register(watch, select.POLLIN)
    poller.register(channel, 0)
    if watch in dict(poller.poll()):
        return True
    poller.unregister(channel)
    return bool(poller.poll(_GRACE_MS))
