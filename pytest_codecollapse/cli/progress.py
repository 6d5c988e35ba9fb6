"""The progress bar on standard error, shown where that is a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Callable

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


@contextmanager
def progress_bar(name: str, candidates: int) -> Iterator[Callable[[int], None]]:
    """Show how many candidates of a file have run; the bar is gone when it ends."""
    console = Console(stderr=True)
    progress = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("candidates"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.file.isatty(),  # is_terminal is true in a file under FORCE_COLOR
    )
    with progress:
        task = progress.add_task(name, total=candidates)
        yield lambda count: progress.advance(task, count)
