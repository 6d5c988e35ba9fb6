"""Whether two reports can be compared: the identity of a problem, and what went stale."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Any, Optional

from pytest_codecollapse.gate.census import take_census
from pytest_codecollapse.gate.format import name_some, plural
from pytest_codecollapse.model import Environment, Identity, Problem, Report, Staleness

#: Settings that change what a program does or is counted as. Not k: it only reads the classes.
_SETTINGS = (
    *("inputs", "timeout_s", "memory_mb", "input_seed", "site_packages"),
    "canonicalizers",
)

_LIST_THEM = "where that was meant: list the problems in allow_removed"


def identity_of(problem: Problem, left_out: Sequence[int] = ()) -> Identity:
    """Hash what defines a problem; its candidates, labels and cluster do not.

    Parameters
    ----------
    problem
        A validated problem.
    left_out
        Indices of inputs that its reference did not answer, and that were not measured.

    Returns
    -------
    Identity
        SHA-256 in hex of each part, and of all parts. JSON inputs are hashed with the keys of
        objects in their order, because a program can see that order.
    """
    inputs = (
        ("inputs", _canonical_json(problem.inputs))
        if problem.input_gen is None
        else ("input_gen", problem.input_gen)
    )
    parts = {
        "entry_point": _sha256([problem.entry_point]),
        "reference": _sha256([] if problem.reference is None else [problem.reference]),
        "inputs": _sha256(inputs),
        "prompt": _sha256([problem.prompt]),
        "setup": _sha256([problem.setup]),
        "equality": _sha256([problem.equality]),
        "answered inputs": _sha256(map(str, left_out)),
        **_parts_of_few(problem),
    }
    return Identity(whole=_sha256(text for item in parts.items() for text in item), parts=parts)


def _parts_of_few(problem: Problem) -> dict[str, str]:
    """Hash what most problems have not; without it their identity stays as it was."""
    parts = {}
    if problem.tests is not None:
        source, setup = problem.tests.source, problem.tests.setup
        parts["tests"] = _sha256([setup, *([source] if isinstance(source, str) else source)])
    if problem.contract is not None:
        parts["contract"] = _sha256([problem.contract])
    if problem.atol:
        parts["atol"] = _sha256([repr(problem.atol)])
    return parts


def staleness(before: Report, after: Report, allow_removed: Sequence[str] = ()) -> Staleness:
    """Say what keeps two reports from being compared.

    Parameters
    ----------
    before, after
        The baseline and the current report.
    allow_removed
        Problems that may be gone, or have fewer candidates or inputs: ids, or patterns of them.

    Returns
    -------
    Staleness
        Ids sorted. A problem of the baseline that the current report could not measure is in
        ``unmeasured``, not in ``gone``.
    """
    old = {problem.problem_id: problem for problem in before.problems}
    new = {problem.problem_id: problem for problem in after.problems}
    failed = {problem.problem_id for problem in after.unmeasured}
    shared = sorted(old.keys() & new.keys())
    parts_of = {each: _changed_parts(old[each].identity, new[each].identity) for each in shared}
    changed = {each: parts for each, parts in parts_of.items() if parts}
    unmeasured = (old.keys() - new.keys()) & failed
    census = take_census(
        {each: problem for each, problem in old.items() if each not in unmeasured},
        new,
        changed,
        allow_removed,
        count_inputs=before.settings.inputs == after.settings.inputs,
    )
    left_out = {*changed, *census.fewer, *census.allowed}
    return Staleness(
        paired=sum(each not in left_out for each in shared),
        settings=_changed_settings(before, after),
        changed={each: parts for each, parts in changed.items() if each not in census.allowed},
        gone=census.gone,
        unmeasured=tuple(sorted(unmeasured)),
        new=tuple(sorted(new.keys() - old.keys())),
        fewer=census.fewer,
        allowed=census.allowed,
        allowed_fewer=census.allowed_fewer,
    )


def is_stale(stale: Staleness) -> bool:
    """Whether anything keeps the two reports from being compared whole."""
    keeps_from_it = (stale.settings, stale.changed, stale.gone, stale.unmeasured, stale.new)
    return any(keeps_from_it) or bool(stale.fewer)


def environment_changes(before: Environment, after: Environment) -> tuple[str, ...]:
    """Say in what two environments differ, whether or not that changes results.

    Parameters
    ----------
    before, after
        Where the baseline was measured, and the current report.

    Returns
    -------
    tuple of str
        Such as ``isolation confined -> process``; empty where both are the same.
    """
    named = (
        (name, str(getattr(before, name)), str(getattr(after, name)))
        for name in before.__struct_fields__
        if name != "canonical_form"  # no place, and told as stale
    )
    return tuple(f"{name} {was} -> {now}" for name, was, now in named if was != now)


def describe_staleness(stale: Staleness) -> str:
    """Say in one line what two reports do not share.

    >>> describe_staleness(Staleness(paired=6, changed={"a": ("inputs",)}, gone=("b", "c")))
    '1 of 9 problems changed its inputs, 2 are gone'
    """
    phrases = ", ".join(phrase for phrase, _ in _problem_phrases(stale))
    return "; ".join([*stale.settings, *([phrases] if phrases else [])])


def staleness_details(stale: Staleness) -> tuple[str, ...]:
    """Say what two reports do not share: a line a cause, naming the first few problems."""
    problems = (f"{phrase}: {name_some(ids)}" for phrase, ids in _problem_phrases(stale))
    may_be_meant = (_LIST_THEM,) if stale.gone or stale.fewer else ()
    return (*stale.settings, *problems, *may_be_meant)


def describe_allowed(stale: Staleness) -> str:
    """Say in one line what is missing and was allowed to be; empty where nothing is.

    >>> describe_allowed(Staleness(paired=6, allowed=("b", "c"), allowed_fewer=("d",)))
    '2 problems left out, 1 compared with fewer candidates'
    """
    left_out, fewer = len(stale.allowed), len(stale.allowed_fewer)
    phrases = [f"{plural(left_out, 'problem')} left out"] if left_out else []
    if fewer:
        count = str(fewer) if phrases else plural(fewer, "problem")
        phrases.append(f"{count} compared with fewer candidates")
    return ", ".join(phrases)


def _problem_phrases(stale: Staleness) -> list[tuple[str, tuple[str, ...]]]:
    """Return what happened to which problems; the first phrase says of how many."""
    by_parts: dict[tuple[str, ...], list[str]] = {}
    for problem_id, parts in stale.changed.items():
        by_parts.setdefault(parts, []).append(problem_id)
    found = [
        (f"changed {'its' if len(ids) == 1 else 'their'} {_and(parts)}", tuple(ids))
        for parts, ids in sorted(by_parts.items())
    ]
    for happened, ids in (("gone", stale.gone), ("not measured", stale.unmeasured)):
        if ids:
            found.append((f"{_are(ids)} {happened}", ids))
    found += _shrunk_phrases(stale)
    total = f" of {plural(_baseline_size(stale), 'problem')}"
    phrases = [
        (f"{len(ids)}{'' if index else total} {phrase}", ids)
        for index, (phrase, ids) in enumerate(found)
    ]
    if stale.new:
        count = str(len(stale.new)) if phrases else plural(len(stale.new), "problem")
        phrases.append((f"{count} {_are(stale.new)} new", stale.new))
    return phrases


def _shrunk_phrases(stale: Staleness) -> list[tuple[str, tuple[str, ...]]]:
    """Return which problems have fewer of what, and how many."""
    by_kinds: dict[tuple[str, ...], list[str]] = {}
    for problem_id, counts in stale.fewer.items():
        numbers = ", ".join(f"{was} -> {now}" for was, now in counts.values())
        by_kinds.setdefault(tuple(counts), []).append(f"{problem_id} ({numbers})")
    return [
        (f"{'has' if len(names) == 1 else 'have'} fewer {_and(kinds)}", tuple(names))
        for kinds, names in sorted(by_kinds.items())
    ]


def _baseline_size(stale: Staleness) -> int:
    apart = (stale.changed, stale.gone, stale.unmeasured, stale.fewer, stale.allowed)
    return stale.paired + sum(map(len, apart))


def _are(ids: Sequence[str]) -> str:
    return "is" if len(ids) == 1 else "are"


def _and(parts: Sequence[str]) -> str:
    names = [part.replace("_", " ") for part in parts]
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _changed_parts(before: Identity, after: Identity) -> tuple[str, ...]:
    if before.whole == after.whole:
        return ()
    parts = {**before.parts, **after.parts}
    differing = (part for part in parts if before.parts.get(part) != after.parts.get(part))
    return tuple(differing) or ("identity",)


def _changed_settings(before: Report, after: Report) -> tuple[str, ...]:
    pairs = [
        (name, getattr(before.settings, name), getattr(after.settings, name)) for name in _SETTINGS
    ]
    old, new = before.environment, after.environment
    was, now = before.settings.extract, after.settings.extract
    if was is not None and now is not None:  # else one of them holds programs as they came
        pairs.append(("extract", was, now))
    pairs.append(("python", _minor(old.python), _minor(new.python)))
    pairs.append(("canonical_form", old.canonical_form, new.canonical_form))
    return tuple(f"{name} {_shown(was)} -> {_shown(now)}" for name, was, now in pairs if was != now)


def _shown(value: Any) -> str:
    """Show a setting as a user writes it; of sources, which would be long, a digest."""
    if isinstance(value, dict):
        digests = (f"{name} ({_sha256([value[name]])[:8]})" for name in sorted(value))
        return " and ".join(digests) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _canonical_json(inputs: Optional[tuple[Sequence[Any], ...]]) -> str:
    """Write inputs down; those that are JSON as JSON, whatever else there is with its type."""
    calls = None if inputs is None else [list(map(_typed, arguments)) for arguments in inputs]
    return json.dumps(calls, ensure_ascii=False, separators=(",", ":"))


def _typed(value: Any) -> Any:
    """Put an object that JSON input cannot hold, for its key has no JSON text, where it can."""
    kind = type(value)
    if kind is list:
        return list(map(_typed, value))
    if kind is tuple:
        return {"\ud800tuple": list(map(_typed, value))}
    if kind in (set, frozenset):
        return {f"\ud800{kind.__name__}": sorted(map(repr, value))}
    if kind is dict and all(type(key) is str for key in value):
        return {key: _typed(each) for key, each in value.items()}
    if kind is dict:
        return {"\ud800dict": [[_typed(key), _typed(each)] for key, each in value.items()]}
    return {f"\ud800{kind.__name__}": repr(value)} if kind in (bytes, complex) else value


def _sha256(texts: Iterable[str]) -> str:
    """Hash texts, each behind its length, so that no two lists of texts run together."""
    digest = hashlib.sha256()
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return digest.hexdigest()
