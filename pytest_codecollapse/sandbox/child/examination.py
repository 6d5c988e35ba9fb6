"""The tests of a problem, run in a process that no candidate's code is in.

Theory of operation
-------------------
Tests hold the right answers, and believe what they are told: an object that says yes to every
``==``, a patched builtin or a look at the frames above would pass them. So they never meet a
program. They run beside the reference, in a child of a server of their own, with a stand-in for
the function that they are about, and they run twice:

*recording*: the stand-in calls the reference, and its arguments are written down; they are the
inputs that programs are then run on, in their own processes.

*judging*: the stand-in looks up what the program in question did with these arguments, as plain
values, and returns or raises that. A call that the reference was not asked for has no answer:
the assert fails. One with arguments that no program can be given is out of reach: see ``standins``.

Where there is no reference to call, recording returns None, and every assert fails; since one that
fails does not end the rest, the arguments are seen all the same. But what stops outside of an
assert hides the calls behind it, and a call can be with a result. So a judge without a reference
writes down each call that it has no answer to; the host asks the programs, and judges them again.

The child writes lines of JSON: a list for each call that is recorded, and at the end an object
that says how many asserts passed and what failed first. Random numbers are those of the server's
seed in both runs, so that tests which draw arguments ask for the same.
"""

import functools
import json
import os
import signal
import types
from typing import Any, Callable, Collection, Dict, List, NoReturn, Optional, Sequence, Tuple, Union

from .asserts import NAMES, PASSED, RAISED, compile_tests, parts_of
from .inputs import describe
from .limits import Allowance
from .program import SOLUTION, execute, new_module
from .standins import MOST_BYTES, MOST_CALLS, Ledger, Oracle, Recorder

_CHECK = "check"
_NAME = "<tests[{}]>"
_MOST_NAMES = 3


class Sources:
    """The sources of an examination.

    Parameters
    ----------
    message
        ``setup``, the problem's; ``entry_point``; ``tests`` and ``test_setup``.
    reference
        The reference's source, None where there is none.
    """

    def __init__(self, message: Dict[str, Any], reference: Optional[str]) -> None:
        self.setup: str = message["setup"]
        self.entry_point: str = message["entry_point"]
        self.tests: Union[str, List[str]] = message["tests"]
        self.test_setup: str = message["test_setup"]
        self.reference = reference


def examine(
    sources: Sources,
    answers: Optional[Dict[str, List[Any]]],
    allowance: Allowance,
    descriptor: int,
) -> NoReturn:
    """Run the tests, write what became of them, and exit.

    Parameters
    ----------
    sources
        What to run.
    answers
        By the arguments of each call, as text, what the program in question did; None to record.
    allowance
        What all of it may take.
    descriptor
        Where to write lines of JSON.
    """

    def write(text: str) -> None:
        data = memoryview(text.encode("ascii") + b"\n")
        while data:
            data = data[os.write(descriptor, data) :]

    signal.setitimer(signal.ITIMER_PROF, allowance.cpu_s)
    ledger = Ledger()
    error: Optional[str] = None
    try:
        namespace, function = _load(sources)
        stand_in: Any
        if answers is None:
            stand_in = Recorder(ledger, function, write)
        else:
            stand_in = Oracle(ledger, function, answers, write)
        namespace[sources.entry_point] = stand_in
        run_tests(sources, ledger, namespace)
    except UnrunnableError as fault:
        error = fault.what
    done = {
        "passed": ledger.passed,
        "asserts": ledger.asserts,
        "failure": ledger.failure,
        "error": error,
        "left_out": ledger.left_out,
        "first_left_out": ledger.first_left_out,
        "stopped": ledger.stopped,
    }
    write(json.dumps(done))
    os._exit(0)


class UnrunnableError(Exception):
    """The tests cannot be run at all: a fault of their author's."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


def _load(sources: Sources) -> Tuple[Dict[str, Any], Any]:
    """Load the reference; return a copy of its names for the tests, and the entry point."""
    module: types.ModuleType = new_module(SOLUTION)
    steps = [("setup", sources.setup), ("the reference", sources.reference or "")]
    for name, source in steps:
        try:
            execute(source, module)
        except BaseException as error:
            raise UnrunnableError(f"{name} does not load: {describe(error)}") from error
    function = vars(module).get(sources.entry_point)
    if sources.reference is not None and not callable(function):
        raise UnrunnableError(f"the reference does not define {sources.entry_point}")
    return dict(vars(module)), None if sources.reference is None else function


def run_tests(sources: Sources, ledger: Ledger, namespace: Dict[str, Any]) -> None:
    """Run tests in a namespace that has a stand-in for the entry point.

    Parameters
    ----------
    sources
        Has the tests and their setup.
    ledger
        Gets what becomes of them.
    namespace
        Names that they see.

    Raises
    ------
    UnrunnableError
        Where they cannot be run, or make too many calls to be recorded.
    """
    stand_in = namespace[sources.entry_point]
    namespace.update(NAMES)
    namespace[PASSED], namespace[RAISED] = ledger.note, ledger.note_raised
    known = dict(namespace)
    try:
        exec(compile(sources.test_setup, "<test_setup>", "exec", dont_inherit=True), namespace)
    except BaseException as error:
        raise UnrunnableError(f"test_setup fails: {describe(error)}") from error
    parts = parts_of(sources.tests)
    for number, part in enumerate(parts):
        try:
            code = compile_tests(part, _NAME.format(number), ledger.sources)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise UnrunnableError(f"the tests do not compile: {describe(error)}") from error
        _follow(functools.partial(exec, code, namespace), parts, ledger)
    check = namespace.get(_CHECK)
    if callable(check) and check is not known.get(_CHECK):  # the reference may have one
        _follow(functools.partial(check, stand_in), parts, ledger)
    if not ledger.is_called and not ledger.stopped and not ledger.asserts:
        ledger.stopped = _uncalled(namespace, known)
    if ledger.has_too_many_calls:
        raise UnrunnableError(
            f"the tests make more than {MOST_CALLS} different calls, or of more than "
            f"{MOST_BYTES >> 20} MB"
        )


def _follow(run: Callable[[], Any], parts: Sequence[str], ledger: Ledger) -> None:
    """Run a part of the tests; what it raises outside of an assert counts as one that failed."""
    try:
        run()
    except BaseException as error:
        ledger.note_end(_line_of(error, parts), error)


def _uncalled(namespace: Dict[str, Any], known: Collection[str]) -> str:
    """Name what the tests define, where nobody calls that: functions and classes."""
    kinds = (types.FunctionType, type)
    names = [
        name
        for name, value in namespace.items()
        if name not in known and isinstance(value, kinds) and value.__module__ == SOLUTION
    ]
    more = ", ..." if len(names) > _MOST_NAMES else ""
    shown = f"{', '.join(names[:_MOST_NAMES])}{more}"
    return f"they define {shown}, and nothing calls that" if names else ""


def _line_of(error: BaseException, parts: Sequence[str]) -> str:
    """Return the line of the tests in which an exception came up."""
    sources = {_NAME.format(number): part.splitlines() for number, part in enumerate(parts)}
    found = ""
    step = error.__traceback__
    while step is not None:
        lines = sources.get(step.tb_frame.f_code.co_filename, [])
        if 0 < step.tb_lineno <= len(lines):
            found = lines[step.tb_lineno - 1]
        step = step.tb_next
    return " ".join(found.split()) or "the tests"
