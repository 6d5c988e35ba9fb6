"""Writing a file whole or not at all, and whether it can be, said before it is needed."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Optional

from pytest_codecollapse.errors import UsageError, Where


def write_atomically(path: Path, text: str) -> None:
    """Write a text as a file, whole or not at all; see ``replacing``.

    Raises
    ------
    UsageError
        Where the file cannot be written.
    """
    with replacing(path) as file:
        file.write(text.encode())


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Give a temporary file beside a file, which it replaces when all is written.

    A symbolic link stays one: the file that it leads to is replaced. A device or a pipe, such as
    ``/dev/stdout``, is no file to be replaced, and is written to. What is raised meanwhile leaves
    the file as it was.

    Raises
    ------
    UsageError
        Where the file cannot be written.
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            with path.open("wb") as file:
                yield file
        else:
            with _replacing(Path(os.path.realpath(path))) as file:
                yield file
    except OSError as error:
        what = f"cannot be written ({error.strerror})"
        raise UsageError(what, where=Where(str(path)), remedy="choose another place") from error


def why_unwritable(path: Path) -> Optional[str]:
    """Say what keeps a file from being written, as far as that shows before; None where nothing.

    >>> why_unwritable(Path("."))
    'is a directory, not a file'
    """
    try:
        return _why_unwritable(Path(os.path.realpath(path)))
    except OSError as error:  # a name that is too long, in Python before 3.12
        return f"cannot be written: {error.strerror}"


def _why_unwritable(path: Path) -> Optional[str]:
    if path.is_dir():
        return "is a directory, not a file"
    if path.exists():  # renamed over, or a device that is written to
        return None
    folder = next(each for each in path.parents if each.exists())
    if not folder.is_dir():
        return f"cannot be written: {folder} is no directory"
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"cannot be written: {folder} does not let you"
    return None


@contextmanager
def _replacing(path: Path) -> Iterator[BinaryIO]:
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            yield file
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
