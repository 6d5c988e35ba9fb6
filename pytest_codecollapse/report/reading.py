"""How samples were read: which format was recognised, and what is odd about them."""

from __future__ import annotations

from pytest_codecollapse.report.text import printable
from pytest_codecollapse.samples import SamplesFile


def reading_lines(name: str, samples: SamplesFile) -> list[str]:
    """Say what was recognised in samples, and what is odd about them; a line each.

    Of samples in the native format, which are taken as they are, there is nothing to say.
    """
    said = (samples.description, *samples.notes)
    return [printable(f"{name}: {each}") for each in said if each]
