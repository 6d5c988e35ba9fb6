"""Hostile programs that want more than their share."""

from __future__ import annotations

import sys

from hostile_programs_record import (
    CRASH,
    HUNG,
    SAME,
    Anything,
    Hostile,
    f,
    hangs,
    like,
    one_of,
    top,
)

_MEMORY = "exc:MemoryError"
_NESTED = """
import json, sys
sys.setrecursionlimit(10**9)
nested = []
for _ in range(10**5):
    nested = [nested]
"""

GREED = (
    Hostile("a huge list", f("return [0] * 10**10"), _MEMORY),
    Hostile("huge bytes", f("return bytes(10**11)"), _MEMORY),
    Hostile("a huge str", f("return 'a' * 10**11"), _MEMORY),
    Hostile("a huge int", f("return 1 << 10**12"), _MEMORY),
    Hostile("a huge list at import", top("[0] * 10**10"), "load:MemoryError"),
    Hostile(
        "a list that grows",
        f("grown = []\nwhile True: grown.append(grown[:])"),
        _MEMORY,
        memory_mb=16,
        timeout_s=5.0,
    ),
    Hostile(
        "combinations up to the limit",
        f("return list(itertools.product('abcd', repeat=30))", "import itertools"),
        _MEMORY,
        memory_mb=16,
        timeout_s=5.0,
    ),
    hangs(
        "a memory bomb that swallows",
        f("""
        grown = []
        while True:
            try: grown.append(bytearray(1 << 20))
            except MemoryError: pass
        """),
        memory_mb=64,
    ),
    Hostile(
        "keeps nearly all of its memory",
        f(
            """
            try:
                while True: kept.append(bytearray(1 << 20))
            except MemoryError: kept.pop()
            return x
            """,
            "kept = []",
        ),
        SAME,
        memory_mb=16,
        timeout_s=1.0,
    ),
    Hostile("recursion", f("return f(x)"), "exc:RecursionError"),
    Hostile(
        "recursion with a raised limit",
        f("return f(x)", "import sys\nsys.setrecursionlimit(10**9)"),
        # what gives way first is the interpreter's affair: the stack, memory, or time
        one_of(CRASH, HUNG, _MEMORY, "exc:SystemError"),
        inputs=([0],),
        memory_mb=16,
        timeout_s=1.0,
        steady=False,
    ),
    Hostile(
        "deep nesting hashed, which has no limit",
        f("return hash(nested)", "nested = ()\nfor _ in range(300_000): nested = (nested,)"),
        CRASH,
        inputs=([0],),
        timeout_s=2.0,
    ),
    Hostile(
        "deep nesting written out, with a raised limit",
        f("return json.dumps(nested)", _NESTED),
        CRASH if sys.version_info < (3, 12) else "exc:RecursionError",
        inputs=([0],),
        timeout_s=2.0,
    ),
    Hostile(
        "deep nesting returned",
        f("nested = [x]\nfor _ in range(10**4): nested = [nested]\nreturn nested"),
        like(
            "return functools.reduce(lambda inner, _: [inner], range(10**4), [x])",
            "import functools",
        ),
        inputs=([0],),
        timeout_s=1.0,
    ),
    Hostile(
        "50 MB returned",
        f("return ''.join('a' * 10**6 for _ in range(50))"),
        like("return 'a' * 50_000_000"),
        inputs=([0],),
        timeout_s=1.0,
        memory_mb=512,
    ),
    Hostile(
        "billions of paths to one object",
        f("laughs = [x]\nfor _ in range(100): laughs = [laughs, laughs]\nreturn laughs"),
        like(
            "laughs = (lambda a: [a, a])([x])\n"
            "for _ in range(99): laughs = [laughs, laughs]\nreturn laughs"
        ),
    ),
    Hostile(
        "a million prints at import",
        top("for number in range(1_000_000): print(number)"),
        SAME,
        inputs=([0],),
        timeout_s=2.0,
    ),
    Hostile(
        "prints to every stream",
        f(
            """
            for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
                print('a' * 100_000, file=stream, flush=True)
            return x
            """,
            "import sys",
        ),
        SAME,
    ),
    Hostile("input()", f("return input()"), "exc:EOFError"),
    Hostile("reads standard input", f("return sys.stdin.read()", "import sys"), like("return ''")),
    Hostile("reads its arguments", f("return sys.argv", "import sys"), like("return ['']")),
    Hostile(
        "many open files",
        f(
            """
            opened = []
            try:
                while True: opened.append(open('/dev/null'))
            except OSError as error:
                return error.errno, 8 < len(opened) < 64
            """
        ),
        like("return 24, True"),
    ),
    Hostile(
        "a thousand threads",
        f(
            """
            for _ in range(1000): threading.Thread(target=stop.wait).start()
            return x
            """,
            "import threading\nthreading.stack_size(1 << 16)\nstop = threading.Event()",
        ),
        SAME,
        inputs=([0],),
        timeout_s=2.0,
        memory_mb=4096,
    ),
    Hostile(
        "threads until there is no more memory",
        f(
            "while True: threading.Thread(target=stop.wait).start()",
            "import threading\nstop = threading.Event()",
        ),
        Anything("a thread that gets no memory may leave the one that started it waiting"),
        inputs=([0],),
        timeout_s=0.1,
        steady=False,
    ),
    Hostile(
        "raises its own limits",
        f(
            """
            raised = []
            for what in sorted(n for n in dir(resource) if n.startswith('RLIMIT_')):
                number = getattr(resource, what)
                soft, hard = resource.getrlimit(number)
                if what in BOUND and (hard == resource.RLIM_INFINITY or soft > hard):
                    raised.append(what)
            return raised
            """,
            """
            import resource
            BOUND = ('RLIMIT_AS', 'RLIMIT_CORE', 'RLIMIT_CPU', 'RLIMIT_FSIZE', 'RLIMIT_NOFILE')
            """,
        ),
        like("return []"),
    ),
)
