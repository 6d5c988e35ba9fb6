"""Hosts without space, descriptors or processes to spare: right results, or an error that says so.

A program that writes to a full disk is told so by the system, as it would be elsewhere.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sandbox_faults import (
    RUNGS,
    becomes_true,
    engine_below,
    innocent_problem,
    nothing_is_left,
    run,
    run_host,
    skip_without,
)
from sandbox_problems import make_problem

from pytest_codecollapse.sandbox.launch import WORKER

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")

#: A user that nobody is, so that all processes of that user are this test's.
USER = 61234


@pytest.fixture(params=RUNGS)
def rung(request: pytest.FixtureRequest) -> str:
    """Give each rung that is to be had."""
    name: str = request.param
    skip_without(name)
    return name


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a file system with room for two files and 64 KiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    options = ["-t", "tmpfs", "-o", "size=64k,nr_inodes=3,mode=1777", "tmpfs", str(folder)]
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small file system")
    mounted = subprocess.run(["mount", *options], capture_output=True, text=True, check=False)
    if mounted.returncode != 0:
        pytest.skip(f"no small file system can be mounted here: {mounted.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_without_room_for_a_scratch_directory_there_is_an_error(disk: Path, rung: str) -> None:
    """The first zygote has its directory, the second has none; when there is room, all is well."""
    (disk / "in the way").touch()
    with engine_below(disk, rung) as engine:
        said = run(engine, innocent_problem())
        assert said.startswith("SandboxError: ")
        assert "[Errno 28] No space left on device" in said
        (disk / "in the way").unlink()
        assert run(engine, innocent_problem()).startswith('{"reference"')
    assert becomes_true(lambda: nothing_is_left(disk))


def test_a_full_disk_is_the_business_of_the_program_that_writes(disk: Path) -> None:
    """It gets ENOSPC at the rung that has no scratch file system of its own; others run."""
    writer = """
def f(x):
    try:
        with open('file', 'wb') as file:
            file.write(bytes(1 << 17))
    except OSError as error:
        return error.errno
"""
    with engine_below(disk, "process") as engine:
        fails = run(engine, make_problem(writer, reference="def f(x): return 28"))
        assert fails.count('"tokens":') == 2
        reference, candidate = fails.split('"candidates"')
        assert candidate.split("]")[0].split("[")[-1] == reference.split("]")[0].split("[")[-1]
        assert run(engine, innocent_problem()).startswith('{"reference"')
    assert becomes_true(lambda: nothing_is_left(disk))


def test_a_host_that_may_open_no_more_files_says_so(tmp_path: Path, rung: str) -> None:
    """With room for 0, 1, 2, ... descriptors it is an error or all right, and none is lost."""
    right, *found = run_host("few_descriptors", rung, 17, folder=tmp_path)
    assert right.startswith('{"reference"')
    wrong = [each for each in found if each != right]
    assert found == wrong + [right] * (len(found) - len(wrong))  # first too few, then enough
    assert 4 < len(wrong) < len(found)
    for each in wrong:
        assert each.startswith("SandboxError: ")
        assert "[Errno 24] Too many open files" in each
    assert becomes_true(lambda: nothing_is_left(tmp_path))


def test_a_host_that_may_fork_no_more_says_so(tmp_path: Path, rung: str) -> None:
    """With 1, 2, 3, ... processes allowed it is an error or all right, whatever lacks one."""
    if os.geteuid() != 0:
        pytest.skip("only root can become a user without other processes")
    python = shutil.which("python3", path="/usr/bin:/usr/local/bin")
    if python is None:
        pytest.skip("there is no Python that every user may run")
    for folder in (tmp_path, *list(tmp_path.parents)[:-2]):
        folder.chmod(0o777 if folder == tmp_path else 0o755)
    readable = [
        "setpriv",
        f"--reuid={USER}",
        "--clear-groups",
        "test",
        "-r",
        str(WORKER / "run.py"),
    ]
    if shutil.which("setpriv") is None or subprocess.run(readable, check=False).returncode != 0:
        pytest.skip("the package is in a folder that not every user may read")
    right, *found = run_host("few_processes", rung, 12, USER, python, folder=tmp_path)
    assert right.startswith('{"reference"')
    wrong = [each for each in found if each != right]
    assert found == wrong + [right] * (len(found) - len(wrong))  # first too few, then enough
    assert 4 < len(wrong) < len(found)
    for each in wrong:
        assert each.startswith(("SandboxError: ", "UsageError: isolation namespaces"))
        assert "Resource temporarily unavailable" in each or "start new thread" in each
    assert becomes_true(lambda: nothing_is_left(tmp_path))
