"""Hostile programs whose results lie, hang or never end when they are asked anything."""

from __future__ import annotations

from hostile_programs_record import SAME, Hostile, f, hangs, like

_HANG = """
def hang(*any, **named):
    while True: pass
"""
_METHODS = """
METHODS = (
    '__eq__ __ne__ __hash__ __repr__ __str__ __format__ __reduce__ __reduce_ex__ __iter__ __len__ '
    '__next__ __getattribute__ __getattr__ __getitem__ __contains__ __bool__ __int__ __float__ '
    '__index__ __bytes__ __call__ __dir__ __sizeof__ __copy__ __deepcopy__ __getstate__ '
    '__lt__ __instancecheck__ __subclasscheck__ __length_hint__ __reversed__ __missing__ keys '
    'items values encode decode __get__ __fspath__ __buffer__ __complex__ __enter__ __exit__'
).split()
"""
_LIARS = (
    _HANG
    + _METHODS
    + """
def liar(base):
    return type('Liar', (base,), dict.fromkeys(METHODS, hang))
"""
)


def _lies(name: str, returned: str, truth: str) -> Hostile:
    """Expect that a subclass with methods that hang is read as what it extends."""
    return Hostile(
        f"{name} whose every method hangs", f(f"return {returned}", _LIARS), like(f"return {truth}")
    )


OBJECTS = (
    Hostile(
        "an object that equals everything",
        f("return Yes()", "class Yes:\n    __eq__ = lambda self, other: True\n    __hash__ = None"),
        like("return Yes()", "class Yes: pass"),
    ),
    Hostile(
        "an object that says it is an int",
        f(
            "return Int(x)",
            """
            class Int:
                def __init__(self, value): self.value = value
                __class__ = int
                __index__ = __int__ = __hash__ = lambda self: self.value
                __eq__ = lambda self, other: self.value == other
                __repr__ = lambda self: repr(self.value)
            """,
        ),
        like("return Int()", "class Int: pass"),
    ),
    Hostile(
        "an object whose every method hangs",
        f("return liar(object)()", _LIARS),
        like("return Liar()", "class Liar: pass"),
    ),
    Hostile(
        "an object that raises whatever it is asked",
        f(
            "return Odd()",
            """
            class Odd:
                def __getattribute__(self, name): raise SystemExit
                __eq__ = __hash__ = __repr__ = __len__ = __iter__ = __bool__ = __reduce__ = (
                    lambda *any: 1 / 0
                )
            """,
        ),
        like("return Odd()", "class Odd: pass"),
    ),
    Hostile(
        "an object that recurses whatever it is asked",
        f(
            "return Odd()",
            """
            class Odd:
                __eq__ = lambda self, other: self == other
                __hash__ = lambda self: hash(self)
                __repr__ = lambda self: repr(self)
                __len__ = lambda self: len(self)
                __iter__ = lambda self: iter(self)
                __bool__ = lambda self: bool(self)
            """,
        ),
        like("return Odd()", "class Odd: pass"),
    ),
    Hostile(
        "a metaclass that lies about its classes",
        f(
            "return odd, Odd",
            _HANG
            + """
class Lies(type):
    __name__ = __mro__ = __bases__ = __dict__ = property(hang)
    __eq__ = __hash__ = __repr__ = __call__ = __instancecheck__ = __getattribute__ = hang
class Odd(metaclass=Lies): pass
odd = object.__new__(Odd)
""",
        ),
        like("return Odd(), Odd", "class Lies(type): pass\nclass Odd(metaclass=Lies): pass"),
    ),
    Hostile(
        "a type that calls itself int",
        f("return int(x)", "int = type('int', (), {'__init__': lambda self, x: None})"),
        like("return Int()", "class Int: pass\nInt.__qualname__ = 'int'"),
    ),
    Hostile(
        "an exception named by a str of its own",
        f(
            "raise Odd",
            """
            class Text(str):
                def encode(self, *any): return b'Forged'
            class Odd(Exception): pass
            Odd.__name__ = Text('Odd')
            """,
        ),
        "exc:Odd",
    ),
    Hostile(
        "an exception named by a str that raises",
        f(
            "raise Odd",
            """
            class Text(str):
                def encode(self, *any): raise SystemExit
            class Odd(Exception): pass
            Odd.__name__ = Text('Odd')
            """,
        ),
        "exc:Odd",
    ),
)

SUBCLASSES = (
    _lies("an int", "liar(int)(x)", "x")._replace(expected=SAME),
    _lies("a str", "liar(str)('text')", "'text'"),
    _lies("a float", "liar(float)(1.5)", "1.5"),
    _lies("a bytes", "liar(bytes)(b'text')", "b'text'"),
    _lies("a list", "liar(list)([x])", "[x]"),
    _lies("a tuple", "liar(tuple)((x,))", "(x,)"),
    _lies("a dict", "liar(dict)({x: 1})", "{x: 1}"),
    _lies("a set", "liar(set)({x})", "{x}"),
    Hostile(
        "keys that hang once they are in",
        f(
            """
            table = {Key(): 1}
            Key.__eq__ = Key.__hash__ = hang
            return table
            """,
            _HANG + "class Key: pass",
        ),
        like("return {Key(): 1}", "class Key: pass"),
        inputs=([0],),
    ),
)

PLAIN = (
    Hostile(
        "nan",
        f("return [float('nan'), -float('nan')]"),
        like("nan = 1e999 - 1e999\nreturn [nan, nan]"),
    ),
    Hostile("-0.0", f("return -0.0"), like("return 0.0")),
    Hostile("a long int", f("return 10**100_000"), like("return (10**50_000) ** 2")),
    Hostile(
        "lone surrogates",
        f("return '\\ud800' + '\\udfff'"),
        like("return chr(0xd800) + chr(0xdfff)"),
    ),
    Hostile(
        "a coroutine",
        f("return x", "async def g(): pass").replace("def f", "async def f"),
        like("return g()", "async def g(): pass"),
    ),
    Hostile(
        "an asynchronous generator",
        f("yield x").replace("def f", "async def f"),
        like("return g()", "async def g(): yield"),
    ),
    Hostile(
        "mutual references",
        f("one, other = [], []\none.append(other)\nother.append(one)\nreturn one"),
        like("one = [[]]\none[0].append(one)\nreturn one"),
    ),
    Hostile(
        "a generator of generators, that raises",
        f(
            """
            yield (number for number in range(3))
            yield x
            raise KeyError
            """
        ),
        like(
            """
            def fail(value): raise KeyError
            return itertools.chain([iter(range(3)), x], map(fail, [0]))
            """,
            "import itertools",
        ),
    ),
    Hostile(
        "a generator that yields itself",
        f(
            """
            def g(): yield itself[0]
            itself = []
            itself.append(g())
            return itself[0]
            """
        ),
        like(
            """
            itself = []
            itself.append(map(itself.__getitem__, [0]))
            return itself[0]
            """
        ),
    ),
    Hostile(
        "a generator that changes its argument while it is read",
        f("yield from range(3)\nx.append(3)"),
        like("x.append(3)\nreturn iter(range(3))"),
        inputs=([[0]], [[1]]),
    ),
    hangs(
        "a list that grows while it is read",
        f(
            "grown = []\ngrown.append(grow(grown))\nreturn grown",
            """
            def grow(grown):
                while True:
                    grown.append(0)
                    yield 0
        """,
        ),
        memory_mb=2048,
    ),
    Hostile(
        "a view of memory that is gone",
        f("view = memoryview(b'x')\nview.release()\nreturn view"),
        "exc:ValueError",
    ),
    Hostile(
        "its own module",
        f("return sys.modules['solution']", "import sys"),
        like("return sys", "import sys"),
    ),
    Hostile("itself", f("return f"), like("return f")),
)

VALUES = (*OBJECTS, *SUBCLASSES, *PLAIN)
