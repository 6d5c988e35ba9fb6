"""What programs seem to import: found in their sources, without running them."""

from __future__ import annotations

import pytest

from pytest_codecollapse.sandbox.imports import imported_modules


@pytest.mark.parametrize(
    ("source", "known", "others"),
    [
        ("import math", ["math"], []),
        ("import os, math as m", ["math", "os"], []),
        ("import os.path", ["os"], []),
        ("from collections import deque", ["collections"], []),
        ("import numpy as np", [], ["numpy"]),
        ("import math, numpy.linalg as la; print()", ["math"], ["numpy.linalg"]),
        ("from scipy import stats, optimize as o", [], ["scipy", "scipy.optimize", "scipy.stats"]),
        ("from a.b import (c, d)  # import e", [], ["a.b", "a.b.c", "a.b.d"]),
        ("from numpy import *", [], ["numpy"]),
        ("def f(x):\n\timport numpy\n\treturn x", [], ["numpy"]),
        ("text = 'import numpy'", [], []),
        ("from . import sibling", [], []),
        ("important = 1\nfromage = 2", [], []),
        ("import", [], []),
    ],
)
def test_what_a_source_imports(source: str, known: list[str], others: list[str]) -> None:
    """The well-known modules by their top, the others by every name that may be a module."""
    assert imported_modules([source]) == (known, others)


def test_sources_are_taken_together() -> None:
    """A module that several sources import is listed once, in order."""
    sources = ["import re\nimport b", "import b, a", "import math"]
    assert imported_modules(sources) == (["math", "re"], ["a", "b"])
