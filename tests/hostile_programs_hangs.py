"""Hostile programs that hang, in every way there is."""

from __future__ import annotations

from hostile_programs_record import (
    Hostile,
    f,
    hangs,
    hangs_once,
    top,
)


def _hangs(name: str, body: str, top: str = "", memory_mb: int = 128) -> Hostile:
    return hangs(name, f(body, top), memory_mb)


def _hangs_once(name: str, body: str, top: str = "") -> Hostile:
    return hangs_once(name, f(body, top))


HANGS = (
    _hangs("a loop", "while True: pass"),
    hangs("a loop at import", top("while True: pass")),
    _hangs("max(map(id, repeat(0)))", "max(map(id, itertools.repeat(0)))", "import itertools"),
    _hangs(
        "list(product('abc', repeat=30))",
        "return list(itertools.product('abc', repeat=30))",
        "import itertools",
        memory_mb=4096,
    ),
    _hangs(
        "a catastrophic regular expression",
        "return re.match('(a+)+$', 'a' * 40 + 'b')",
        "import re",
    ),
    _hangs("10**10**8", "return 10**10**8"),
    _hangs("sum(range(10**12))", "return sum(range(10**12))"),
    _hangs("an infinite iterator", "return itertools.count()", "import itertools"),
    _hangs("an infinite generator", "while True: yield [x]"),
    _hangs("a generator that hangs", "yield x\nwhile True: pass"),
    _hangs(
        "an iterator of its own that never ends",
        "return map(int, Endless())",
        """
        class Endless:
            def __iter__(self): return self
            def __next__(self): return 0
        """,
    ),
    _hangs(
        "a loop that swallows every exception",
        """
        while True:
            try:
                while True: pass
            except BaseException: pass
        """,
    ),
    _hangs(
        "a loop in finally",
        """
        try: return x
        finally:
            while True: pass
        """,
    ),
    _hangs_once(
        "takes the timer away",
        "signal.setitimer(signal.ITIMER_PROF, 0)\nwhile True: pass",
        "import signal",
    ),
    _hangs_once(
        "winds the timer up, over and over",
        "while True: signal.setitimer(signal.ITIMER_PROF, 1000, 1000)",
        "import signal",
    ),
    _hangs_once(
        "ignores the signal",
        "signal.signal(signal.SIGPROF, signal.SIG_IGN)\nwhile True: pass",
        "import signal",
    ),
    _hangs_once(
        "handles the signal",
        "signal.signal(signal.SIGPROF, lambda *any: None)\nwhile True: pass",
        "import signal",
    ),
    _hangs_once(
        "handles the signal by raising",
        """
        signal.signal(signal.SIGPROF, throw)
        while True:
            try: loop()
            except TimeoutError: pass
        """,
        """
        import signal
        def throw(*any): raise TimeoutError
        def loop():
            while True: pass
        """,
    ),
    _hangs_once(
        "handles every signal",
        """
        for number in range(1, 65):
            try: signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError): pass
        while True: pass
        """,
        "import signal",
    ),
    _hangs_once(
        "blocks every signal",
        "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\nwhile True: pass",
        "import signal",
    ),
    _hangs_once(
        "burns in a thread with the signals blocked",
        """
        signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
        threading.Thread(target=burn).start()
        while True: pass
        """,
        "import signal, threading\ndef burn():\n    while True: pass",
    ),
    _hangs(
        "cannot be dumped",
        "ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)\nwhile True: pass",
        "import ctypes",
    ),
    _hangs_once("sleeps", "time.sleep(3600)", "import time"),
    _hangs_once("waits for a signal", "signal.pause()", "import signal"),
    _hangs_once(
        "sleeps with the signals blocked",
        "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\ntime.sleep(3600)",
        "import signal, time",
    ),
    _hangs_once(
        "waits for itself",
        "lock = threading.Lock()\nlock.acquire()\nlock.acquire()",
        "import threading",
    ),
    _hangs_once("reads a pipe that stays empty", "os.read(os.pipe()[0], 1)", "import os"),
    _hangs_once(
        "waits for a thread that waits for it",
        "threading.Thread(target=threading.main_thread().join).start()\n"
        "threading.enumerate()[-1].join()",
        "import threading",
    ),
    _hangs_once(
        "an event loop that never ends",
        "asyncio.run(asyncio.sleep(3600))",
        "import asyncio",
    )._replace(timeout_s=0.03),
)
