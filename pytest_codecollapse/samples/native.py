"""The native format: a problem is one JSON object on one line.

An optional field may be ``null``, which leaves it out. Labels and clusters may be strings or
integers, and are kept as strings. Fields that the format does not know are ignored.
"""

from __future__ import annotations

import difflib
import keyword
import math
from collections.abc import Sequence
from typing import Any, Literal, Optional, Union

from pytest_codecollapse.errors import SamplesError, Where
from pytest_codecollapse.model import Checks, Problem
from pytest_codecollapse.samples.jsonline import decode_line, fault, fields_of, kind_of, quoted
from pytest_codecollapse.samples.literals import read_arguments

#: Inputs nested deeper are refused here, rather than overrun the stack of a later stage.
MAX_NESTING = 100

#: Field -> what to do about it when it is wrong or missing.
_REMEDIES = {
    "problem_id": "give each problem an id of its own, such as 'HumanEval/0'",
    "entry_point": "name the function to call",
    "candidates": "give the sampled programs as a list of sources",
    "reference": "give the source of a program whose behaviour is correct, or tests",
    "input_gen": "give source that defines generate(rng, m)",
    "inputs": "give a list of argument lists, such as [[1, 2], [3, 4]], or of Python arguments in"
    " strings, such as ['(1, 2), {3}']",
    "tests": "give code that defines check(candidate), or a list of assert statements",
    "test_setup": "give code that stands before the tests, or leave test_setup out",
    "contract": "give statements about the reference's parameters, or leave contract out",
    "atol": "give by how much a float may be off, a number from 0, or leave atol out",
    "repairs": "give one list of names per candidate, or leave repairs out",
    "labels": "give one string or integer per candidate, or leave labels out",
    "prompt": "give the text that was sampled from, or leave prompt out",
    "setup": "give the code to put before every program, or leave setup out",
    "equality": "choose one, or leave equality out",
    "cluster": "name the group that the problem belongs to, or leave cluster out",
}


def parse_line(raw: bytes, where: Where) -> Problem:
    r"""Read one line of a samples file, and check it completely.

    Parameters
    ----------
    raw
        The line, with its ``\n`` if it has one.
    where
        The file and the line's number.

    Raises
    ------
    SamplesError
        Where the line is not what the format asks for.
    """
    fields = _Fields(decode_line(raw, where), where)
    entry_point = fields.entry_point()
    candidates = tuple(fields.items("candidates", str))
    tests = fields.tests()
    input_gen, inputs = fields.input_source(has_tests=tests is not None)
    return Problem(
        problem_id=fields.problem_id,
        entry_point=entry_point,
        candidates=candidates,
        reference=fields.reference(has_tests=tests is not None),
        where=fields.where,
        input_gen=input_gen,
        inputs=inputs,
        tests=tests,
        contract=fields.optional_string("contract"),
        labels=fields.labels(len(candidates)),
        repairs=fields.repairs(len(candidates)),
        prompt=fields.optional_string("prompt") or "",
        setup=fields.optional_string("setup") or "",
        equality=fields.equality(),
        atol=fields.atol(),
        cluster=fields.cluster(),
    )


class _Fields:
    """The fields of one line, each read with the checks that it needs."""

    def __init__(self, fields: dict[str, Any], where: Where) -> None:
        self._fields = fields
        self.where = where
        self.problem_id = self._encodable("problem_id", self.string("problem_id"))
        if not self.problem_id:
            raise self._fault("problem_id", "problem_id is empty", got="''", expected="some text")
        self.where = where._replace(problem_id=self.problem_id)

    def string(self, name: str) -> str:
        return self._string(name, self._required(name))

    def optional_string(self, name: str) -> Optional[str]:
        value = self._fields.get(name)
        return None if value is None else self._string(name, value)

    def items(self, name: str, kind: Union[type, tuple[type, ...]]) -> list[Any]:
        """Read a required list that is not empty and holds values of some JSON kinds alone."""
        items = self._required(name)
        self._check_type(name, name, items, list)
        if not items:
            raise self._fault(name, f"{name} is empty", got="[]", expected="at least one item")
        for index, item in enumerate(items):
            self._check_type(name, f"{name}[{index}]", item, kind)
        return list(items)

    def entry_point(self) -> str:
        name = self.string("entry_point")
        if not name.isidentifier() or keyword.iskeyword(name):
            what = "entry_point is no name that a function can have"
            raise self._fault("entry_point", what, got=quoted(name), expected="a Python identifier")
        return name

    def reference(self, *, has_tests: bool) -> Optional[str]:
        """Read the reference, which a problem with tests can do without."""
        return self.optional_string("reference") if has_tests else self.string("reference")

    def tests(self) -> Optional[Checks]:
        value = self._fields.get("tests")
        if value is None:
            return None
        if not isinstance(value, str):
            value = tuple(self.items("tests", str))
        return Checks(source=value, setup=self.optional_string("test_setup") or "")

    def input_source(
        self, *, has_tests: bool
    ) -> tuple[Optional[str], Optional[tuple[Sequence[Any], ...]]]:
        """Read whichever there is of ``input_gen`` and ``inputs``; tests can stand in for both."""
        input_gen = self.optional_string("input_gen")
        has_inputs = self._fields.get("inputs") is not None
        if input_gen is None:
            if not has_inputs and not has_tests:
                raise self._no_input_source()
            return None, self._inputs() if has_inputs else None
        if has_inputs:
            what, got = "inputs have two sources", "input_gen and inputs"
            raise fault(self.where, what, got=got, expected="one of them", remedy="remove one")
        return input_gen, None

    def labels(self, candidates: int) -> Optional[tuple[str, ...]]:
        labels = self._fields.get("labels")
        if labels is None:
            return None
        self._check_type("labels", "labels", labels, list)
        if len(labels) != candidates:
            raise self._fault(
                "labels",
                "labels and candidates differ in number",
                got=f"{len(labels)} labels",
                expected=f"{candidates}, one per candidate",
            )
        return tuple(self._label("labels", f"labels[{i}]", label) for i, label in enumerate(labels))

    def repairs(self, candidates: int) -> Optional[tuple[tuple[str, ...], ...]]:
        if self._fields.get("repairs") is None:
            return None
        repairs = self.items("repairs", list)
        if len(repairs) != candidates:
            what, expected = "repairs and candidates differ in number", f"{candidates}"
            raise self._fault("repairs", what, got=f"{len(repairs)} lists", expected=expected)
        for at, names in enumerate(repairs):
            for name in names:
                self._check_type("repairs", f"an item of repairs[{at}]", name, str)
        return tuple(map(tuple, repairs))

    def atol(self) -> float:
        value = self._fields.get("atol")
        if value is None:
            return 0.0
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self._wrong_type("atol", "atol", value, "a number")
        if not 0 <= value < math.inf:
            what, expected = "atol is out of range", "a number from 0"
            raise self._fault("atol", what, got=str(value), expected=expected)
        return float(value)

    def equality(self) -> Literal["strict", "python"]:
        value = self.optional_string("equality")
        if value is None or value == "strict":
            return "strict"
        if value == "python":
            return "python"
        what, expected = "equality is unknown", "'strict' or 'python'"
        raise self._fault("equality", what, got=quoted(value), expected=expected)

    def cluster(self) -> Optional[str]:
        value = self._fields.get("cluster")
        if value is None:
            return None
        return self._encodable("cluster", self._label("cluster", "cluster", value))

    def _inputs(self) -> tuple[Sequence[Any], ...]:
        items = self.items("inputs", (list, str))
        items = [self._arguments(at, item) for at, item in enumerate(items)]
        if _is_nested_deeper(items, MAX_NESTING):
            raise fault(
                self.where,
                "inputs are nested too deeply",
                got=f"more than {MAX_NESTING} levels",
                expected="fewer",
                remedy="build deep inputs in input_gen",
            )
        return tuple(items)

    def _arguments(self, at: int, item: Union[str, list[Any]]) -> Sequence[Any]:
        """Read the arguments of one call, which are a list or Python in a string."""
        if not isinstance(item, str):
            return item
        try:
            return read_arguments(item)
        except ValueError as error:
            what, got = f"inputs[{at}] cannot be read as Python", f"{quoted(item)}: {error}"
            raise self._fault("inputs", what, got=got, expected="literals") from error

    def _required(self, name: str) -> Any:
        if name not in self._fields:
            remedy = _REMEDIES[name]
            if name == "entry_point":  # as where the problems, which have it, are not named
                remedy += ", or the problems' file with --problems"
            raise self._missing([name], f"the field {name} is missing", remedy)
        return self._fields[name]

    def _string(self, name: str, value: Any) -> str:
        self._check_type(name, name, value, str)
        return str(value)

    def _label(self, name: str, place: str, value: Any) -> str:
        if isinstance(value, bool) or not isinstance(value, (str, int)):
            raise self._wrong_type(name, place, value, "a string or an integer")
        return str(value)

    def _encodable(self, name: str, text: str) -> str:
        """Refuse lone surrogates in what is written to reports."""
        if any("\ud800" <= character <= "\udfff" for character in text):
            what, expected = f"{name} holds half a surrogate pair", "text that UTF-8 can hold"
            raise self._fault(name, what, got=quoted(text), expected=expected)
        return text

    def _check_type(
        self, name: str, place: str, value: Any, kind: Union[type, tuple[type, ...]]
    ) -> None:
        if not isinstance(value, kind):
            kinds = kind if isinstance(kind, tuple) else (kind,)
            expected = " or ".join(kind_of(each()) for each in kinds)
            raise self._wrong_type(name, place, value, expected)

    def _wrong_type(self, name: str, place: str, value: Any, expected: str) -> SamplesError:
        what = f"{place} is of the wrong type"
        return self._fault(name, what, got=kind_of(value), expected=expected)

    def _no_input_source(self) -> SamplesError:
        remedy = (
            f"{_REMEDIES['inputs']}, or input_gen: source that defines generate(rng, m), or tests"
        )
        return self._missing(["input_gen", "inputs", "tests"], "inputs have no source", remedy)

    def _missing(self, names: Sequence[str], what: str, remedy: str) -> SamplesError:
        """Say what is missing, and name the key that is most like a misspelling of it."""
        others = [key for key in self._fields if key not in _REMEDIES]
        matches = [
            (name, near) for name in names for near in difflib.get_close_matches(name, others, n=1)
        ]
        if matches:
            name, near = max(matches, key=_similarity)
            remedy = f"rename the key to {name}"
            return fault(self.where, what, got=quoted(near), expected=repr(name), remedy=remedy)
        got = fields_of(self._fields)
        return fault(self.where, what, got=got, expected=" or ".join(names), remedy=remedy)

    def _fault(self, name: str, what: str, *, got: str, expected: str) -> SamplesError:
        return fault(self.where, what, got=got, expected=expected, remedy=_REMEDIES[name])


def _similarity(pair: tuple[str, str]) -> float:
    return difflib.SequenceMatcher(None, *pair).ratio()


def _is_nested_deeper(value: Sequence[Any], levels: int) -> bool:
    layer: Sequence[Any] = [value]
    for _ in range(levels):
        layer = [
            child
            for item in layer
            for child in (item.values() if isinstance(item, dict) else item)
            if isinstance(child, (list, dict, tuple, set, frozenset))
        ]
    return bool(layer)
