"""Starts zygotes in containers, by ``docker`` or ``podman``.

Theory of operation
-------------------
Each zygote is process 1 of a container of its own, and its standard input and output are those of
the engine's client, ``docker run``: so a start costs what a container costs, and a program costs
nothing more. The container has no network, no capabilities and an ordinary user; all of its files
are read-only but a bounded scratch directory in memory. What the rung ``confined`` has is put
around each program there, too, as far as the engine lets it.

When the host hangs up, or is killed, the client reads the end of its input, and so does the
zygote, which ends; then the engine removes the container (``--rm``). ``clean_up`` removes it in
any case: a client that had to be killed leaves its container running.

The image's environment is not the user's, nor that of the other rungs, so the interpreter is
started twice: first by ``_CLEAN``, which replaces itself by a zygote with an empty environment.

The limits of a container are a backstop, far from where a program meets its own: half of the
machine's memory, and a thousand processes and threads.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Optional

from pytest_codecollapse.errors import CodecollapseError, SandboxError, UsageError
from pytest_codecollapse.sandbox.child.rungs import CONTAINER
from pytest_codecollapse.sandbox.launch import WORKER, Interpreter

_ENGINES = ("docker", "podman")
_PYTHON = "python3"
_PACKAGE = "/codecollapse"
_SCRATCH = "/scratch"  # not /tmp: a file system takes on the mode of the folder that it covers
_NOBODY = 65534
_ENGINE_LIMIT_S = 30.0
_CONFINED = (
    *("--network", "none", "--ipc", "none", "--read-only", "--cap-drop", "ALL"),
    *("--security-opt", "no-new-privileges", "--user", f"{_NOBODY}:{_NOBODY}"),
    *("--pids-limit", "1024", "--workdir", "/", "--no-healthcheck"),
    *("--log-driver", "none"),  # or all that the zygote says is kept on disk
    *("--tmpfs", f"{_SCRATCH}:rw,noexec,nosuid,nodev,size=64m,mode=0777"),  # podman knows no uid=
)
#: Becomes the interpreter with the rest of its arguments, in the environment that is the first of
#: them. The last are the options of ``child.main.main``: site-packages asked for are the image's.
_CLEAN = """
import json, os, sys
environment, options = json.loads(sys.argv[1]), json.loads(sys.argv[-1])
if options["site_packages"]:
    import site
    options["site_packages"] = [path for path in site.getsitepackages() if os.path.isdir(path)]
for name in ("PATH", "LD_LIBRARY_PATH"):
    if name in os.environ:
        environment[name] = os.environ[name]
command = [sys.executable] + sys.argv[2:-1] + [json.dumps(options)]
os.execve(sys.executable, command, environment)
"""


class ContainerLauncher:
    """Starts each zygote in a container of its own.

    Parameters
    ----------
    image
        Name of an image with Python in it that the engine has; "" for the official one of this
        interpreter's version.

    Raises
    ------
    UsageError
        Where there is no engine, or it does not answer, or has no such image.

    Notes
    -----
    The candidates' interpreter is the image's ``python3``, unless a path in the image is given
    that is not this interpreter's own. Where site-packages are asked for, they are the image's.
    """

    name = "docker"
    rungs = (CONTAINER,)
    start_limit_s = 60.0

    def __init__(self, image: str) -> None:
        self._image = image or "python:{}.{}-slim".format(*sys.version_info)
        self._engine = _find_engine()
        _require_image(self._engine, self._image)

    def prepare(self, interpreter: Interpreter, seed: int, rungs: Sequence[str]) -> _Container:
        """See ``Launcher``."""
        options = {"isolation": list(rungs), "scratch": _SCRATCH, "seed": seed}
        flags = ["-E", "-s"] if interpreter.site_packages else ["-E", "-s", "-S"]
        environment = json.dumps(interpreter.environment(seed))
        return _Container(
            self._engine,
            [
                *("--entrypoint", _inside(interpreter), self._image),
                *(*flags, "-c", _CLEAN, environment),
                *interpreter.arguments(_PACKAGE, **options),
            ],
        )

    def failure(self, interpreter: Interpreter, said: str) -> CodecollapseError:
        """See ``Launcher``."""
        what = f"{_inside(interpreter)} of the image {self._image} did not start: {said}"
        remedy = _remedy(said)
        return UsageError(what, remedy=remedy) if remedy else SandboxError(what)


class _Container:
    """One container; its name is its own."""

    def __init__(self, engine: str, arguments: Sequence[str]) -> None:
        self._engine = engine
        self._name = f"codecollapse-{secrets.token_hex(8)}"
        memory_bytes = str(_physical_memory_bytes() // 2)
        self.command = [
            *(engine, "run", "--name", self._name, "--rm", "--interactive", "--pull", "never"),
            *(*_CONFINED, "--memory", memory_bytes, "--memory-swap", memory_bytes),
            *("--mount", _worker_mount(), *arguments),
        ]
        self.environment = dict(os.environ)  # which tells the client where its engine is

    def clean_up(self) -> None:
        """See ``Launched``."""
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            # a session of its own, so that an interrupt from the keyboard does not stop it
            subprocess.Popen(
                [self._engine, "rm", "--force", self._name],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            ).wait(_ENGINE_LIMIT_S)


def _find_engine() -> str:
    for engine in _ENGINES:
        path = shutil.which(engine)
        if path:
            return path
    raise UsageError(
        f"isolation docker needs a container engine, and there is no {' or '.join(_ENGINES)}"
        " on the PATH",
        remedy="install one, such as Debian's docker.io or podman",
    )


def _require_image(engine: str, image: str) -> None:
    try:
        done = subprocess.run(
            [engine, "image", "inspect", "--format", "{{.Id}}", image],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_ENGINE_LIMIT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _no_answer(engine, str(error)) from error
    if not done.returncode:
        return
    said = (done.stderr.strip().splitlines() or ["it does not say why"])[-1]
    if "no such image" in said.lower() or "image not known" in said.lower():
        raise UsageError(
            f"isolation docker: {engine} has no image {image}",
            remedy=f"fetch it by `{Path(engine).name} pull {image}`, or name one it has",
        )
    raise _no_answer(engine, said)


def _no_answer(engine: str, said: str) -> UsageError:
    return UsageError(
        f"isolation docker: {engine} does not work here: {said}",
        remedy="start its service, and see to it that this user may use it",
    )


def _inside(interpreter: Interpreter) -> str:
    """Return what the interpreter is called in the image: the host's own is not there."""
    return _PYTHON if interpreter.path == sys.executable else interpreter.path


def _remedy(said: str) -> Optional[str]:
    """Return what the user can do about the end of a container; None where it is not known."""
    if "executable file not found" in said or "no such file or directory" in said:
        return "name an image with Python 3.8 or newer, or the interpreter's path in it"
    if "too old" in said:
        return "name an image with Python 3.8 or newer"
    if "No module named 'child" in said or "Permission denied" in said:
        return f"let every user read {WORKER}, by `chmod -R a+rX`"
    return None


def _worker_mount() -> str:
    source = str(WORKER).replace('"', '""')  # the fields are those of a CSV line
    return f'type=bind,"src={source}",dst={_PACKAGE}/{WORKER.name},readonly'


def _physical_memory_bytes() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
