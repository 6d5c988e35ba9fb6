"""What standard error says while programs run: where they do, and on a terminal how far."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Callable

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from pytest_codecollapse.cli.reading import say
from pytest_codecollapse.report import isolation_lines
from pytest_codecollapse.sandbox import LocalEngine

_Progress = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]


def progress_on(engine: LocalEngine) -> _Progress:
    """Make a function that shows the progress of a file; see ``progress_bar``.

    Before the first, it starts the engine, and says how far programs are isolated.
    """

    @functools.cache
    def announce() -> None:
        say(*isolation_lines(engine.environment, engine.jobs, engine.missing))

    def progress(name: str, candidates: int) -> AbstractContextManager[Callable[[int], None]]:
        announce()
        return progress_bar(name, candidates)

    return progress


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
