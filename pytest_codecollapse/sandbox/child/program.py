"""One program in a child of its own: load it, call it on each input, reply.

Theory of operation
-------------------
``run`` is entered once, in a freshly forked process, and never returns. It binds what it needs
before the program is loaded, arms the profiling timer before each call and leaves its action at
the default: when the time is over the kernel ends the process, which no program can swallow. The
result and the arguments are encoded under the same timer, for that runs the program's code where
it returned a generator. The timer is disarmed before the reply is written, so that a process
ended by it never has an input finished and unreported, or blames the next one.

Whatever goes wrong in here ends the process without a reply, and its server draws the conclusion
from the wait status.
"""

import os
import random
import signal
import sys
import time
import types
from builtins import BaseException, callable, compile, enumerate, exec, str, vars
from typing import Any, Callable, NoReturn, Optional, Sequence, Tuple

from .canon import token, type_name
from .wire import LOADED, pack_reply

SOLUTION = "solution"  # the program's __name__: not "__main__"


def execute(source: str, module: types.ModuleType) -> None:
    """Compile and run a source in a module's namespace, without this module's future imports."""
    exec(compile(source, f"<{module.__name__}>", "exec", dont_inherit=True), vars(module))


def new_module(name: str) -> types.ModuleType:
    """Make an empty module; dataclasses and typing look a class's module up, so it is findable."""
    module = types.ModuleType(name)
    sys.modules[name] = module
    return module


def _load(sources: Sequence[str], entry_point: str) -> Tuple[Any, bytes]:
    """Return the entry point and ``LOADED``, or anything and the token that says why not."""
    module = new_module(SOLUTION)
    namespace = vars(module)
    try:
        for source in sources:
            execute(source, module)
    except BaseException as error:
        return None, b"load:" + type_name(error)
    if entry_point not in namespace:
        return None, b"load:NameError"
    function = namespace[entry_point]
    return function, LOADED if callable(function) else b"load:TypeError"


def _event_counter(budget: int, leave: Callable[[int], Any]) -> Callable[..., Any]:
    """Make a trace function that ends the process at the event after the last budgeted one."""
    left = budget

    def trace(frame: Any, event: str, argument: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            leave(1)
        return trace

    return trace


def run(
    sources: Sequence[str],
    entry_point: str,
    calls: Sequence[Tuple[Tuple[Any, ...], float]],
    by_value: bool,
    load_limit_s: float,
    event_budget: Optional[int],
    seed: int,
    descriptor: int,
) -> NoReturn:
    """Load the program, call it with each (arguments, CPU limit in s), reply, and exit.

    Under an ``event_budget``, a call that takes more trace events ends the process: a measure of
    work that is the same on every run of every machine.
    """
    write, leave, clock, arm = os.write, os._exit, time.process_time_ns, signal.setitimer
    timer, call_token, error_name, reply = signal.ITIMER_PROF, token, type_name, pack_reply
    trace = sys.settrace
    random.seed(seed)
    started = clock()
    arm(timer, load_limit_s)
    function, loaded = _load(sources, entry_point)
    arm(timer, 0.0)
    write(descriptor, reply(0, clock() - started, loaded))
    if loaded is not LOADED:
        leave(0)
    for number, (arguments, limit_s) in enumerate(calls, 1):
        started = clock()
        arm(timer, limit_s)
        if event_budget is not None:
            trace(_event_counter(event_budget, leave))
        try:
            outcome = call_token(function(*arguments), arguments, by_value)
        except BaseException as error:
            outcome = b"exc:" + error_name(error)
        trace(None)
        arm(timer, 0.0)
        write(descriptor, reply(number, clock() - started, outcome))
    leave(0)
