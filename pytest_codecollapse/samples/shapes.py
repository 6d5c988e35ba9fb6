"""Types that JSON has no word for, given back to a problem's inputs.

EvalPlus's JSON has written tuples and sets as lists and complex numbers as strings. What they were
is seen in the assert statements of the problem, which hold literals, and in its contract, which
asks for types; see ``contracts``. Both are parsed, and nothing is executed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Callable, NamedTuple, Optional

from pytest_codecollapse.samples.contracts import Path, allowed_kinds, parsed
from pytest_codecollapse.samples.literals import read_arguments

_BUILDERS: dict[type, Callable[[Any], Any]] = {tuple: tuple, set: set, frozenset: frozenset}
_SEQUENCES = frozenset({list, *_BUILDERS})  # what JSON writes as a list
_READERS: dict[type, Callable[[str], Any]] = {int: int, float: float, complex: complex}
_JSON_TYPES = frozenset({list, dict, str, bool, int, float, type(None)})
_DEEPEST = 50  # levels of lists; what nests deeper stays as it is


class _Evidence(NamedTuple):
    """What is known of the types at each place, and what each assert passes word for word."""

    shown: Mapping[Path, frozenset[type]]
    allowed: Mapping[Path, frozenset[type]]
    literal: Mapping[str, tuple[Any, ...]]


def typed_inputs(
    inputs: Sequence[Sequence[Any]],
    *,
    asserts: str,
    contract: Optional[str],
    entry_point: str,
    parameters: Sequence[str],
) -> list[Sequence[Any]]:
    """Give inputs the types that a problem's asserts and contract show.

    A place is an argument, or the members (keys, values) of what is at a place: members of one
    list are taken to be of one kind. Where the contract leaves one kind, it is taken; otherwise
    where the asserts show one. Where they show several, as a list here and a tuple there, only an
    input that an assert has word for word gets its types.

    Parameters
    ----------
    inputs
        Arguments of calls, by position, as JSON has them.
    asserts
        Code with assert statements, or a prompt with them in its docstring (``>>>`` likewise).
    contract
        Statements about the parameters by name, as ``Problem.contract``.
    entry_point, parameters
        Name of the function, and of its parameters in their order.

    Returns
    -------
    list
        In the order of ``inputs``: the list given where it keeps its types, a tuple otherwise.

    Examples
    --------
    >>> asserts = "assert f((1, 2), [3]) == 1"
    >>> typed_inputs([[[5], [6]]], asserts=asserts, contract=None, entry_point="f",
    ...              parameters=["a", "b"])
    [((5,), [6])]
    """
    calls = list(_asserted_calls(asserts, entry_point, parameters))
    shown: dict[Path, frozenset[type]] = {}
    for call in calls:
        for index, value in call.items():
            _show(value, (index,), shown)
    whole = [tuple(call.values()) for call in calls if list(call) == list(range(len(call)))]
    evidence = _Evidence(
        shown=shown,
        allowed=allowed_kinds(contract or "", parameters),
        literal={_as_json(call): call for call in whole if call},
    )
    if not _tells_more_than_json(evidence):  # as most do, and there can be thousands of inputs
        return list(inputs)
    return [_typed(each, evidence) for each in inputs]


def _tells_more_than_json(evidence: _Evidence) -> bool:
    """Whether any type that asserts or contract show is one that JSON has no word for."""
    return any(
        kind not in _JSON_TYPES or (place[-1] == "key" and kind is not str)
        for places in (evidence.shown, evidence.allowed)
        for place, kinds in places.items()
        for kind in kinds
    )


def _typed(arguments: Sequence[Any], evidence: _Evidence) -> Sequence[Any]:
    try:
        known = evidence.literal.get(_as_json(arguments)) or [None] * len(arguments)
        values = [
            _convert(value, (index,), evidence, other)
            for index, (value, other) in enumerate(zip(arguments, known))
        ]
        return arguments if all(map(_same_types, arguments, values)) else tuple(values)
    except RecursionError:  # a thousand brackets
        return arguments


def _convert(value: Any, place: Path, evidence: _Evidence, known: Any) -> Any:
    """Convert the value at a place; ``known`` is what an assert has for it, or None."""
    if isinstance(value, str):
        return _number(value, place, evidence)
    if isinstance(value, dict):
        return _converted_dict(value, place, evidence, known if isinstance(known, dict) else {})
    if not isinstance(value, list) or len(place) > _DEEPEST:
        return value
    inner = known if isinstance(known, (list, tuple)) else [None] * len(value)
    members = [
        _convert(each, (*place, "member"), evidence, other) for each, other in zip(value, inner)
    ]
    kinds = _kinds(place, evidence)
    if len(kinds & _SEQUENCES) != 1 and type(known) in _SEQUENCES:
        kinds = frozenset({type(known)})
    if not members and dict in kinds and kinds & _SEQUENCES == {set}:
        return {}  # no literal of a set is empty: ``{}`` was written for it, beside sets
    return _sequence(members, kinds & _SEQUENCES)


def _converted_dict(
    value: dict[str, Any], place: Path, evidence: _Evidence, known: dict[Any, Any]
) -> dict[Any, Any]:
    """Convert the values, and the keys, which in JSON are strings."""
    names = {str(key): key for key in known}
    numbered = evidence.shown.get((*place, "key")) == frozenset({int})
    converted = {}
    for key, each in value.items():
        name = names.get(key, _whole_number(key) if numbered else key)
        converted[name] = _convert(each, (*place, "value"), evidence, known.get(name))
    return converted


def _kinds(place: Path, evidence: _Evidence) -> frozenset[type]:
    """Kinds that may be at a place: the contract's if it leaves one, the asserts' otherwise."""
    allowed = evidence.allowed.get(place, frozenset())
    if len(allowed & _SEQUENCES) == 1:
        return allowed
    shown = evidence.shown.get(place, frozenset())
    if not shown & _SEQUENCES:
        shown |= _nested_kind(place, evidence)
    if shown & _SEQUENCES:
        return shown & allowed or shown
    return allowed or shown


def _nested_kind(place: Path, evidence: _Evidence) -> frozenset[type]:
    """Kind of what nests deeper than any assert: that of all levels around it, if it is one.

    Only where an assert shows such a thing within another, as in ``f((1, (2, 3)))``: trees.
    """
    around = [place[:end] for end in range(1, len(place))]
    levels = [evidence.shown.get(each, frozenset()) & _SEQUENCES for each in around]
    levels = [each for each in levels if each]
    return levels[0] if len(levels) > 1 and len(set(levels)) == 1 else frozenset()


def _sequence(members: list[Any], kinds: frozenset[type]) -> Any:
    if len(kinds) != 1:
        return members
    (kind,) = kinds
    try:
        return _BUILDERS[kind](members) if kind in _BUILDERS else members
    except TypeError:  # members of a set that have no hash
        return members


def _number(text: str, place: Path, evidence: _Evidence) -> Any:
    """Read a number that was written as a string, where the problem has none but numbers.

    JSON itself has integers and floats, so a string is taken for one only where the contract says
    so, and where the asserts show complex numbers, which it has not.
    """
    allowed, shown = evidence.allowed.get(place), evidence.shown.get(place, frozenset())
    kinds = allowed or shown
    if str in kinds or str in shown or not (allowed or complex in shown):
        return text
    for kind, reader in _READERS.items():
        if kind in kinds:
            try:
                return reader(text)
            except ValueError:
                continue
    return text


def _whole_number(key: str) -> Any:
    try:
        return int(key) if str(int(key)) == key else key
    except ValueError:
        return key


def _show(value: Any, place: Path, shown: dict[Path, frozenset[type]]) -> None:
    shown[place] = shown.get(place, frozenset()) | {type(value)}
    if isinstance(value, dict):
        for key, each in value.items():
            _show(key, (*place, "key"), shown)
            _show(each, (*place, "value"), shown)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for each in value:
            _show(each, (*place, "member"), shown)


def _asserted_calls(
    text: str, entry_point: str, parameters: Sequence[str]
) -> Iterator[dict[int, Any]]:
    """Yield for each call of the entry point in asserts its literal arguments, by place."""
    for statement in _statements(text):
        for node in ast.walk(statement):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if node.func.id == entry_point:
                yield _literal_arguments(node, parameters)


def _literal_arguments(call: ast.Call, parameters: Sequence[str]) -> dict[int, Any]:
    places: dict[int, ast.expr] = {}
    for index, each in enumerate(call.args):
        if isinstance(each, ast.Starred):
            break
        places[index] = each
    for keyword in call.keywords:
        if keyword.arg and keyword.arg in parameters:
            places[list(parameters).index(keyword.arg)] = keyword.value
    found = {}
    for index, node in places.items():
        try:
            (found[index],) = read_arguments(ast.unparse(node))
        except ValueError:
            continue
    return found


def _statements(text: str) -> Iterator[ast.AST]:
    """Yield the asserts of code, or where it has none those in its docstrings."""
    tree = parsed(text)
    nodes = list(ast.walk(tree)) if tree else []
    asserts = [node for node in nodes if isinstance(node, ast.Assert)]
    lines = [] if asserts else [line.strip() for line in text.splitlines()]
    written = [
        parsed(line[4:] if line.startswith(">>> ") else line)
        for line in lines
        if line.startswith(("assert ", ">>> "))
    ]
    yield from asserts
    yield from filter(None, written)


def _as_json(value: Any) -> str:
    """Write a value so that what JSON writes alike is alike: a tuple and a list, keys 1 and "1"."""
    if isinstance(value, (set, frozenset)):
        return f"[{', '.join(sorted(map(_as_json, value)))}]"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_as_json, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{str(key)!r}: {_as_json(each)}' for key, each in value.items())}}}"
    return repr(value)


def _same_types(one: Any, other: Any) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, list):
        return all(map(_same_types, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(map(_same_types, one.values(), other.values()))
    return True
