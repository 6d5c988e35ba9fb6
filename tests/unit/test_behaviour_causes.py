"""Why candidates are not correct, on made-up tokens and real texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

import pytest

from pytest_codecollapse.behaviour import Reasons, reasons_of
from pytest_codecollapse.model import CAUSES, Checked, Execution, Executions, FailedAssert

A, B = "a" * 16, "b" * 16
PLAIN = "def f(x): return x"


def did(*tokens: str) -> Execution:
    """Make an execution."""
    return Execution(tokens=tokens)


def reasons(
    source: str, *tokens: str, reference: Sequence[str] = (A, A), counts: Sequence[int] = (1,)
) -> Reasons:
    """Find why one candidate is not correct by a reference."""
    executions = Executions(
        reference=did(*reference), candidates=(did(*tokens),), argument_counts=tuple(counts)
    )
    return reasons_of(executions, [source], "f")


def cause(source: str, *tokens: str, **more: Any) -> Optional[str]:
    """Name the one cause; None for a correct candidate."""
    found = reasons(source, *tokens, **more).causes
    assert list(found.values()) in ([], [(0,)])
    return next(iter(found), None)


def failed(kind: Any, source: str, *tokens: str) -> Optional[str]:
    """Name the cause of a candidate that fails an assert in this way, without a reference."""
    failure = FailedAssert(assertion="assert f(1) == 2", got="3", kind=kind)
    executions = Executions(
        reference=did(),
        candidates=(did(*tokens),),
        checked=(Checked(passed=0, asserts=2, failure=failure),),
        argument_counts=(1,),
    )
    return next(iter(reasons_of(executions, [source], "f").causes), None)


def never(token: str) -> tuple[str, str]:
    """Do the same on both inputs."""
    return (token, token)


@pytest.mark.parametrize(
    ("source", "tokens", "expected"),
    [
        ("", never("load:NameError"), "no code"),
        ("# to do\n", never("load:NameError"), "no code"),
        ("I cannot help with that.", never("load:SyntaxError"), "no code"),
        ("def f(x):\n    return (x", never("load:SyntaxError"), "syntax"),
        ("    def f(x):\nreturn x", never("load:IndentationError"), "syntax"),
        ("return 1", never("load:SyntaxError"), "syntax"),  # has a tree, and does not compile
        ("def f(x): return '\0'", never("load:ValueError"), "syntax"),
        ("def g(x): return x", never("load:NameError"), "name"),
        ("def f(x: List): return x", never("load:NameError"), "runtime error"),
        ("def f(x, y): return x", never("exc:TypeError"), "signature"),
        ("def f(): return 1", never("exc:TypeError"), "signature"),
        ("def f(x, *, key): return x", never("exc:TypeError"), "signature"),
        ("f = lambda: 1", never("exc:TypeError"), "signature"),
        ("def f(x, y): pass\ndef f(x): return x + ''", never("exc:TypeError"), "runtime error"),
        ("def f(x, y=1): return x + ''", never("exc:TypeError"), "runtime error"),
        ("def f(*xs): return xs + 1", never("exc:TypeError"), "runtime error"),
        ("class f:\n    def g(self): return 1", never("exc:TypeError"), "signature"),
        ("class f:\n    def __init__(self): self.x = 1", never("exc:TypeError"), "signature"),
        (
            "class f:\n    def __init__(self, x): self.x = x + ''",
            never("exc:TypeError"),
            "runtime error",
        ),
        ("class f(int):\n    def g(self): return 1", never("exc:TypeError"), "runtime error"),
        ("@g\nclass f:\n    def g(self): return 1", never("exc:TypeError"), "runtime error"),
        ("def g(x, y): return x\nf = g", never("exc:TypeError"), "signature"),
        ("g = h = lambda: 1\nf = h", never("exc:TypeError"), "signature"),
        ("def g(x): return x + ''\nf = g", never("exc:TypeError"), "runtime error"),
        ("def g(x, y): return x\nf = g(1)", never("exc:TypeError"), "runtime error"),
        ("f = f", never("exc:TypeError"), "runtime error"),
        ("f = g\ng = f", never("exc:TypeError"), "runtime error"),
        ("try:\n    def f(): return 1\nexcept: 1", never("exc:TypeError"), "signature"),
        ("if 1:\n    def f(x, y): return 1", never("exc:TypeError"), "signature"),
        ("def f(x):\n    def f(): 1\n    return f + 1", never("exc:TypeError"), "runtime error"),
        ("if x: 1\n" + "elif x: 1\n" * 900 + PLAIN, never("exc:TypeError"), "runtime error"),
        ("f = 3", never("load:TypeError"), "name"),
        ("f = None", never("load:TypeError"), "name"),
        ("f = [1]\n" + PLAIN + "\n1 + ''", never("load:TypeError"), "runtime error"),
        ("f = g(1)", never("load:TypeError"), "runtime error"),  # who knows what raised
        ("1/0\ndef g(x): return x", never("load:ZeroDivisionError"), "name"),
        ("import numpy\ndef g(x): return x", never("load:ModuleNotFoundError"), "name"),
        ("from numpy import *", never("load:ModuleNotFoundError"), "no code"),
        ("from numpy import *\nx = 1", never("load:ModuleNotFoundError"), "import"),
        ("from math import *\ndef g(x): return x", never("load:NameError"), "name"),
        ("if __name__ == '__main__':\n    " + PLAIN, never("load:NameError"), "name"),
        ("if __name__ == 'x': 1\nelse:\n    " + PLAIN, never("load:NameError"), "runtime error"),
        ("exec('def (')\n" + PLAIN, never("load:SyntaxError"), "runtime error"),
        ("eval('1 +')\nbreak\n" + PLAIN, never("load:SyntaxError"), "syntax"),
        ("break\n" + PLAIN, never("load:SyntaxError"), "syntax"),
        ("def f(x, y): return x", (A, B), "wrong output"),  # the tokens say it was called
        ("import numpy\n" + PLAIN, never("load:ModuleNotFoundError"), "import"),
        ("def f(x):\n    from os import no\n    return no", (A, "exc:ImportError"), "import"),
        (PLAIN, (A, "exc:KeyError"), "runtime error"),
        ("1/0\n" + PLAIN, never("load:ZeroDivisionError"), "runtime error"),
        (PLAIN, (B, "exc:KeyError"), "runtime error"),
        (PLAIN, (B, "TIMEOUT"), "wrong output"),
        (PLAIN, ("CRASH", "TIMEOUT"), "timeout"),
        (PLAIN, (A, "CRASH"), "crash"),
        (PLAIN, (A, A), None),
        ("", (A, A), None),
    ],
)
def test_the_first_cause_that_holds_is_the_one(
    source: str, tokens: tuple[str, str], expected: Optional[str]
) -> None:
    """Causes are looked for in their order, and none for a correct candidate."""
    assert cause(source, *tokens) == expected
    assert expected is None or expected in CAUSES


def test_only_what_differs_from_the_reference_counts() -> None:
    """Raising what the reference raises is right; returning there is a wrong output."""
    raises = "exc:ValueError"
    assert cause(PLAIN, raises, B, reference=(raises, A)) == "wrong output"
    assert cause(PLAIN, B, A, reference=(raises, A)) == "wrong output"
    assert cause(PLAIN, "exc:TypeError", A, reference=(raises, A)) == "runtime error"


def test_what_tests_see_raised_late_is_a_runtime_error() -> None:
    """A generator returns, and raises where it is drained; else the tokens tell what was raised."""
    failed_so = FailedAssert(assertion="assert list(f(1))", got="raises KeyError", kind="exception")
    for tokens, expected in (((A, B), "runtime error"), ((B, "exc:ImportError"), "import")):
        executions = Executions(
            reference=did(A, A),
            candidates=(did(*tokens),),
            checked=(Checked(passed=0, asserts=1, failure=failed_so),),
            argument_counts=(1,),
        )
        assert list(reasons_of(executions, [PLAIN], "f").causes) == [expected]


def test_a_signature_has_to_take_every_number_of_arguments() -> None:
    """Calls have one or three arguments; where nobody knows how many, no signature is wrong."""
    tokens = (A, "exc:TypeError")
    assert cause("def f(x): return x", *tokens, counts=(1, 3)) == "signature"
    assert cause("def f(x, y=1, z=2): return x", *tokens, counts=(1, 3)) == "runtime error"
    assert cause("def f(x, y): return x", *tokens, counts=()) == "runtime error"


@pytest.mark.parametrize(
    ("kind", "source", "tokens", "expected"),
    [
        ("value", PLAIN, (A, "exc:KeyError"), "wrong output"),
        ("exception", PLAIN, (A, "exc:KeyError"), "runtime error"),
        ("exception", PLAIN, (A, A), "runtime error"),
        ("exception", "def f(x, y): return x", never("exc:TypeError"), "signature"),
        ("exception", PLAIN, (A, "exc:ModuleNotFoundError"), "import"),
        ("load", "import numpy\n" + PLAIN, never("load:ModuleNotFoundError"), "import"),
        ("load", "def f(x: List): return x", never("load:NameError"), "runtime error"),
        ("load", "def g(x): return x", never("load:NameError"), "name"),
        ("load", "def f(x) return x", never("load:SyntaxError"), "syntax"),
        ("load", "", never("load:NameError"), "no code"),
        ("load", "def f(x) return x", (A, A), "syntax"),  # no token says what kept it
        ("load", "def g(x): return x", (A, A), "name"),
        ("load", PLAIN, (A, A), "runtime error"),
        ("timeout", PLAIN, (A, B), "timeout"),
        ("crash", PLAIN, (A, B), "crash"),
    ],
)
def test_without_a_reference_the_failed_assert_decides(
    kind: str, source: str, tokens: tuple[str, str], expected: str
) -> None:
    """How the first assert failed is the cause; tokens say which exception it was."""
    assert failed(kind, source, *tokens) == expected


@pytest.mark.parametrize(
    ("source", "instead"),
    [
        ("def count_vowel(x): return x", "count_vowel"),
        ("def countVowels(x): return x", "countVowels"),
        ("class Solution:\n    def count_vowels(self, x): return x", "Solution.count_vowels"),
        ("def solve(x): return x", None),
        ("def count_vowel(x): return x\ncount_vowels = 3", "count_vowel"),
        ("x" * 10_000 + " = 1", None),
    ],
)
def test_a_similar_name_that_is_defined_instead_is_told(
    source: str, instead: Optional[str]
) -> None:
    """It says what to repair: a misspelt name, or a method of a class."""
    token = "load:TypeError" if "count_vowels = " in source else "load:NameError"
    executions = Executions(reference=did(A, A), candidates=(did(A, A), did(*never(token))))
    found = reasons_of(executions, [PLAIN, source], "count_vowels")
    assert found.causes == {"name": (1,)}
    assert found.misnamed == ({} if instead is None else {instead: (1,)})


def test_causes_come_in_their_order_with_ascending_candidates() -> None:
    """However candidates lie in the file."""
    rows = [(A, "CRASH"), (B, B), never("load:SyntaxError"), (A, A), (B, A)]
    executions = Executions(reference=did(A, A), candidates=tuple(did(*row) for row in rows))
    found = reasons_of(executions, [PLAIN, PLAIN, "def f(", PLAIN, PLAIN], "f")
    assert list(found.causes.items()) == [
        ("syntax", (2,)),
        ("wrong output", (1, 4)),
        ("crash", (0,)),
    ]


PROMPT = 'def g(x):\n    return x\n\ndef f(x):\n    """Say x."""\n'


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("", "no code"),
        ("  \n\n", "no code"),
        ("# only\n# comments", "no code"),
        ("'A docstring.'", "no code"),
        ("Sorry", "no code"),
        ("I am sorry, but no.", "no code"),
        ("<think>\ndef f(x):\n    return x\n</think>\nI cannot.", "no code"),
        ("<think>\ndef f(x):\n    return x\nBut", "no code"),
        ("<think>Easy.</think>def f(x) return x", "syntax"),
        ("I can return it\nfrom here on, if you import more.\nclass dismissed.", "no code"),
        ("x = 1", "syntax"),
        ("Here it is:\ndef f(x):\n    return x", "syntax"),
        ("def f(x) return x", "syntax"),
        ("    return (x", "syntax"),
        (PROMPT, "no code"),
        (PROMPT + "    # to do\n", "no code"),
        (PROMPT + "I cannot.", "no code"),
        (PROMPT + "    return (x", "syntax"),
        (PROMPT + "    return x\n", "syntax"),
    ],
)
def test_what_is_code(source: str, expected: str) -> None:
    """Prose, comments, nothing and the prompt are none; a broken program is some."""
    executions = Executions(
        reference=did(A, A), candidates=(did(*never("load:SyntaxError")),), argument_counts=(1,)
    )
    assert list(reasons_of(executions, [source], "f", PROMPT).causes) == [expected]
