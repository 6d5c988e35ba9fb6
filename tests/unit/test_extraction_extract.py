from __future__ import annotations

from typing import NamedTuple

import pytest

from pytest_codecollapse.extraction import REPAIRS, Extracted, extract
from pytest_codecollapse.extraction.search import MAX_SEARCHED_CHARACTERS

PROMPT = 'import math\n\n\ndef area(r):\n    """Area of a circle."""\n'
BODY = "    return math.pi * r ** 2\n"
FUNCTION = "def area(r):\n    return 3.14 * r * r\n"
USES_MATH = "def area(r):\n    return math.pi * r * r\n"
BARE = "def area(r):\n"
DRAFT = "def area(r):\n    return r\n"
FLAT = 'def area(r):\n"""\nArea of a circle.\n>>> area(1)\n3.14\n"""\n'


class Case(NamedTuple):
    """A text, the program that is in it and the repairs; the prompt is PROMPT unless given."""

    text: str
    source: str
    repairs: tuple[str, ...]
    prompt: str = PROMPT


def unrepaired(text: str, prompt: str = PROMPT) -> Case:
    """Return the case of a text that stays as it is."""
    return Case(text, text, (), prompt)


def fallen_back(text: str, prompt: str = PROMPT) -> Case:
    """Return the case of a text that does not parse, and has the prompt put before it."""
    return Case(text, prompt + text, ("prompt",), prompt)


WHOLE = {
    "a whole program": unrepaired(FUNCTION),
    "a whole program without a prompt": unrepaired(FUNCTION, ""),
    "a whole program that lacks the prompt's import": unrepaired(USES_MATH),
    "the prompt again, and its completion": unrepaired(PROMPT + BODY),
    "an assigned lambda": unrepaired("area = lambda r: 3 * r\n"),
    "an import of the name": unrepaired("from shapes import circle as area\n"),
    "a definition in a top-level block": unrepaired(
        "try:\n    import numpy\nexcept ImportError:\n    def area(r):\n        return r\n"
    ),
    "a class": unrepaired("class area:\n    pass\n"),
    "windows' line ends": unrepaired("def area(r):\r\n    return r\r\n"),
    "a fence inside of a docstring": unrepaired(
        'def area(r):\n    """Area.\n\n    ```\n    area(1)\n    ```\n    """\n    return r\n'
    ),
    "a whole program under another name": unrepaired("def surface(r):\n    return r\n"),
    "another name, without a prompt": unrepaired("def surface(r):\n    return r\n", ""),
}
COMPLETIONS = {
    "a completion": Case(BODY, PROMPT + BODY, ("prompt",)),
    "an empty completion": Case("", PROMPT, ("prompt",)),
    "a completion with a helper behind it": Case(
        "    return half(r)\n\n\ndef half(r):\n    return r / 2\n",
        PROMPT + "    return half(r)\n\n\ndef half(r):\n    return r / 2\n",
        ("prompt",),
    ),
    "a comment at the margin": Case(
        "# Squared\n" + BODY, PROMPT + "# Squared\n" + BODY, ("prompt",)
    ),
    "a prompt that ends in its body's indentation": Case(
        "return r\n", BARE + "    return r\n", ("prompt",), BARE + "    "
    ),
    "a prompt that ends in the middle of a line": Case(
        "r * r\n", BARE + "    return r * r\n", ("prompt",), BARE + "    return "
    ),
    "a prompt without a line end": Case(
        BODY, PROMPT + BODY, ("newline", "prompt"), PROMPT.rstrip("\n")
    ),
    "a one-line body behind the colon": Case(
        " return r\n", "def area(r): return r\n", ("prompt",), "def area(r):"
    ),
    "the completion of a docstring that is open": Case(
        'Area."""\n    return r\n',
        BARE + '    """Area."""\n    return r\n',
        ("prompt",),
        BARE + '    """',
    ),
    "windows' line ends behind a prompt": Case(
        "    x = r\r\n    return x\r\n", PROMPT + "    x = r\r\n    return x\r\n", ("prompt",)
    ),
}
INDENTS = {
    "a variable of the function's name": Case(
        "area = 3 * r[0]\n", PROMPT + "    area = 3 * r[0]\n", ("reindent", "prompt")
    ),
    "the first line stripped": Case(
        "if r < 0:\n        return 0\n    return r\n",
        PROMPT + "    if r < 0:\n        return 0\n    return r\n",
        ("reindent", "prompt"),
    ),
    "a stripped body of one block": Case(
        "if r < 0:\n        return 0\n",
        PROMPT + "    if r < 0:\n        return 0\n",
        ("reindent", "prompt"),
    ),
    "a stripped line": Case("return r\n", PROMPT + "    return r\n", ("reindent", "prompt")),
    "one blank lost of the first line": Case(
        "   x = r\n    return x\n", PROMPT + "    x = r\n    return x\n", ("reindent", "prompt")
    ),
    "a body at the margin": Case(
        "if r < 0:\n    return 0\nreturn r\n",
        PROMPT + "    if r < 0:\n        return 0\n    return r\n",
        ("reindent", "prompt"),
    ),
    "a body at two blanks": Case(
        "  if r < 0:\n    return 0\n  return r\n",
        PROMPT + "    if r < 0:\n      return 0\n    return r\n",
        ("reindent", "prompt"),
    ),
    "a body at tabs": Case(
        "\tx = r\n\treturn x\n", PROMPT + "    x = r\n    return x\n", ("reindent", "prompt")
    ),
    "a body too deep, and a comment": Case(
        "  # squared\n      x = r\n      return x\n",
        PROMPT + "  # squared\n    x = r\n    return x\n",
        ("reindent", "prompt"),
    ),
    "the first line stripped, the others at two blanks": Case(
        "x = r\n  y = x\n  return y\n",
        PROMPT + "    x = r\n    y = x\n    return y\n",
        ("reindent", "prompt"),
    ),
    "the first line stripped behind a bare prompt": Case(
        "x = r\n  return x\n", BARE + "  x = r\n  return x\n", ("reindent", "prompt"), BARE
    ),
    "a text in several lines keeps its lines": Case(
        'x = """\na\n"""\nreturn x\n',
        PROMPT + '    x = """\na\n"""\n    return x\n',
        ("reindent", "prompt"),
    ),
    "a generator's body at the margin": Case(
        "yield r\n", PROMPT + "    yield r\n", ("reindent", "prompt")
    ),
    "a docstring at the margin": Case(
        '"""Area.\n    >>> area(0)\n    0\n    """\n    return r\n',
        PROMPT + '    """Area.\n    >>> area(0)\n    0\n    """\n    return r\n',
        ("docstring", "prompt"),
    ),
    "the end of the prompt's docstring once more": Case(
        ' of radius r.\n    It\'s a number.\n    """\n    return r\n',
        BARE
        + '    """Area of a circle\n of radius r.\n    It\'s a number.\n    """\n    return r\n',
        ("docstring", "prompt"),
        BARE + '    """Area of a circle\n    """\n',
    ),
    "the prompt's docstring at the margin": Case(
        "# area = 3)\n return r\n",
        'def area(r):\n """\nArea of a circle.\n>>> area(1)\n3.14\n"""\n# area = 3)\n return r\n',
        ("docstring", "prompt"),
        FLAT,
    ),
    "the prompt's docstring and the body at the margin": Case(
        "return r\n",
        'def area(r):\n    """\nArea of a circle.\n>>> area(1)\n3.14\n"""\n    return r\n',
        ("reindent", "docstring", "prompt"),
        FLAT,
    ),
    "a whole program with a blank before it": Case(" " + FUNCTION, FUNCTION, ("dedent",)),
    "a whole program indented": Case(
        "    def area(r):\n        x = r\n\n        return x\n",
        "def area(r):\n    x = r\n\n    return x\n",
        ("dedent",),
    ),
}
TAILS = {
    "an import from the future behind the body": Case(
        BODY + "\nfrom __future__ import division\nimport os,",
        PROMPT + BODY + "\n",
        ("tail", "prompt"),
    ),
    "a body at the margin with an unfinished end": Case(
        "x = 0\nfor i in r:\n    x += i\nprint(x",
        PROMPT + "    x = 0\n    for i in r:\n        x += i\n",
        ("tail", "reindent", "prompt"),
    ),
    "an unfinished function behind the body": Case(
        BODY + "\n\ndef test_area():\n    assert area(1) ==",
        PROMPT + BODY + "\n\ndef test_area():\n".removesuffix("def test_area():\n"),
        ("tail", "prompt"),
    ),
    "an unfinished last statement": Case(
        "    x = r * r\n    return x *",
        PROMPT + "    x = r * r\n",
        ("tail", "prompt"),
    ),
    "an unfinished block": Case(
        "    x = r * r\n    for i in range(3):\n        if i",
        PROMPT + "    x = r * r\n",
        ("tail", "prompt"),
    ),
    "an unfinished try": Case(
        "    x = r\n    try:\n        x = 1\n        y = 2\n",
        PROMPT + "    x = r\n",
        ("tail", "prompt"),
    ),
    "chat behind the body": Case(
        BODY + "\nThis function isn't slow (it has no loop).\n\nIt's right.\n",
        PROMPT + BODY + "\n",
        ("tail", "prompt"),
    ),
    "a fence behind the body": Case(
        BODY + "```\n\nThe code squares r.\n", PROMPT + BODY, ("tail", "prompt")
    ),
    "a fence and a test behind the body": Case(
        BODY + "```\n\nTest it:\n```python\nassert area(0) == 0\n```\n",
        PROMPT + BODY,
        ("tail", "prompt"),
    ),
    "an unfinished text behind a whole program": Case(
        FUNCTION + '\n\n"""\nTest your', FUNCTION + "\n\n", ("tail",)
    ),
    "an unfinished whole program": Case(
        FUNCTION + "\n\ndef main():\n    print(", FUNCTION + "\n\n", ("tail",), ""
    ),
    "a stripped body with an unfinished test": Case(
        "x = r\n    return x\n\nassert area(",
        PROMPT + "    x = r\n    return x\n\n",
        ("tail", "reindent", "prompt"),
    ),
    "an end token": Case(
        BODY.rstrip() + "<|endoftext|>", PROMPT + BODY.rstrip(), ("tail", "prompt")
    ),
    "an end token and another document": Case(
        BODY + "<|endoftext|>import os\n\nclass A(", PROMPT + BODY, ("tail", "prompt")
    ),
    "an end token behind a whole program": Case(FUNCTION + "</s>", FUNCTION, ("tail",)),
    "nothing but an end token": Case("<|im_end|>", PROMPT, ("tail", "prompt")),
    "a prompt that is prose again, and a program": Case(
        "Write area!\n" + FUNCTION, FUNCTION, ("prose",), "Write area!\n"
    ),
    "the prompt again, and an unfinished end": Case(
        PROMPT + BODY + "print(", PROMPT + BODY, ("tail",)
    ),
}
CHATS = {
    "a fence in an open one": Case(
        f"```\nThe idea is to square r.\n```python\n{FUNCTION}```\n", FUNCTION, ("fence",)
    ),
    "another program in a fence behind the body": Case(
        f"{BODY}```\n\nOr:\n```python\n{FUNCTION}```\n", PROMPT + BODY, ("tail", "prompt")
    ),
    "prose before a program with handlers": Case(
        "Here's the code:\n\ndef area(r):\n    try:\n        return r\n    except ValueError:\n"
        "        return 0\n",
        "def area(r):\n    try:\n        return r\n    except ValueError:\n        return 0\n",
        ("prose",),
    ),
    "a helper beside a draft": Case(
        "```\ndef square(r):\n    return r * r\ndef area(r):\n    return 3\n```\n"
        "```\ndef area(r):\n    return square(r)\n```\n",
        "def square(r):\n    return r * r\ndef area(r):\n    return 3\n"
        "def area(r):\n    return square(r)\n",
        ("fence",),
    ),
    "prose before a program with an unfinished end": Case(
        "Here's the code:\n\ndef area(r):\n    x = r\n    return x *",
        "def area(r):\n    x = r\n",
        ("prose",),
    ),
    "a fenced program": Case(f"Here it is:\n```python\n{FUNCTION}```\nDone.", FUNCTION, ("fence",)),
    "a fence without an end": Case(f"```\n{FUNCTION}", FUNCTION, ("fence",)),
    "a fence of tildes": Case(f"Sure!\n~~~py\n{FUNCTION}~~~\n", FUNCTION, ("fence",)),
    "a fence behind words": Case(f"Answer: ```python\n{FUNCTION}```", FUNCTION, ("fence",)),
    "a fence in a list": Case(
        "1. Do this:\n   ```python\n   def area(r):\n       return r\n   ```\n",
        "def area(r):\n    return r\n",
        ("fence",),
    ),
    "a fence in a quotation": Case(
        "> ```python\n> def area(r):\n>     return r\n> ```\n",
        "def area(r):\n    return r\n",
        ("fence",),
    ),
    "a fence that is closed on the last line of code": Case(
        "```python\ndef area(r): return r```\n", "def area(r): return r\n", ("fence",)
    ),
    "a draft and a final answer": Case(
        f"```python\ndef area(r):\n    return r\n```\nWait, squared:\n```python\n{FUNCTION}```\n",
        FUNCTION,
        ("fence",),
    ),
    "a stub, a program and its use": Case(
        f"```python\n{FUNCTION}```\nIt has this signature:\n```python\ndef area(r):\n    ...\n```\n"
        "```python\nprint(area(1))\n```\n",
        FUNCTION,
        ("fence",),
    ),
    "a fenced program that uses the prompt's import": Case(
        f"```python\n{USES_MATH}```",
        f"import math\n\n\n{USES_MATH}",
        ("fence", "preamble"),
    ),
    "an import in a block of its own": Case(
        f"```python\nimport math\n```\nand\n```python\n{USES_MATH}```\n```python\nprint(1)\n```",
        f"import math\n{USES_MATH}",
        ("fence",),
    ),
    "helpers of helpers in later blocks": Case(
        "```\ndef area(r):\n    return square(r)\n```\n"
        "```\ndef square(r):\n    return r ** TWO\n```\n"
        "```\nTWO = 2\n```\n",
        "def area(r):\n    return square(r)\ndef square(r):\n    return r ** TWO\nTWO = 2\n",
        ("fence",),
    ),
    "a function in two blocks": Case(
        "First:\n```\ndef area(r):\n    x = r\n    if x < 0:\n```\nThen:\n```\n        x = 0\n"
        "    return x\n```\n",
        "def area(r):\n    x = r\n    if x < 0:\n        x = 0\n    return x\n",
        ("fence",),
    ),
    "a fenced completion": Case(f"The body:\n```\n{BODY}```\n", PROMPT + BODY, ("fence", "prompt")),
    "a fenced completion at the margin": Case(
        "```python\nx = r\nreturn x\n```\n",
        PROMPT + "    x = r\n    return x\n",
        ("fence", "reindent", "prompt"),
    ),
    "a fenced program with an unfinished end": Case(
        f"```python\n{FUNCTION}\nprint(area(", FUNCTION + "\n", ("fence", "tail")
    ),
    "a fenced program and an end token": Case(
        f"```python\n{FUNCTION}```<|im_end|>\n", FUNCTION, ("fence", "tail")
    ),
    "tests that import the function": Case(
        f"```python\n{FUNCTION}```\nTests:\n```python\nfrom solution import area\n\n\n"
        "def test_area():\n    assert area(0) == 0\n```\n",
        FUNCTION,
        ("fence",),
    ),
    "a use that binds the name again": Case(
        f"```python\n{FUNCTION}```\n```python\narea = area(1)\nprint(area)\n```\n",
        FUNCTION,
        ("fence",),
    ),
    "a program that wraps what it defines": Case(
        f"```python\n{FUNCTION}area = abs(area)\n```\n", f"{FUNCTION}area = abs(area)\n", ("fence",)
    ),
    "nothing but an import of the name": Case(
        "```python\nfrom shapes import circle as area\n```\n",
        "from shapes import circle as area\n",
        ("fence",),
    ),
    "tests that import what the prompt imports, too": Case(
        f"```python\n{USES_MATH}```\n```python\nimport math\nassert area(1) == math.pi\n```\n",
        f"import math\n\n\n{USES_MATH}",
        ("fence", "preamble"),
    ),
    "tests that bind a name which the function lacks": Case(
        "```python\ndef area(r):\n    return r * TWO\n```\n"
        "```python\nfrom solution import area\nTWO = 2\n```\n",
        "def area(r):\n    return r * TWO\n",
        ("fence",),
    ),
    "a fence indented more than its block": Case(
        f"  ```python\n{FUNCTION}  ```\n", FUNCTION, ("fence",)
    ),
    "end tokens in a fenced program's strings": Case(
        "It's:\n```python\ndef area(r):\n    x = '<s>' + r + '</s>'\n    return x\n```</s>\n",
        "def area(r):\n    x = '<s>' + r + '</s>'\n    return x\n",
        ("fence", "tail"),
    ),
    "fences in a docstring": Case(
        '```python\ndef area(r):\n    """Area:\n\n    ```python\n    area(1)\n    ```\n    """\n'
        "    return r\n```\n",
        'def area(r):\n    """Area:\n\n    ```python\n    area(1)\n    ```\n    """\n'
        "    return r\n",
        ("fence",),
    ),
    "fences in a text": Case(
        '```python\ndef area(r):\n    return """\n```\nr\n```\n"""\n```\n',
        'def area(r):\n    return """\n```\nr\n```\n"""\n',
        ("fence",),
    ),
    "prose around a program": Case(
        f"Sure! Here's the function:\n\n{FUNCTION}\nI hope this helps (it should).\n",
        FUNCTION,
        ("prose",),
    ),
    "prose around a program with an import": Case(
        f"Import first:\n\nfrom math import pi\n\nThen define it:\n\n{USES_MATH}\nThat is all!\n",
        f"import math\n\n\n{USES_MATH}",
        ("prose", "preamble"),
    ),
    "prose between a helper and its use": Case(
        "We need a helper:\n\ndef square(r):\n    return r * r\n\nNow the function itself:\n\n"
        "def area(r):\n    return square(r)\n",
        "def square(r):\n    return r * r\ndef area(r):\n    return square(r)\n",
        ("prose",),
    ),
    "tags around a program": Case(f"[PYTHON]\n{FUNCTION}[/PYTHON]\n", FUNCTION, ("prose",)),
    "prose around a body": Case(
        f"Here is the rest of it:\n\n{BODY}\nIt squares r.\n", PROMPT + BODY, ("prose", "prompt")
    ),
    "a bracket that prose never closes": Case(
        f"See below (the code:\n\n{FUNCTION}", FUNCTION, ("prose",)
    ),
}
LEFT = {
    "a bracket that swallows the rest of the body": fallen_back(
        "    y = 1\n    x = (r\n    return y\n"
    ),
    "prose": fallen_back("I am sorry, I can't do that.\n"),
    "prose without a prompt": unrepaired("I am sorry, I can't do that.\n", ""),
    "a fault in the middle of the body": fallen_back("    x = (r))\n    y = x\n    return y\n"),
    "a fault in the middle of a stripped body": fallen_back("x = r\n    y = x))\n    return y\n"),
    "a fault in the middle of a whole program": fallen_back(
        "def area(r):\n    x = (r\n    y = 2\n    return y\n"
    ),
    "a body under a header that does not parse": fallen_back(
        "    if any(r for r in [*r for r in r]):\n        return 1\n    else:\n        return 0\n"
    ),
    "a fenced program under another name, and a broken one": fallen_back(
        "```python\ndef surface(r):\n    return r\n```\n```python\ndef area(r)\n    return r\n```\n"
    ),
    "a fenced use alone": fallen_back("You call it so:\n```python\nprint(area(1))\n```\n"),
    "a broken block beside an explanation of its body": fallen_back(
        "```python\ndef area(r)\n    return r\n```\nwhere\n```python\nreturn r\n```\ngives it.\n"
    ),
    "a draft in thoughts, and no code in the answer": fallen_back(
        f"<think>\n```python\n{DRAFT}```\n</think>\nI can't.\n"
    ),
    "a broken block beside a use": fallen_back(
        "```python\ndef area(r)\n    return r\n```\n```python\nprint(area(1))\n```\n"
    ),
    "the prompt again, and prose": unrepaired(PROMPT + "I would not know how.\n"),
    "a null byte": fallen_back("    return r\0\n"),
    "half a surrogate": fallen_back("    return '\ud800'\n"),
    "too many brackets": fallen_back("    return " + "(" * 500),
}
THOUGHTS = {
    "a fenced draft, and a fenced answer": Case(
        f"<think>\nI'd try\n```python\n{DRAFT}```\n</think>\n```python\n{FUNCTION}```\n",
        FUNCTION,
        ("thought", "fence"),
    ),
    "a fenced draft, and a program": Case(
        f"<think>\n```python\n{DRAFT}```\n</think>\n\n{FUNCTION}", FUNCTION, ("thought",)
    ),
    "a draft at the margin, and a completion": Case(
        f"<think>\n{DRAFT}\n</think>\n\n{BODY}", PROMPT + BODY, ("thought", "prompt")
    ),
    "a draft whose fence is open": Case(
        f"<think>\n```python\n{DRAFT}Hm.\n</think>\n```python\n{FUNCTION}```\n",
        FUNCTION,
        ("thought", "fence"),
    ),
    "no opening tag, since the prompt has it": Case(
        f"First\n```python\n{DRAFT}```\nNo.\n</think>\n\n{FUNCTION}", FUNCTION, ("thought",)
    ),
    "no closing tag, since the model was cut off": Case(
        f"<think>\n```python\n{DRAFT}```\nBut", PROMPT, ("thought", "prompt")
    ),
    "several thoughts": Case(
        f"<think>\n{DRAFT}</think>\n<think>\n{DRAFT}</think>\n{FUNCTION}", FUNCTION, ("thought",)
    ),
    "thoughts behind words": Case(
        f"Well.\n<think>\n{DRAFT}</think>\n{FUNCTION}", FUNCTION, ("thought", "prose")
    ),
    "thoughts behind the answer": Case(
        f"```python\n{FUNCTION}```\n<think>\n```python\n{DRAFT}```\n",
        FUNCTION,
        ("thought", "fence"),
    ),
    "thoughts and answer on a line": Case(
        f"<think>`area` isn't hard, `</think>` ends it</think>{FUNCTION}", FUNCTION, ("thought",)
    ),
    "the prompt again, thoughts, and a program": Case(
        f"{PROMPT}<think>\n{DRAFT}</think>\n{FUNCTION}", FUNCTION, ("thought",)
    ),
    "thoughts, and the prompt again with a stripped body": Case(
        f"<think>\n{DRAFT}</think>\n{PROMPT}x = r\n    return x\n",
        f"{PROMPT}    x = r\n    return x\n",
        ("thought", "reindent"),
    ),
    "tags of another name": Case(
        f"<reasoning>\n```\n{DRAFT}```\n</reasoning>\n<answer>\n{FUNCTION}</answer>\n",
        FUNCTION,
        ("thought", "prose"),
    ),
    "tags in brackets": Case(f"[THINK]{DRAFT}[/THINK]{FUNCTION}", FUNCTION, ("thought",)),
    "tags in triangles": Case(f"◁think▷{DRAFT}◁/think▷{FUNCTION}", FUNCTION, ("thought",)),
    "tags that are tokens": Case(
        f"<|begin_of_thought|>\n{DRAFT}<|end_of_thought|>\n{FUNCTION}<|end_of_solution|>",
        FUNCTION,
        ("thought", "tail"),
    ),
    "channels": Case(
        f"<|channel|>analysis<|message|>{DRAFT}<|end|><|start|>assistant"
        f"<|channel|>final<|message|>{FUNCTION}<|return|>",
        FUNCTION,
        ("thought", "tail"),
    ),
    "tags in a program's strings": unrepaired(
        "def area(r):\n    return '''\n<think>\n</think>\n'''\n"
    ),
    "tags in a fenced program's strings": Case(
        "Here it's:\n```python\nT = '''\n<think>\n</think>\n'''\n\n\ndef area(r):\n"
        '    return r.split("</think>")[-1]  # don\'t fail\n```\n',
        "T = '''\n<think>\n</think>\n'''\n\n\ndef area(r):\n"
        '    return r.split("</think>")[-1]  # don\'t fail\n',
        ("fence",),
    ),
    "a tag in a fenced program's string": Case(
        'Here it\'s:\n```python\ndef area(r):\n    return r.split("</think>")[-1]\n```\n',
        'def area(r):\n    return r.split("</think>")[-1]\n',
        ("fence",),
    ),
    "tags in a completion's strings": Case(
        "    return '''\n<think>\n</think>\n'''\n",
        PROMPT + "    return '''\n<think>\n</think>\n'''\n",
        ("prompt",),
    ),
}
OTHERS = {
    "a fenced program under another name": Case(
        "```python\ndef surface(r):\n    return r\n```\n```python\nprint(surface(1))\n```\n",
        "def surface(r):\n    return r\n",
        ("fence",),
    ),
    "a fenced class with a method of the name": Case(
        "<think>\n</think>\n```python\nclass Solution:\n    def area(self, r):\n"
        "        return r\n```<|im_end|>",
        "class Solution:\n    def area(self, r):\n        return r\n",
        ("thought", "fence", "tail"),
    ),
    "a program under another name behind thoughts": Case(
        f"<think>\n{DRAFT}</think>\ndef surface(r):\n    return r\n",
        "def surface(r):\n    return r\n",
        ("thought",),
    ),
}
LABELS = {
    "labels around a program": Case(f"[BEGIN]\n{FUNCTION}[DONE]\n", FUNCTION, ("prose",)),
    "the name of the language": Case(f"python\n{FUNCTION}", FUNCTION, ("prose",)),
    "a word behind a completion": Case(f"{BODY}Done\n", PROMPT + BODY, ("prose", "prompt")),
    "labels in a fenced block": Case(
        f"```python\n[BEGIN]\n{FUNCTION}[DONE]\n```\n", FUNCTION, ("fence", "prose")
    ),
    "a word and a colon behind a program": Case(
        f"{FUNCTION}\nTime: O(n)\n", f"{FUNCTION}\n", ("prose",)
    ),
    "a variable whose annotation lacks an import": unrepaired(f"{FUNCTION}x: List[int]\nx = []\n"),
    "names that are bound": unrepaired(f"x = [1]\nx\n[x]\nprint\n{FUNCTION}"),
    "names that a module can bind": unrepaired(f"from math import *\npi\n{FUNCTION}"),
    "a name that is called": unrepaired(f"{FUNCTION}main()\n"),
    "a name beside other code": unrepaired(f"{FUNCTION}x = 1; Done\n"),
}
TABLES = {
    **THOUGHTS,
    **LABELS,
    **OTHERS,
    **WHOLE,
    **COMPLETIONS,
    **INDENTS,
    **TAILS,
    **CHATS,
    **LEFT,
}


@pytest.mark.parametrize("case", TABLES.values(), ids=TABLES.keys())
def test_the_program_in_a_text(case: Case) -> None:
    """Each text has exactly this program, and exactly this was done to get it."""
    found = extract(case.text, prompt=case.prompt, entry_point="area")
    assert found == Extracted(case.source, case.repairs)


def test_the_table_shows_every_repair() -> None:
    """No repair is without an example, and none is made that has no name."""
    shown = {name for case in TABLES.values() for name in case.repairs}
    assert shown == {repair.name for repair in REPAIRS}


def test_repairs_are_listed_in_the_order_of_their_table() -> None:
    """Whatever was done first, a candidate's repairs are in the order of REPAIRS."""
    order = [repair.name for repair in REPAIRS]
    for case in TABLES.values():
        assert list(case.repairs) == sorted(case.repairs, key=order.index)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (USES_MATH, Extracted(f"import math\n\n\n{USES_MATH}", ("preamble",))),
        (
            f"<think>\n{DRAFT}</think>\n{USES_MATH}",
            Extracted(f"import math\n\n\n{USES_MATH}", ("thought", "preamble")),
        ),
        (
            f"{USES_MATH}\n\ndef test(): assert area(",
            Extracted(f"import math\n\n\n{USES_MATH}\n\n", ("tail", "preamble")),
        ),
        (FUNCTION, Extracted(FUNCTION)),
        (f"import math\n{USES_MATH}", Extracted(f"import math\n{USES_MATH}")),
        (BODY, Extracted(PROMPT + BODY, ("prompt",))),
    ],
    ids=[
        "lacks an import",
        "behind thoughts",
        "unfinished",
        "lacks nothing",
        "has the import",
        "no whole program",
    ],
)
def test_a_whole_program_where_the_format_completes_prompts(text: str, expected: Extracted) -> None:
    """It gets what it lacks and the prompt binds, as it does behind the prompt."""
    assert extract(text, prompt=PROMPT, entry_point="area", completion=True) == expected


def test_a_preamble_is_not_put_before_an_import_from_the_future() -> None:
    """Such an import has to stand first: the block stays as it is."""
    block = "from __future__ import annotations\n" + USES_MATH
    found = extract(f"```python\n{block}```", prompt=PROMPT, entry_point="area")
    assert found == Extracted(block, ("fence",))


def test_a_text_of_a_greater_length_is_not_searched() -> None:
    """It is a program, or completes the prompt, as it is, or it stays what its format has it be."""
    block = f"```\n{FUNCTION}```\n"
    longest = "Well, " * (MAX_SEARCHED_CHARACTERS // 6) + "\n"
    longest = longest[len(block) + len(longest) - MAX_SEARCHED_CHARACTERS :] + block
    assert extract(longest, prompt=PROMPT, entry_point="area") == (FUNCTION, ("fence",))
    longer = "!" + longest
    assert extract(longer, prompt=PROMPT, entry_point="area") == (PROMPT + longer, ("prompt",))
