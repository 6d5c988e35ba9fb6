"""Hostile sources: odd to read, odd to load, or named like something of ours."""

from __future__ import annotations

import sys

from hostile_programs_record import SAME, Hostile, f, like, one_of, top

_IDENTITY = "def f(x): return x"
_NO_MODULE = "load:ModuleNotFoundError"

TEXT = (
    Hostile("no source at all", "", "load:NameError"),
    Hostile("not Python", "def f(x) return x", "load:SyntaxError"),
    Hostile("tabs and blanks", "def f(x):\n\tif x: pass\n        return x", "load:TabError"),
    Hostile("tabs alone", "def f(x):\n\treturn x", SAME),
    Hostile("CRLF", "def f(x):\r\n    y = x\r\n    return y\r\n", SAME),
    Hostile("CR", "def f(x):\r    return x\r", SAME),
    Hostile("form feeds", "\f\ndef f(x):\f\n    return x\n\f", SAME),
    Hostile(
        "a null byte",
        f"{_IDENTITY}\n\0",
        "load:ValueError" if sys.version_info < (3, 11, 4) else "load:SyntaxError",
    ),
    Hostile("a byte order mark", f"\ufeff{_IDENTITY}", "load:SyntaxError"),
    Hostile("an encoding of its own", f"# -*- coding: no-such -*-\n{_IDENTITY}", SAME),
    Hostile(
        "Latin-1, as it says", "# coding: latin-1\ndef f(x): return 'é'", like("return chr(233)")
    ),
    Hostile("a lone surrogate", f"# \ud800\n{_IDENTITY}", "load:UnicodeEncodeError"),
    Hostile("letters that look like others", "def \U0001d41f(x): return x", SAME),
    Hostile("300 kB of data", f"DATA = [{'0, ' * 100_000}]\n{_IDENTITY}", SAME, timeout_s=2.0),
    Hostile("300 kB of text", f"'''{'a' * 300_000}'''\n{_IDENTITY}", SAME, timeout_s=1.0),
    Hostile(
        "300 kB on one line",
        f"x = {'1 + ' * 1000}1; {'y = 1; ' * 40_000}\n{_IDENTITY}",
        SAME,
        timeout_s=5.0,
    ),
    Hostile("ten thousand parentheses", f"x = {'(' * 10_000}", "load:SyntaxError"),
    Hostile(
        "a hundred thousand signs",
        f"x = {'-' * 100_000}1",
        one_of("load:MemoryError", "load:RecursionError"),
        timeout_s=2.0,
    ),
)

NAMES = (
    Hostile(
        "from __future__",
        "from __future__ import annotations\ndef f(x: no_such_name): return x",
        SAME,
    ),
    Hostile("from a future that is none", "from __future__ import braces", "load:SyntaxError"),
    Hostile(
        "what runs only as a script",
        f("return x") + 'if __name__ == "__main__":\n    while True: pass',
        SAME,
    ),
    Hostile("a module named like ours", "import canon", _NO_MODULE),
    Hostile("a package named like ours", "from child import program", _NO_MODULE),
    Hostile("the package", "import pytest_codecollapse", _NO_MODULE),
    Hostile("the test framework", "import pytest", _NO_MODULE),
    Hostile("the host's main module", "from __main__ import main", "load:ImportError"),
    Hostile("raises what it defines", top("class Odd(Exception): pass\nraise Odd"), "load:Odd"),
)

ENTRY_POINTS = (
    Hostile("another name", "def g(x): return x", "load:NameError"),
    Hostile("nothing to call", "f = 3", "load:TypeError"),
    Hostile("a class", "class f:\n    def __new__(cls, x): return x", SAME),
    Hostile(
        "an object that lies about what it is",
        """
class Odd:
    __class__ = property(lambda self: 1 / 0)
    def __getattribute__(self, name): raise SystemExit
    def __call__(self, x): return x
f = Odd()
""",
        SAME,
    ),
    Hostile("a builtin", "f = int", SAME),
    Hostile("a function that takes itself away", f("globals().pop('f', None)\nreturn x"), SAME),
    Hostile(
        "clears its namespace",
        "def f(x, clear=globals().clear):\n    clear()\n    return x",
        SAME,
    ),
    Hostile("clears its namespace at import", top("") + "globals().clear()", "load:NameError"),
    Hostile("takes its builtins away", "__builtins__ = {}\ndef f(x): return x", SAME),
    Hostile("takes its module's place", top("import sys\nsys.modules['solution'] = sys"), SAME),
    Hostile(
        "replaces import",
        top("import builtins\nbuiltins.__import__ = lambda *any: [0 for _ in iter(int, 1)]"),
        SAME,
    ),
    Hostile(
        "a name that equals every other, and raises",
        top("""
            class Name:
                __hash__ = lambda self: hash('f')
                def __eq__(self, other): raise SystemExit
            globals()[Name()] = 1
        """),
        "load:SystemExit",
    ),
    Hostile(
        "wants more than it gets",
        "def f(x, y): return x",
        "exc:TypeError",
    ),
)

LOADING = (*TEXT, *NAMES, *ENTRY_POINTS)
