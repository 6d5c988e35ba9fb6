"""Programs that take too long, end early, or fight the limits."""

from __future__ import annotations

import resource
from typing import Callable

import pytest
from sandbox_problems import make_problem

from pytest_codecollapse.model import Executions, Settings
from pytest_codecollapse.sandbox import LocalEngine

Execute = Callable[..., Executions]
TIMEOUTS = ("TIMEOUT",) * 10
QUICK = Settings(timeout_s=0.1)

HANGING = {
    "plain": "while True: pass",
    "swallows every exception": """
    while True:
        try:
            while True: pass
        except BaseException: pass""",
    "resets the timer": """
    import signal
    signal.setitimer(signal.ITIMER_PROF, 0)
    while True: pass""",
    "blocks signals": """
    import signal
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    while True: pass""",
    "ignores the signal": """
    import signal
    signal.signal(signal.SIGPROF, signal.SIG_IGN)
    while True: pass""",
    "handles the signal": """
    import signal
    signal.signal(signal.SIGPROF, lambda *a: None)
    while True: pass""",
    "hangs in C": "max(map(id, __import__('itertools').repeat(0)))",
    "hangs in a regular expression": "__import__('re').match('(a+)+$', 'a' * 40 + 'b')",
    "hangs while it is read": "return __import__('itertools').count()",
    "hangs in a generator": """
    def g():
        while True: pass
        yield
    return g()""",
    "endless generator of lists": "return ([x] for _ in iter(int, 1))",
    "burns in a thread": """
    import threading
    def burn():
        while True: pass
    threading.Thread(target=burn).start()
    while True: pass""",
}


@pytest.mark.parametrize("body", HANGING.values(), ids=HANGING)
def test_a_program_that_hangs_is_timeout_on_every_input(execute: Execute, body: str) -> None:
    """No way to hang is anything but TIMEOUT, for each input by itself."""
    done = execute(f"def f(x):\n    {body.strip()}", settings=QUICK)
    assert done.candidates[0].tokens == TIMEOUTS
    assert not done.candidates[0].nondeterministic
    assert not done.candidates[0].order_dependent


def test_a_program_that_sleeps_is_timeout(execute: Execute) -> None:
    """Sleeping costs no CPU time; the limit of blocked time ends it."""
    done = execute(
        "import time\ndef f(x):\n    if x == 1: time.sleep(3600)\n    return x",
        settings=Settings(timeout_s=0.05),
        inputs=([0], [1], [2]),
    )
    expected = list(done.reference.tokens)
    expected[1] = "TIMEOUT"
    assert done.candidates[0].tokens == tuple(expected)


def test_a_program_that_stops_itself_is_timeout(execute: Execute) -> None:
    """SIGSTOP is a way to hang, not to escape."""
    done = execute(
        "import os, signal\ndef f(x): os.kill(os.getpid(), signal.SIGSTOP)",
        settings=Settings(timeout_s=0.05),
        inputs=([0],),
    )
    assert done.candidates[0].tokens == ("TIMEOUT",)


def test_the_input_after_a_hang_is_evaluated(execute: Execute) -> None:
    """A hang costs its own input only, so hanging on one is not hanging on all."""
    done = execute(
        "def f(x):\n    while x == 3: pass\n    return x", "def f(x):\n    while True: pass"
    )
    one, every = (each.tokens for each in done.candidates)
    assert one == (*done.reference.tokens[:3], "TIMEOUT", *done.reference.tokens[4:])
    assert every == TIMEOUTS
    assert not done.candidates[0].order_dependent


def test_fifty_hanging_inputs_cost_less_than_four_seconds_a_seed() -> None:
    """As CPU time of every process that the run took, at the default limit, over both seeds."""
    hang = "def f(x):\n    while True: pass"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with LocalEngine(1) as engine:
        problem = make_problem(hang, inputs=tuple([number] for number in range(50)))
        done = engine.submit(problem, Settings(timeout_s=0.5), lambda count: None).result()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.candidates[0].tokens == ("TIMEOUT",) * 50
    spent_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert 2 * 1.5 < spent_s < 2 * 4.0


def test_a_slow_input_after_many_hangs_keeps_its_result(execute: Execute) -> None:
    """A shrunk limit that a slow input overruns is taken back, since the other run got a result."""
    program = """
import time
def f(x):
    while x < 8: pass
    started = time.process_time()
    while x == 9 and time.process_time() - started < 0.15: pass
    return x
"""
    done = execute(program, settings=Settings(timeout_s=0.4))
    assert done.candidates[0].tokens == ("TIMEOUT",) * 8 + done.reference.tokens[8:]
    assert not done.candidates[0].order_dependent
    assert not done.candidates[0].nondeterministic


def test_hanging_while_it_loads_is_timeout_on_every_input(execute: Execute) -> None:
    """A loop at import is tried once, for all inputs."""
    assert execute("while True: pass", settings=QUICK).candidates[0].tokens == TIMEOUTS


@pytest.mark.parametrize(
    "ending",
    [
        "os._exit(0)",
        "os.kill(os.getpid(), 9)",
        "os.kill(os.getpid(), 11)",
        "os.kill(os.getpid(), 27)",  # SIGPROF, without the time that goes with it
        "os.abort()",
        "__import__('ctypes').string_at(0)",
    ],
)
def test_a_program_that_ends_its_process_is_crash(execute: Execute, ending: str) -> None:
    """Ending the process is CRASH for that input; the next one is evaluated."""
    done = execute(f"import os\ndef f(x):\n    if x == 4: {ending}\n    return x")
    expected = (*done.reference.tokens[:4], "CRASH", *done.reference.tokens[5:])
    assert done.candidates[0].tokens == expected
    assert not done.candidates[0].order_dependent


def test_ending_the_process_while_loading_is_crash_on_every_input(execute: Execute) -> None:
    """``os._exit`` at import leaves nothing to call."""
    assert execute("import os\nos._exit(0)").candidates[0].tokens == ("CRASH",) * 10


@pytest.mark.parametrize(
    "forgery",
    [
        "b'garbage' * 100",
        "b'\\x00'",
        # a well-formed reply for the input in progress: the true one then is one too many
        "struct.pack('>HIQ', 16, x + 1, 0) + b'0123456789abcdef'",
        "struct.pack('>HIQ', 7, x + 1, 0) + b'TIMEOUT'",
        "struct.pack('>HIQ', 10, x + 1, 0) + b'load:Error'",
    ],
)
def test_a_forged_reply_is_crash_on_every_input(execute: Execute, forgery: str) -> None:
    """Whoever writes replies of its own gains nothing and is not believed."""
    program = f"""
import os, struct
def f(x):
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, {forgery})
        except OSError:
            pass
    return x
"""
    assert execute(program).candidates[0].tokens == ("CRASH",) * 10


def test_closing_every_descriptor_is_crash(execute: Execute) -> None:
    """A program that cuts its own line is told apart from one that answers."""
    program = "import os\ndef f(x):\n    os.closerange(0, 64)\n    return x"
    assert execute(program).candidates[0].tokens == ("CRASH",) * 10


def test_closing_every_descriptor_and_going_on_is_crash(execute: Execute) -> None:
    """The line is cut; that the program then hangs, deaf to signals, delays nobody for long."""
    program = """
import os, signal, time
def f(x):
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    os.closerange(0, 64)
    time.sleep(3600)
"""
    done = execute(program, settings=Settings(timeout_s=0.05), inputs=([0], [1]))
    assert done.candidates[0].tokens == ("CRASH",) * 2


def test_a_process_left_behind_does_not_delay_the_verdict() -> None:
    """A forked process that keeps the pipe open is ended with its program."""
    program = """
import os, time
def f(x):
    if os.fork() == 0:
        os.setsid()
        time.sleep(3600)
    if x == 3:
        os._exit(0)
    return x
"""
    with LocalEngine(1, "process") as engine:
        problem = make_problem(program)
        done = engine.submit(problem, Settings(timeout_s=0.1), lambda count: None).result()
    expected = (*done.reference.tokens[:3], "CRASH", *done.reference.tokens[4:])
    assert done.candidates[0].tokens == expected


def test_what_is_slow_and_keeps_state_does_what_it_would_untraced(execute: Execute) -> None:
    """Counting the work of a slow input starts the program again, from its first input."""
    program = """
calls = 0
def f(x):
    global calls
    calls += 1
    if x == 3:
        for _ in range(3_000_000): pass
    return calls
"""
    quick = program.replace("3_000_000", "3")
    done = execute(program, quick, reference=quick, settings=Settings(timeout_s=1.0))
    assert done.candidates[0] == done.candidates[1]
    assert done.candidates[0].tokens == done.reference.tokens
    assert done.candidates[0].order_dependent
