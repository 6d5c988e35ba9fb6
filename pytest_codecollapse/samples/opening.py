"""Opening a samples file of whatever format, told by its content."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Optional

from pytest_codecollapse.samples.reader import SamplesFile


def open_samples(
    path: Path,
    *,
    problems: Optional[str] = None,
    extract: Literal["auto", "none"] = "auto",
    shown_as: Optional[str] = None,
) -> SamplesFile:
    """Open samples in any format that is known, and check them whole.

    Parameters
    ----------
    path
        The samples: a file, or a directory of EvalPlus.
    problems
        The problems that they are of: a path, or the name of an installed package; None where the
        samples say it themselves.
    extract
        ``auto`` finds the program in each text, ``none`` takes texts as their format has it.
    shown_as
        The path as messages name it.

    Raises
    ------
    SamplesError
        Where the samples or the problems cannot be read, or do not go together.
    """
    return SamplesFile.open(path, shown_as=shown_as)
