"""The other interpreters of this machine that can run programs."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.sandbox.interpreter import Probed, probe

Version = tuple[int, int]

_NEWEST_MINOR = 30


@cache
def other_pythons() -> dict[Version, Probed]:
    """Return one interpreter of each minor version but this one's, by version, oldest first."""
    found: dict[Version, Probed] = {}
    for path in _paths():
        try:
            python = probe(path)
        except UsageError:
            continue
        if python.version[:2] != sys.version_info[:2]:
            found.setdefault(python.version[:2], python)
    return dict(sorted(found.items()))


def python_of(version: Version) -> Probed:
    """Return an interpreter of a minor version, or skip."""
    if version not in other_pythons():
        pytest.skip("there is no Python {}.{} on this machine beside this one".format(*version))
    return other_pythons()[version]


def another_python() -> Probed:
    """Return an interpreter of another minor version, or skip."""
    for python in other_pythons().values():
        return python
    pytest.skip("there is no Python of another minor version on this machine")


def _paths() -> Iterator[str]:
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    yield from map(str, sorted(versions.glob("3.*/bin/python")))
    for number in range(8, _NEWEST_MINOR):
        path = shutil.which(f"python3.{number}")
        if path is not None:
            yield path
