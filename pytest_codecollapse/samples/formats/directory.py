"""EvalPlus' directory of samples: ``HumanEval_0/0.py``, ``HumanEval_0/1.py`` and so on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Union

from pytest_codecollapse.errors import SamplesError, Where
from pytest_codecollapse.samples.benchmarks import Benchmark
from pytest_codecollapse.samples.formats.row import Row
from pytest_codecollapse.samples.formats.unknown import UnknownTasks
from pytest_codecollapse.samples.jsonline import fault

_DIGITS = re.compile(r"([0-9]+)")


def is_directory_of_samples(path: Path) -> bool:
    """Whether a path is a directory of directories of programs."""
    try:
        return path.is_dir() and any(_programs(folder) for folder in _folders(path))
    except (OSError, ValueError):
        return False


def directory_rows(path: Path, shown_as: str, benchmark: Benchmark) -> Iterator[Row]:
    """Read a directory; problems and programs in the order of the numbers in their names.

    Raises
    ------
    SamplesError
        Where a file cannot be read, or a directory of programs is not of the benchmark.
    """
    tasks = UnknownTasks(benchmark)
    for number, folder in enumerate(_folders(path), 1):
        place = Where(f"{shown_as}/{folder.name}")
        files = _programs(folder)
        if not files:
            what, got = "the directory holds no programs", "no .py file"
            remedy = "remove it, or sample the problem again"
            raise fault(place, what, got=got, expected="0.py, 1.py, …", remedy=remedy)
        known = benchmark.find(folder.name)
        if known is None:
            tasks.missed(folder.name, place, "directory's name")
            continue
        tasks.found(folder.name)
        texts = tuple(_text(file, Where(f"{place.path}/{file.name}")) for file in files)
        yield Row(number, known.problem_id, texts, "program")
    tasks.refuse()


def _folders(path: Path) -> list[Path]:
    """Return the folders, but for hidden ones and those of Python's cache."""
    folders = [each for each in path.iterdir() if each.is_dir() and each.name[0] not in "._"]
    return sorted(folders, key=_natural)


def _programs(folder: Path) -> list[Path]:
    return sorted((each for each in folder.glob("*.py") if each.is_file()), key=_natural)


def _natural(path: Path) -> list[tuple[int, Union[int, str]]]:
    parts = _DIGITS.split(path.name)
    return [(1, part) if at % 2 == 0 else (0, int(part)) for at, part in enumerate(parts)]


def _text(path: Path, where: Where) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SamplesError(
            f"the program cannot be read (got {str(error)!r}, expected UTF-8)",
            where=where,
            remedy="correct or remove it",
        ) from error
