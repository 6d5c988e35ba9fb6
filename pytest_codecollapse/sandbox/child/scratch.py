"""An empty directory for every program, at the cost of one for those that leave it empty."""

import os
import shutil


class Scratch:
    """Gives each program a directory below ``parent`` in which there is nothing."""

    def __init__(self, parent: str) -> None:
        self._parent = parent
        self._count = 0
        self._path = ""

    def empty(self) -> str:
        """Return the path of an empty directory, the last one if it still is one."""
        if not self._is_as_made():
            self.remove()
            self._count += 1
            self._path = os.path.join(self._parent, f"program-{self._count}")
            os.mkdir(self._path, 0o700)
        return self._path

    def remove(self) -> None:
        """Remove the last directory and what a program left in it."""
        shutil.rmtree(self._path, ignore_errors=True)

    def _is_as_made(self) -> bool:
        try:
            if os.lstat(self._path).st_mode != 0o040700:
                return False
            with os.scandir(self._path) as entries:
                return next(entries, None) is None
        except OSError:  # there is none yet, or the program removed it
            return False
