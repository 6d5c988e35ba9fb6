"""How a zygote is started: directly, or inside a container; and in which environment it runs.

Theory of operation
-------------------
A launcher turns "run this interpreter with these arguments" into the command line that does it.
Whatever stands between, the zygote's standard input and output are the host's channel, so one
start costs what the container costs, and the programs after it nothing.

The interpreter's flags are ``-s -S``, not ``-I`` or ``-E``, which ignore PYTHONHASHSEED.
"""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from pytest_codecollapse.errors import CodecollapseError, SandboxError
from pytest_codecollapse.sandbox.child.scratch import remove_contents

WORKER = Path(__file__).parent / "child"
_BOOT = (  # for any Python, so that one which is too old says so
    "import sys; sys.version_info >= (3, 8)"
    " or sys.exit('Python %d.%d is too old: 3.8 or newer can run programs' % sys.version_info[:2]);"
    " sys.path.append(sys.argv[1]); from child.main import main; main()"
)
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")


class Interpreter(NamedTuple):
    """The candidates' interpreter, and the folders beyond its own that they may import from."""

    path: str
    site_packages: tuple[str, ...] = ()

    def environment(self, seed: int) -> dict[str, str]:
        """Return the whole environment of a zygote."""
        threads = dict.fromkeys(_ONE_THREAD, "1") if self.site_packages else {}
        return {"PYTHONHASHSEED": str(seed), **threads}

    def arguments(self, worker: str, **options: Any) -> list[str]:
        """Return the interpreter's arguments for a zygote whose code is in the folder ``worker``.

        ``options`` are those of ``child.main.main``.
        """
        options["site_packages"] = list(self.site_packages)
        return ["-s", "-S", "-c", _BOOT, worker, json.dumps(options)]


class Launched(Protocol):
    """What was made for one zygote outside of it."""

    @property
    def command(self) -> Sequence[str]:
        """The command line that starts it."""

    @property
    def environment(self) -> dict[str, str]:
        """The environment of that command."""

    def clean_up(self) -> None:
        """Remove it again, when the process has ended; may be called more than once."""


class Launcher(Protocol):
    """Starts zygotes on one rung, or on the first of several that is to be had."""

    @property
    def name(self) -> str:
        """The name of the isolation, where that is not the rung's inside."""

    @property
    def rungs(self) -> tuple[str, ...]:
        """The rungs that will do, best first, as ``child.rungs`` names them."""

    @property
    def start_limit_s(self) -> float:
        """How long a zygote may take to start."""

    def prepare(self, interpreter: Interpreter, seed: int, rungs: Sequence[str]) -> Launched:
        """Make what a zygote needs outside.

        Raises
        ------
        OSError
            Where the host has no space or no right to make it.
        """

    def failure(self, interpreter: Interpreter, said: str) -> CodecollapseError:
        """Make the error for a zygote that did not start, by what is known of its end."""


class DirectLauncher:
    """Starts zygotes as processes of this machine, each with a scratch directory of its own."""

    name = ""
    start_limit_s = 30.0

    def __init__(self, rungs: Sequence[str]) -> None:
        self.rungs = tuple(rungs)

    def prepare(self, interpreter: Interpreter, seed: int, rungs: Sequence[str]) -> Launched:
        """See ``Launcher``."""
        return _Direct(interpreter, seed, rungs)

    def failure(self, interpreter: Interpreter, said: str) -> CodecollapseError:
        """See ``Launcher``."""
        return SandboxError(f"{interpreter.path} did not start as a sandbox: {said}")


class _Direct:
    def __init__(self, interpreter: Interpreter, seed: int, rungs: Sequence[str]) -> None:
        self._scratch = tempfile.mkdtemp(prefix="codecollapse-")
        options = {"isolation": list(rungs), "scratch": self._scratch, "seed": seed}
        arguments = interpreter.arguments(str(WORKER.parent), **options)
        self.command = [interpreter.path, *arguments]
        self.environment = interpreter.environment(seed)

    def clean_up(self) -> None:
        remove_contents(self._scratch)
        with contextlib.suppress(OSError):
            Path(self._scratch).rmdir()
