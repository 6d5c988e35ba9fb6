"""Problems in MBPP's own form: ``text`` or ``prompt``, ``code``, ``test_list`` and their setup.

MBPP's score is by ``test_list``; ``challenge_test_list`` is left out, as it is there.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from pytest_codecollapse.samples.benchmarks.benchmark import Problem
from pytest_codecollapse.samples.benchmarks.fields import Fields
from pytest_codecollapse.samples.contracts import parsed
from pytest_codecollapse.samples.jsonline import fault


def is_mbpp(row: dict[str, Any]) -> bool:
    """Whether a row is a problem in this form."""
    return "test_list" in row and "code" in row


def read_mbpp(row: Fields, line: int) -> Problem:
    """Read a problem; completions do not go on from its prompt, which is prose."""
    code, tests = row.text("code"), row.items("test_list", str)
    setup = [*row.items("test_imports", str), row.optional_text("test_setup_code")]
    fields = {
        "problem_id": row.task_id,
        "entry_point": _entry_point(row, code, tests),
        "reference": code,
        "tests": tests,
        "test_setup": "\n".join(filter(None, setup)),
        "prompt": row.optional_text("text") or row.optional_text("prompt"),
        "equality": "python",
    }
    return Problem(line, fields, "")


def _entry_point(row: Fields, code: str, tests: Sequence[str]) -> str:
    """Return the function that the tests call and the code defines: the outermost, if several."""
    defined = set(_defined(code))
    called: Counter[str] = Counter()
    for test in tests:
        called.update(name for name in _called(test) if name in defined)
    if not called:
        raise fault(
            row.where,
            "no function that the tests call is defined by the code",
            got=", ".join(sorted(defined)[:12]) or "no function",
            expected="a definition of what test_list calls",
            remedy="give the problems' file as it was published",
        )
    return called.most_common(1)[0][0]


def _defined(code: str) -> Iterator[str]:
    for each in _statements(code):
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield each.name
        elif isinstance(each, ast.Assign):
            yield from (target.id for target in each.targets if isinstance(target, ast.Name))


def _called(test: str) -> Iterator[str]:
    """Yield the names that a test calls, each once, the outermost first."""
    seen = set()
    for statement in _statements(test):
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if node.func.id not in seen:
                    yield node.func.id
                seen.add(node.func.id)


def _statements(source: str) -> list[ast.stmt]:
    tree = parsed(source)
    return tree.body if tree else []
