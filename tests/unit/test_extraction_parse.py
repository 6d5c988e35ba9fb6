from __future__ import annotations

import sys

import pytest

from pytest_codecollapse.extraction.parse import MAX_UNCHECKED_CHARACTERS, Parser, read

MISPLACED = {
    "return": ("x = 1\nreturn x\n", 2),
    "return in a class": ("class A:\n    return 1\n", 2),
    "return in a block": ("if x:\n    pass\nelse:\n    return 1\n", 4),
    "yield": ("x = yield 1\n", 1),
    "yield in an argument": ("f(1,\n  (yield))\n", 2),
    "await": ("await x\n", 1),
    "an import from the future": ("x = 1\nfrom __future__ import annotations\n", 2),
    "one in a function": ("def f():\n    from __future__ import annotations\n", 2),
    "one behind a call": ("f()\nfrom __future__ import annotations\n", 2),
}
PLACED = {
    "return": "def f():\n    return 1\n",
    "yield": "def f():\n    if 1:\n        yield\n",
    "yield in a lambda": "f = lambda: (yield)\n",
    "await": "async def f():\n    await x\n",
    "a method": "class A:\n    def f(self):\n        return 1\n",
    "imports from the future": "'''Doc.'''\nfrom __future__ import annotations\nimport a\n",
}


@pytest.mark.parametrize(("source", "line"), MISPLACED.values(), ids=MISPLACED.keys())
def test_what_parses_and_does_not_compile_is_a_fault(source: str, line: int) -> None:
    """The fault is on the line of the statement that is out of place."""
    with pytest.raises(SyntaxError):
        compile(source, "source", "exec", dont_inherit=True)
    assert Parser().read(source) == (None, line)


@pytest.mark.parametrize("source", PLACED.values(), ids=PLACED.keys())
def test_what_is_in_its_place_is_no_fault(source: str) -> None:
    """The same statements where they may stand."""
    compile(source, "source", "exec", dont_inherit=True)
    assert Parser().read(source).tree is not None


@pytest.mark.parametrize(
    "source",
    ["(", "x y", "\0", "\ud800", "-" * 50_000 + "1", "(" * 10_000, "a" + ".b" * 1_000_000],
    ids=["bracket", "words", "null", "surrogate", "signs", "brackets", "links"],
)
def test_no_source_raises(source: str) -> None:
    """What cannot be parsed, for whatever reason, has no tree."""
    assert read(source).tree is None


def test_a_fault_says_its_line() -> None:
    """Lines are counted from 1."""
    assert read("x = 1\ny = = 2\nz = 3\n") == (None, 2)


@pytest.mark.skipif(sys.version_info >= (3, 11), reason="its parser takes longer sources")
def test_longer_sources_are_not_parsed_before_3_11() -> None:
    """They could overrun the stack."""
    longest = "f = 1" + " " * (MAX_UNCHECKED_CHARACTERS - 5)
    assert read(longest).tree is not None
    assert read(longest + " ").tree is None


def test_no_more_is_parsed_than_was_allowed() -> None:
    """Characters are counted, with some for each call; a source that is known costs nothing."""
    parser = Parser(characters=250)
    assert parser.read("x = 1\n").tree is not None
    assert parser.read("x = 2\n").tree is not None
    assert parser.read("x = 3\n").tree is None
    assert parser.read("x = 1\n").tree is not None
