"""Measure how many truly different programs a code model samples, and gate on it.

The names listed in ``__all__`` are the public library. They are imported when first used, so that
``import pytest_codecollapse``, which pytest does at every start, costs nothing.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "CodecollapseError": "errors",
    "Comparison": "model",
    "ProblemReport": "model",
    "Report": "model",
    "Verdict": "model",
    "naive_pass_at_k": "stats",
    "mean_pass_at_k": "stats",
    "pass_at_k": "stats",
}

__all__ = ["__version__", *sorted(_HOMES)]


def __getattr__(name: str) -> Any:
    """Import a public name from its home when it is first asked for (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
