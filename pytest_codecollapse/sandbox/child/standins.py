"""What stands in for the function under test, and the ledger of what its asserts came to."""

import builtins
import json
import sys
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from .forms import ITERATORS
from .inputs import describe
from .texts import text_of
from .values import is_portable, read_value, value_text

_MOST_CALLS = 10_000
MOST_BYTES = 8 << 20  # of all calls that are recorded
_ROOM = 110  # characters of an assert's source and of what the code did
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
    """

    def __init__(self) -> None:
        self.sources: List[str] = []
        self.passed = self.asserts = 0
        self.failure: Optional[Dict[str, str]] = None
        self.last: _Done = _NO_CALL

    def note(self, number: int, value: Any) -> None:
        """Count an assert by the truth of its condition."""
        is_true = bool(value)
        self.asserts += 1
        if is_true:
            self.passed += 1
        else:
            self.fail(self.sources[number])

    def note_raised(self, number: int) -> None:
        """Count an assert whose condition raised."""
        self.asserts += 1
        self.fail(self.sources[number], sys.exc_info()[1])

    def fail(self, assertion: str, error: Optional[BaseException] = None) -> None:
        """Take note of a failure, if it is the first."""
        if self.failure is None:
            kind, got = self.last
            own = error is None or kind != "value" or isinstance(error, NoAnswerError)
            if error is not None and not own:  # not the code but the test raised
                got = f"{got}; the test raises {describe(error)}"
            shown = _printable(assertion), _printable(got)
            self.failure = {"assertion": shown[0], "got": shown[1], "kind": kind}


class Recorder:
    """Stands in for the function under test: calls the reference and writes calls down.

    Without a reference it returns None.
    """

    def __init__(self, ledger: Ledger, function: Any, write: Callable[[str], None]) -> None:
        self._ledger = ledger
        self._function = function
        self._write = write
        self._seen: Dict[str, None] = {}
        self._bytes = 0

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Take note of a call, and make it."""
        self._record(in_order(self._function, arguments, named))
        if self._function is None:
            self._ledger.last = ("value", "nothing: there is no reference")
            return None
        try:
            result = self._function(*arguments, **named)
        except BaseException as error:
            self._ledger.last = ("exception", f"raises {type(error).__name__}")
            raise
        self._ledger.last = ("value", f"returned {text_of(result)}")
        return result

    def _record(self, arguments: Optional[Tuple[Any, ...]]) -> None:
        text = written(arguments)
        if text is None or text in self._seen:
            return
        self._bytes += len(text)
        if len(self._seen) < _MOST_CALLS and self._bytes <= MOST_BYTES:
            self._seen[text] = None
            self._write(text)


class Oracle:
    """Stands in for the function under test: does what a program did with the same arguments."""

    def __init__(self, ledger: Ledger, function: Any, answers: Dict[str, List[Any]]) -> None:
        self._ledger = ledger
        self._function = function
        self._answers = answers

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Do what the program did."""
        text = written(in_order(self._function, arguments, named))
        answer = None if text is None else self._answers.get(text)
        if answer is None:
            self._ledger.last = ("value", "nothing: the reference was not called so")
            raise NoAnswerError
        kind, content = answer[:2]
        if kind == "value":
            self._ledger.last = ("value", f"returned {text_of(read_value(content))}")
            _put_back(arguments, answer[2:])
            return read_value(content)
        self._ledger.last = (kind, _SAID[kind].format(content))
        raise _exception_named(content) if kind == "exception" else NoAnswerError


def in_order(
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


def written(arguments: Optional[Tuple[Any, ...]]) -> Optional[str]:
    """Write arguments down; None where another process could not be given the same."""
    # to write an iterator down would use it up
    if arguments is None or any(id(type(each)) in ITERATORS for each in arguments):
        return None
    text = value_text(list(arguments))
    return text if is_portable(json.loads(text)) else None


_SAID = {
    "exception": "raises {}",
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


def _exception_named(name: str) -> BaseException:
    """Make an exception of the built-in type of that name, or of a class of its own."""
    kind: Any = getattr(builtins, name, None)
    if not isinstance(kind, type) or not issubclass(kind, BaseException):
        kind = type(name, (Exception,), {})
    made: BaseException = kind.__new__(kind)  # UnicodeDecodeError would want five arguments
    return made


def _printable(text: str) -> str:
    shown = text.encode("ascii", "backslashreplace").decode()
    shown = "".join(each if " " <= each <= "~" else " " for each in shown)
    return shown if len(shown) <= _ROOM else f"{shown[: _ROOM - 3]}..."
