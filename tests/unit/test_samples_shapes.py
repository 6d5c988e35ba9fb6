from __future__ import annotations

import ast
import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Optional

import pytest

from pytest_codecollapse.samples.contracts import parsed
from pytest_codecollapse.samples.literals import write_arguments
from pytest_codecollapse.samples.shapes import typed_inputs


def typed(
    inputs: Sequence[Sequence[Any]], asserts: str = "", contract: Optional[str] = None
) -> list[Sequence[Any]]:
    """Give inputs of ``f(x, y)`` their types."""
    return typed_inputs(
        inputs, asserts=asserts, contract=contract, entry_point="f", parameters=["x", "y"]
    )


FROM_ASSERTS: list[tuple[str, list[Any], str]] = [
    ("assert f((1, 2)) == 3", [[4, 5]], "(4, 5)"),
    ("assert f([(1, 2)], [3]) == 3", [[[4, 5], []], [6]], "[(4, 5), ()], [6]"),
    ("assert f({1, 2}) == 3", [[4]], "{4}"),
    ("assert f([{1}, {}]) == 3", [[[4, 5], []]], "[{4, 5}, {}]"),
    ("assert f(frozenset({1})) == 3", [[4]], "frozenset({4})"),
    ("assert f({'a': (1, 2)}) == 3", [{"b": [4, 5]}], "{'b': (4, 5)}"),
    ("assert f({1: 'a'}) == 3", [{"4": "b", "c": "d"}], "{4: 'b', 'c': 'd'}"),
    ("assert f(1j) == 3", ["(2+3j)"], "(2+3j)"),
    ("assert f((1, (2, 3))) == 3", [[4, [5, [6, [7]]]]], "(4, (5, (6, (7,))))"),
    ("assert math.isclose(g(f((1, 2))), 0.5)", [[4]], "(4,)"),
    ("assert f(y=(1, 2), x=[3]) == 3", [[4], [5]], "[4], (5,)"),
    ("assert f(load(), (1, 2)) == 3", [[4], [5]], "[4], (5,)"),
    ('"""Add.\nassert f((1, 2)) == 3\n"""\n', [[4]], "(4,)"),
    ('def f(x):\n    """Add.\n\n    >>> f((1, 2))\n    3\n    """\n', [[4]], "(4,)"),
]


@pytest.mark.parametrize(("asserts", "arguments", "written"), FROM_ASSERTS)
def test_types_that_asserts_show(asserts: str, arguments: list[Any], written: str) -> None:
    """Arguments get the types that the literals at their places have."""
    (given,) = typed([arguments], asserts)
    assert isinstance(given, tuple)
    assert write_arguments(given) == written


@pytest.mark.parametrize(
    ("asserts", "arguments"),
    [
        ("", [[1, 2]]),
        ("assert f([1, 2]) == 3", [[4, [5]]]),
        ("assert g((1, 2)) == 3", [[4]]),
        ("assert f(*(1, 2)) == 3", [[4]]),
        ("assert f(x + (1,)) == 3", [[4]]),
        ("assert f({[1]}) == 3", [[4]]),
        ("assert f({1}) == 3", [[[4]]]),
        ("assert f('1j', 1) == 3", ["2j", "3"]),
        ("assert f((1, 2) == 3", [[4]]),
        ("assert f((1, 2)) == 3\nassert f([1, 2]) == 3", [[4]]),
    ],
)
def test_what_keeps_its_types(asserts: str, arguments: list[Any]) -> None:
    """An input of which nothing is shown is given back as it is, the very list."""
    (given,) = typed([arguments], asserts)
    assert given is arguments


def test_asserts_that_do_not_agree_give_types_to_their_own_inputs_alone() -> None:
    """Where one assert has a tuple and one a list, the input that one of them has is as there."""
    asserts = "assert f((1, 2)) == 3\nassert f([3, 4]) == 7"
    assert typed([[[1, 2]], [[3, 4]], [[5, 6]]], asserts) == [((1, 2),), [[3, 4]], [[5, 6]]]


def test_keys_of_an_asserts_own_input() -> None:
    """A dict that an assert has word for word gets its keys, where others have strings."""
    asserts = "assert f({1: 'a'}) == 3\nassert f({'1x': 'a'}) == 3"
    assert typed([[{"1": "a"}], [{"2": "a"}]], asserts) == [({1: "a"},), [{"2": "a"}]]


def test_a_contract_that_leaves_one_type_is_kept_to() -> None:
    """The contract's type is taken against that of the asserts; one that leaves two is not."""
    inputs = [[[1, 2], [3]]]
    contract = "assert isinstance(x, tuple) and isinstance(y, (list, tuple))"
    assert typed(inputs, "assert f([1, 2], [3]) == 3", contract) == [((1, 2), [3])]
    assert typed(inputs, "assert f([1, 2], (3,)) == 3", contract) == [((1, 2), (3,))]


def test_numbers_that_a_contract_asks_for() -> None:
    """A string becomes a number where the contract has numbers and no string."""
    contract = "assert isinstance(x, (int, float))\nassert isinstance(y, (complex, str))"
    assert typed([["0", "1j"], ["1e-5", "1"]], "", contract) == [(0, "1j"), (1e-05, "1")]
    assert typed([["zero", 1]], "", contract) == [["zero", 1]]


def test_deep_inputs_are_left_alone() -> None:
    """Lists within lists, deeper than Python recurses, are given back as they are."""
    deep: list[Any] = []
    for _ in range(3000):
        deep = [deep]
    arguments = [deep]
    (given,) = typed([arguments], "assert f((1, (2, 3))) == 3")
    assert given is arguments


def test_mbpp_plus(shared_data: Path) -> None:
    """So many of MBPP+'s problems have inputs that are not as JSON has them.

    EvalPlus's own conversion by task id has the same types on 369 of the 378; on the others the
    asserts or the contract show what ours are.
    """
    converted = []
    with gzip.open(shared_data / "evalplus" / "MbppPlus.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for row in rows:
        inputs = [*row["base_input"], *row["plus_input"]]
        given = typed_inputs(
            inputs,
            asserts=row["assertion"],
            contract=row["contract"],
            entry_point=row["entry_point"],
            parameters=_parameters(row["prompt"] + row["canonical_solution"], row["entry_point"]),
        )
        if any(type(each) is tuple for each in given):
            converted.append(row["task_id"])
    assert len(rows) == 378
    assert len(converted) == 57
    assert converted[:5] == ["Mbpp/2", "Mbpp/63", "Mbpp/64", "Mbpp/70", "Mbpp/75"]


def _parameters(source: str, entry_point: str) -> list[str]:
    tree = parsed(source)
    assert tree is not None
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    (function,) = [each for each in functions if each.name == entry_point][-1:]
    return [each.arg for each in function.args.args]
