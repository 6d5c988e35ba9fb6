"""One directory for all programs of a server, empty at the start of each.

What is removed was made by hostile programs: folders that nobody may enter, nested a thousand
deep, links that lead elsewhere. So the way down and up again is by descriptors, one at a time,
no link is followed, and no depth costs recursion or a long path.
"""

import contextlib
import os
import stat
import sys
from typing import Any, Callable, List, Optional

_AS_MADE = stat.S_IFDIR | 0o700


def _nothing() -> None:
    """Tell nobody."""


def clear(path: str, still_alive: Callable[[], Any] = _nothing) -> None:
    """Make a directory as it was made: there, empty, and its owner's alone.

    ``still_alive`` is called again and again while that takes long.
    """
    try:
        mode = os.lstat(path).st_mode
    except OSError:  # the last program removed it, which no program can where it is confined
        mode = 0
    if mode and not stat.S_ISDIR(mode):
        os.unlink(path)
        mode = 0
    if not mode:
        os.mkdir(path, 0o700)
    elif mode != _AS_MADE:
        _open_up(path)
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # a file system without attributes
            for name in os.listxattr(path):
                os.removexattr(path, name)
    if os.listdir(path):
        remove_contents(path, still_alive)


def remove_contents(path: str, still_alive: Callable[[], Any] = _nothing) -> None:
    """Remove all that is in a directory, as far as the system lets this process.

    No other process may change it meanwhile.
    """
    with contextlib.suppress(OSError):
        _open_up(path)
        here = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        _remove_below(here, still_alive)


def _open_up(path: str, directory: Optional[int] = None) -> None:
    """Let the owner in; where programs may change no modes, this process may not either."""
    with contextlib.suppress(PermissionError):
        os.chmod(path, 0o700, dir_fd=directory)


def _remove_below(here: int, still_alive: Callable[[], Any]) -> None:
    """Remove what is below the directory that a descriptor leads to, and close the descriptor."""
    try:
        levels = [_remove_files(here)]  # the folders still to go, on the way down to ``here``
        while levels:
            still_alive()
            if levels[-1]:
                here = _enter(here, levels[-1][-1], os.O_NOFOLLOW)
                levels.append(_remove_files(here))
            else:
                levels.pop()
                if levels:
                    here = _enter(here, "..", 0)
                    os.rmdir(levels[-1].pop(), dir_fd=here)
    finally:
        os.close(here)


def _enter(here: int, name: str, flags: int) -> int:
    there = os.open(name, os.O_RDONLY | os.O_DIRECTORY | flags, dir_fd=here)
    os.close(here)
    return there


def _remove_files(here: int) -> List[str]:
    """Remove what is no folder; return the names of the folders, made accessible."""
    folders = []
    for name in os.listdir(here):
        if stat.S_ISDIR(os.lstat(name, dir_fd=here).st_mode):
            _open_up(name, here)
            folders.append(name)
        else:
            os.unlink(name, dir_fd=here)
    return folders
