"""How samples were read: which format was recognised, and what is odd about them."""

from __future__ import annotations

from pytest_codecollapse.report.text import printable
from pytest_codecollapse.samples import SamplesFile


def reading_lines(name: str, samples: SamplesFile) -> list[str]:
    """Say what was recognised in samples, and what is odd about them; a line each.

    Of samples in the native format, which are taken as they are, there is nothing to say. A note
    that begins with a place is not given a second one.
    """
    said = [each for each in (samples.description, *samples.notes) if each]
    return [printable(each if each.startswith(f"{name}:") else f"{name}: {each}") for each in said]
