"""Text for a terminal: tables that shrink without cutting a number, wrapped and styled lines."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

_GAP = "  "
_SHORTEST_NAME = 12


class Screen(NamedTuple):
    """What is written on: its width in columns, and whether it shows colours."""

    width: int
    color: bool = False


def printable(text: str) -> str:
    """Escape what would act on a terminal, or break a line, instead of being shown."""
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )


def styled(text: str, style: str, screen: Screen) -> str:
    """Return one line in a style, where the screen shows any."""
    if not screen.color:
        return text
    console = Console(
        file=io.StringIO(), width=cell_len(text) + 1, force_terminal=True, color_system="standard"
    )
    with console.capture() as capture:
        console.print(Text(text, style), end="", no_wrap=True)
    return capture.get()


def wrapped(text: str, screen: Screen, indent: str = "") -> str:
    """Break a long line at words; what follows is indented further.

    A word is broken only where it is too long for any line and has wide characters: Chinese and
    Japanese prose has no spaces, and a path or a command must survive being copied.
    """
    width = max(screen.width, 40)
    further = f"{indent}    "
    lines, line = [], indent
    for gap, word in re.findall(r"(\s*)(\S+)", text):
        fits = cell_len(further + word) <= width
        for number, part in enumerate([word] if fits else _parts_at_wide_characters(word)):
            before = "" if number else " " * len(gap)
            if line.strip() and cell_len(line + before + part) > width:
                lines.append(line)
                line, before = further, ""
            line += before + part
    return "\n".join([*lines, line])


def _parts_at_wide_characters(word: str) -> Iterator[str]:
    part = ""
    for character in word:
        width = cell_len(character)
        if part and width and 2 in (width, cell_len(part[-1])):
            yield part
            part = ""
        part += character
    yield part


class Column(NamedTuple):
    """A column of numbers: its title, a cell a row, and the cell under the line."""

    title: str
    cells: Sequence[str]
    total: str = ""

    @property
    def width(self) -> int:
        """Width of the widest cell."""
        return max(map(cell_len, (self.title, *self.cells, self.total)))


def table(names: Column, columns: Sequence[Column], screen: Screen) -> str:
    """Lay columns out beside the names of the rows.

    Where they do not all fit, the rest goes into further tables below. A long name is cut, with
    an ellipsis; a number never is.
    """
    parts = list(_parts(names, columns, screen.width))
    return "\n\n".join(_one_table(names, part, screen) for part in parts)


def fits_on(names: Column, columns: Sequence[Column], further: Column, screen: Screen) -> bool:
    """Whether a further column finds room beside the last ones, and the names stay whole there."""
    last = list(_parts(names, columns, screen.width))[-1]
    return names.width + _width([*last, further]) <= screen.width


def _parts(names: Column, columns: Sequence[Column], width: int) -> Iterator[Sequence[Column]]:
    """Split the columns so that each part fits beside names of at least the shortest width."""
    least = min(names.width, max(_SHORTEST_NAME, width // 4))
    part: list[Column] = []
    for column in columns:
        if part and least + _width([*part, column]) > width:
            yield part
            part = []
        part.append(column)
    yield part


def _width(columns: Sequence[Column]) -> int:
    return sum(len(_GAP) + column.width for column in columns)


def _one_table(names: Column, columns: Sequence[Column], screen: Screen) -> str:
    name_width = min(names.width, max(_SHORTEST_NAME, screen.width - _width(columns)))

    def line(name: str, cells: Sequence[str]) -> str:
        padded = (cell.rjust(column.width) for cell, column in zip(cells, columns))
        return _GAP.join([_fitted(name, name_width), *padded]).rstrip()

    ruler = "─" * (name_width + _width(columns))
    lines = [styled(line(names.title, [each.title for each in columns]), "bold", screen), ruler]
    lines += map(line, names.cells, zip(*(each.cells for each in columns)))
    if names.total:
        lines += [ruler] if names.cells else []
        lines += [styled(line(names.total, [each.total for each in columns]), "bold", screen)]
    return "\n".join(lines)


def _fitted(name: str, width: int) -> str:
    if cell_len(name) > width:
        return set_cell_size(name, width - 1) + "…"
    return set_cell_size(name, width)
