"""The problem server: makes the inputs of one problem and runs programs on them.

Theory of operation
-------------------
A server is forked from a zygote for one problem and one purpose: the reference has one of its
own, so that no ancestor of a candidate's child ever holds the reference's source or outputs. It
prepares once what every child needs and inherits by copy-on-write: the inputs, each a copy of its
own; the modules of the standard library that the programs import; a compiler that has been used;
a frozen garbage collector. Then it runs one program after the other, as the host asks for them.
"""

import gc
import importlib
import os
from typing import Any, Dict, Sequence

from . import confine
from .inputs import describe, make_inputs
from .run import Problem, ProgramRun
from .scratch import Scratch
from .wire import receive_message, send_message


def serve(channel: int, message: Dict[str, Any], directory: str, seed: int) -> None:
    """Prepare the problem of ``message``, then run programs until the host says it is over."""
    _let_go_of_standard_error()
    os.chdir(directory)
    confine.die_with_parent()
    confine.adopt_orphans()
    try:
        inputs, digests = make_inputs(message)
    except BaseException as error:
        send_message(channel, {"kind": "refused", "what": describe(error)})
        return
    _warm_up(message["modules"])
    problem = Problem(message, inputs, seed)
    send_message(channel, {"kind": "ready", "digests": digests})
    scratch = Scratch(directory)
    try:
        while True:
            request = receive_message(channel)
            if request is None or request["kind"] == "end":
                return
            send_message(channel, ProgramRun(problem, request, channel, scratch).finish())
    finally:
        scratch.remove()


def _let_go_of_standard_error() -> None:
    """Leave the pipe that the zygote reports its own faults on to the zygote."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 2)
    os.close(nothing)


def _warm_up(modules: Sequence[str]) -> None:
    """Do once what every child would have to do."""
    for name in modules:
        try:
            importlib.import_module(name)
        except BaseException:  # the program that imports it will meet the same
            continue
    compile("def warm_up():\n    return 0\n", "<warm_up>", "exec")
    gc.collect()
    gc.freeze()
