"""Finds what the rungs bwrap and docker need, for the tests that start them for real.

``.ci/containers`` installs it and names the image in ``CODECOLLAPSE_TEST_IMAGE``. Where that is
set, whatever is missing fails the test; elsewhere the test is skipped with the reason.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import NamedTuple, NoReturn

import pytest

from pytest_codecollapse.sandbox import Interpreter, LocalEngine

IMAGE_VARIABLE = "CODECOLLAPSE_TEST_IMAGE"
_REMEDY = "run the tests by .ci/containers PYTHON PYTHON -m pytest, as root on Debian"


def bwrap() -> str:
    """Return the path of a bubblewrap that can make a sandbox on this machine."""
    path = shutil.which("bwrap")
    if path is None:
        _miss("there is no bwrap on the PATH")
    _run([path, "--unshare-all", "--ro-bind", "/", "/", "true"])
    return path


def docker_image() -> str:
    """Return the name of an image with Python in it that a container engine has."""
    image = os.environ.get(IMAGE_VARIABLE)
    if not image:
        _miss(f"{IMAGE_VARIABLE} names no image with Python in it")
    if shutil.which("docker") is None:
        _miss("there is no docker on the PATH")
    _run(["docker", "image", "inspect", "--format", "{{.Id}}", image])
    return image


def containers() -> list[str]:
    """Return the names of the engine's containers, the stopped ones too, in order."""
    return sorted(docker_says("ps", "--all", "--format", "{{.Names}}").split())


def docker_says(*arguments: str) -> str:
    """Return what a docker command prints."""
    return _run(["docker", *arguments]).strip()


class Rung(NamedTuple):
    """What to ask for."""

    name: str
    image: str

    def engine(self, interpreter: Interpreter | None = None) -> LocalEngine:
        """Make an engine of one lane."""
        return LocalEngine(1, self.name, interpreter, self.image)

    def containers(self) -> list[str]:
        """List the containers that there are, where the rung makes any."""
        return containers() if self.name == "docker" else []


def bwrap_rung() -> Rung:
    """Return the rung bwrap, or skip the test."""
    bwrap()
    return Rung("bwrap", "")


def docker_rung() -> Rung:
    """Return the rung docker, or skip the test."""
    return Rung("docker", docker_image())


def _run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        _miss(f"{' '.join(command)} fails here: {done.stderr.strip()}")
    return done.stdout


def _miss(what: str) -> NoReturn:
    message = f"{what}; {_REMEDY}"
    if os.environ.get(IMAGE_VARIABLE):
        pytest.fail(message)
    pytest.skip(message)
