"""Hostile programs that walk to our own code, or look for the reference."""

from __future__ import annotations

from hostile_programs_record import (
    CRASH,
    SAME,
    SECRET,
    Anything,
    Hostile,
    f,
    hangs,
    like,
    top,
)

_FORGED = "exc:Forged"

#: Finds a function of ours by its name, from the variables of its callers, and changes its code.
_CHANGE = """
import sys, types
def change(name, to):
    frame = sys._getframe(1)
    while frame:
        for value in frame.f_locals.values():
            if isinstance(value, types.FunctionType) and value.__name__ == name:
                value.__code__ = to.__code__
        frame = frame.f_back
"""

OUR_CODE = (
    Hostile(
        "changes the code of what names its result",
        f("change('token', lambda *any, **named: b'exc:Forged')\nreturn x", _CHANGE),
        _FORGED,
    ),
    Hostile(
        "changes the code of what names its result to a timeout",
        f("change('token', lambda *any, **named: b'TIMEOUT')\nreturn x", _CHANGE),
        CRASH,
    ),
    Hostile(
        "changes its caller's variables by a trace function",
        f(
            """
            frame = sys._getframe(1)
            while 'outcome' not in frame.f_code.co_varnames: frame = frame.f_back
            frame.f_trace = forge
            sys.settrace(lambda *any: None)
            return x
            """,
            """
            import sys
            def forge(frame, event, argument):
                if 'outcome' in frame.f_locals: frame.f_locals['outcome'] = b'exc:Forged'
                return forge
            """,
        ),
        _FORGED,
    ),
    Hostile(
        "changes our functions, found by way of exit()",
        top("""
            import types
            seen, found = {id(exit)}, [exit]
            def hang(*any, **named):
                while True: pass
            def ours(value):
                return getattr(value, '__name__', '').startswith('child')
            while found:
                for value in list(found.pop().__globals__.values()):
                    names = vars(value) if isinstance(value, types.ModuleType) else {}
                    for name, function in list(names.items()) if ours(value) else []:
                        if isinstance(function, types.FunctionType) and id(function) not in seen:
                            seen.add(id(function))
                            found.append(function)
                            setattr(value, name, hang)
        """),
        Anything("what it changes is its own from then on"),
        steady=False,
    ),
    hangs(
        "hangs in a profile function, when its call is over",
        f(
            "sys.setprofile(hang)\nreturn x",
            """
            import sys
            def hang(frame, event, argument):
                while 'run' in frame.f_code.co_name: pass
            """,
        ),
    ),
    hangs(
        "hangs in a trace function of its own",
        f(
            "sys.settrace(hang)\nlen([])\n(lambda: x)()\nreturn x",
            "import sys\ndef hang(*any):\n    while True: pass",
        ),
    ),
    hangs(
        "leaves a trace function that hangs",
        top("""
            import sys
            def hang(*any):
                while True: pass
            sys.settrace(lambda *any: hang)
        """),
    ),
    hangs(
        "takes away what counts its work",
        f("while True: sys.settrace(None)", "import sys"),
    ),
    hangs(
        "gives itself more work",
        f(
            """
            for cell in getattr(sys.gettrace(), '__closure__', None) or ():
                if type(cell.cell_contents) is int: cell.cell_contents = 1 << 30
            while True: len('')
            """,
            "import sys",
        ),
    ),
    hangs(
        "hides its work in other threads",
        f(
            "thread = threading.Thread(target=work)\nthread.start()\nthread.join()\nreturn x",
            """
            import sys, threading
            threading.settrace(None)
            def work():
                while True: len('')
            """,
        ),
    ),
    Hostile(
        "writes over the memory of a type",
        f("ctypes.memset(id(bytes), 0, 200)\nreturn x", "import ctypes"),
        CRASH,
    ),
    Hostile(
        "patches every builtin",
        f(
            """
            for name in names: put(builtins, name, hang)
            return x
            """,
            """
            import builtins
            names, put = list(vars(builtins)), setattr
            def hang(*any, **named):
                while True: pass
            """,
        ),
        SAME,
    ),
    Hostile(
        "patches the modules of the standard library",
        f(
            """
            for module in (hashlib, json, os, random, re, resource, select, signal, struct, time):
                for name in list(vars(module)): setattr(module, name, hang)
            return x
            """,
            """
            import hashlib, json, os, random, re, resource, select, signal, struct, time
            def hang(*any, **named):
                while True: pass
            """,
        ),
        SAME,
    ),
    Hostile(
        "patches the types that results are made of",
        f(
            """
            for name in ('chain', 'islice'): setattr(itertools, name, hang)
            for name in ('deque', 'OrderedDict'): setattr(collections, name, hang)
            decimal.Decimal = fractions.Fraction = datetime.date = array.array = hang
            return results
            """,
            """
            import array, collections, datetime, decimal, fractions, itertools
            results = [
                {1: 2}, collections.deque([1]), decimal.Decimal('1.50'), fractions.Fraction(1, 3),
                datetime.date(2020, 2, 2), datetime.datetime(2020, 2, 2), array.array('b', [1]),
            ]
            def hang(*any, **named):
                while True: pass
            """,
        ),
        like(
            """
            return [
                {1: 2}, collections.deque([1]), decimal.Decimal('1.50'), fractions.Fraction(1, 3),
                datetime.date(2020, 2, 2), datetime.datetime(2020, 2, 2), array.array('b', [1]),
            ]
            """,
            "import array, collections, datetime, decimal, fractions",
        ),
    ),
    Hostile(
        "takes every module away",
        f("sys.modules.clear()\nsys.path.clear()\nreturn x", "import sys"),
        SAME,
    ),
    Hostile(
        "replaces how text is encoded",
        f(
            "return '\\ud800', x",
            """
            import codecs
            def forge(error): return ('', error.end)
            for name in ('surrogatepass', 'backslashreplace', 'strict'):
                codecs.register_error(name, forge)
            """,
        ),
        like("return chr(0xd800), x"),
    ),
    Hostile(
        "leaves little recursion",
        top("import sys\nsys.setrecursionlimit(60)"),
        SAME,
    ),
    Hostile(
        "limits the digits of an int",
        f("return 10**5000", "import sys\ngetattr(sys, 'set_int_max_str_digits', int)(640)"),
        like("return 10**2500 * 10**2500"),
    ),
)

#: Looks through all that can be reached by references: frames, variables, the collector's lists.
_WALK = """
import gc, re, sys
def walk():
    frames = [sys._getframe()]
    while frames[-1].f_back: frames.append(frames[-1].f_back)
    found = [*gc.get_objects(), *sys.modules.values(), *[frame.f_locals for frame in frames]]
    seen = {id(found)}
    while found:
        value = found.pop()
        if id(value) in seen: continue
        seen.add(id(value))
        if type(value) is str and pattern.search(value): return True
        found.extend(gc.get_referents(value))
    return False
"""

#: Reads whatever is mapped near its objects; the kernel says of a page whether it is.
_SCAN = """
import ctypes, os, re
libc = ctypes.CDLL(None)
def scan(megabytes=24):
    reader, writer = os.pipe()
    for middle in {id(thing) >> 25 for thing in (object(), bytes(1000), scan, re)}:
        start = (middle << 25) - (megabytes << 20)
        for page in range(start, start + (megabytes << 21) + (1 << 25), 4096):
            if libc.write(writer, ctypes.c_void_p(page), 4096) == 4096:
                if pattern_of_bytes.search(os.read(reader, 4096)): return True
    return False
"""


def _looks(name: str, how: str, call: str, secret: str, *, finds: bool = False) -> Hostile:
    """Expect that the secret is found nowhere, unless the program itself holds it."""
    # in the pattern the secret's last letter is in brackets, so that it does not find itself
    pattern = f"{secret[:-1]}[{secret[-1]}]"
    return Hostile(
        name,
        f(
            f"return {call}",
            f"{how}\npattern = re.compile('{pattern}')\npattern_of_bytes = re.compile(b'{pattern}')"
            + f"  # {secret}" * finds,
        ),
        like(f"return {finds}"),
        inputs=([0],),
        timeout_s=2.0,
        memory_mb=512,
    )


#: Looks for what a problem server knows of the reference: what it needed, by input.
_NEEDED = """
import gc, sys
def needed():
    frames = [sys._getframe()]
    while frames[-1].f_back: frames.append(frames[-1].f_back)
    found = [frame.f_locals for frame in frames]
    seen = {id(found)}
    while found:
        value = found.pop()
        if id(value) in seen: continue
        seen.add(id(value))
        if type(value) is dict:
            for name in ('events', 'cpu_ns'):
                if type(value.get(name)) is list and value[name]: return value[name]
        found.extend(gc.get_referents(value))
"""

LOOKS_FOR_THE_REFERENCE = (
    Hostile(
        "walks to what the reference needed",
        f("return needed()", _NEEDED),
        like("return None"),
        inputs=([0],),
        timeout_s=2.0,
        memory_mb=512,
    ),
    _looks("walks to the reference's source", _WALK, "walk()", SECRET),
    _looks("walks to its own source", _WALK, "walk()", "what else it knows", finds=True),
    _looks("reads its memory for the reference's source", _SCAN, "scan()", SECRET),
    _looks("reads its memory for its own source", _SCAN, "scan()", "what it knows", finds=True),
)
