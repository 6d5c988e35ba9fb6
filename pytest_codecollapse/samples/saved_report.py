"""A report written earlier: the JSON file's schema, and reading it back.

The file holds everything that a report says. What is read back is what was observed: identities,
classes and flags; statistics are computed again from those, so that a file cannot claim one that
its classes do not have.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, Optional

import msgspec

from pytest_codecollapse.errors import SamplesError, Where
from pytest_codecollapse.model import (
    BehaviourClass,
    ChecksReport,
    Environment,
    Identity,
    Partition,
    ProblemReport,
    Report,
    Settings,
    Unmeasured,
    Witness,
)
from pytest_codecollapse.samples.jsonline import quoted
from pytest_codecollapse.samples.saved_checks import (
    faults_of_causes,
    faults_of_checks,
    faults_of_indices,
)

_HEAD_BYTES = 64
_REMEDY = "write the report again with --json"
_FRACTION = re.compile(r"-?[0-9]+(/[0-9]+)?")  # not 1e9, which takes as much memory as it says


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
    witness: Optional[Witness] = None


class JsonProblem(msgspec.Struct, frozen=True, kw_only=True):
    """A measured problem. What has a default is not in a report from before it was there."""

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
    inputs_left_out: tuple[int, ...]
    ari: Optional[JsonValue]
    cluster: Optional[str]
    oracle: Literal["reference", "tests"] = "reference"
    checks: Optional[ChecksReport] = None
    causes: dict[str, tuple[int, ...]] = {}
    misnamed: dict[str, tuple[int, ...]] = {}
    repairs: dict[str, tuple[int, ...]] = {}
    input_origins: dict[str, int] = {}
    statistics: dict[str, JsonValue]


class JsonReport(msgspec.Struct, frozen=True, kw_only=True):
    """The whole file.

    ``causes``, ``repairs`` and ``disagreements`` are counts of candidates over the problems, and
    like the means not read back.
    """

    schema: Literal[1] = 1
    tool_version: str
    environment: Environment
    settings: Settings
    mean: dict[str, JsonValue]
    ari: Optional[JsonValue]
    unmeasured: tuple[Unmeasured, ...]
    causes: dict[str, int] = {}
    repairs: dict[str, int] = {}
    disagreements: dict[str, int] = {}
    problems: tuple[JsonProblem, ...]


def is_saved_report(path: Path) -> bool:
    """Whether a file begins as a report does, and not as a line of samples."""
    try:
        if not path.is_file():  # a pipe would block, and lose what is read from it
            return False
        with path.open("rb") as file:
            return file.read(_HEAD_BYTES).lstrip().startswith(b'{"schema":')
    except (OSError, ValueError):
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
        raise SamplesError(
            f"cannot be read ({error.strerror})",
            where=where,
            remedy="check its path and permissions",
        ) from error
    # beside errors of its own, msgspec lets those of decoding text and of deep nesting through
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise SamplesError(
            f"is not a report of schema 1 ({error})", where=where, remedy=_REMEDY
        ) from error
    _refuse(_faults_of_settings(saved.settings), where)
    ids = Counter([each.problem_id for each in saved.problems])
    ids.update([each.problem_id for each in saved.unmeasured])
    for problem_id, count in ids.items():
        if count > 1:
            _refuse([f"stands in the file {count} times"], where._replace(problem_id=problem_id))
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
    _refuse(_faults_of_problem(saved), where)
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
                    witness=each.witness,
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
        ari=None if saved.ari is None else Fraction(saved.ari.exact or 0),
        cluster=saved.cluster,
        left_out=saved.inputs_left_out,
        oracle=saved.oracle,
        checks=saved.checks,
        causes=saved.causes,
        misnamed=saved.misnamed,
        repairs=saved.repairs,
        input_origins=saved.input_origins,
    )


def _refuse(faults: Iterable[str], where: Where) -> None:
    """Raise the first of the faults, if there is any."""
    for what in faults:
        raise SamplesError(what, where=where, remedy=_REMEDY)


def _faults_of_settings(settings: Settings) -> Iterator[str]:
    least = {"inputs": 1, "timeout_s": 0, "memory_mb": 1, "input_seed": 0}
    for name, limit in least.items():
        value = getattr(settings, name)
        if value < limit:
            yield f"{name} is out of range (got {value}, expected at least {limit})"
    if any(k < 1 for k in settings.k):
        yield f"k is out of range (got {min(settings.k)}, expected at least 1)"


def _faults_of_problem(saved: JsonProblem) -> Iterator[str]:
    """Yield what no measurement can have given; a check can rely on those before it."""
    classes = tuple(each.members for each in saved.classes)
    yield from _faults_of_groups("classes", classes, saved.n)
    yield from _faults_of_groups("ast_classes", saved.ast_classes, saved.n)
    if len({each.fingerprint for each in saved.classes}) != len(classes):
        yield "two classes have the same fingerprint"
    correct = [len(each.members) for each in saved.classes if each.correct]
    if len(correct) > 1 and saved.oracle == "reference":
        yield f"{len(correct)} classes are correct, expected at most one"
    for name in ("nondeterministic", "order_dependent"):
        yield from faults_of_indices(name, getattr(saved, name), "candidates", saved.n)
    yield from _faults_of_curves(saved, sum(correct))
    inputs = len(saved.stability_curve)
    for number, each in enumerate(saved.classes):
        counts = each.outcomes.values()
        if min(counts, default=0) < 1 or sum(counts) != inputs:
            yield f"outcomes of class {number} do not count each of {inputs} inputs once"
    yield from _faults_of_counts(saved, sum(correct))
    total = inputs + len(saved.inputs_left_out)
    yield from faults_of_indices("inputs_left_out", saved.inputs_left_out, "inputs", total)
    if saved.ari is not None:
        yield from _faults_of_ari(saved.ari.exact)
    right = {member for each in saved.classes if each.correct for member in each.members}
    yield from faults_of_checks(saved.checks, saved.oracle, right, saved.n)
    yield from faults_of_causes(saved.causes, saved.misnamed, right, saved.n)
    for name, members in saved.repairs.items():
        yield from faults_of_indices(f"repairs {quoted(name)}", members, "candidates", saved.n)
    if any(count < 0 for count in saved.input_origins.values()):
        yield "input_origins holds a count below 0"


def _faults_of_groups(name: str, groups: Sequence[tuple[int, ...]], n: int) -> Iterator[str]:
    members = sorted(member for group in groups for member in group)
    # their number first: no list is made for an n that is a slip of the keyboard
    if n < 1 or len(members) != n or members != list(range(n)) or not all(groups):
        yield f"{name} do not hold each of the {n} candidates once"
    elif list(groups) != sorted(
        (tuple(sorted(group)) for group in groups), key=lambda group: (-len(group), group[0])
    ):
        yield f"{name} are out of order (expected the largest first, members ascending)"


def _faults_of_curves(saved: JsonProblem, correct: int) -> Iterator[str]:
    stability, matching = saved.stability_curve, saved.correct_curve
    if not stability or len(stability) != len(matching):
        yield (
            "the curves differ in length, or are empty "
            f"(got {len(stability)} and {len(matching)} inputs)"
        )
    elif list(stability) != sorted(stability) or stability[0] < 1:
        yield "stability_curve falls, or does not begin at 1 or more"
    elif stability[-1] != len(saved.classes):
        yield "stability_curve does not end at the number of classes"
    elif list(matching) != sorted(matching, reverse=True) or matching[0] > saved.n:
        yield "correct_curve rises, or begins above the number of candidates"
    elif matching[-1] != correct:
        yield "correct_curve does not end at the number of correct candidates"


def _faults_of_counts(saved: JsonProblem, correct: int) -> Iterator[str]:
    stability = saved.stability_curve
    counts = (
        ("correct", saved.correct, correct),
        ("distinct_ast", saved.distinct_ast, len(saved.ast_classes)),
        ("stable_at", saved.stable_at, stability.index(stability[-1]) + 1),
    )
    for name, said, found in counts:
        if said != found:
            yield f"{name} contradicts the rest (got {said}, expected {found})"


def _faults_of_ari(exact: Optional[str]) -> Iterator[str]:
    try:
        value = Fraction(exact) if exact and _FRACTION.fullmatch(exact) else None
    except (ValueError, ZeroDivisionError):  # more digits than int() takes; n/0
        value = None
    if value is None or not -1 <= value <= 1:
        yield f"ari is no fraction from -1 to 1 (got {'null' if exact is None else quoted(exact)})"
