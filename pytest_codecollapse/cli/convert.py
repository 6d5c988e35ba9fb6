"""``codecollapse convert``: samples of any known format, written in the native one."""

from __future__ import annotations

import argparse
import gzip
import io
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Optional, TextIO, cast

from pytest_codecollapse.cli.arguments import add_options
from pytest_codecollapse.cli.reading import samples_files, say
from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.gate import plural
from pytest_codecollapse.options import PROBLEM_PACKAGES, READ_OPTIONS
from pytest_codecollapse.report import replacing, why_unwritable
from pytest_codecollapse.samples import SamplesFile, real_path, write_native

_STDOUT = "-"


def add_parser(commands: Any) -> None:
    """Add this command to the script."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "convert",
        help="write samples of another format in the native one",
        description="Write samples of any known format, with the problems that they are of, in the "
        "native format: one file that says everything. No candidate's code is executed.",
    )
    parser.add_argument("samples", metavar="FILE", type=Path, help="samples, a file or a directory")
    parser.add_argument(
        "-o",
        "--output",
        metavar="PATH",
        required=True,
        help="the file to write (.jsonl, .jsonl.gz); - is standard output",
    )
    add_options(parser, "reading samples", READ_OPTIONS)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Convert, and say what was recognised and what was done to the candidates."""
    _check_target(options.output, options.samples, options.problems)
    with samples_files(vars(options)) as files:
        samples = files.open(options.samples)
        if not samples.description:
            say(f"{options.samples}: the native form")
        with _target(options.output) as file:
            write_native(samples, file)
        say(*_done(samples, options.output))
    return 0


def _check_target(output: str, samples: Path, problems: Optional[str]) -> None:
    """Refuse to write over what is read, and where nothing can be written."""
    if output == _STDOUT:
        return
    target = Path(output)
    why = why_unwritable(target)
    if why is not None:
        raise UsageError(f"-o: {target} {why}", remedy="choose another place")
    read = [samples, *([] if problems in (None, *PROBLEM_PACKAGES) else [Path(str(problems))])]
    for source in read:
        if _is_within(target, source):
            raise UsageError(
                f"-o: {target} would be written over what is read (got {source})",
                remedy="choose another place",
            )


def _is_within(target: Path, source: Path) -> bool:
    """Whether writing to a target changes a source: it is the source, or a file in it."""
    try:
        if target.exists() and source.exists() and target.samefile(source):
            return True
        return source.is_dir() and real_path(source) in real_path(target).parents
    except OSError:  # a name that is too long, in Python before 3.12: nothing is there
        return False


@contextmanager
def _target(output: str) -> Iterator[TextIO]:
    """Open what is to be written: standard output, or a file that is there when it is whole."""
    if output == _STDOUT:
        yield sys.stdout
        return
    with replacing(Path(output)) as file, _packed(file, output) as binary:
        text = io.TextIOWrapper(binary, encoding="ascii", newline="\n")
        try:
            yield text
        finally:
            text.detach()  # written, and left to be closed by who opened it


@contextmanager
def _packed(file: BinaryIO, output: str) -> Iterator[BinaryIO]:
    """Pack what is written to a file, where its name says so; the bytes are the same each time."""
    if not output.endswith(".gz"):
        yield file
        return
    with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
        yield cast(BinaryIO, packed)


def _done(samples: SamplesFile, output: str) -> Iterator[str]:
    """Say what was written, and how many candidates had which repair, the most frequent first."""
    candidates = sum(entry.candidates for entry in samples.entries)
    counts: Counter[str] = Counter()
    repaired = 0
    for problem in samples.problems():
        for names in problem.repairs or ():
            repaired += bool(names)
            counts.update(set(names))
    if counts:
        ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        what = ", ".join(f"{name} {count}" for name, count in ranked)
        yield f"repaired {repaired} of {plural(candidates, 'candidate')}: {what}"
    name = "standard output" if output == _STDOUT else output
    problems = plural(len(samples.entries), "problem")
    yield f"{name}: {problems}, {plural(candidates, 'candidate')}"
