"""Why a candidate is not correct: one cause each, from what it did and how it is written.

What it did decides; its text is asked only where that leaves several causes: a program that does
not load with a NameError may lack the function, or have failed before defining it.
"""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple, Optional

from pytest_codecollapse.behaviour.classes import are_correct, oracle_of
from pytest_codecollapse.behaviour.fingerprint import outcome_kind
from pytest_codecollapse.behaviour.scopes import Scopes
from pytest_codecollapse.behaviour.signature import takes
from pytest_codecollapse.extraction import has_code
from pytest_codecollapse.extraction.names import can_be_called, final_binding
from pytest_codecollapse.extraction.parse import compiles, read
from pytest_codecollapse.extraction.thoughts import without_thoughts
from pytest_codecollapse.model import CAUSES, Execution, Executions, FailedAssert

_NOT_COMPILED = {"load:SyntaxError", "load:IndentationError", "load:TabError"}

#: Faults of a text without a tree: a null byte, half of a surrogate pair, and what nobody named.
_UNREADABLE = {"load:ValueError", "load:UnicodeEncodeError", "load:"}
_NOT_IMPORTED = {
    f"{when}:{what}Error" for when in ("load", "exc") for what in ("ModuleNotFound", "Import")
}

#: What a program uses that can raise a SyntaxError though it compiles itself.
_COMPILES_TEXT = re.compile(r"\b(?:eval|exec|compile|literal_eval|parse|SyntaxError)\b")

#: What a line begins with that is code, though the whole has no tree, and that no prose has.
_CODE = re.compile(
    r"^[ \t]*(?:(?:async[ \t]+)?def[ \t]+\w+[ \t]*\(|class[ \t]+\w+[ \t]*[:(]|@\w"
    r"|from[ \t]+[\w.]+[ \t]+import\b|import[ \t]+\w+[ \t]*$)"
    r"|^[ \t]+(?:return|if|for|while|try)\b",
    re.MULTILINE,
)

#: What a failed assert is, where the tokens do not tell.
_FAILED = {"value": "value", "timeout": "TIMEOUT", "crash": "CRASH"}

# A program may define any number of names of any length, and comparing takes their product.
_MOST_NAMES = 50
_LONGEST_NAME = 80


class Reasons(NamedTuple):
    """Cause -> candidates, in the order of ``CAUSES``; name defined instead -> candidates."""

    causes: dict[str, tuple[int, ...]]
    misnamed: dict[str, tuple[int, ...]]


class _Reason(NamedTuple):
    cause: str
    instead: Optional[str] = None


def reasons_of(
    executions: Executions, sources: Sequence[str], entry_point: str, prompt: str = ""
) -> Reasons:
    """Find the cause of each candidate that is not correct, the first of ``CAUSES`` that holds.

    Where the tests decide who is correct, the cause is that of the first assert that fails.

    Parameters
    ----------
    executions
        What the reference and each candidate did.
    sources
        The candidates' sources, in the same order.
    entry_point
        The function that is called.
    prompt
        What was sampled from: where a source begins with it, it is none of the model's code.

    Returns
    -------
    Reasons
        Indices of candidates, ascending; each that is not correct stands under one cause, and no
        other stands anywhere.
    """
    known: dict[tuple[str, frozenset[str]], _Reason] = {}
    found: dict[int, _Reason] = {}
    for index, is_correct in enumerate(are_correct(executions)):
        if not is_correct:
            key = sources[index], frozenset(_faults(executions, index))
            if key not in known:
                known[key] = _reason(*key, entry_point, prompt, executions.argument_counts)
            found[index] = known[key]
    names = sorted({each.instead for each in found.values() if each.instead is not None})
    causes = {
        cause: tuple(index for index, each in found.items() if each.cause == cause)
        for cause in CAUSES
    }
    return Reasons(
        {cause: members for cause, members in causes.items() if members},
        {name: tuple(at for at, each in found.items() if each.instead == name) for name in names},
    )


def _faults(executions: Executions, index: int) -> Iterator[str]:
    """Yield the kinds of what a candidate did where something else was expected."""
    did = executions.candidates[index]
    if oracle_of(executions) == "reference":
        for token, expected in zip(did.tokens, executions.reference.tokens):
            if token != expected:
                yield outcome_kind(token)
        if _raises_late(executions, index):
            yield "exc:"
    elif executions.checked is not None:
        failure = executions.checked[index].failure
        if failure is not None:
            yield from _faults_in_tests(did, failure)


def _raises_late(executions: Executions, index: int) -> bool:
    """Whether tests saw a candidate raise that returned, such as a generator: no token tells."""
    failure = None if executions.checked is None else executions.checked[index].failure
    raised = any(each.startswith("exc:") for each in executions.candidates[index].tokens)
    return failure is not None and failure.kind == "exception" and not raised


def _faults_in_tests(did: Execution, failure: FailedAssert) -> Iterator[str]:
    """Yield what a failed assert is; which exception it was, the tokens tell best."""
    prefix = {"exception": "exc:", "load": "load:"}.get(failure.kind)
    if prefix is None:
        yield _FAILED[failure.kind]
    else:
        yield from [each for each in did.tokens if each.startswith(prefix)] or [prefix]


def _reason(
    source: str, faults: frozenset[str], entry_point: str, prompt: str, counts: Sequence[int]
) -> _Reason:
    is_code = has_code(source, prompt=prompt)
    does_not_load = any(fault.startswith("load:") for fault in faults)
    has_to_be_read = not is_code or does_not_load or "exc:TypeError" in faults
    tree = read(source).tree if has_to_be_read else None
    if not is_code and not (tree is None and _breaks_off(source, prompt)):
        return _Reason("no code")
    if tree is None and faults & (_NOT_COMPILED | _UNREADABLE):
        return _Reason("syntax")
    if tree is not None and faults & _NOT_COMPILED and not _raises_itself(source):
        return _Reason("syntax")
    if tree is not None and does_not_load:
        defined = _defined(tree)
        is_known = entry_point in defined or ("*" in defined and faults & _NOT_IMPORTED)
        if not is_known or ("load:TypeError" in faults and not _may_be_called(tree, entry_point)):
            return _Reason("name", _similar(tree, defined - {entry_point}, entry_point))
    if tree is not None and "exc:TypeError" in faults and not takes(tree, entry_point, counts):
        return _Reason("signature")
    return _Reason(_cause_of_outcome(faults))


def _breaks_off(source: str, prompt: str) -> bool:
    """Whether a text without a tree is code that breaks off in its first statement, not prose."""
    written = without_thoughts(source[len(prompt) :] if source.startswith(prompt) else source)
    return _CODE.search(written) is not None


def _raises_itself(source: str) -> bool:
    """Whether a program compiles, and has compiled another text that does not."""
    return _COMPILES_TEXT.search(source) is not None and compiles(source)


def _defined(tree: ast.Module) -> set[str]:
    """Return what a program defines that is imported; ``*`` where it may be anything.

    What stands below ``if __name__ == "__main__"`` is not.
    """
    body: list[ast.stmt] = []
    for statement in tree.body:
        if isinstance(statement, ast.If) and "__name__" in ast.dump(statement.test):
            body += statement.orelse
        else:
            body.append(statement)
    imported = ast.Module(body=body, type_ignores=[])
    return Scopes(imported).of[imported].names


def _may_be_called(tree: ast.Module, name: str) -> bool:
    binding = final_binding(tree, name)
    return binding is None or can_be_called(binding)


def _cause_of_outcome(faults: Collection[str]) -> str:
    if not _NOT_IMPORTED.isdisjoint(faults):
        return "import"
    if any(fault.startswith(("load:", "exc:")) for fault in faults):
        return "runtime error"
    if "value" in faults:
        return "wrong output"
    return "timeout" if "TIMEOUT" in faults else "crash"


def _similar(tree: ast.Module, defined: Collection[str], entry_point: str) -> Optional[str]:
    """Return what a program defines in the place of the entry point, as far as a name tells."""
    for statement in tree.body:
        if isinstance(statement, ast.ClassDef) and len(statement.name) <= _LONGEST_NAME:
            methods = (each for each in statement.body if isinstance(each, ast.FunctionDef))
            if any(each.name == entry_point for each in methods):
                return f"{statement.name}.{entry_point}"
    names = sorted(name for name in defined if len(name) <= _LONGEST_NAME)[:_MOST_NAMES]
    return next(iter(difflib.get_close_matches(entry_point[:_LONGEST_NAME], names, 1)), None)
