"""Tests, taken apart: each assert is counted by itself, and one that fails does not end the rest.

Theory of operation
-------------------
An assert is replaced, wherever it stands, by a statement that tells what became of it::

    try:
        passed(number, <condition>)
    except BaseException:
        raised(number)

so that the condition sees the same names, and an assert in a loop is counted each time that it
comes. One that stands in a ``try`` with handlers stays as it is: its author may mean to catch it.
So does one without a condition to speak of (``assert True``), which the HumanEval tests have for
their messages, but it is not counted.

The module ast is imported where it is needed, in the child that runs tests: each zygote would have
to load it, and each program's fork to copy its memory.
"""

import types
from typing import Any, Dict, List, Sequence, Union

PASSED, RAISED = "__codecollapse_passed__", "__codecollapse_raised__"
_EXCEPTION = "__codecollapse_exception__"
NAMES: Dict[str, Any] = {_EXCEPTION: BaseException}


def compile_tests(source: str, name: str, sources: List[str]) -> types.CodeType:
    """Compile a source of tests with its asserts replaced.

    Parameters
    ----------
    source, name
        The source, and what tracebacks call it.
    sources
        Gets the text of each assert without its message, on one line; its place is its number.

    Raises
    ------
    SyntaxError
        Where it is no Python.
    """
    import ast

    tree = ast.parse(source, name)
    _Replacer(ast, source, sources).each(tree.body)
    code: types.CodeType = compile(ast.fix_missing_locations(tree), name, "exec", dont_inherit=True)
    return code


class _Replacer:
    """Replaces the asserts below lists of statements; ``ast`` is the module."""

    def __init__(self, ast: Any, source: str, sources: List[str]) -> None:
        self._ast = ast
        self._source = source
        self._sources = sources

    def each(self, statements: List[Any]) -> None:
        """Replace those among some statements, and below them."""
        for at, statement in enumerate(statements):
            if isinstance(statement, self._ast.Assert):
                statements[at] = self._replaced(statement)
            else:
                self._below(statement)

    def _below(self, node: Any) -> None:
        for name, value in self._ast.iter_fields(node):
            if not isinstance(value, list) or (name == "body" and getattr(node, "handlers", ())):
                continue
            if value and isinstance(value[0], self._ast.stmt):
                self.each(value)
            else:  # handlers of a try, cases of a match
                for child in value:
                    if isinstance(child, self._ast.AST):
                        self._below(child)

    def _replaced(self, node: Any) -> Any:
        ast = self._ast
        if isinstance(node.test, ast.Constant) and node.test.value:
            return node
        number = len(self._sources)
        # a message is for who runs the tests by hand; without a condition it is all there is
        shown = node if isinstance(node.test, ast.Constant) else node.test
        text = ast.get_source_segment(self._source, shown) or "..."
        text = text if shown is node else f"assert {text}"
        self._sources.append(" ".join(text.split()))
        exception = ast.Name(_EXCEPTION, ast.Load())
        raised = [self._tell(RAISED, number)]
        handler = ast.ExceptHandler(type=exception, name=None, body=raised)
        body = [self._tell(PASSED, number, node.test)]
        replaced = ast.Try(body=body, handlers=[handler], orelse=[], finalbody=[])
        return ast.copy_location(replaced, node)

    def _tell(self, function: str, number: int, *arguments: Any) -> Any:
        ast = self._ast
        called = [ast.Constant(number), *arguments]
        return ast.Expr(ast.Call(ast.Name(function, ast.Load()), called, []))


def parts_of(tests: Union[str, Sequence[str]]) -> Sequence[str]:
    """Return the sources of tests that are run one after the other."""
    return [tests] if isinstance(tests, str) else tests
