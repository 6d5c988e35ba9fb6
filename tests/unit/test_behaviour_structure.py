from __future__ import annotations

import doctest
import hashlib
import re
import subprocess
import sys
import textwrap

import pytest

from pytest_codecollapse.behaviour import structure, structure_hash
from pytest_codecollapse.behaviour.structure import MAX_DEPTH
from pytest_codecollapse.extraction.parse import MAX_UNCHECKED_CHARACTERS

SINCE_3_10 = pytest.mark.skipif(sys.version_info < (3, 10), reason="match is syntax since 3.10")
SINCE_3_12 = pytest.mark.skipif(sys.version_info < (3, 12), reason="def f[T] is syntax since 3.12")

BASE = "def f(xs, k):\n    total = 0\n    for x in xs:\n        total += x * k\n    return total\n"

SAME = {
    "renamed parameters and locals": (
        BASE,
        "def f(v, s):\n    a = 0\n    for e in v:\n        a += e * s\n    return a\n",
    ),
    "spacing, comments, parentheses and line breaks": (
        BASE,
        "def f( xs,k ):\n\n  # adds\n  total=\\\n0\n  for x in xs: total += (x*k)\n  return(total)",
    ),
    "numbers and strings spelt otherwise": (
        "def f(): return 16, 1e3, 'a\"', u'b'",
        'def f(): return 0x10, 1000.0, "a\\"", "b"',
    ),
    "docstring of a function": (
        "def f(x):\n    return x",
        "def f(x):\n    '''Return x.'''\n    return x",
    ),
    "docstring of an async function": (
        "async def f(x):\n    return x",
        "async def f(x):\n    'Return x.'\n    return x",
    ),
    "docstring of a class": (
        "class C:\n    a = 1\nf = C",
        "class C:\n    'Has a.'\n    a = 1\nf = C",
    ),
    "docstring of the module": ("f = len", "'Counts.'\nf = len"),
    "a body of a docstring alone, and pass": (
        "def f():\n    pass\nclass C: pass",
        "def f():\n    'Does nothing.'\nclass C: 'Holds nothing.'",
    ),
    "an empty module, and pass": ("", "pass"),
    "renamed helper": (
        "def g(x): return x\ndef f(x): return g(x)",
        "def h(x): return x\ndef f(x): return h(x)",
    ),
    "renamed helper called with keywords": (
        "def g(a, *, b): return a - b\ndef f(x): return g(a=x, b=1)",
        "def h(c, *, d): return c - d\ndef f(y): return h(c=y, d=1)",
    ),
    "renamed recursion of a nested function": (
        "def f(n):\n    def go(i): return go(i - 1)\n    return go(n)",
        "def f(n):\n    def walk(j): return walk(j - 1)\n    return walk(n)",
    ),
    "renamed lambda parameter": ("f = lambda x, y=1: x + y", "f = lambda a, b=1: a + b"),
    "renamed lambda called with keywords": (
        "g = lambda a: a\ndef f(x): return g(a=x)",
        "g = lambda b: b\ndef f(x): return g(b=x)",
    ),
    "renamed comprehension target": (
        "def f(xs): return {x: [y for y in x] for x in xs if x}",
        "def f(xs): return {p: [q for q in p] for p in xs if p}",
    ),
    "renamed walrus": (
        "def f(xs): return (n := len(xs)) + n",
        "def f(xs): return (size := len(xs)) + size",
    ),
    "renamed starred and tuple targets": (
        "def f(xs):\n    a, *b = xs\n    del a\n    return b",
        "def f(xs):\n    c, *d = xs\n    del c\n    return d",
    ),
    "renamed exception": (
        "def f(x):\n    try: return 1 / x\n    except ZeroDivisionError as e: raise e",
        "def f(x):\n    try: return 1 / x\n    except ZeroDivisionError as error: raise error",
    ),
    "renamed with target": (
        "def f(p):\n    with open(p) as a: return a",
        "def f(p):\n    with open(p) as b: return b",
    ),
    "renamed global and nonlocal": (
        "n = 0\ndef f():\n    global n\n    m = 1\n    def g():\n        nonlocal m\n        m = n",
        "k = 0\ndef f():\n    global k\n    l = 1\n    def g():\n        nonlocal l\n        l = k",
    ),
    "import under another name": (
        "import math\ndef f(x): return math.sqrt(x)",
        "import math as m\ndef f(x): return m.sqrt(x)",
    ),
    "import from under another name": (
        "from math import sqrt\ndef f(x): return sqrt(x)",
        "from math import sqrt as root\ndef f(x): return root(x)",
    ),
    "renamed class, method, attribute and self": (
        "class C:\n    def __init__(self, x): self.val = x\n    def get(self): return self.val\n"
        "def f(x): return C(x).get()",
        "class D:\n    def __init__(me, y): me.v = y\n    def read(me): return me.v\n"
        "def f(x): return D(x).read()",
    ),
    "a parameter renamed, the attribute of the same name not": (
        "class C:\n    def __init__(self, x): self.x = x\ndef f(v): return C(v).x",
        "class C:\n    def __init__(self, y): self.x = y\ndef f(v): return C(v).x",
    ),
    "renamed attribute of a class and of a function": (
        "class C: pass\nC.n = 1\ndef g(): g.k = C.n\ndef f(): return g.k",
        "class C: pass\nC.m = 1\ndef g(): g.l = C.m\ndef f(): return g.l",
    ),
    "renamed fields given as keywords": (
        "@dataclass\nclass P:\n    x: int\n    y: int\ndef f(): return P(x=1, y=2).x",
        "@dataclass\nclass Q:\n    a: int\n    b: int\ndef f(): return Q(a=1, b=2).a",
    ),
    "renamed constructor keyword": (
        "class C:\n    def __init__(self, n): self.n = n\ndef f(): return C(n=1)",
        "class C:\n    def __init__(self, m): self.n = m\ndef f(): return C(m=1)",
    ),
    "a local that has the name of a built-in's keyword": (
        "def f(xs, key): return sorted(xs, key=key)",
        "def f(xs, by): return sorted(xs, key=by)",
    ),
    "a local that has the name of a method": (
        "def f(s):\n    count = s.count('a')\n    return count",
        "def f(s):\n    n = s.count('a')\n    return n",
    ),
    "a local renamed in one function alone": (
        "def g(x): return x\ndef f(x): return g(x)",
        "def g(y): return y\ndef f(x): return g(x)",
    ),
    "a comprehension target renamed to a local's name": (
        "def f(xs): return [x for x in xs]",
        "def f(xs): return [xs for xs in xs]",
    ),
    "a local that has the entry point's name": (
        "def f(x):\n    f = x\n    return f",
        "def f(x):\n    y = x\n    return y",
    ),
    "keywords of the entry point's own recursion": (
        "def f(n, m=0): return f(n=n - 1, m=m)",
        "def f(k, l=0): return f(k=k - 1, l=l)",
    ),
    "keywords of the parent's constructor": (
        "class B:\n    def __init__(self, n): self.n = n\n"
        "class C(B):\n    def __init__(self, n): super().__init__(n=n)",
        "class B:\n    def __init__(self, k): self.n = k\n"
        "class C(B):\n    def __init__(self, k): super().__init__(k=k)",
    ),
    "a local that hides a built-in": (
        "def f(xs):\n    sum = 0\n    for x in xs: sum += x\n    return sum",
        "def f(xs):\n    acc = 0\n    for x in xs: acc += x\n    return acc",
    ),
}

DIFFERENT = {
    "another constant": (BASE, BASE.replace("= 0", "= 1")),
    "another operator": (BASE, BASE.replace("x * k", "x + k")),
    "statements swapped": (
        "def f(a):\n    a += 1\n    a *= 2",
        "def f(a):\n    a *= 2\n    a += 1",
    ),
    "variables swapped": ("def f(a, b): return a - b", "def f(a, b): return b - a"),
    "two variables become one": (
        "def f(a):\n    b = a\n    return b",
        "def f(a):\n    a = a\n    return a",
    ),
    "int, float and bool": ("def f(): return 1", "def f(): return 1.0"),
    "int and bool": ("def f(): return 1", "def f(): return True"),
    "text and bytes": ("def f(): return 'a'", "def f(): return b'a'"),
    "a string that spells a value": ("def f(): return 'None'", "def f(): return None"),
    "no value and None": ("def f(): return", "def f(): return None"),
    "an expression that is no docstring": ("def f(): pass", "def f(): b'doc'"),
    "a string after the first statement": ("def f(): pass", "def f():\n    pass\n    'doc'"),
    "another built-in": ("def f(xs): return min(xs)", "def f(xs): return max(xs)"),
    "another built-in, a local elsewhere": (
        "def g(min): return min\ndef f(xs): return min(xs)",
        "def g(max): return max\ndef f(xs): return max(xs)",
    ),
    "a default is looked up outside": (
        "x = 1\ny = 2\ndef f(y=x): return y",
        "x = 1\ny = 2\ndef f(x=y): return x",
    ),
    "a method does not see names of its class": (
        "n = 1\nclass C:\n    n = 2\n    def g(self): return n",
        "n = 1\nclass C:\n    n = 2\n    def g(self): return C.n",
    ),
    "a class body sees names of its own": (
        "n = 1\nclass C:\n    m = 2\n    k = n",
        "n = 1\nclass C:\n    n = 2\n    k = n",
    ),
    "a local and a global": (
        "n = 1\ndef f():\n    n = 2\n    return n",
        "n = 1\ndef f():\n    global n\n    n = 2\n    return n",
    ),
    "a local and a nonlocal": (
        "def f():\n    n = 1\n    def g():\n        n = 2\n    return n",
        "def f():\n    n = 1\n    def g():\n        nonlocal n\n        n = 2\n    return n",
    ),
    "a walrus binds outside its comprehension": (
        "def f(xs, y): return [(z := x) for x in xs], y",
        "def f(xs, y): return [(y := x) for x in xs], y",
    ),
    "keywords swapped behind an attribute": (
        "def g(a, b): return a - b\nclass C:\n    def __init__(self): self.h = g\n"
        "f = lambda: C().h(a=1, b=2)",
        "def g(b, a): return b - a\nclass C:\n    def __init__(self): self.h = g\n"
        "f = lambda: C().h(a=1, b=2)",
    ),
    "another module": ("import math as m\nf = m.log", "import cmath as m\nf = m.log"),
    "another name imported": ("from math import sin as g", "from math import cos as g"),
    "a package and its module": ("import os.path as os", "import os.path"),
    "relative and absolute import": ("from a import b", "from .a import b"),
    "another foreign attribute": ("def f(xs): xs.append(1)", "def f(xs): xs.remove(1)"),
    "another foreign keyword": ("def f(x): print(x, end=x)", "def f(x): print(x, sep=x)"),
    "keywords swapped": (
        "def g(a, b): return a - b\ndef f(x): return g(a=x, b=1)",
        "def g(a, b): return a - b\ndef f(x): return g(b=x, a=1)",
    ),
    "parameters swapped behind an alias": (
        "def g(a, b): return a - b\nh = g\nf = lambda: h(a=1, b=2)",
        "def g(b, a): return b - a\nh = g\nf = lambda: h(a=1, b=2)",
    ),
    "a keyword that the function does not name": (
        "def h(a): return a\ndef g(**kw): return kw['a']\ndef f(): return h(1), g(a=1)",
        "def h(b): return b\ndef g(**kw): return kw['a']\ndef f(): return h(1), g(b=1)",
    ),
    "another attribute of the program's own": (
        "class C:\n    a = 1\n    b = 2\ndef f(): return C.a",
        "class C:\n    a = 1\n    b = 2\ndef f(): return C.b",
    ),
    "another special method": (
        "class C:\n    def __add__(self, o): return o",
        "class C:\n    def __sub__(self, o): return o",
    ),
    "another method of a foreign base": (
        "class C(dict):\n    def keys(self): return []",
        "class C(dict):\n    def values(self): return []",
    ),
    "another method of a foreign base's child": (
        "class B(dict): pass\nclass C(B):\n    def keys(self): return []",
        "class B(dict): pass\nclass C(B):\n    def values(self): return []",
    ),
    "an attribute stored on what is not the program's": (
        "import sys\ndef f(): sys.stdout = None",
        "import sys\ndef f(): sys.stderr = None",
    ),
    "an attribute stored by a static method": (
        "class C:\n    @staticmethod\n    def g(node): node.left = 1",
        "class C:\n    @staticmethod\n    def g(node): node.right = 1",
    ),
    "another entry point": ("def f(x): return x", "def g(x): return x"),
    "text in an f-string": ("def f(x): return f'{x}'", "def f(x): return f'{x} '"),
    "positional-only": ("def f(a, b): pass", "def f(a, /, b): pass"),
    "unpacked list and item": ("def f(a): return [*a]", "def f(a): return [a]"),
    "unpacked dict and item": ("def f(a): return {**a}", "def f(a): return {None: a}"),
    "grouping": ("def f(a): return a - (a - a)", "def f(a): return a - a - a"),
    "nesting": ("def f(a): return [[a], a]", "def f(a): return [[a, a]]"),
}


def sha256(text: str) -> str:
    """Return the digest of a text that may hold lone surrogates."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def text_hash(source: str) -> str:
    """Return the hash of a source that is not parsed."""
    return sha256(f"text\n{source}")


@pytest.mark.parametrize(("left", "right"), SAME.values(), ids=list(SAME))
def test_renaming_and_layout_do_not_matter(left: str, right: str) -> None:
    """Both programs have the same hash."""
    assert structure_hash(left, "f") == structure_hash(right, "f")


@pytest.mark.parametrize(("left", "right"), DIFFERENT.values(), ids=list(DIFFERENT))
def test_everything_else_matters(left: str, right: str) -> None:
    """The programs have different hashes."""
    assert structure_hash(left, "f") != structure_hash(right, "f")


@SINCE_3_10
def test_captures_of_a_match_are_renamed() -> None:
    """Match captures are variables, and keyword patterns attributes, of the program."""
    program = textwrap.dedent("""\
        class P:
            def __init__(self, x): self.x = x
        def f(v):
            match v:
                case [a, *rest]: return a, rest
                case {"k": b, **more}: return b, more
                case P(x=c): return c
                case True | None as d: return d
        """)
    renamed = program
    for old, new in [("a", "p"), ("rest", "q"), ("b", "r"), ("more", "s"), ("x", "t"), ("d", "u")]:
        renamed = re.sub(rf"\b{old}\b", new, renamed)
    assert renamed != program
    assert structure_hash(renamed, "f") == structure_hash(program, "f")
    assert structure_hash(program.replace("True", "False"), "f") != structure_hash(program, "f")
    assert structure_hash(program.replace("None", "True"), "f") != structure_hash(program, "f")
    assert structure_hash(program.replace("*rest]: return a, rest", "*a]: return a, a"), "f") != (
        structure_hash(program, "f")
    )


@SINCE_3_12
def test_type_parameters_are_renamed() -> None:
    """Type parameters and type aliases are names that the program binds."""
    left = "type A[T] = list[T]\ndef f[U, *V, **W](x: U) -> A[U]: return x"
    right = "type B[S] = list[S]\ndef f[P, *Q, **R](x: P) -> B[P]: return x"
    assert structure_hash(left, "f") == structure_hash(right, "f")
    assert structure_hash(left.replace("A[U]", "A[T]"), "f") != structure_hash(left, "f")


def test_entry_point_keeps_its_name() -> None:
    """A function may be renamed while another one is the entry point, not when it is."""
    program = "def f(x): return g(x)\ndef g(x): return x"
    renamed = "def f(x): return h(x)\ndef h(x): return x"
    assert structure_hash(program, "f") == structure_hash(renamed, "f")
    assert structure_hash(program, "g") != structure_hash(renamed, "g")
    assert structure_hash(program, "f") != structure_hash(program, "g")


def test_hash_is_the_same_everywhere() -> None:
    """The hash of a program that every Python parses alike is fixed."""
    assert structure_hash("import os.path as p\n" + BASE, "f") == (
        "f2c18625644bad3014bf7bd7e5ef3329ee5e6c53c384389dc6cc84eb0856aeba"
    )


@pytest.mark.parametrize(
    "source",
    [
        "def f(:",
        "def f():\n\treturn 1\n        return 2",
        "x = 1\0",
        "x = '\ud800'",
        "é = (",
        "return = 1",
        "x = " + "9" * 5000,
    ],
)
def test_what_does_not_parse_is_hashed_as_text(source: str) -> None:
    """Source that is no Python is hashed by its text."""
    assert structure_hash(source, "f") == text_hash(source)


def test_text_cannot_pose_as_a_tree() -> None:
    """The text that a tree is written as does not hash to what the tree hashes to."""
    tree = "(Module\n.body\n[1\n(Pass\n)\n)"
    assert structure_hash("pass", "f") == sha256(f"tree\n{tree}")
    assert structure_hash(tree, "f") == sha256(f"text\n{tree}")


def test_lone_surrogate_in_a_literal_is_hashed() -> None:
    r"""A program may spell a lone surrogate as \ud800: it differs from \ud801."""
    assert structure_hash(r"f = '\ud800'", "f") != structure_hash(r"f = '\ud801'", "f")


@pytest.mark.parametrize("source", ["f = '\\d'", "f = 1 is 1", "f = 1if 1else 2", "assert (1, 2)"])
def test_warnings_of_the_parser_do_not_leak(source: str) -> None:
    """A program that the parser warns of is parsed: its layout does not matter."""
    assert structure_hash(source, "f") == structure_hash(f"{source}  # odd", "f")


NESTED = {
    "attributes": "f = a" + ".b" * 60_000,
    "sum": "f = " + "+".join(["a"] * 60_000),
    "calls": "f = a" + "()" * 60_000,
    "subscripts": "f = a" + "[0]" * 60_000,
    "minus": "f = " + "-" * 60_000 + "a",
    "not": "f = " + "not " * 60_000 + "a",
    "power": "f = " + "**".join(["a"] * 60_000),
    "lambda": "f = " + "lambda: " * 20_000 + "a",
    "conditional": "f = " + " if b else ".join(["a"] * 20_000),
    "elif": "if a: pass\n" + "elif a: pass\n" * 20_000,
    "parentheses": "f = " + "(" * 60_000 + "a" + ")" * 60_000,
    "lists": "f = " + "[" * 60_000 + "]" * 60_000,
    "unclosed": "f = " + "[{(" * 60_000,
    "indentation": "".join(" " * i + "if a:\n" for i in range(2_000)) + " " * 2_000 + "pass",
    "a long chain on few lines": "f = a" + ".b" * 500_000,
}


@pytest.mark.parametrize("source", NESTED.values(), ids=list(NESTED))
def test_hostile_nesting_is_hashed_as_text(source: str) -> None:
    """A source nested thousands deep does not raise, and is hashed by its text."""
    assert structure_hash(source, "f") == text_hash(source)


def test_depth_of_the_tree_decides_alone() -> None:
    """One level below the limit names do not matter, one above the text is hashed."""
    levels_of_the_rest = 3  # module, def, return
    deepest = MAX_DEPTH - levels_of_the_rest

    def nested(name: str, depth: int) -> str:
        return f"def f({name}):\n    return {'-' * (depth - 1)}{name}"

    assert structure_hash(nested("a", deepest), "f") == structure_hash(nested("b", deepest), "f")
    deeper = deepest + 1
    assert structure_hash(nested("a", deeper), "f") != structure_hash(nested("b", deeper), "f")


def test_stack_of_the_caller_does_not_matter() -> None:
    """A deep program has the same hash under a caller that stands 700 frames deep."""
    program = "def f(a): return " + "-" * (MAX_DEPTH - 10) + "a"

    def under(frames: int) -> str:
        return under(frames - 1) if frames else structure_hash(program, "f")

    assert under(700) == structure_hash(program, "f")


@pytest.mark.skipif(sys.version_info >= (3, 11), reason="the parser guards its own stack")
def test_long_source_is_not_given_to_a_parser_that_crashes() -> None:
    """Before Python 3.11, one character over the limit is hashed as text."""
    longest = "f = 1" + " " * (MAX_UNCHECKED_CHARACTERS - 5)
    assert structure_hash(longest, "f") == structure_hash("f = 1", "f")
    assert structure_hash(longest + " ", "f") == text_hash(longest + " ")


def test_long_flat_source_is_parsed() -> None:
    """A program of 10,000 statements is hashed by its tree."""
    lines = ["def f(a):", *["    a += 1"] * 7_000, "    return a"]
    renamed = [line.replace(" a", " b").replace("(a", "(b") for line in lines]
    assert structure_hash("\n".join(lines), "f") == structure_hash("\n".join(renamed), "f")


def test_keyword_may_name_the_parameters_of_many_definitions() -> None:
    """Renaming a parameter in 2,000 definitions and calls does not matter, in one call it does."""
    definitions = "".join(f"def g({'ab'[i % 2]}): return {'ab'[i % 2]}\n" for i in range(2_000))
    program = definitions + "f = (" + "g(a=1), g(b=2), " * 1_000 + ")"
    renamed = program.translate(str.maketrans("ab", "xy"))
    assert structure_hash(program, "f") == structure_hash(renamed, "f")
    assert structure_hash(program.replace("g(a=1), g(b=2), )", "g(b=1), g(b=2), )"), "f") != (
        structure_hash(program, "f")
    )


def test_example_of_the_docstring_holds() -> None:
    """The docstring's example gives what it shows."""
    results = doctest.testmod(structure)
    assert (results.attempted, results.failed) == (3, 0)


def test_hash_does_not_depend_on_the_hash_seed() -> None:
    """Another process, whose sets have another order, computes the same hash."""
    program = "from pytest_codecollapse.behaviour import structure_hash as h; print(h({!r}, 'f'))"
    source = "class A:\n    b = c = d = 1\ndef f(x, y, z): return A.b + A.c + y"
    command = [sys.executable, "-c", program.format(source)]
    for seed in "12":
        run = subprocess.run(
            command, env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        )
        assert run.stdout.strip() == structure_hash(source, "f")
