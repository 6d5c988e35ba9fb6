"""Finding the candidates' interpreter and asking what it is: what is taken, what is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.sandbox import Interpreter, interpreter
from pytest_codecollapse.sandbox.interpreter import find_interpreter, probe

REMEDY = "name CPython 3.8 or newer by --python, --codecollapse-python or codecollapse_python"

SAID = {"path": "/its/own", "name": "CPython", "version": [3, 8, 0], "site_packages": ["/one"]}


def command(path: Path, script: str) -> str:
    """Write a shell script that stands in for an interpreter."""
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def says(file: Path, **changed: Any) -> str:
    """Write an interpreter that says this of itself."""
    return command(file, f"echo '{json.dumps({**SAID, **changed})}'")


def refusal(path: str) -> str:
    """Return why an interpreter is refused, without its name and the remedy."""
    with pytest.raises(UsageError) as caught:
        probe(path)
    start, end = f"{path} cannot run the programs: ", f"; {REMEDY}"
    text = str(caught.value)
    assert text.startswith(start)
    assert text.endswith(end)
    return text[len(start) : -len(end)]


def test_this_interpreter_says_what_it_is() -> None:
    """Its path, its version, and the folder that the packages of these tests are installed in."""
    found = probe(sys.executable)
    assert (found.path, found.name) == (sys.executable, "CPython")
    assert found.version == sys.version_info[:3]
    assert os.path.realpath(Path(pytest.__file__).parent.parent) in found.site_packages


@pytest.mark.parametrize("system", [False, True])
def test_a_virtual_environment_has_packages_of_its_own(tmp_path: Path, system: bool) -> None:
    """Its interpreter is not that of its base; the system's packages only where it has them."""
    flags = ["--system-site-packages"] if system else []
    base = os.path.realpath(sys.executable)
    subprocess.run([base, "-m", "venv", "--without-pip", *flags, tmp_path / "venv"], check=True)
    found = probe(str(tmp_path / "venv/bin/python"))
    assert found.path == str(tmp_path / "venv/bin/python")
    own = [path for path in found.site_packages if path.startswith(f"{tmp_path.resolve()}/")]
    assert len(own) == 1
    assert found.site_packages[0] == own[0]
    assert bool(set(probe(base).site_packages) & set(found.site_packages)) == system


def test_variables_of_the_environment_are_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PYTHONPATH and the like do not change what an interpreter says: programs have none."""
    (tmp_path / "json.py").write_text("raise SystemExit('mine')")
    expected = probe(sys.executable)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PYTHONSTARTUP", "/nowhere")
    assert probe(sys.executable) == expected


def test_the_oldest_python_is_taken(tmp_path: Path) -> None:
    """3.8 runs programs; the path is the one that the interpreter says is its own."""
    found = probe(says(tmp_path / "python"))
    assert (found.path, found.version, found.site_packages) == ("/its/own", (3, 8, 0), ("/one",))


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"version": [3, 7, 16]}, "it is CPython 3.7.16"),
        ({"version": [2, 7, 18]}, "it is CPython 2.7.18"),
        ({"name": "PyPy", "version": [3, 10, 1]}, "it is PyPy 3.10.1"),
    ],
)
def test_another_python_is_refused(tmp_path: Path, changed: dict[str, Any], what: str) -> None:
    """An older Python or another implementation is named with its version."""
    assert refusal(says(tmp_path / "python", **changed)) == what


@pytest.mark.parametrize(
    ("script", "what"),
    [
        ("echo hello", "it does not say what it is (exit status 0: hello)"),
        ("echo oops >&2; exit 3", "it does not say what it is (exit status 3: oops)"),
        ("exit 1", "it does not say what it is (exit status 1)"),
        ("echo '{\"path\": 1}'", 'it does not say what it is (exit status 0: {"path": 1})'),
    ],
)
def test_what_is_no_python_is_refused(tmp_path: Path, script: str, what: str) -> None:
    """The last thing that it said is in the message."""
    assert refusal(command(tmp_path / "python", script)) == what


def test_what_does_not_run_is_refused(tmp_path: Path) -> None:
    """A path that leads nowhere, or to a file that cannot be executed, says so."""
    assert refusal("/no/such/python") == "it does not run (No such file or directory)"
    plain = tmp_path / "python"
    plain.write_text("")
    assert refusal(str(plain)) == "it does not run (Permission denied)"


def test_one_that_does_not_answer_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wait for an interpreter is bounded."""
    monkeypatch.setattr(interpreter, "_LIMIT_S", 0.1)
    path = command(tmp_path / "python", "exec sleep 600")
    assert refusal(path) == "it does not answer within 0.1 s"


def test_this_interpreter_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody asks for another or for site-packages, nothing is started."""
    monkeypatch.setattr(interpreter, "probe", None)
    assert find_interpreter(None, False, "auto") == Interpreter(sys.executable)


def test_site_packages_are_those_of_the_interpreter(tmp_path: Path) -> None:
    """They are left out unless they are asked for."""
    path = says(tmp_path / "python")
    assert find_interpreter(path, False, "process") == Interpreter("/its/own")
    assert find_interpreter(path, True, "process") == Interpreter("/its/own", ("/one",))
    own = Interpreter(sys.executable, probe(sys.executable).site_packages)
    assert find_interpreter(None, True, "process") == own


def test_a_bare_name_is_looked_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is found on the PATH, or refused; a path is relative to the current folder."""
    says(tmp_path / "mypython", path="/on/the/path")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert find_interpreter("mypython", False, "auto") == Interpreter("/on/the/path")
    monkeypatch.chdir(tmp_path.parent)
    relative = f"{tmp_path.name}/mypython"
    assert find_interpreter(relative, False, "auto") == Interpreter("/on/the/path")
    with pytest.raises(UsageError) as caught:
        find_interpreter("python9", False, "auto")
    assert str(caught.value) == (
        f"python9 cannot run the programs: there is no such command on the PATH; {REMEDY}"
    )


def test_the_interpreter_of_an_image_is_left_to_the_launcher(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At docker nothing is looked up here; that site-packages are asked for is told."""
    monkeypatch.setattr(interpreter, "probe", None)
    assert find_interpreter("/opt/python", False, "docker") == Interpreter("/opt/python")
    assert find_interpreter(None, False, "docker") == Interpreter(sys.executable)
    assert find_interpreter("python9", True, "docker").site_packages
