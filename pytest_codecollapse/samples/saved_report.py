"""A report written earlier: the JSON file's schema, and reading it back.

The file holds everything that a report says. What is read back is what was observed: identities,
classes and flags; statistics are computed again from those, so that a file cannot claim one that
its classes do not have.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, Optional

import msgspec

from pytest_codecollapse.errors import SamplesError, Where
from pytest_codecollapse.model import (
    BehaviourClass,
    Environment,
    Identity,
    Partition,
    ProblemReport,
    Report,
    Settings,
    Unmeasured,
)

_HEAD_BYTES = 64


class JsonValue(msgspec.Struct, frozen=True, kw_only=True):
    """A statistic: ``exact`` as a fraction such as ``59/33``, null where it is irrational."""

    exact: Optional[str]
    value: Optional[float]


class JsonClass(msgspec.Struct, frozen=True, kw_only=True):
    """A behaviour class."""

    fingerprint: str
    members: tuple[int, ...]
    correct: bool
    outcomes: dict[str, int]


class JsonProblem(msgspec.Struct, frozen=True, kw_only=True):
    """A measured problem."""

    problem_id: str
    identity: str
    identity_parts: dict[str, str]
    n: int
    correct: int
    classes: tuple[JsonClass, ...]
    nondeterministic: tuple[int, ...]
    order_dependent: tuple[int, ...]
    distinct_ast: int
    ast_classes: tuple[tuple[int, ...], ...]
    stability_curve: tuple[int, ...]
    stable_at: int
    correct_curve: tuple[int, ...]
    ari: Optional[JsonValue]
    cluster: Optional[str]
    statistics: dict[str, JsonValue]


class JsonReport(msgspec.Struct, frozen=True, kw_only=True):
    """The whole file."""

    schema: Literal[1] = 1
    tool_version: str
    environment: Environment
    settings: Settings
    mean: dict[str, JsonValue]
    ari: Optional[JsonValue]
    unmeasured: tuple[Unmeasured, ...]
    problems: tuple[JsonProblem, ...]


def is_saved_report(path: Path) -> bool:
    """Whether a file begins as a report does, and not as a line of samples."""
    try:
        with path.open("rb") as file:
            return file.read(_HEAD_BYTES).lstrip().startswith(b'{"schema":')
    except OSError:
        return False


def read_saved_report(path: Path, *, shown_as: Optional[str] = None) -> Report:
    """Read a report; its statistics are left for ``measure`` to compute.

    Parameters
    ----------
    path
        A file that ``--json`` wrote.
    shown_as
        The path as messages name it.

    Raises
    ------
    SamplesError
        Where the file cannot be read, is of another schema or contradicts itself.
    """
    where = Where(shown_as or str(path))
    try:
        saved = msgspec.json.decode(path.read_bytes(), type=JsonReport)
    except OSError as error:
        raise SamplesError(f"cannot be read ({error.strerror})", where=where) from error
    except msgspec.MsgspecError as error:
        raise SamplesError(
            f"is not a report of schema 1 ({error})",
            where=where,
            remedy="write it again with --json",
        ) from error
    ids = [problem.problem_id for problem in saved.problems]
    if len(set(ids)) != len(ids):
        raise SamplesError("has a problem_id twice", where=where, remedy="write it again")
    return Report(
        tool_version=saved.tool_version,
        environment=saved.environment,
        settings=saved.settings,
        problems=tuple(_problem(problem, where) for problem in saved.problems),
        unmeasured=saved.unmeasured,
        mean={},
    )


def problem_from_json(builtins: dict[str, Any]) -> ProblemReport:
    """Read one problem's JSON form, as the report writes it; its statistics are left out."""
    return _problem(msgspec.convert(builtins, JsonProblem), Where("a test report"))


def _problem(saved: JsonProblem, where: Where) -> ProblemReport:
    where = where._replace(problem_id=saved.problem_id)
    _check_groups((each.members for each in saved.classes), saved.n, "classes", where)
    _check_groups(saved.ast_classes, saved.n, "ast_classes", where)
    if not saved.stability_curve or saved.stability_curve[-1] != len(saved.classes):
        raise _contradiction("stability_curve does not end at the number of classes", where)
    return ProblemReport(
        problem_id=saved.problem_id,
        identity=Identity(whole=saved.identity, parts=saved.identity_parts),
        partition=Partition(
            classes=tuple(
                BehaviourClass(
                    fingerprint=each.fingerprint,
                    members=each.members,
                    correct=each.correct,
                    outcomes=each.outcomes,
                )
                for each in saved.classes
            ),
            ast_classes=saved.ast_classes,
            nondeterministic=saved.nondeterministic,
            order_dependent=saved.order_dependent,
            stability_curve=saved.stability_curve,
            correct_curve=saved.correct_curve,
        ),
        statistics={},
        ari=_exact(saved.ari, where),
        cluster=saved.cluster,
    )


def _check_groups(groups: Iterable[tuple[int, ...]], n: int, name: str, where: Where) -> None:
    members = sorted(member for group in groups for member in group)
    if n < 1 or members != list(range(n)):
        raise _contradiction(f"{name} do not hold each of the {n} candidates once", where)


def _exact(value: Optional[JsonValue], where: Where) -> Optional[Fraction]:
    if value is None:
        return None
    try:
        return Fraction(value.exact or "")
    except (ValueError, ZeroDivisionError) as error:
        raise _contradiction(f"ari is no fraction (got {value.exact!r})", where) from error


def _contradiction(what: str, where: Where) -> SamplesError:
    return SamplesError(what, where=where, remedy="write the report again with --json")
