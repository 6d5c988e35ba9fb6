"""The rungs that need nothing but the kernel: process, confined, namespaces; and auto."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from rung_runs import USERS, measure, measure_as, public_folder
from sandbox_problems import make_problem

from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.model import Execution, Settings
from pytest_codecollapse.sandbox import Interpreter, LocalEngine
from pytest_codecollapse.sandbox.child import landlock, libc, syscalls

LADDER = ("namespaces", "confined", "process")
SANDBOX = Path(libc.__file__).parent.parent
LANDLOCK_CREATE_RULESET = 444

needs_everything = pytest.mark.skipif(
    not landlock.abi(), reason="there is nothing to take away: the kernel has no Landlock"
)

UNSHARE = ("unshare", "--user", "--pid", "--net", "--ipc", "--uts", "--mount", "--fork", "true")

#: An interpreter under a filter that answers a system call by an error.
WITHOUT_A_CALL = """
import os, struct, sys
sys.path.append({sandbox!r})
from child import libc, seccomp
code = (0x20, 0, 0, 0), (0x15, 0, 1, {number}), (0x06, 0, 0, {answer}), (0x06, 0, 0, {allow})
libc.set_no_new_privs()
seccomp.Filter(b"".join(struct.pack("=HBBI", *each) for each in code), []).install(os.getpid())
os.execv({python!r}, [{python!r}, *sys.argv[1:]])
"""
REFUSED, UNKNOWN = 0x00050001, 0x00050026  # EPERM, ENOSYS


def lack(rung: str, user: int) -> str:
    """Say why a rung is not to be had by a user on this machine, without asking the sandbox."""
    if rung == "process":
        return ""
    if not landlock.abi():
        return "the kernel has no Landlock"
    if rung == "confined":
        return ""
    if shutil.which("unshare") is None:
        return "there is no unshare, to see if there are user namespaces"
    done = subprocess.run(
        UNSHARE, user=user, group=user, extra_groups=[], capture_output=True, text=True, check=False
    )
    return done.stderr.strip() if done.returncode else ""


def interpreter_without(folder: Path, number: int, answer: int) -> Interpreter:
    """Make an interpreter that cannot make a system call, as on a machine that has it not."""
    helper, python = folder / "helper.py", folder / "python"
    allow = 0x7FFF0000
    helper.write_text(
        WITHOUT_A_CALL.format(
            sandbox=str(SANDBOX), number=number, answer=answer, allow=allow, python=sys.executable
        )
    )
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -s "{helper}" "$@"\n')
    python.chmod(0o755)
    return Interpreter(str(python))


@pytest.fixture
def public() -> Iterator[Path]:
    """Give a folder that every user reaches."""
    with public_folder() as folder:
        yield folder


@pytest.fixture(scope="module")
def baseline() -> dict[str, Execution]:
    """Return what comes of the corpus at the lowest rung, as whoever runs the tests."""
    with LocalEngine(1, "process") as engine:
        return measure(engine)


def test_the_corpus_is_what_it_says(baseline: dict[str, Execution]) -> None:
    """Its programs differ in the ways that they are named after, so that rungs can be compared."""
    right = baseline["the reference"].tokens
    assert len(set(right)) == 4
    for name, token in [
        ("exception", "exc:ZeroDivisionError"),
        ("own exception", "exc:Mine"),
        ("too much memory", "exc:MemoryError"),
        ("endless loop", "TIMEOUT"),
        ("process ends", "CRASH"),
        ("segmentation fault", "CRASH"),
        ("syntax error", "load:SyntaxError"),
        ("input", "exc:EOFError"),
    ]:
        assert baseline[name] == Execution(tokens=(token,) * 4), name
    assert baseline["asyncio"].tokens == right
    flagged = {name for name, each in baseline.items() if each.nondeterministic}
    assert flagged == {"unseeded", "order of a set"}
    assert {name for name, each in baseline.items() if each.order_dependent} == {"state"}


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("rung", LADDER)
def test_every_rung_measures_the_same_for_every_user(
    rung: str, user: int, public: Path, baseline: dict[str, Execution]
) -> None:
    """A rung asked for by name is in force, and changes nothing about an honest program."""
    why = lack(rung, user)
    if why:
        pytest.skip(why)
    seen = measure_as(user, rung, public)
    assert seen.refusal == ""
    assert seen.environment is not None
    assert seen.environment.isolation == rung
    assert seen.executions == baseline


@pytest.mark.parametrize("user", USERS)
def test_auto_takes_the_highest_rung(user: int, public: Path) -> None:
    """It is the first that this machine has for this user."""
    seen = measure_as(user, "auto", public)
    assert seen.environment is not None
    assert seen.environment.isolation == next(rung for rung in LADDER if not lack(rung, user))


NO_LANDLOCK = 'the kernel has no Landlock (Linux 5.13, and "landlock" in its lsm= list)'


@needs_everything
@pytest.mark.parametrize("rung", ["confined", "namespaces"])
def test_a_kernel_without_landlock_is_refused(rung: str, tmp_path: Path) -> None:
    """Whoever asks for a rung gets it, or is told what is missing."""
    python = interpreter_without(tmp_path, LANDLOCK_CREATE_RULESET, UNKNOWN)
    with LocalEngine(1, rung, python) as engine, pytest.raises(UsageError) as error:
        assert engine.environment.isolation != rung
    assert str(error.value) == (
        f"isolation {rung} is not to be had here: {NO_LANDLOCK};"
        " ask for a lower rung, or for auto, which takes the highest that is"
    )


@needs_everything
def test_auto_goes_down_to_process(tmp_path: Path) -> None:
    """It says what the rungs above lack, and measures."""
    python = interpreter_without(tmp_path, LANDLOCK_CREATE_RULESET, UNKNOWN)
    with LocalEngine(1, "auto", python) as engine:
        assert engine.environment.isolation == "process"
        assert engine.missing == {"namespaces": NO_LANDLOCK, "confined": NO_LANDLOCK}
        done = engine.submit(
            make_problem("def f(x): return x"), Settings(), lambda count: None
        ).result()
        assert done.candidates[0].tokens == done.reference.tokens


@needs_everything
def test_a_machine_without_user_namespaces_has_confined(tmp_path: Path) -> None:
    """It is what auto takes, and namespaces asked for by name are refused with the reason."""
    number = syscalls.number("unshare", libc.architecture())
    assert number is not None
    python = interpreter_without(tmp_path, number, REFUSED)
    why = "making user namespaces failed (Operation not permitted)"
    with LocalEngine(1, "auto", python) as engine:
        assert engine.environment.isolation == "confined"
        assert engine.missing == {"namespaces": why}
    with LocalEngine(1, "namespaces", python) as engine, pytest.raises(UsageError) as error:
        assert engine.environment.isolation == ""
    assert str(error.value) == (
        f"isolation namespaces is not to be had here: {why};"
        " ask for a lower rung, or for auto, which takes the highest that is"
    )


def test_a_word_that_is_no_rung_is_refused() -> None:
    """The error lists the ones there are."""
    with pytest.raises(UsageError) as error:
        LocalEngine(1, "chroot")
    assert str(error.value) == (
        "isolation 'chroot': expected auto, process, confined, namespaces, bwrap, docker"
    )


@pytest.mark.parametrize("rung", ["auto", "process", "confined", "namespaces", "bwrap"])
def test_an_image_is_for_docker_alone(rung: str) -> None:
    """Whoever names one believes that it is used."""
    with pytest.raises(UsageError) as error:
        LocalEngine(1, rung, image="python:3.13-slim")
    assert str(error.value) == (
        f"isolation {rung} takes no image; ask for isolation docker as well"
    )


def test_a_python_that_is_too_old_says_so() -> None:
    """It is asked before it meets code that it cannot read."""
    arguments = Interpreter("python").arguments("/no/such/folder")
    boot = arguments[arguments.index("-c") + 1]
    old = f"import sys; sys.version_info = (3, 7, 17); {boot}"
    done = subprocess.run([sys.executable, "-c", old], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.strip() == "Python 3.7 is too old: 3.8 or newer can run programs"
