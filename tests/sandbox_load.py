"""A machine under load, and programs at and around every limit of time that the sandbox has.

Theory of operation
-------------------
A program gets as its argument a share of the work that an input is allowed, in tenths, and does
that much of it in its own way, as trace events count it: 9 is in time, 11 is not, on any machine.
So do programs whose lines take ten times as long as lines are expected to. What is done in C is
counted by no event, so such programs stay clear of the limit by a factor of three or more on either
side.

Most run under a limit so short that they are traced from the start; some under the default limit,
where they start untraced.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import msgspec
from sandbox_problems import make_problem

from pytest_codecollapse.model import Problem, Settings
from pytest_codecollapse.sandbox import LocalEngine, available_cores
from pytest_codecollapse.sandbox.child.limits import EVENTS_PER_S

SHORT = Settings(timeout_s=0.03, memory_mb=64)
LITTLE_MEMORY = Settings(timeout_s=0.03, memory_mb=16)
USUAL = Settings(memory_mb=64)

_BUSY_PER_CORE = 4
#: It ends by itself when the process that started it is gone, however that went.
_BUSY = """
import os, sys
print(flush=True)
while os.getppid() == int(sys.argv[1]):
    for _ in range(100_000): pass
"""


@contextmanager
def busy_machine() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Keep four processes busy for each core; they are at it when this is entered."""
    command = [sys.executable, "-S", "-c", _BUSY, str(os.getpid())]
    busy: list[subprocess.Popen[bytes]] = []
    try:
        for _ in range(_BUSY_PER_CORE * available_cores()):
            # the kernel shares processors out between sessions: one of its own has a share
            busy.append(subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True))
        for process in busy:
            assert process.stdout is not None
            assert process.stdout.read(1) == b"\n"
        yield busy
        assert [process.poll() for process in busy] == [None] * len(busy)
    finally:
        for process in busy:
            process.kill()
            process.communicate()


class Corpus(NamedTuple):
    """Programs that are measured as the candidates of one problem."""

    programs: dict[str, str]
    inputs: tuple[int, ...]
    settings: Settings = SHORT

    def problem(self) -> Problem:
        """Make the problem; its reference, which is in time everywhere, answers every input."""
        inputs = tuple([number] for number in self.inputs)
        return make_problem(*self.programs.values(), inputs=inputs)


def measured(corpora: Sequence[Corpus], engine: LocalEngine) -> dict[str, bytes]:
    """Measure corpora side by side; return what each program did, byte for byte, by its name."""
    futures = [
        engine.submit(corpus.problem(), corpus.settings, lambda count: None) for corpus in corpora
    ]
    found = {}
    for number, (corpus, future) in enumerate(zip(corpora, futures)):
        done = future.result()
        found[f"inputs left out of {number}"] = msgspec.json.encode(done.left_out)
        found[f"reference of {number}"] = msgspec.json.encode(done.reference)
        for name, execution in zip(corpus.programs, done.candidates):
            found[name] = msgspec.json.encode(execution)
    return found


def _function(body: str, settings: Settings = SHORT) -> str:
    """Make a program of a body that finds in ``n`` how many events it is to cause."""
    lines = body.strip("\n").splitlines()
    tenth = int(EVENTS_PER_S * settings.timeout_s) // 10
    return "\n    ".join(["def f(x):", f"n = x * {tenth}", *lines])


#: Each line, call and return counts: so many tenths of what is allowed, however it is spent.
_BODIES = {
    "for": """
t = 0
for i in range(n // 2):
    t += i
return t
""",
    "nested loops": """
t = 0
for i in range(n // 200):
    for j in range(99):
        t += i ^ j
return t
""",
    "recursion": """
def g(depth):
    if depth:
        return 1 + g(depth - 1)
    return 0
t = 0
for i in range(n // 405):
    t += g(100)
return t
""",
    "generator": """
def g():
    for i in range(n // 6):
        yield i
t = 0
for i in g():
    t += i
return t
""",
    "calls": """
def g(a):
    return a
for i in range(n // 5):
    g(i)
return i
""",
    "key function": "return max(range(n // 3), key=lambda v: -v)",
    "exceptions": """
for i in range(n // 6):
    try:
        raise ValueError
    except ValueError:
        pass
return i
""",
    "strings": """
t = 0
for i in range(n // 2):
    t += len('%d %s' % (i, 'x' * 20))
return t
""",
    "lines of a microsecond": """
t = 0
for i in range(n // 2):
    t += sum(range(200))
return t
""",
    "methods": """
class Point:
    def __init__(self, v):
        self.v = v
    def get(self):
        return self.v
for i in range(n // 8):
    Point(i).get()
return i
""",
}

#: Those that cause most events in the least of time, which untraced might just be done.
USUAL_COUNTED = {
    f"{name}, usual limit": _function(_BODIES[name], USUAL) for name in ("recursion", "generator")
}

COUNTED = {name: _function(body) for name, body in _BODIES.items()}
TENTHS = (1, 8, 12)

#: 0 is clearly in time, 1 clearly not.
IN_C = {
    "sum": "def f(x): return sum(range(10**9 if x else 10**5))",
    "sorted": "def f(x): return [sorted(map(str, range(10**5 if x else 10**3)))[0]\n"
    "    for _ in range(99 if x else 1)]",
    "powers": "def f(x): return 7 ** (10**8 if x else 10**4) & 255",
    "regex": "import re\ndef f(x): return re.match('(a+)+$', 'a' * (40 if x else 8) + 'b')",
    "one line": "def f(x):\n    i = 0\n    while i < (10**9 if x else 10**4): i += 1\n    return i",
    "comprehension": "def f(x): return len([i for i in range(10**9 if x else 10**4)][:9])",
    "search": "def f(x): return ('a' * 10**6).count('ab' * 10**3 + 'a') if not x else "
    "max(map(id, __import__('itertools').repeat(0)))",
}

#: 0 comes back, 1 never does.
WAITING = {
    "sleep": "import time\ndef f(x):\n    time.sleep(3600 if x else 0.02)\n    return x",
    "stopped": "import os, signal\ndef f(x):\n    if x: os.kill(os.getpid(), signal.SIGSTOP)",
    "lock": "import threading\ndef f(x):\n    lock = threading.Lock()\n    lock.acquire()\n"
    "    return lock.acquire(timeout=3600 if x else 0.02)",
    "thread": "import threading\ndef g(n):\n    for i in range(n): pass\ndef f(x):\n"
    "    t = threading.Thread(target=g, args=(10**9 if x else 10**4,))\n    t.start()\n"
    "    t.join()\n    return x",
    "threads": "import threading\ndef g(n):\n    for i in range(n): pass\ndef f(x):\n"
    "    for _ in range(4):\n        t = threading.Thread(target=g, args=(10**9 if x else 100,))\n"
    "        t.start()\n    t.join()\n    return x",
}

HANGING = {
    "plain": "def f(x):\n    while True: pass",
    "while it loads": "while True: pass",
    "deaf": "import signal\ndef f(x):\n    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\n"
    "    while True: pass",
    "resets the timer": "import signal\ndef f(x):\n    signal.setitimer(signal.ITIMER_PROF, 0)\n"
    "    while True: pass",
    "generator returned": "def f(x):\n    while True:\n        yield x",
    "endless iterator": "import itertools\ndef f(x): return itertools.count()",
    "in a thread": "import threading\ndef g():\n    while True: pass\ndef f(x):\n"
    "    threading.Thread(target=g).start()\n    while True: pass",
}

#: Of memory there is so little that it is at its end long before the time is.
GROWING = {
    "list doubled": "def f(x):\n    l = [x]\n    while True:\n        l += l",
    "string doubled": "def f(x):\n    s = 'x'\n    while True:\n        s += s",
    "blocks": "def f(x):\n    l = []\n    while True:\n        l.append(b'x' * (1 << 20))",
    "number": "def f(x):\n    n = 3\n    while True:\n        n <<= 1 << 26",
    "slowly": "def f(x):\n    l = []\n    while True:\n        l.append(x)",
}

#: Which programs keep state, so that another restart would show.
STATEFUL = {
    "counts its calls": "n = 0\ndef f(x):\n    global n\n    n += 1\n    while x: pass\n"
    "    return n",
    "random": "import random\ndef f(x):\n    return random.random()",
    "hangs on some inputs": "def f(x):\n    while x: pass\n    return x",
    "fast": "def f(x): return [x, {x}, str(x)]",
    "raises": "def f(x): return 1 // x",
    "ends": "import os\ndef f(x):\n    if x: os._exit(0)",
}


def _chosen(programs: dict[str, str], *names: str) -> dict[str, str]:
    return {name: programs[name] for name in names}


#: A few of each kind, in a few seconds.
QUICK = [
    Corpus(_chosen(COUNTED, "for", "recursion", "strings", "lines of a microsecond"), TENTHS),
    Corpus(IN_C, (0, 1)),
    Corpus(STATEFUL, (0, 1)),
    Corpus(_chosen(WAITING, "sleep", "thread"), (0, 1)),
    Corpus(_chosen(HANGING, "plain", "deaf"), (1,)),
]

#: In the order of what they take, longest first, for they run side by side.
WHOLE = [
    *(Corpus({name: program}, (1, 12), USUAL) for name, program in USUAL_COUNTED.items()),
    Corpus(dict(list(COUNTED.items())[::2]), TENTHS),
    Corpus(dict(list(COUNTED.items())[1::2]), TENTHS),
    Corpus(WAITING, (0, 1)),
    Corpus(HANGING, (1,)),
    Corpus(GROWING, (0, 1), LITTLE_MEMORY),
    Corpus(IN_C, (0, 1)),
    Corpus(STATEFUL, (0, 1)),
]
