"""Problems that come as records, from code that reads another format, instead of as lines.

They are written down once as lines of the native format, to a temporary file without a name. So
memory does not grow with their number, they are checked like lines, and they are read back by
offset. Messages name the user's own file.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator
from io import BufferedIOBase
from pathlib import Path
from typing import Any, Literal, Optional, cast

from pytest_codecollapse.errors import CodecollapseError, SamplesError, Where
from pytest_codecollapse.samples.jsonline import fault, kind_of
from pytest_codecollapse.samples.reader import SamplesFile, scan


def open_records(
    path: Path, records: Iterable[Any], *, shown_as: Optional[str] = None
) -> SamplesFile:
    """Open a file whose problems were read by other code.

    Parameters
    ----------
    path
        The file that the records came from.
    records
        Problems in file order: objects as in the native format, or pairs of the number of the
        line that the problem begins at, rising, and the object. Without a line, it is the number
        of the record. They are taken one by one.
    shown_as
        The path as messages name it.

    Raises
    ------
    SamplesError
        Where a record is not what the format asks for, or the code that makes them raises.
    """
    shown_as = str(path) if shown_as is None else shown_as
    return open_numbered(path, _numbered(records, shown_as), shown_as=shown_as)


def open_numbered(
    path: Path,
    records: Iterable[tuple[int, Any]],
    *,
    shown_as: str,
    description: str = "",
    notes: tuple[str, ...] = (),
    extract: Optional[Literal["auto", "none"]] = None,
) -> SamplesFile:
    """Open a file whose problems this package reads from another format.

    Parameters
    ----------
    path, shown_as
        The file that the records came from, and how messages name it.
    records
        Pairs of a line, which may be that of the record before, and the fields of a problem.
    description, notes, extract
        Of the result.

    Raises
    ------
    SamplesError
        Where a record is not what the native format asks for.
    """
    spool = cast(BufferedIOBase, tempfile.TemporaryFile())  # noqa: SIM115 (the result closes it)
    try:
        entries = tuple(scan(_written(records, spool, shown_as), shown_as))
        return SamplesFile(
            path,
            spool,
            entries,
            shown_as,
            description=description,
            notes=notes,
            extract=extract,
            is_converted=True,
        )
    except BaseException:
        spool.close()
        raise


def _written(
    records: Iterable[tuple[int, Any]], spool: BufferedIOBase, shown_as: str
) -> Iterator[tuple[int, bytes]]:
    """Write each record to the spool, and yield its line's number and text."""
    for line, record in records:
        raw = _line_of(record, Where(shown_as, line))
        spool.write(raw)
        yield line, raw


def _numbered(records: Iterable[Any], shown_as: str) -> Iterator[tuple[int, Any]]:
    line = 0
    iterator = _guarded(records, shown_as)
    for record in iterator:
        if isinstance(record, tuple) and len(record) == 2 and isinstance(record[0], int):
            previous, (line, record) = line, record
            if line <= previous:
                what, expected = "lines do not rise", f"a line after {previous}"
                raise fault(Where(shown_as), what, got=f"line {line}", expected=expected)
        else:
            line += 1
        yield line, record
    if not line:
        raise SamplesError(
            "the code that reads this file found nothing (got 0 records, expected one per problem)",
            where=Where(shown_as),
            remedy="have it return None, not an empty iterable, for a file in the native format;"
            " a function with a yield in it never returns None",
        )


def _guarded(records: Iterable[Any], shown_as: str) -> Iterator[Any]:
    """Yield the records; what making them raises is a fault of the file or of that code."""
    count = 0
    try:
        for record in records:
            count += 1
            yield record
    except CodecollapseError:
        raise
    except Exception as error:
        raise SamplesError(
            f"the code that reads this file raised {type(error).__name__}: {error}"
            f" (after {count} records)",
            where=Where(shown_as),
            remedy="correct it, or the file",
        ) from error


def _line_of(record: Any, where: Where) -> bytes:
    if not isinstance(record, dict):
        got = kind_of(record) if isinstance(record, (str, int, list)) else type(record).__name__
        raise fault(where, "the record is no problem", got=got, expected="a dict of its fields")
    try:
        return json.dumps(record).encode() + b"\n"  # in ASCII: it holds lone surrogates, too
    except (TypeError, ValueError, RecursionError) as error:
        what = "the record holds what JSON cannot"
        raise fault(where, what, got=str(error), expected="JSON values") from error
