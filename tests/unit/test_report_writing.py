from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.report import why_unwritable, write_atomically


def names_in(folder: Path) -> list[str]:
    """List a folder, hidden files too."""
    return sorted(each.name for each in folder.iterdir())


def refusal(path: Path) -> str:
    """Return the message with which a file is not written."""
    with pytest.raises(UsageError) as caught:
        write_atomically(path, "new\n")
    return str(caught.value)


@pytest.fixture
def umask() -> Iterator[None]:
    """Restore the process's umask."""
    before = os.umask(0o027)
    yield
    os.umask(before)


def test_a_file_is_written_as_it_is(tmp_path: Path) -> None:
    """Text is UTF-8 with bare newlines, folders are made, nothing else is left."""
    path = tmp_path / "new" / "folder" / "report.json"
    write_atomically(path, "é\n问\n")
    assert path.read_bytes() == "é\n问\n".encode()
    assert names_in(path.parent) == ["report.json"]


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    """Whoever has the old file open keeps reading the old text, to its end."""
    path = tmp_path / "report.json"
    path.write_text("old and longer\n")
    with path.open() as reader:
        write_atomically(path, "new\n")
        assert reader.read() == "old and longer\n"
    assert path.read_text() == "new\n"
    assert names_in(tmp_path) == ["report.json"]


@pytest.mark.usefixtures("umask")
def test_a_new_file_has_the_mode_of_the_umask(tmp_path: Path) -> None:
    """A report is as readable for others as any file that the user writes."""
    write_atomically(tmp_path / "report.json", "new\n")
    assert stat.S_IMODE((tmp_path / "report.json").stat().st_mode) == 0o640


def test_a_failed_write_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk is a usage error, and the old text is still there."""

    def full(self: Path, target: Path) -> NoReturn:
        raise OSError(28, "No space left on device")

    path = tmp_path / "report.json"
    path.write_text("old\n")
    monkeypatch.setattr(Path, "replace", full)
    assert refusal(path) == (
        f"{path}: cannot be written (No space left on device); choose another place"
    )
    assert path.read_text() == "old\n"
    assert names_in(tmp_path) == ["report.json"]


def test_text_that_cannot_be_encoded_leaves_no_file(tmp_path: Path) -> None:
    """A fault of the caller is raised as it is, and cleaned up after."""
    with pytest.raises(UnicodeEncodeError):
        write_atomically(tmp_path / "report.json", "half a pair \ud800")
    assert names_in(tmp_path) == []


def test_a_directory_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder by any name is refused, and nothing is written beside it."""
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert refusal(folder) == f"{folder}: cannot be written (Is a directory); choose another place"
    for name in ("", ".", "..", "/"):
        assert refusal(Path(name)).endswith(
            ": cannot be written (Is a directory); choose another place"
        )
    assert names_in(tmp_path) == ["folder"]
    assert names_in(folder) == []


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    """A path that leads through a file is refused."""
    (tmp_path / "file").write_text("old\n")
    path = tmp_path / "file" / "folder" / "report.json"
    assert refusal(path) == f"{path}: cannot be written (Not a directory); choose another place"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_refused(tmp_path: Path) -> None:
    """The message says what the system said."""
    tmp_path.chmod(0o500)
    path = tmp_path / "report.json"
    assert refusal(path) == f"{path}: cannot be written (Permission denied); choose another place"


def test_a_symbolic_link_stays_one(tmp_path: Path) -> None:
    """The file that it leads to is replaced, also where that one is new."""
    (tmp_path / "real").mkdir()
    link = tmp_path / "link.json"
    link.symlink_to("real/report.json")
    for text in ("first\n", "second\n"):
        write_atomically(link, text)
        assert link.is_symlink()
        assert (tmp_path / "real" / "report.json").read_text() == text
    assert names_in(tmp_path) == ["link.json", "real"]


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    """``/dev/stdout`` and the like are not replaced by files."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_atomically(pipe, "new\n")
        assert os.read(reader, 100) == b"new\n"
    finally:
        os.close(reader)
    assert names_in(tmp_path) == ["pipe"]
    assert pipe.is_fifo()


def test_a_name_that_is_too_long(tmp_path: Path) -> None:
    """It is found out before anything is written."""
    assert why_unwritable(tmp_path / ("a" * 5_000)) == "cannot be written: File name too long"
