from __future__ import annotations

import pytest

from pytest_codecollapse.extraction import has_code

PROMPT = 'import math\n\n\ndef helper(x):\n    return x\n\n\ndef f(x):\n    """Double x."""\n'

CODE = {
    "a program": "def f(x):\n    return x\n",
    "a body": "    return x\n",
    "a body behind prose": "Sure, here is the rest of it:\n    y = x + 1\n    return y *\n",
    "a call": "print(x)\n",
    "a call over several lines": "Here goes (as asked):\nprint(\n    1,\n)\nIt's so.\n",
    "a function that does not parse as a whole": "def f(x):\n    y = 1\n    return y y\n",
    "a fenced block": "```python\nx = 1\n```\n",
    "a loop of passes": "for x in y:\n    pass\n",
    "an annotated assignment": "x: int = 1\n",
}
NO_CODE = {
    "nothing": "",
    "blanks": " \n\t\n",
    "comments": "# x = 1\n# return x\n",
    "a docstring": '"""Return x = 1."""\n',
    "a docstring that is open": '    """Return x\n',
    "prose": "I am sorry, but I can't do that.\nIt isn't possible (see above).\n",
    "a word": "Yes\n",
    "a word and a colon": "Note: this\n",
    "a list": "- one\n- two\n\n1. three four\n",
    "an import": "import math\n",
    "pass": "    pass\n",
    "a stub": 'def f(x):\n    """Double x."""\n    ...\n',
    "a header alone": "    for x in y:\n",
    "an end token": "<|endoftext|>",
    "a null byte": "\0",
    "half a surrogate": "\ud800",
}


@pytest.mark.parametrize("text", CODE.values(), ids=CODE.keys())
def test_texts_with_code(text: str) -> None:
    """A statement that does something is code, whether or not the rest of the text parses."""
    assert has_code(text)


@pytest.mark.parametrize("text", NO_CODE.values(), ids=NO_CODE.keys())
def test_texts_without_code(text: str) -> None:
    """Words, comments, strings and what does nothing are none."""
    assert not has_code(text)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (PROMPT, False),
        (PROMPT + "I am sorry, I can't.\n", False),
        (PROMPT + "    return 2 * x\n", True),
        (PROMPT + "    y = 1\n    return 2 *\n", True),
        ("def helper(x):\n    return x\n", True),
    ],
    ids=["nothing", "prose", "a body", "a body that does not parse", "another beginning"],
)
def test_the_prompt_does_not_count(source: str, expected: bool) -> None:
    """What the prompt has written is no answer to it."""
    assert has_code(source, prompt=PROMPT) is expected
