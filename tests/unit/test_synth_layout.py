from __future__ import annotations

import ast
import random

import pytest

from pytest_codecollapse.synth.layout import reformat

SOURCE = """\
def f(x):
    if x > 0:
        return 'a  b'
    else:
        return x
"""
LAYOUTS = [reformat(SOURCE, random.Random(seed), summary="Say it; or not.") for seed in range(60)]


def without_docstring(source: str) -> str:
    """Dump the tree of a function, less the docstring it may have."""
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    if ast.get_docstring(function) is not None:
        del function.body[0]
    return ast.dump(function)


def test_layouts_keep_the_program() -> None:
    """Every layout parses to the tree of the source, docstring apart."""
    assert {without_docstring(layout) for layout in LAYOUTS} == {without_docstring(SOURCE)}


@pytest.mark.parametrize(
    "piece",
    [
        pytest.param("\n  if x > 0:", id="indent of two"),
        pytest.param("\n\tif x > 0:", id="tabs"),
        pytest.param("\n        if x > 0:", id="indent of eight"),
        pytest.param("\n\n", id="blank line"),
        pytest.param("# Solution\ndef f", id="heading"),
        pytest.param("if x > 0:  # ", id="comment on a line"),
        pytest.param("    # the usual case\n    else:", id="comment above a line"),
        pytest.param('    """Say it; or not."""\n', id="docstring"),
        pytest.param('    """\n    Say it; or not.\n    """\n', id="docstring over three lines"),
        pytest.param("    '''Say it'''\n", id="short docstring"),
    ],
)
def test_layouts_vary(piece: str) -> None:
    """Sixty seeds show every way of laying out, none of them on every program."""
    shown = sum(piece in layout for layout in LAYOUTS)
    assert 0 < shown < 60


def test_some_layouts_add_nothing() -> None:
    """Among sixty seeds there is a bare source, laid out as it came."""
    assert SOURCE in LAYOUTS
