from __future__ import annotations

import pytest

from pytest_codecollapse.samples.contracts import Path, allowed_kinds

BOTH = frozenset({list, tuple})
TUPLE = frozenset({tuple})

ASKED: dict[str, dict[Path, frozenset[type]]] = {
    "assert isinstance(x, tuple), 'invalid'": {(0,): TUPLE},
    "assert isinstance(x, (list, tuple))": {(0,): BOTH},
    "assert isinstance(x, tuple) or isinstance(x, list)": {(0,): BOTH},
    "assert isinstance(x, tuple) and len(x) > 1": {(0,): TUPLE},
    "assert isinstance(x, (list, tuple))\nassert isinstance(x, tuple)": {(0,): TUPLE},
    "assert type(x) == tuple": {(0,): TUPLE},
    "assert type(y) is set": {(1,): frozenset({set})},
    "assert type(x) in (list, tuple)": {(0,): BOTH},
    "assert all(isinstance(i, tuple) for i in x)": {(0, "member"): TUPLE},
    "assert all([isinstance(i, tuple) for i in x])": {(0, "member"): TUPLE},
    "assert all(isinstance(b, tuple) for a in x for b in a)": {(0, "member", "member"): TUPLE},
    "assert all(all(isinstance(b, str) for b in a) for a in x)": {
        (0, "member", "member"): frozenset({str})
    },
    "assert all(isinstance(b, tuple) for a, b in x)": {(0, "member", "member"): TUPLE},
    "assert all(isinstance(i, tuple) for _, i in enumerate(x))": {(0, "member"): TUPLE},
    "assert all(isinstance(b, tuple) for a, b in zip(x, y))": {(1, "member"): TUPLE},
    "assert all(isinstance(i, tuple) for i in y.values())": {(1, "value"): TUPLE},
    "assert all(isinstance(k, int) for k, _ in y.items())": {(1, "key"): frozenset({int})},
    "for i in x:\n    assert isinstance(i, tuple)": {(0, "member"): TUPLE},
    "if not isinstance(x, tuple):\n    raise ValueError": {(0,): TUPLE},
    "assert isinstance(x[0], tuple)": {(0, "member"): TUPLE},
    "\n    assert isinstance(x, tuple)\n    assert x\n": {(0,): TUPLE},
}


@pytest.mark.parametrize(("contract", "kinds"), ASKED.items())
def test_what_a_contract_asks_for(contract: str, kinds: dict[Path, frozenset[type]]) -> None:
    """Each way of asking for a type is read as what it says of a place."""
    assert allowed_kinds(contract, ["x", "y"]) == kinds


@pytest.mark.parametrize(
    "contract",
    [
        "",
        "assert isinstance(x",
        "assert isinstance(z, tuple)",
        "assert isinstance(x, Pair)",
        "assert isinstance(x, (tuple, Pair))",
        "assert not isinstance(x, tuple)",
        "assert any(isinstance(i, tuple) for i in x)",
        "assert all(isinstance(i, tuple) for i in x if i)",
        "assert isinstance(x, tuple) or len(y) > 1",
        "assert isinstance(x, tuple) or isinstance(y, tuple)",
        "if y:\n    assert isinstance(x, tuple)",
        "def check(x):\n    assert isinstance(x, tuple)",
        "x = convert(x)\nassert isinstance(x, tuple)",
        "assert type(x) == type(y)",
        "assert all(isinstance(x, tuple) for x in load(y))",
    ],
)
def test_what_says_nothing(contract: str) -> None:
    """What does not hold for each call, or of another name, is not taken for a type."""
    assert allowed_kinds(contract, ["x", "y"]) == {}
