from __future__ import annotations

import bz2
import errno
import gzip
import io
import json
import lzma
import os
import tracemalloc
from pathlib import Path
from typing import Any, NoReturn, Optional

import pytest

from pytest_codecollapse.errors import SamplesError, Where
from pytest_codecollapse.samples import Entry, SamplesFile


def line(
    problem_id: str, *, candidates: int = 1, sources: Optional[list[str]] = None, **fields: Any
) -> bytes:
    """Return a line, valid if it has candidates."""
    problem = {
        "problem_id": problem_id,
        "entry_point": "f",
        "candidates": sources or [f"def f(x): return x + {index}" for index in range(candidates)],
        "reference": "def f(x): return x",
        "inputs": [[1]],
        **fields,
    }
    return json.dumps(problem).encode() + b"\n"


def write(path: Path, *lines: bytes) -> Path:
    """Write a plain samples file."""
    path.write_bytes(b"".join(lines))
    return path


def refusal(path: Path) -> str:
    """Return the message with which a file is refused, shown as a.jsonl."""
    with pytest.raises(SamplesError) as caught:
        SamplesFile.open(path, shown_as="a.jsonl")
    return str(caught.value)


def test_the_index_says_where_each_problem_stands(tmp_path: Path) -> None:
    """Lines count from 1, offsets in bytes from 0, in file order."""
    first, second = line("b", candidates=2), line("a", prompt="é")
    with SamplesFile.open(write(tmp_path / "a.jsonl", first, second)) as samples:
        assert samples.path == tmp_path / "a.jsonl"
        assert [(e.problem_id, e.line, e.offset, e.candidates) for e in samples.entries] == [
            ("b", 1, 0, 2),
            ("a", 2, len(first), 1),
        ]


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.txt"])
@pytest.mark.parametrize("zipped", [False, True])
def test_content_tells_whether_a_file_is_gzipped(tmp_path: Path, name: str, zipped: bool) -> None:
    """Whatever a file is called, plain and gzipped content give the same problems."""
    content = line("p") + line("q", candidates=3)
    (tmp_path / name).write_bytes(gzip.compress(content) if zipped else content)
    with SamplesFile.open(tmp_path / name, shown_as="a.jsonl") as samples:
        problems = list(samples.problems())
    assert [problem.problem_id for problem in problems] == ["p", "q"]
    assert [problem.where for problem in problems] == [
        Where("a.jsonl", 1, "p"),
        Where("a.jsonl", 2, "q"),
    ]
    assert problems[1].candidates[2] == "def f(x): return x + 2"


def test_joined_gzip_files_are_read_as_one(tmp_path: Path) -> None:
    """Gzip files may be concatenated, as cat does."""
    path = write(tmp_path / "a.gz", gzip.compress(line("p")), gzip.compress(line("q")))
    with SamplesFile.open(path) as samples:
        assert [problem.problem_id for problem in samples.problems()] == ["p", "q"]


@pytest.mark.parametrize("zipped", [False, True])
def test_problems_are_read_in_any_order(tmp_path: Path, zipped: bool) -> None:
    """An entry gives its problem, whatever was read before."""
    content = b"".join(line(str(index)) for index in range(50))
    path = write(tmp_path / "a.jsonl", gzip.compress(content) if zipped else content)
    with SamplesFile.open(path) as samples:
        for index in (49, 0, 20, 20, 3):
            assert samples.read(samples.entries[index]).problem_id == str(index)


class CountingFile(io.FileIO):
    """A file that counts the bytes that are read from it."""

    count = 0

    def read(self, size: Optional[int] = -1, /) -> bytes:
        """Read, and count."""
        data = super().read(-1 if size is None else size) or b""
        self.count += len(data)
        return data


def test_reading_forward_unzips_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scanning a gzipped file unzips it once, and reading all its problems once more."""
    content = b"".join(line(str(index), prompt=os.urandom(20_000).hex()) for index in range(50))
    path = write(tmp_path / "a.jsonl.gz", gzip.compress(content))
    with CountingFile(path) as file:
        monkeypatch.setattr(gzip, "open", lambda path: gzip.GzipFile(fileobj=file))
        with SamplesFile.open(path) as samples:
            assert len(list(samples.problems())) == 50
        assert 2 * path.stat().st_size <= file.count < 2.5 * path.stat().st_size


def test_problems_are_read_when_asked_for(tmp_path: Path) -> None:
    """Iterating reads no further than it is asked to."""
    path = write(tmp_path / "a.jsonl", line("p"), line("q", prompt="x" * 1_000_000))
    with SamplesFile.open(path) as samples:
        problems = samples.problems()
        assert next(problems).problem_id == "p"
        write(path, line("p"), line("r"))
        with pytest.raises(SamplesError, match="the file has changed"):
            next(problems)


def test_closing_closes_the_file(tmp_path: Path) -> None:
    """After the with block nothing is read, and the index is still there."""
    with SamplesFile.open(write(tmp_path / "a.jsonl", line("p"))) as samples:
        pass
    with pytest.raises(ValueError, match="closed"):
        samples.read(samples.entries[0])
    assert len(samples.entries) == 1


@pytest.mark.parametrize(
    "change",
    [
        line("r"),
        line("p", reference="def f(x): return y"),
        line("o") + line("p"),
        b"x" * 1000,
        b"",
    ],
    ids=["another id", "another reference", "moved", "no JSON", "emptied"],
)
def test_a_file_that_changes_is_refused_and_not_misread(tmp_path: Path, change: bytes) -> None:
    """A line that is not the one that was scanned is an error, even under the same id."""
    path = write(tmp_path / "a.jsonl", line("p"))
    with SamplesFile.open(path, shown_as="a.jsonl") as samples:
        write(path, change)
        with pytest.raises(SamplesError) as caught:
            samples.read(samples.entries[0])
    assert str(caught.value) == (
        "a.jsonl:1: problem 'p': the file has changed since it was opened "
        "(got another line at this place, expected the one read then); "
        "start again, and leave the file alone while it is measured"
    )


def test_a_gzip_file_that_changes_is_refused(tmp_path: Path) -> None:
    """A gzipped file that is overwritten, even with no gzip, is an error like any change."""
    path = write(tmp_path / "a.jsonl", gzip.compress(line("p") + line("q")))
    with SamplesFile.open(path) as samples:
        write(path, b"no gzip at all" * 10)
        with pytest.raises(SamplesError, match="the file has changed since it was opened"):
            samples.read(samples.entries[1])


def test_a_file_that_is_replaced_is_still_read(tmp_path: Path) -> None:
    """The open file is read to its end though its name is given to another."""
    path = write(tmp_path / "a.jsonl", line("p"))
    with SamplesFile.open(path) as samples:
        os.replace(write(tmp_path / "b.jsonl", line("q")), path)  # noqa: PTH105
        assert samples.read(samples.entries[0]).problem_id == "p"


def test_a_repeated_id_is_refused(tmp_path: Path) -> None:
    """The error stands at the second line and names the first."""
    path = write(tmp_path / "a.jsonl", line("p"), line("q"), line("p"))
    assert refusal(path) == (
        "a.jsonl:3: problem 'p': problem_id is taken "
        "(got the one of line 1, expected one that no line above has); "
        "give each problem an id of its own"
    )


def test_a_malformed_line_is_refused_by_its_number(tmp_path: Path) -> None:
    """The lines above count, blank ones among them."""
    path = write(tmp_path / "a.jsonl", line("p"), line("q", candidates=0))
    assert refusal(path) == (
        "a.jsonl:2: problem 'q': candidates is empty (got [], expected at least one item); "
        "give the sampled programs as a list of sources"
    )


@pytest.mark.parametrize("content", [b"", gzip.compress(b"")], ids=["plain", "gzipped"])
def test_an_empty_file_is_refused(tmp_path: Path, content: bytes) -> None:
    """A file without problems is no samples file."""
    assert refusal(write(tmp_path / "a.jsonl", content)) == (
        "a.jsonl:1: the file is empty (got 0 lines, expected one JSON object per problem); "
        "check what wrote it"
    )


@pytest.mark.parametrize(
    ("lines", "number"),
    [([b"\n"], 1), ([line("p"), b"\n", line("q")], 2), ([line("p"), b"\n"], 2)],
    ids=["alone", "in the middle", "at the end"],
)
def test_a_blank_line_is_refused(tmp_path: Path, lines: list[bytes], number: int) -> None:
    """One newline ends a line; another is a line of its own, with no problem."""
    assert refusal(write(tmp_path / "a.jsonl", *lines)) == (
        f"a.jsonl:{number}: the line is blank (got nothing, expected a JSON object); "
        "remove the line"
    )


def test_a_byte_order_mark_is_refused_wherever_files_were_joined(tmp_path: Path) -> None:
    """A BOM at the beginning of a later line has the same message."""
    path = write(tmp_path / "a.jsonl", line("p"), b"\xef\xbb\xbf" + line("q"))
    assert refusal(path) == (
        "a.jsonl:2: the line begins with a byte order mark (got EF BB BF, expected '{'); "
        "save the file as UTF-8 without BOM"
    )


def test_a_truncated_gzip_file_is_refused(tmp_path: Path) -> None:
    """Data that ends early is an error at the line it ends in."""
    content = b"".join(line(str(index), prompt=os.urandom(2000).hex()) for index in range(30))
    path = write(tmp_path / "a.jsonl.gz", gzip.compress(content)[:-100])
    assert refusal(path) == (
        "a.jsonl:30: the file cannot be read on "
        "(got 'Compressed file ended before the end-of-stream marker was reached', "
        "expected an intact file); copy or compress it again"
    )


def test_a_damaged_gzip_file_is_refused(tmp_path: Path) -> None:
    """Data whose checksum is wrong, or that is followed by rubbish, is an error."""
    whole = gzip.compress(line("p"))
    damaged = whole[:-8] + bytes(byte ^ 1 for byte in whole[-8:-4]) + whole[-4:]
    for content, reason in [
        (damaged, "CRC check failed"),
        (whole + b"rubbish", "Not a gzipped file"),
        (whole[:10] + b"\xff" * 20, "Error -3 while decompressing data"),
    ]:
        message = refusal(write(tmp_path / "a.jsonl", content))
        assert message.startswith(("a.jsonl:1: the file cannot", "a.jsonl:2: the file cannot"))
        assert reason in message


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    """The error names the path as the user gave it."""
    assert refusal(tmp_path / "no.jsonl") == (
        "a.jsonl: the file cannot be opened "
        "(got 'No such file or directory', expected a samples file); "
        "check its path and permissions"
    )


def test_a_path_that_no_file_can_have_is_refused(tmp_path: Path) -> None:
    """A path with a null byte is an error of the user's."""
    assert refusal(Path(f"{tmp_path}/\0")).startswith("a.jsonl: the file cannot be opened (got ")


def test_an_unreadable_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file without read permission is an error of the user's."""

    def refuse(path: Path, mode: str) -> NoReturn:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    path = write(tmp_path / "a.jsonl", line("p"))
    monkeypatch.setattr(Path, "open", refuse)
    assert refusal(path) == (
        "a.jsonl: the file cannot be opened (got 'Permission denied', expected a samples file); "
        "check its path and permissions"
    )


def test_a_directory_is_refused(tmp_path: Path) -> None:
    """A directory holds no samples of its own."""
    assert refusal(tmp_path) == (
        "a.jsonl: this is no file to read samples from "
        "(got a directory, expected a .jsonl or .jsonl.gz file); name a regular file"
    )


def test_a_pipe_is_refused(tmp_path: Path) -> None:
    """A pipe can be read only once, and waiting for its writer would hang."""
    os.mkfifo(tmp_path / "pipe")
    assert refusal(tmp_path / "pipe") == (
        "a.jsonl: this is no file to read samples from "
        "(got a device or pipe, expected a .jsonl or .jsonl.gz file); name a regular file"
    )


@pytest.mark.parametrize(
    ("content", "got", "remedy"),
    [
        (b"PK\x03\x04\x14\0", "a zip archive", "unpack it, or compress it with gzip"),
        (b"\x28\xb5\x2f\xfd\0", "zstd", "unpack it, or compress it with gzip"),
        (lzma.compress(b"{}"), "xz", "unpack it, or compress it with gzip"),
        (bz2.compress(b"{}"), "bzip2", "unpack it, or compress it with gzip"),
        (b"PAR1\x15\x04", "Parquet", "write it as JSON lines"),
        ("{}\n".encode("utf-16"), "UTF-16", "convert the file, as iconv does"),
        ("{}\n".encode("utf-16-le"), "UTF-16", "convert the file, as iconv does"),
        ("[]\n".encode("utf-16-le"), "UTF-16", "convert the file, as iconv does"),
    ],
)
def test_what_is_no_text_is_named(tmp_path: Path, content: bytes, got: str, remedy: str) -> None:
    """A file of another kind is told by how it begins, with what to do about that kind."""
    path = tmp_path / "after.jsonl"
    path.write_bytes(content)
    with pytest.raises(SamplesError) as caught:
        SamplesFile.open(path, shown_as="after.jsonl")
    assert str(caught.value) == (
        f"after.jsonl: the file is no text in UTF-8 (got {got}, expected JSON, plain or gzipped);"
        f" {remedy}"
    )


def test_a_path_is_shown_as_it_is_by_default(tmp_path: Path) -> None:
    """Without shown_as, messages have the path itself."""
    path = write(tmp_path / "a.jsonl", line("p"))
    with SamplesFile.open(path) as samples:
        assert samples.read(samples.entries[0]).where == Where(str(path), 1, "p")


def test_an_entry_of_another_file_is_refused(tmp_path: Path) -> None:
    """An entry is good for the file that it came from."""
    stray = Entry(problem_id="q", line=1, offset=0, candidates=1, crc32=0)
    with SamplesFile.open(write(tmp_path / "a.jsonl", line("p")), shown_as="a.jsonl") as samples:
        with pytest.raises(SamplesError) as caught:
            samples.read(stray)
        assert str(caught.value).startswith("a.jsonl:1: problem 'q': the file has changed")


@pytest.mark.parametrize("zipped", [False, True])
def test_memory_does_not_grow_with_the_file(tmp_path: Path, zipped: bool) -> None:
    """Scanning and reading 50 MB in 250 problems takes less than 4 MB."""
    path = tmp_path / "a.jsonl"
    program = "def f(x): return x\n" * 1000
    with gzip.open(path, "wb", compresslevel=1) if zipped else path.open("wb") as file:
        for index in range(250):
            file.write(line(str(index), sources=[program] * 10))
    tracemalloc.start()
    try:
        with SamplesFile.open(path) as samples:
            assert sum(len(each.candidates[0]) for each in samples.problems()) == 250 * 19_000
            assert samples.entries[-1].offset > 49_000_000
        peak_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak_bytes < 4_000_000


REAL = {
    "codegeex2_6b_t0.2_n20.jsonl.gz": (158, 3160, "HumanEval/23", "HumanEval/56"),
    "codegen16b_small.jsonl": (12, 240, "HumanEval/0", "HumanEval/11"),
    "codegen16b_t0.8_n100.jsonl.gz": (164, 16400, "HumanEval/0", "HumanEval/163"),
}


@pytest.mark.parametrize(("name", "expected"), REAL.items(), ids=list(REAL))
def test_real_samples_are_read(
    shared_data: Path, name: str, expected: tuple[int, int, str, str]
) -> None:
    """Every problem of the real files is read, in file order."""
    with SamplesFile.open(shared_data / "native" / name) as samples:
        problems = list(samples.problems())
        assert [problem.problem_id for problem in problems] == [
            entry.problem_id for entry in samples.entries
        ]
    count = sum(len(problem.candidates) for problem in problems)
    assert expected == (len(problems), count, problems[0].problem_id, problems[-1].problem_id)


def test_real_file_with_a_repeated_id_is_refused(shared_data: Path) -> None:
    """Of the odd samples, five are there twice under one id: the first is named."""
    with pytest.raises(SamplesError) as caught:
        SamplesFile.open(shared_data / "native" / "odd_codegen16b.jsonl", shown_as="odd.jsonl")
    assert str(caught.value).startswith(
        "odd.jsonl:32: problem 'HumanEval/135#44': problem_id is taken (got the one of line 31"
    )
