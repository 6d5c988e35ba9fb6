from __future__ import annotations

import ast

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pytest_codecollapse.extraction import REPAIRS, extract, has_code
from pytest_codecollapse.extraction.names import bound_at_top, defined_at_top
from pytest_codecollapse.extraction.parse import Parser
from pytest_codecollapse.extraction.search import Search

PROMPTS = [
    "",
    "def f(x):\n",
    'import math\n\n\ndef f(x):\n    """Double x."""\n',
    "def f(x):\n    ",
    'def f(x):\n"""Double x."""\n',
    "def f(x):",
    "Write a function f that doubles x.\n",
]
LINES = [
    "def f(x):\n",
    "    return x + 1\n",
    "return x\n",
    "  return x\n",
    "    if x:\n",
    "        y = (x\n",
    "    try:\n",
    "    except ValueError:\n",
    "else:\n",
    "\n",
    "```python\n",
    "```\n",
    "~~~\n",
    '    """Doc."""\n',
    '"""\n',
    "Here's the code (see below):\n",
    "I hope that this helps.\n",
    "[PYTHON]\n",
    "# Comment\n",
    "import math\n",
    "from __future__ import annotations\n",
    "def g(y):\n    return f(y)\n",
    "@cache\n",
    "x = g(1)\n",
    "yield x\n",
    "\tx = 1\n",
    "x = 1 \\\n",
    "<|endoftext|>",
    "</s>\n",
    "<think>\n",
    "</think>\n",
    "f = lambda x: x\r\n",
    "return x",
    "> ",
    "\0",
    "\x0c",
    "\ud800",
]
texts = st.one_of(
    st.text(),
    st.lists(st.sampled_from(LINES), max_size=12).map("".join),
    st.text(alphabet="abf(x):= \n\t'\"`#\\[]{}@>~", max_size=60),
)
prompts = st.sampled_from(PROMPTS)


def defines_f(source: str) -> bool:
    """Say by the parser alone whether a source is a program with ``f`` at its top."""
    try:
        tree = ast.parse(source)
        compile(tree, "source", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return "f" in bound_at_top(tree)


#: Lines that may stand before any program. A label is none: nothing binds its name.
HARMLESS = [line for line in LINES if defines_f(f"x = 1\n{line}f = len") and line != "[PYTHON]\n"]


@given(texts, prompts, st.booleans(), st.booleans())
def test_repaired_programs_parse_and_define_the_entry_point(
    text: str, prompt: str, completion: bool, is_echo: bool
) -> None:
    """Where a repair is named, it has made a program; only the prompt may stand before none.

    Out of a fence or from behind thoughts it may be one that defines something else.
    """
    text = prompt + text if is_echo else text
    found = extract(text, prompt=prompt, entry_point="f", completion=completion)
    if not found.repairs:
        assert found.source == text
    elif found.repairs == ("prompt",):
        assert found.source == prompt + text
    else:
        tree = Parser().read(found.source).tree
        assert tree is not None
        is_other = {"fence", "thought"} & {*found.repairs} and defined_at_top(tree)
        assert "f" in bound_at_top(tree) or is_other


@given(texts, prompts)
def test_a_text_that_a_repair_makes_a_program_is_never_left(text: str, prompt: str) -> None:
    """What is a program behind its prompt, and none by itself, is taken so."""
    found = extract(text, prompt=prompt, entry_point="f")
    if Parser().read(text).tree is None and defines_f(prompt + text):
        assert defines_f(found.source)


@given(texts, prompts, st.booleans())
def test_extraction_is_idempotent(text: str, prompt: str, is_echo: bool) -> None:
    """A program that was found, and a text that was given up, stay as they are."""
    text = prompt + text if is_echo else text
    found = extract(text, prompt=prompt, entry_point="f")
    again = extract(found.source, prompt=prompt, entry_point="f")
    assert again == (found.source, ())


@given(
    st.lists(st.sampled_from(HARMLESS), max_size=6),
    st.sampled_from(["def f(x):\n    return x\n", "f = lambda: 1\n", "class f: 1", "import f"]),
    prompts,
)
def test_a_whole_program_stays(lines: list[str], definition: str, prompt: str) -> None:
    """Nothing is done to what is a program already."""
    text = "".join(lines) + definition
    assert extract(text, prompt=prompt, entry_point="f") == (text, ())


@given(texts, texts, prompts)
def test_what_was_thought_changes_nothing(draft: str, answer: str, prompt: str) -> None:
    """A program in an answer is found whatever stands in the thoughts before it."""
    assume("think" not in draft + answer)
    answer = answer.lstrip("\r\n")
    alone = extract(answer, prompt=prompt, entry_point="f")
    behind = extract(f"<think>\n{draft}\n</think>\n{answer}", prompt=prompt, entry_point="f")
    if Search(prompt, "f").is_program(alone.source):
        assert behind.source == alone.source
        assert "thought" in behind.repairs
    else:
        assert "thought" not in behind.repairs or behind.source == alone.source


@given(texts, prompts)
def test_repairs_are_known_and_in_order(text: str, prompt: str) -> None:
    """The names are those of the table, each once, in its order."""
    order = [repair.name for repair in REPAIRS]
    repairs = extract(text, prompt=prompt, entry_point="f").repairs
    assert list(repairs) == sorted(set(repairs), key=order.index)


@given(texts)
def test_words_before_a_prompt_that_is_no_code_change_nothing(text: str) -> None:
    """A fallback apart, what is found depends on no prompt that is prose."""
    without = extract(text, prompt="", entry_point="f")
    behind = extract(text, prompt="Write a function f, please.\n", entry_point="f")
    assert behind == without or behind.repairs == ("prompt",)


@given(texts)
def test_a_call_on_a_line_of_its_own_is_code(text: str) -> None:
    """Any text is judged, and one with a call on its first line has code if it is no thought."""
    has_code(text)
    assume("think" not in text.lower())
    assert has_code(f"print(1)\n{text}")


@pytest.mark.parametrize("length", [1, 10, 100, 1000])
def test_nesting_of_any_depth_is_judged(length: int) -> None:
    """Neither brackets nor blocks nor signs are too deep to be looked at."""
    for text in ("(" * length, "-" * length, "x" + ".x" * length, "if x:\n" * length):
        assert extract(text, prompt="", entry_point="f") == (text, ())
    headers = "".join(" " * depth + "if x:\n" for depth in range(length))
    assert extract(headers, prompt="", entry_point="f") == (headers, ())
