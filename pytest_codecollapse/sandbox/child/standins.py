"""What stands in for the function under test, and the ledger of what its asserts came to.

Theory of operation
-------------------
A call can be one that no program can be given: with an iterator, an object of a class that the
tests define, or a name that no position stands for. What comes of such a call is not known of any
candidate. So the assert that it belongs to, the next that comes, is *left out*, both when calls are
recorded and when a candidate is judged: it is neither passed nor failed, and the first one is told
with the reason.
"""

import builtins
import functools
import re
import sys
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from .inputs import describe
from .reading import read_value
from .texts import text_of
from .values import call_text

MOST_CALLS = 10_000
MOST_BYTES = 8 << 20  # of all calls that are recorded
_ROOM = 110  # characters of an assert's source and of what the code did
_LONG_ROOM = 240  # and of both, where they explain why something cannot be measured
_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")
_NO_MESSAGE = "AssertionError"  # of an assert that its author catches
_NO_CALL = ("value", "nothing: it was not called")

#: How the code ended a call: a kind of ``FailedAssert``, and a text.
_Done = Tuple[str, str]


class NoAnswerError(Exception):
    """A call without a result: of a program that did not end it, or that nobody recorded."""


class Ledger:
    """Counts asserts; remembers the first that failed, and what the code last did before.

    Attributes
    ----------
    sources
        The text of each assert by its number.
    passed, asserts
        How many passed, of how many that came.
    failure
        The first that failed, as in ``FailedAssert``.
    last
        What the function under test did when it was last called.
    left_out, first_left_out
        How many asserts are left out; the first of them, with the reason.
    stopped
        Where a part of the tests ended early, with the exception.
    is_called
        Whether the function under test was called at all.
    has_too_many_calls
        Whether some could not be recorded for that.
    """

    def __init__(self) -> None:
        self.sources: List[str] = []
        self.passed = self.asserts = self.left_out = 0
        self.failure: Optional[Dict[str, str]] = None
        self.last: _Done = _NO_CALL
        self.first_left_out = self.stopped = ""
        self.is_called = self.has_too_many_calls = False
        self._out_of_reach = ""

    def call_out_of_reach(self, why: str) -> None:
        """Take note of a call that programs cannot be given."""
        self._out_of_reach = why

    def note(self, number: int, value: Any) -> None:
        """Count an assert by the truth of its condition."""
        is_true = bool(value)
        if self._leaves_out(self.sources[number]):
            return
        self.asserts += 1
        if is_true:
            self.passed += 1
        else:
            self._fail(self.sources[number])

    def note_raised(self, number: int) -> None:
        """Count an assert whose condition raised."""
        if self._leaves_out(self.sources[number]):
            return
        self.asserts += 1
        self._fail(self.sources[number], sys.exc_info()[1])

    def note_end(self, line: str, error: BaseException) -> None:
        """Count what ends a part of the tests early, outside of an assert, as one that failed."""
        self.stopped = self.stopped or _printable(f"{line}: {_steady(describe(error))}", _LONG_ROOM)
        if not self._leaves_out(line):
            self.asserts += 1
            self._fail(line, error)

    def _leaves_out(self, assertion: str) -> bool:
        why, self._out_of_reach = self._out_of_reach, ""
        if why:
            self.left_out += 1
            self.first_left_out = self.first_left_out or f"{_printable(assertion)}: {why}"
        return bool(why)

    def _fail(self, assertion: str, error: Optional[BaseException] = None) -> None:
        """Take note of a failure, if it is the first."""
        if self.failure is None:
            kind, got = self.last
            own = error is None or kind != "value" or isinstance(error, NoAnswerError)
            if error is not None and not own:  # not the code but the test raised
                said = _steady(describe(error))
                got = got if said == _NO_MESSAGE else f"{got}; the test raises {said}"
            shown = _printable(assertion), _printable(got)
            self.failure = {"assertion": shown[0], "got": shown[1], "kind": kind}


class Recorder:
    """Stands in for the function under test: calls the reference and writes calls down.

    Without a reference it returns None.
    """

    def __init__(self, ledger: Ledger, function: Any, write: Callable[[str], None]) -> None:
        _resemble(self, function)
        self._ledger = ledger
        self._function = function
        self._write = write
        self._seen: Dict[str, None] = {}
        self._bytes = 0

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Take note of a call, and make it."""
        self._ledger.is_called = True
        self._record(_given(self._ledger, self._function, arguments, named))
        if self._function is None:
            self._ledger.last = ("value", "nothing: there is no reference")
            return None
        try:
            result = self._function(*arguments, **named)
        except BaseException as error:
            self._ledger.last = ("exception", _raised(type(error).__name__, error))
            raise
        self._ledger.last = ("value", f"returned {text_of(result)}")
        return result

    def _record(self, text: Optional[str]) -> None:
        if text is None or text in self._seen:
            return
        self._bytes += len(text)
        if len(self._seen) < MOST_CALLS and self._bytes <= MOST_BYTES:
            self._seen[text] = None
            self._write(text)
        else:
            self._ledger.has_too_many_calls = True


class Oracle:
    """Stands in for the function under test: does what a program did with the same arguments.

    Without a reference nobody knew which calls would come, so those that have no answer are written
    down.
    """

    def __init__(
        self,
        ledger: Ledger,
        function: Any,
        answers: Dict[str, List[Any]],
        write: Callable[[str], None],
    ) -> None:
        _resemble(self, function)
        self._ledger = ledger
        self._function = function
        self._answers = answers
        self._ask = None if function is not None else write
        whom = "the reference" if function is not None else "the program"
        self._no_answer = f"nothing: {whom} was not called so"

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Do what the program did."""
        self._ledger.is_called = True
        text = _given(self._ledger, self._function, arguments, named)
        answer = None if text is None else self._answers.get(text)
        if answer is None:
            if text is not None and self._ask is not None:
                self._ask(text)
            self._ledger.last = ("value", self._no_answer)
            raise NoAnswerError
        kind, content = answer[:2]
        if kind == "value":
            self._ledger.last = ("value", f"returned {text_of(read_value(content))}")
            _put_back(arguments, answer[2:])
            return read_value(content)
        if kind != "exception":
            self._ledger.last = (kind, _SAID[kind].format(content))
            raise NoAnswerError
        error = _made_exception(content, *answer[2:])
        self._ledger.last = (kind, _raised(content, error))
        raise error


def _resemble(stand_in: Any, function: Any) -> None:
    """Give a stand-in the name and the signature of the reference, which tests may look at."""
    if function is not None:
        functools.update_wrapper(stand_in, function)


def _given(
    ledger: Ledger, function: Any, arguments: Tuple[Any, ...], named: Dict[str, Any]
) -> Optional[str]:
    """Write the arguments of a call down; None, with a note of why, where no program can have it.

    One who is given them in another process would not have the same, or not by position.
    """
    in_order = _in_order(function, arguments, named)
    if in_order is None:
        ledger.call_out_of_reach("arguments are given by names that no position stands for")
        return None
    text = call_text(in_order)
    if text is None:
        strange = [type(each).__name__ for each in in_order if call_text((each,)) is None]
        kind = _printable(strange[0]) if strange else "all of them"
        ledger.call_out_of_reach(f"an argument is no built-in value, or too large (got {kind})")
    return text


def _in_order(
    function: Any, arguments: Tuple[Any, ...], named: Dict[str, Any]
) -> Optional[Tuple[Any, ...]]:
    """Return the arguments of a call by position; None where they cannot all be given so."""
    if not named:
        return arguments
    import inspect  # few tests call by name, and each zygote would have to load it

    try:
        bound = inspect.signature(function).bind(*arguments, **named)
    except (TypeError, ValueError):
        return None
    return None if bound.kwargs else bound.args


_SAID = {
    "timeout": "took too long",
    "crash": "ended its process",
    "load": "does not load: {}",
}


def _put_back(arguments: Tuple[Any, ...], changed: Sequence[List[Any]]) -> None:
    """Do to the arguments of a call what the program has done to them."""
    for given, written in zip(arguments, changed[0] if changed else ()):
        now = read_value(written)
        if type(given) is type(now) and type(now) in (list, bytearray):
            given[:] = now
        elif type(given) is type(now) and type(now) in (dict, set):
            given.clear()
            given.update(now)


def _made_exception(name: str, base: str = "Exception", written: Any = ()) -> BaseException:
    """Make an exception of the built-in type of that name, or of a class of its own.

    What a program says of its exception's base and arguments is believed as far as it can be.
    """
    base_type: Any = _exception_type(base) or Exception
    kind: Any = _exception_type(name) or type(name, (base_type,), {})
    try:
        made: BaseException = kind(*map(read_value, written))
        return made
    except Exception:  # what it says is forged, or no value
        pass
    try:
        made = kind.__new__(kind)
    except Exception:  # as of an ExceptionGroup
        made = type(name, (Exception,), {})()
    return made


def _exception_type(name: Any) -> Any:
    kind = getattr(builtins, name, None) if isinstance(name, str) else None
    return kind if isinstance(kind, type) and issubclass(kind, BaseException) else None


def _raised(name: str, error: BaseException) -> str:
    """Say what was raised, with its arguments as they would be written."""
    shown = ", ".join(map(text_of, error.args))
    return _steady(f"raises {name}({shown})" if shown else f"raises {name}")


def _steady(text: str) -> str:
    """Leave addresses out of what an exception says: they differ from run to run."""
    return _ADDRESS.sub("", text)


def _printable(text: str, room: int = _ROOM) -> str:
    shown = text.encode("ascii", "backslashreplace").decode()
    shown = "".join(each if " " <= each <= "~" else " " for each in shown)
    return shown if len(shown) <= room else f"{shown[: room - 3]}..."
