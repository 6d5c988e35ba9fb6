"""A program of our own run in the zygote, so that children find the interpreter run in.

CPython specialises code as it runs, by writing to it. What a server has run, its children need not
specialise again, each in a copy of its own of the memory that it lies in.
"""

import os
import sys
from typing import Any, Tuple

from .limits import Allowance
from .program import SOLUTION, make_outcome, run_untraced
from .snapshot import with_snapshots

_TIMES = 40
_NO_LIMIT = Allowance(0.0, 0.0, 0.0, 0)
_SOURCE = "def rehearsal(x):\n    return [x]\n"
_NUMBERS: Tuple[Any, ...] = (True, 1, -3, 1.5)
_OTHERS: Tuple[Any, ...] = (None, "text", [1, 2, 3], ["a", "b"], (1, "b"), {"a": 1}, {2, 3}, [])


def rehearse() -> None:
    """Run a program that returns the kinds of values that most programs return."""
    given = with_snapshots([(value,) for value in (*_NUMBERS, *_OTHERS)], by_value=False)
    outcome_of = make_outcome(by_value=False)
    nothing = os.open(os.devnull, os.O_WRONLY)
    for _ in range(_TIMES):
        calls = [(each, _NO_LIMIT) for each in given]
        run_untraced(["", _SOURCE], "rehearsal", calls, outcome_of, _NO_LIMIT, nothing)
    os.close(nothing)
    del sys.modules[SOLUTION]
