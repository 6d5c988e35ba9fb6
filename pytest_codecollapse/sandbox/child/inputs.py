"""The inputs of a problem: values that were sent, and those of an untrusted ``input_gen``."""

import contextlib
import copy
import pickle
import random
import signal
from typing import Any, Dict, List, Tuple

from . import confine, program
from .canon import canonical
from .reading import read_arguments

#: Control characters -> how they are shown.
_SHOWN = {code: repr(chr(code))[1:-1] for code in (*range(32), 127)}

Arguments = Tuple[Any, ...]


def make_inputs(message: Dict[str, Any]) -> Tuple[List[Arguments], List[str]]:
    """Make the inputs that a ``problem`` message describes, and a digest of each.

    Those that ``input_gen`` makes come first, then those that were sent.

    No two inputs share an object, so that a program that changes one cannot reach another. A
    digest is made from one more copy, for reading an iterator to its end uses it up.

    Raises
    ------
    BaseException
        Whatever ``input_gen`` raises, and TypeError where it returns another shape. One that
        takes longer than its CPU limit ends the process.
    """
    given = [read_arguments(each) for each in message["inputs"]]  # what is read shares nothing
    # one more copy for digests: to encode an object can change it
    digests = _digests([read_arguments(each) for each in message["inputs"]])
    if message["input_gen"] is not None:
        generated, digests_of_generated = _generate(message)
        given, digests = generated + given, digests_of_generated + digests
    return given, digests


def _generate(message: Dict[str, Any]) -> Tuple[List[Arguments], List[str]]:
    confine.limit_memory(message["memory_mb"] << 20)
    signal.setitimer(signal.ITIMER_PROF, message["input_gen_limit_s"])
    module = program.new_module("input_gen")
    program.execute(message["input_gen"], module)
    generate = vars(module).get("generate")
    if generate is None:
        raise NameError("it does not define generate(rng, m)")
    rng = random.Random(message["input_seed"])
    inputs = _check_shape(generate(rng, message["count"]), message["count"])
    copies = [_copy(arguments) for arguments in inputs]
    digests = _digests([_copy(arguments) for arguments in inputs])
    signal.setitimer(signal.ITIMER_PROF, 0)
    confine.lift_memory()
    return copies, digests


def _digests(inputs: List[Arguments]) -> List[str]:
    return [canonical(arguments).hex() for arguments in inputs]


def _check_shape(value: Any, count: int) -> List[Arguments]:
    if type(value) not in (list, tuple):
        raise TypeError(f"generate returned {_kind(value)}, expected a list of {count} tuples")
    for index, arguments in enumerate(value):
        if type(arguments) is not tuple:
            raise TypeError(
                f"generate returned {_kind(arguments)} as item {index}, expected a tuple of "
                "positional arguments"
            )
    if len(value) != count:
        raise TypeError(f"generate returned {len(value)} inputs, expected {count}")
    return list(value)


def _kind(value: Any) -> str:
    return "None" if value is None else type(value).__name__


def _copy(arguments: Arguments) -> Arguments:
    try:
        copied: Arguments = pickle.loads(pickle.dumps(arguments))
    except Exception:  # it holds a function, or a class that pickle cannot find
        copied = copy.deepcopy(arguments)
    return copied


def describe(error: BaseException) -> str:
    """Say what an exception is, in one printable line."""
    text = type(error).__name__
    with contextlib.suppress(BaseException):
        said = str(error)
        text = f"{text}: {said}" if said else text
    return text.encode("ascii", "backslashreplace").decode().translate(_SHOWN)[:300]
