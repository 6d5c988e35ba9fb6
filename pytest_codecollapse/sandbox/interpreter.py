"""The candidates' interpreter: found, and asked what it is and where its packages are.

Theory of operation
-------------------
A zygote is started with ``-S``, by which an interpreter knows of no site-packages, not even those
of the virtual environment that it is in. So what they are is asked before, of one process without
``-S``, which says so as JSON. It runs as the user's own commands do, but for the variables of the
environment that are Python's: the zygote gets none of them. The path that it says is its own is
the one that is used from then on, so a wrapper on the PATH, such as pyenv's, is run only here.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Optional

import msgspec

from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.options import command_path
from pytest_codecollapse.sandbox.launch import Interpreter
from pytest_codecollapse.sandbox.launchers import DOCKER

OLDEST = (3, 8)
_LIMIT_S = 20.0
_REMEDY = (
    "name CPython {}.{} or newer by --python, --codecollapse-python or codecollapse_python"
).format(*OLDEST)

#: For any Python, so that one which is too old can say what it is.
_ASK = """
import json, os, platform, site, sys, sysconfig
folders = getattr(site, "getsitepackages", list)()
folders += [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
folders = [os.path.realpath(folder) for folder in folders if os.path.isdir(folder)]
sys.stdout.write(json.dumps({
    "path": sys.executable,
    "name": platform.python_implementation(),
    "version": list(sys.version_info[:3]),
    "site_packages": sorted(set(folders), key=folders.index),
}))
"""


class Probed(msgspec.Struct, frozen=True):
    """What an interpreter says of itself.

    ``path`` is its own; ``name`` the implementation's, such as "CPython"; ``site_packages`` are
    the folders that packages are installed in, as far as there are any: those of its virtual
    environment, and the system's where that includes them, but not the user's own.
    """

    path: str
    name: str
    version: tuple[int, int, int]
    site_packages: tuple[str, ...]


def probe(command: str) -> Probed:
    """Ask an interpreter what it is.

    Parameters
    ----------
    command
        Its path.

    Raises
    ------
    UsageError
        Where it does not run, or is anything but CPython 3.8 or newer.
    """
    try:
        done = subprocess.run(
            [command, "-E", "-s", "-c", _ASK],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_LIMIT_S,
            check=False,
        )
    except OSError as error:
        raise _unfit(command, f"it does not run ({error.strerror})") from error
    except subprocess.TimeoutExpired as error:
        raise _unfit(command, f"it does not answer within {_LIMIT_S:g} s") from error
    try:
        found = msgspec.json.decode(done.stdout, type=Probed)
    except msgspec.DecodeError as error:
        said = (done.stderr or done.stdout).decode("utf-8", "replace").strip().splitlines()
        last = f": {said[-1][:200]}" if said else ""
        status = f"exit status {done.returncode}"
        raise _unfit(command, f"it does not say what it is ({status}{last})") from error
    if found.name != "CPython" or found.version < OLDEST:
        raise _unfit(command, "it is {} {}.{}.{}".format(found.name, *found.version))
    return found


def find_interpreter(python: Optional[str], site_packages: bool, isolation: str) -> Interpreter:
    """Return the interpreter that a user asks for; this one is not asked what it is.

    Parameters
    ----------
    python
        A path, a name on the PATH, or None for this interpreter. In a container it is what the
        image calls it, and the launcher finds out the rest.
    site_packages
        Whether programs may import what is installed in its site-packages.
    isolation
        The rung asked for.

    Raises
    ------
    UsageError
        Where there is no such interpreter, or it cannot run programs.
    """
    if isolation == DOCKER:
        return Interpreter(python or sys.executable, ("site-packages",) if site_packages else ())
    if python is None and not site_packages:
        return Interpreter(sys.executable)
    found = probe(sys.executable if python is None else _which(python))
    return Interpreter(found.path, found.site_packages if site_packages else ())


def _which(python: str) -> str:
    path = command_path(python, Path.cwd())
    if os.sep in path:
        return path
    found = shutil.which(path)
    if found is None:
        raise _unfit(python, "there is no such command on the PATH")
    return str(Path.cwd() / found)


def _unfit(command: str, what: str) -> UsageError:
    return UsageError(f"{command} cannot run the programs: {what}", remedy=_REMEDY)
