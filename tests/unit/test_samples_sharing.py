"""Converted samples for other processes: copied once, opened with all that is known of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codecollapse.samples import SamplesFile, SharedSamples, open_records, open_shared

PATH = Path("/samples.jsonl")
WIDE = "zwei/ß/\U0001f40d"


def record(problem_id: str) -> dict[str, object]:
    """Return a problem with one candidate."""
    program = "def f(x): return x"
    return {
        "problem_id": problem_id,
        "entry_point": "f",
        "candidates": [program],
        "reference": program,
        "inputs": [[1]],
    }


def converted() -> SamplesFile:
    """Return samples of two problems, the second at line 7."""
    return open_records(PATH, [(3, record("one")), (7, record(WIDE))], shown_as="here.jsonl")


def test_another_process_has_what_was_converted() -> None:
    """Problems, lines and ids are the same ones, and messages name the file as it is told to."""
    with converted() as samples, SharedSamples() as shared:
        ticket = shared.ticket(samples)
        with open_shared(ticket, PATH, shown_as="there.jsonl") as other:
            assert other.entries == samples.entries
            assert (other.path, other.is_converted) == (PATH, True)
            assert [problem.problem_id for problem in other.problems()] == ["one", WIDE]
            assert str(other.read(other.entries[1]).where).startswith("there.jsonl:7")
            assert [each.candidates for each in other.problems()] == [
                each.candidates for each in samples.problems()
            ]


def test_what_is_said_of_samples_goes_with_them(tmp_path: Path) -> None:
    """Description, notes and how programs were got are those of the conversion."""
    file = (tmp_path / "native").open("w+b")
    samples = SamplesFile(
        *(PATH, file, (), "here.jsonl"), description="of a tool", notes=("odd",), extract="none"
    )
    with samples, SharedSamples() as shared:
        other = open_shared(shared.ticket(samples), PATH, shown_as="here.jsonl")
        with other:
            assert (other.description, other.notes) == ("of a tool", ("odd",))
            assert other.extract == "none"


def test_a_copy_is_made_once_and_is_gone_in_the_end() -> None:
    """Every process gets the same ticket; who has opened it reads on, who comes late cannot."""
    with converted() as samples:
        with SharedSamples() as shared:
            ticket = shared.ticket(samples)
            assert shared.ticket(samples) == ticket
            early = open_shared(ticket, PATH, shown_as="here.jsonl")
        with early:
            assert early.read(early.entries[0]).problem_id == "one"
        with pytest.raises(OSError, match="No such file"):
            open_shared(ticket, PATH, shown_as="here.jsonl")


def test_what_is_read_from_its_own_file_is_not_converted(tmp_path: Path) -> None:
    """Native samples are opened again faster than copied."""
    with converted() as samples:
        assert samples.is_converted
        samples.copy_to(tmp_path / "native.jsonl")
    with SamplesFile.open(tmp_path / "native.jsonl") as native:
        assert not native.is_converted
        assert [entry.problem_id for entry in native.entries] == ["one", WIDE]
