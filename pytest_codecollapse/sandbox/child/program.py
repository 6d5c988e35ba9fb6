"""One program in a child of its own: load it, call it on each input, reply.

Theory of operation
-------------------
``run`` is entered once, in a freshly forked process, and never returns. It binds what it needs
before the program is loaded, arms the profiling timer before each step and leaves its action at
the default: when the time is over the kernel ends the process, which no program can swallow. The
result and the arguments are encoded under the same timer, for that runs the program's code where
it returned a generator. A traced program has its work counted, too; see ``work``.

For a person to see what a program does, a run can have a text of each result beside its token,
written from outside as well; see ``texts``. Nothing is decided by it.

Whatever goes wrong in here ends the process without a reply, and its server draws the conclusion
from the wait status.
"""

import os
import signal
import sys
import time
import types
from builtins import (
    BaseException,
    ValueError,
    bool,
    bytes,
    callable,
    compile,
    enumerate,
    exec,
    list,
    str,
    vars,
)
from typing import Any, Callable, Iterable, NoReturn, Sequence, Tuple

from .canon import canonical, token, type_name
from .limits import Allowance
from .snapshot import Input, snapshot
from .texts import Watched, arguments_text
from .values import MAX_VALUE, exception_text, value_text
from .wire import LOADED, pack_reply
from .work import make_counter

SOLUTION = "solution"  # the program's __name__: not "__main__"
_ROOM_BESIDE_ARGUMENTS = 60
MAX_VALUES = 2 * MAX_VALUE + 4  # a result and the arguments

#: Calls the entry point with an input; returns what the reply says.
Outcome = Callable[[Any, Input], bytes]


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


def make_outcome(by_value: bool) -> Outcome:
    """Make the function that calls the entry point and returns the token of what it did."""
    encode, name, error_name, take = canonical, token, type_name, snapshot

    def outcome_of(function: Any, given: Input) -> bytes:
        arguments, before, encoded = given
        try:
            result = encode(function(*arguments), by_value)
            try:
                unchanged = before != b"" and take(arguments) == before
            except ValueError:
                unchanged = False
            return name(result + (encoded if unchanged else encode(arguments, by_value)))
        except BaseException as error:
            return b"exc:" + error_name(error)

    return outcome_of


def make_shown_outcome(by_value: bool) -> Outcome:
    """Make the function that returns the token, a tab and a text of the result.

    Where the call has changed its arguments, the text says what they are now, for the token is
    about them as well. An exception's name says it all: it has no text.
    """
    outcome_of, watch, write, take = make_outcome(by_value), Watched, arguments_text, snapshot
    room, starts_with, encode = _ROOM_BESIDE_ARGUMENTS, bytes.startswith, str.encode

    def has_changed(given: Input, before: str) -> bool:
        if given.snapshot == b"":
            return write(given.arguments) != before
        try:
            return take(given.arguments) != given.snapshot
        except ValueError:
            return True

    def shown_outcome_of(function: Any, given: Input) -> bytes:
        watched, before = watch(), write(given.arguments)

        def call(*arguments: Any) -> Any:
            return watched.take(function(*arguments))

        outcome = outcome_of(call, given)
        if starts_with(outcome, b"exc:"):
            return outcome
        text = watched.text()
        if has_changed(given, before):
            text = f"{watched.text(room)}, arguments now {write(given.arguments, room - 16)}"
        return outcome + b"\t" + encode(text, "ascii")

    return shown_outcome_of


def make_valued_outcome(by_value: bool) -> Outcome:
    """Make the function that returns a token, a tab and the result as a value, as JSON.

    The JSON is a list of the result and, where the call has changed them, of the arguments
    afterwards; or what ``exception_text`` says. The token says only that there is a result.
    """
    error_name, take, write, join = type_name, snapshot, value_text, str.join
    write_exception, encode = exception_text, str.encode

    def valued_outcome_of(function: Any, given: Input) -> bytes:
        arguments, before, _ = given
        try:
            values = [write(function(*arguments))]
            try:
                unchanged = before != b"" and take(arguments) == before
            except ValueError:
                unchanged = False
            if not unchanged:
                values.append(write(list(arguments)))
            return LOADED + b"\t" + encode(f"[{join(', ', values)}]", "ascii")
        except BaseException as error:
            said = encode(write_exception(error), "ascii")
            return b"exc:" + error_name(error) + b"\t" + said

    return valued_outcome_of


def run(
    sources: Sequence[str],
    entry_point: str,
    calls: Iterable[Tuple[Input, Allowance]],
    outcome_of: Outcome,
    load: Allowance,
    descriptor: int,
) -> NoReturn:
    """Load the program, call it on each (input, allowance), reply, and exit."""
    leave = os._exit
    follow = _run_traced if load.events else run_untraced
    follow(sources, entry_point, calls, outcome_of, load, descriptor)
    leave(0)


def run_untraced(
    sources: Sequence[str],
    entry_point: str,
    calls: Iterable[Tuple[Input, Allowance]],
    outcome_of: Outcome,
    load: Allowance,
    descriptor: int,
) -> None:
    """Load the program, call it on each input, and reply."""
    write, arm, timer, reply = os.write, signal.setitimer, signal.ITIMER_PROF, pack_reply
    arm(timer, load.cpu_s)
    function, loaded = _load(sources, entry_point)
    arm(timer, 0.0)
    write(descriptor, reply(0, 0, 0, loaded))
    if loaded is not LOADED:
        return
    for number, (given, allowance) in enumerate(calls, 1):
        arm(timer, allowance.cpu_s)
        outcome = outcome_of(function, given)
        write(descriptor, reply(number, 0, 0, outcome))


def _run_traced(
    sources: Sequence[str],
    entry_point: str,
    calls: Iterable[Tuple[Input, Allowance]],
    outcome_of: Outcome,
    load: Allowance,
    descriptor: int,
) -> None:
    write, clock, reply = os.write, time.process_time_ns, pack_reply
    begin, finish = make_counter()
    begin(load)
    function, loaded = _load(sources, entry_point)
    write(descriptor, reply(0, finish(), 0, loaded))
    if loaded is not LOADED:
        return
    for number, (given, allowance) in enumerate(calls, 1):
        started = clock()
        begin(allowance)
        outcome = outcome_of(function, given)
        events = finish()
        write(descriptor, reply(number, events, clock() - started, outcome))
