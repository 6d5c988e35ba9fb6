"""Hostile programs that end early, end late, or leave something for the end."""

from __future__ import annotations

from hostile_programs_record import (
    CRASH,
    DENIED,
    SAME,
    Anything,
    Hostile,
    f,
    hangs,
    hangs_once,
    top,
)

ENDS_ITS_PROCESS = (
    Hostile(
        "os._exit on the second input",
        f("if x == 1: os._exit(0)\nreturn x", "import os"),
        (SAME, CRASH, SAME),
    ),
    Hostile("os._exit at import", top("import os\nos._exit(0)"), CRASH),
    Hostile(
        "os._exit in a generator that is drained",
        f("yield x\nos._exit(0)", "import os"),
        CRASH,
    ),
    Hostile("SIGKILL to itself", f("os.kill(os.getpid(), 9)", "import os"), CRASH),
    Hostile("SIGSEGV to itself", f("os.kill(os.getpid(), 11)", "import os"), CRASH),
    Hostile("SIGTERM to itself", f("os.kill(os.getpid(), 15)", "import os"), CRASH),
    Hostile(
        "the timer's own signal, without the time that goes with it",
        f("signal.raise_signal(signal.SIGPROF)", "import signal"),
        CRASH,
        timeout_s=1.0,
    ),
    Hostile(
        "the signal of the CPU limit, without the time that goes with it",
        f("signal.raise_signal(signal.SIGXCPU)", "import signal"),
        CRASH,
        timeout_s=1.0,
    ),
    Hostile(
        "the timer set to strike at once",
        f("signal.setitimer(signal.ITIMER_PROF, 1e-6)\nwhile True: pass", "import signal"),
        CRASH,
        timeout_s=1.0,
    ),
    hangs_once(
        "SIGSTOP to itself",
        f("os.kill(os.getpid(), signal.SIGSTOP)\nreturn x", "import os, signal"),
    ),
    Hostile("os.abort", f("os.abort()", "import os"), CRASH),
    Hostile("segfault by ctypes", f("ctypes.string_at(0)", "import ctypes"), CRASH),
    Hostile(
        "a watchdog thread in C that ends the process",
        f(
            "faulthandler.dump_traceback_later(0.01, exit=True)\ntime.sleep(60)",
            "import faulthandler, time",
        ),
        CRASH,
    ),
    Hostile(
        "becomes another program",
        f("os.execv('/bin/true', ['true'])", "import os"),
        DENIED,
        at_process=CRASH,
    ),
)

RAISES = (
    Hostile("sys.exit", f("sys.exit(0)", "import sys"), "exc:SystemExit"),
    Hostile("exit()", f("exit()"), "exc:SystemExit"),
    Hostile("quit()", f("quit(3)"), "exc:SystemExit"),
    Hostile("sys.exit at import", top("import sys\nsys.exit(0)"), "load:SystemExit"),
    Hostile("BaseException", f("raise BaseException"), "exc:BaseException"),
    Hostile("KeyboardInterrupt", f("raise KeyboardInterrupt"), "exc:KeyboardInterrupt"),
    Hostile(
        "KeyboardInterrupt at import", top("raise KeyboardInterrupt"), "load:KeyboardInterrupt"
    ),
    Hostile("GeneratorExit", f("raise GeneratorExit"), "exc:GeneratorExit"),
    Hostile("StopIteration", f("raise StopIteration(x)"), "exc:StopIteration"),
    Hostile(
        "SIGINT to itself",
        f(
            "os.kill(os.getpid(), signal.SIGINT)\nfor _ in range(9999): pass\nreturn x",
            "import os, signal",
        ),
        "exc:KeyboardInterrupt",
    ),
    Hostile(
        "interrupts its own main thread",
        f("_thread.interrupt_main()\nfor _ in range(9999): pass\nreturn x", "import _thread"),
        "exc:KeyboardInterrupt",
    ),
    Hostile(
        "an exception whose type lies about its name",
        f(
            "raise Odd",
            """
            class Lies(type):
                __name__ = property(lambda cls: 1 / 0)
                __getattribute__ = lambda cls, name: 1 / 0
            class Odd(Exception, metaclass=Lies): pass
            """,
        ),
        "exc:Odd",
    ),
    Hostile(
        "an exception whose text hangs",
        f(
            "raise Loud(x)",
            """
            def hang(*any):
                while True: pass
            class Loud(Exception):
                __str__ = __repr__ = __reduce__ = hang
            """,
        ),
        "exc:Loud",
    ),
    hangs(
        "an exception that hangs when it is freed",
        f(
            "raise Sticky",
            """
            class Sticky(Exception):
                def __del__(self):
                    while True: pass
            """,
        ),
    ),
)

_HANGING_DEL = """
class Sticky:
    def __del__(self):
        while True: pass
"""

OUTLIVES_THE_CALL = (
    Hostile(
        "an atexit hook that hangs",
        top("""
            import atexit
            @atexit.register
            def hang():
                while True: pass
        """),
        SAME,
    ),
    Hostile("__del__ that hangs at the very end", top(_HANGING_DEL + "kept = Sticky()"), SAME),
    hangs("__del__ that hangs in the call", f("Sticky()\nreturn x", _HANGING_DEL)),
    hangs("__del__ of the result that hangs", f("return Sticky()", _HANGING_DEL)),
    hangs(
        "a finalizer that hangs, in a cycle collected later",
        f(
            """
            cycle = Sticky()
            cycle.itself = cycle
            del cycle
            gc.collect()
            return x
            """,
            "import gc" + _HANGING_DEL,
        ),
    ),
    hangs(
        "a hook of the garbage collector that hangs",
        f(
            "gc.collect()\nreturn x",
            "import gc\ngc.callbacks.append(lambda *a: [0 for _ in iter(int, 1)])",
        ),
    ),
    Hostile(
        "a thread that sleeps on, not a daemon",
        f(
            "threading.Thread(target=time.sleep, args=[3600]).start()\nreturn x",
            "import threading, time",
        ),
        SAME,
    ),
    hangs(
        "a thread that never lets go of the interpreter",
        f(
            "threading.Thread(target=lambda: re.match('(a+)+$', 'a' * 40 + 'b')).start()\n"
            "time.sleep(5)\nreturn x",
            "import re, threading, time",
        ),
    ),
    Hostile(
        "a thread that raises in the main thread, over and over",
        f(
            "threading.Thread(target=shoot, args=[threading.get_ident()], daemon=True).start()\n"
            "return x",
            """
            import ctypes, threading, time
            def shoot(thread):
                while True:
                    raised = ctypes.py_object(KeyError)
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)
                    time.sleep(0.0001)
            """,
        ),
        Anything("it depends on which line of ours the exception hits"),
        timeout_s=0.02,
        steady=False,
    ),
    Hostile(
        "a thread that ends the process in the middle of something",
        f(
            "threading.Timer(0.0005, os._exit, [0]).start()\nreturn x",
            "import os, threading",
        ),
        Anything("it depends on how far the process is by then"),
        steady=False,
    ),
    Hostile(
        "a timer whose handler raises in our own code",
        f(
            "signal.setitimer(signal.ITIMER_REAL, 1e-4, 1e-4)\nreturn x",
            """
            import signal
            def handler(*any): raise KeyError
            signal.signal(signal.SIGALRM, handler)
            """,
        ),
        Anything("it depends on which line of ours the exception hits"),
        timeout_s=0.02,
        steady=False,
    ),
)

ENDINGS = (*ENDS_ITS_PROCESS, *RAISES, *OUTLIVES_THE_CALL)
