from __future__ import annotations

import builtins
import keyword
import re

from hypothesis import given
from hypothesis import strategies as st

from pytest_codecollapse.behaviour import structure_hash

NAMES = ["n0", "n1", "n2", "n3", "n4"]
ONE_SCOPE = [
    "{0} = {1} + {2}",
    "{0}, *{1} = {2}",
    "{0} += {1} if {2} else 1",
    "for {0} in {1}:\n        {2} *= {0}",
    "while ({0} := {1}) > 0: del {2}",
    "with {0} as {1}: {2}.append({1})",
    "try: {0}\n    except ValueError as {1}: raise {2}",
    "import os.path as {0}, math as {1}\n    {2} = {1}",
    "return f'{{{0}}} {{{1}:>{{{2}}}}}'",
]
STATEMENTS = [
    *ONE_SCOPE,
    "{0} = [{1} for {1} in {2} if {0} < {1}]",
    "{0} = sorted({1}, key=lambda {2}: {2})",
    "{0} = {{{1}: {2} for {1}, {2} in {0}}}",
    "def {0}({1}, *, {2}=1): return {1}, {2}\n    {0}({1}=1, {2}=2)",
    "def {0}():\n        nonlocal {1}\n        {1} = {2}",
    "class {0}:\n        {1} = 1\n        def {2}(self): return self.{1}",
]
RESERVED = {"f", "math", "os", "self", *NAMES, *dir(builtins), *keyword.kwlist}

fresh_names = st.from_regex("[a-z_][a-z0-9_]{0,5}", fullmatch=True).filter(
    lambda name: name not in RESERVED and not (name.startswith("__") and name.endswith("__"))
)


@st.composite
def programs(draw: st.DrawFn, statements: list[str] = STATEMENTS) -> str:
    """Draw a program ``f`` over parameters n0 … n4."""
    lines = [f"def f({', '.join(NAMES)}):"]
    for statement in draw(st.lists(st.sampled_from(statements), min_size=1, max_size=6)):
        lines.append("    " + statement.format(*draw(st.permutations(NAMES))))
    return "\n".join(lines)


def renamed(program: str, names: list[str]) -> str:
    """Replace n0 … n4 by ``names``."""
    return re.sub(r"\bn(\d)\b", lambda match: names[int(match[1])], program)


def order_of_appearance(program: str) -> list[int]:
    """Return, for every n0 … n4 in the text, how many others appeared before it first did."""
    found = re.findall(r"\bn\d\b", program)
    return [list(dict.fromkeys(found)).index(name) for name in found]


@given(programs(), st.lists(fresh_names, min_size=5, max_size=5, unique=True))
def test_consistent_renaming_keeps_the_hash(program: str, names: list[str]) -> None:
    """Names that stay distinct may be any: the hash is the same."""
    assert structure_hash(renamed(program, names), "f") == structure_hash(program, "f")


@given(programs(), st.permutations(NAMES))
def test_exchanging_names_keeps_the_hash(program: str, names: list[str]) -> None:
    """The program's own names may be exchanged for each other throughout."""
    assert structure_hash(renamed(program, names), "f") == structure_hash(program, "f")


@given(programs(), st.permutations(NAMES))
def test_making_two_names_one_changes_the_hash(program: str, names: list[str]) -> None:
    """Where two parameters get one name, the program is another."""
    merged = [names[1] if name == names[0] else name for name in NAMES]
    assert structure_hash(renamed(program, merged), "f") != structure_hash(program, "f")


@given(programs(ONE_SCOPE), st.permutations(NAMES), st.integers(0, 30), st.sampled_from(NAMES))
def test_only_renamings_of_each_other_have_one_hash(
    program: str, names: list[str], at: int, name: str
) -> None:
    """A program renamed, and then changed in one name, keeps its hash where it is a renaming."""
    parts = re.split(r"\b(n\d)\b", renamed(program, names))
    changed = "".join(name if index == 2 * at + 1 else part for index, part in enumerate(parts))
    assert (structure_hash(changed, "f") == structure_hash(program, "f")) == (
        order_of_appearance(changed) == order_of_appearance(program)
    )


@given(st.one_of(st.text(), st.builds(lambda text, at: text[:at], programs(), st.integers(0, 200))))
def test_any_text_has_a_hash(source: str) -> None:
    """No source is refused."""
    assert re.fullmatch("[0-9a-f]{64}", structure_hash(source, "f"))
