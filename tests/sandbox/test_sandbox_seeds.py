"""Two runs of every program: what differs between them, and why."""

from __future__ import annotations

from typing import Callable

import pytest

from pytest_codecollapse.model import Executions

Execute = Callable[..., Executions]


@pytest.mark.parametrize(
    "program",
    [
        "import random\ndef f(x): return random.random()",
        "import random\nrng = random.Random()\ndef f(x): return rng.random()",
        "import os\ndef f(x): return os.urandom(4)",
        "import time\ndef f(x): return time.time_ns()",
        "def f(x): return id(x) if x > 8 else hash(object())",
        "def f(x): return list({'a', 'b', 'c', 'd', 'e'})",
        "def f(x): return str({'a', 'b', 'c', 'd', 'e'})",
        "def f(x): return hash('text')",
        "import uuid\ndef f(x): return uuid.uuid4().hex",
    ],
)
def test_what_differs_from_run_to_run_is_nondeterministic(execute: Execute, program: str) -> None:
    """Unseeded random, time, addresses and the order of a set are caught."""
    found = execute(program).candidates[0]
    assert found.nondeterministic
    assert not found.order_dependent


@pytest.mark.parametrize(
    "program",
    [
        "import random\ndef f(x): return random.Random(x).random()",
        "import random\ndef f(x):\n    random.seed(x)\n    return random.random()",
        "def f(x): return sorted({'a', 'b', 'c'})",
        "def f(x): return {'b': 1, 'a': 2}",
        "def f(x): return {'a', 'b', 'c'}",
        "def f(x): return object()",
        "def f(x): return (lambda: x)",
    ],
)
def test_what_is_the_same_in_every_run_is_steady(execute: Execute, program: str) -> None:
    """Seeded random, a sorted or a returned set, and an object's address are no difference."""
    found = execute(program).candidates[0]
    assert not found.nondeterministic
    assert not found.order_dependent


@pytest.mark.parametrize(
    "program",
    [
        "def f(x, seen=[]):\n    seen.append(x)\n    return list(seen)",
        "count = 0\ndef f(x):\n    global count\n    count += 1\n    return count",
        "import functools\ncalls = iter(range(100))\ndef f(x): return next(calls)",
        "def f(x):\n    f.n = getattr(f, 'n', 0) + 1\n    return f.n",
    ],
)
def test_state_kept_between_calls_is_order_dependent(execute: Execute, program: str) -> None:
    """A mutable default or a global is order dependence, not nondeterminism."""
    found = execute(program).candidates[0]
    assert found.order_dependent
    assert not found.nondeterministic


def test_the_fingerprint_is_that_of_seed_one_in_order(execute: Execute) -> None:
    """Whatever is flagged, the tokens are those of the first run."""
    counting = "calls = iter(range(100))\ndef f(x): return next(calls)"
    done = execute(counting)
    assert done.candidates[0].tokens == done.reference.tokens


def test_a_cache_is_not_order_dependence(execute: Execute) -> None:
    """State that never changes a result is none."""
    program = "import functools\n@functools.lru_cache(None)\ndef f(x): return x"
    found = execute(program).candidates[0]
    assert not found.order_dependent
