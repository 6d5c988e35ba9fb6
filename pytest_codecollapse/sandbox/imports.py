"""Which modules a problem server should import before it forks: an optimisation, no more."""

from __future__ import annotations

import re
from collections.abc import Iterable

_IMPORT = re.compile(r"^[ \t]*(?:from|import)[ \t]+([A-Za-z_]\w*)", re.MULTILINE)

#: Modules that importing does nothing but define; programs import any other by themselves.
# fmt: off
WARM_MODULES = frozenset(
    (
        "abc", "array", "ast", "bisect", "calendar", "cmath", "collections", "contextlib", "copy",
        "dataclasses", "datetime", "decimal", "enum", "fractions", "functools", "hashlib",
        "heapq", "inspect", "io", "itertools", "json", "keyword", "math", "numbers", "operator",
        "os", "queue", "random", "re", "statistics", "string", "struct", "sys", "textwrap",
        "threading", "time", "traceback", "types", "typing", "unicodedata", "uuid", "warnings",
    )
)
# fmt: on


def imported_modules(sources: Iterable[str]) -> list[str]:
    """List the well-known modules that any of the sources seems to import, sorted."""
    found = {name for source in sources for name in _IMPORT.findall(source)}
    return sorted(found & WARM_MODULES)
