"""Problems of EvalPlus: the form of HumanEval with ``base_input``, ``plus_input``, ``contract``.

Their tests are HumanEval's ``test`` or MBPP's ``assertion``, which check the base inputs; the
others are compared with the reference, floats to within ``atol``. Where that is 0, EvalPlus takes
1e-6.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any, Union

from pytest_codecollapse.samples.benchmarks.benchmark import Problem
from pytest_codecollapse.samples.benchmarks.fields import Fields
from pytest_codecollapse.samples.benchmarks.humaneval import common
from pytest_codecollapse.samples.contracts import parsed
from pytest_codecollapse.samples.literals import write_arguments
from pytest_codecollapse.samples.shapes import typed_inputs

_LEAST_ATOL = 1e-6


def is_evalplus(row: dict[str, Any]) -> bool:
    """Whether a row is a problem in this form."""
    return "entry_point" in row and ("base_input" in row or "plus_input" in row)


def read_evalplus(row: Fields, line: int) -> Problem:
    """Read a problem."""
    shared, contract = common(row), row.optional_text("contract")
    asserts = row.optional_text("assertion")
    fields = {
        **shared,
        "inputs": _inputs(row, shared, asserts or shared["prompt"], contract) or None,
        "contract": contract or None,
        "atol": row.number("atol") or _LEAST_ATOL,
        **_tests(row.optional_text("test"), asserts),
    }
    return Problem(line, fields, shared["prompt"])


def _tests(test: str, assertion: str) -> dict[str, Any]:
    """Return the tests; of MBPP's, what is no assert statement is their setup."""
    if test.strip() or not assertion.strip():
        return {"tests": test or None}
    tree = parsed(assertion)
    if tree is None:
        return {"tests": [assertion]}
    texts: list[tuple[bool, str]] = [
        (isinstance(each, ast.Assert), ast.get_source_segment(assertion, each) or "")
        for each in tree.body
    ]
    setup = "\n".join(text for is_assert, text in texts if not is_assert)
    return {"tests": [text for is_assert, text in texts if is_assert], "test_setup": setup}


def _inputs(
    row: Fields, shared: dict[str, Any], asserts: str, contract: str
) -> list[Union[str, list[Any]]]:
    inputs = [*row.items("base_input", list), *row.items("plus_input", list)]
    typed = typed_inputs(
        inputs,
        asserts=asserts,
        contract=contract or None,
        entry_point=shared["entry_point"],
        parameters=_parameters(shared["reference"], shared["entry_point"]),
    )
    return [_item(each) for each in typed]


def _item(arguments: Sequence[Any]) -> Union[str, list[Any]]:
    """Write arguments as the native format has them: JSON, or Python where JSON has no word."""
    return arguments if isinstance(arguments, list) else write_arguments(arguments)


def _parameters(reference: str, entry_point: str) -> list[str]:
    """Return the names of the reference's parameters, in their order."""
    tree = parsed(reference)
    for each in reversed(tree.body if tree else []):  # the last definition counts
        if isinstance(each, ast.FunctionDef) and each.name == entry_point:
            return [parameter.arg for parameter in (*each.args.posonlyargs, *each.args.args)]
    return []
