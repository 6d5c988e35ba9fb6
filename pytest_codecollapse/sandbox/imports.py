"""Which modules a problem server should import before it forks: an optimisation, no more."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([A-Za-z_][\w.]*)[ \t]+import[ \t]+\(?|import[ \t]+)([^\n#;]+)",
    re.MULTILINE,
)
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")

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


def imported_modules(sources: Iterable[str]) -> tuple[list[str], list[str]]:
    """List the modules that any of the sources seems to import, sorted.

    Returns
    -------
    tuple
        The well-known ones, and the others with their submodules: ``from a import b`` may mean
        the module ``a.b``.
    """
    found = {name for source in sources for name in _imported(source)}
    tops = {name.partition(".")[0] for name in found}
    others = {name for name in found if name.partition(".")[0] not in WARM_MODULES}
    return sorted(tops & WARM_MODULES), sorted(others)


def _imported(source: str) -> Iterator[str]:
    for package, names in _IMPORT.findall(source):
        if package:
            yield package
        for part in names.split(","):
            name = _NAME.match(part.strip(" \t()"))
            if name:
                yield f"{package}.{name[0]}" if package else name[0]
