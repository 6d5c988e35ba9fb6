"""The problem server: makes the inputs of one problem and runs programs on them.

Theory of operation
-------------------
A server is forked from a zygote for one problem and one purpose: the reference has one of its
own, so that no ancestor of a candidate's child ever holds the reference's source or outputs. It
prepares once what every child needs and inherits by copy-on-write: the inputs, each a copy of its
own; the modules that the programs import; a compiler that has been used; a frozen garbage
collector. Then it runs one program after the other, as the host asks for them.

It confines itself before it runs ``input_gen``, which is code of the samples file's author; what
that forks is ended, and so is a server that is such a fork.
"""

import gc
import importlib
import importlib.util
import os
import random
import sys
from typing import Any, Dict, Sequence

from . import arrays, canonicalizers, confine, scratch
from .examination import Sources
from .examined import run_examination
from .inputs import describe, make_inputs
from .limits import most_cpu_s
from .run import Problem, ProgramRun, Pulse
from .snapshot import with_snapshots
from .texts import arguments_text
from .wire import receive_message, send_message


class Setting:
    """What the servers of a zygote have in common.

    Parameters
    ----------
    reader, writer
        The descriptors that lead to the host.
    options
        What the host started the zygote with.
    confinement
        What confines servers and programs.
    """

    def __init__(
        self,
        reader: int,
        writer: int,
        options: Dict[str, Any],
        confinement: confine.Confinement,
    ) -> None:
        self.reader = reader
        self.writer = writer
        self.scratch: str = options["scratch"]
        self.seed: int = options["seed"]
        self.site_packages: Sequence[str] = options["site_packages"]
        self.confinement = confinement


def serve(setting: Setting, zygote: int, message: Dict[str, Any]) -> None:
    """Prepare the problem of ``message``, then run programs until the host says it is over."""
    reader, writer = setting.reader, setting.writer
    _let_go_of_standard_error()
    os.chdir(setting.scratch)
    confine.die_with_parent(zygote)
    confine.adopt_orphans()
    setting.confinement.enter_server()
    _warm_up(message, setting.site_packages)
    me = os.getpid()
    source = "input_gen"
    try:
        canonicalizers.install(message["canonicalizers"])
        inputs, digests = make_inputs(message)
        texts = [arguments_text(each) for each in inputs] if message["texts"] else []
    except BaseException as error:
        _only(me)
        if isinstance(error, canonicalizers.CanonicalizerError):
            source, error = f"the canonicalizer of {error.type_name}", error.cause
        send_message(writer, {"kind": "refused", "what": describe(error), "source": source})
        return
    _only(me)
    most_s = max(most_cpu_s(message["limit_s"], len(inputs)), message.get("tests_limit_s", 0) + 1)
    problem = Problem(
        {**message, "scratch": setting.scratch},
        with_snapshots(inputs, message["by_value"]),
        setting.confinement.for_programs(message["memory_mb"] << 20, most_s),
    )
    random.seed(setting.seed)  # every child starts with this state
    gc.collect()
    gc.freeze()
    counts = sorted({len(arguments) for arguments in inputs})
    ready = {"kind": "ready", "digests": digests, "arguments": texts, "argument_counts": counts}
    send_message(writer, ready)
    try:
        while True:
            request = receive_message(reader)
            if request is None or request["kind"] == "end":
                return
            if request["kind"] == "examine":
                send_message(writer, _examine(setting, problem, message, request))
            else:
                send_message(writer, ProgramRun(problem, request, reader, writer).finish())
    finally:
        scratch.clear(setting.scratch)


def _examine(
    setting: Setting, problem: Problem, message: Dict[str, Any], request: Dict[str, Any]
) -> Dict[str, Any]:
    """Run the problem's tests beside the reference, which no server of candidates holds."""
    return run_examination(
        Sources(message, request["reference"]),
        request["answers"],
        problem.confine,
        setting.scratch,
        message["tests_limit_s"],
        setting.reader,
        Pulse(setting.writer).beat,
    )


def _let_go_of_standard_error() -> None:
    """Leave the pipe that the zygote reports its own faults on to the zygote."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 2)
    os.close(nothing)


def _only(me: int) -> None:
    """End this process if it is a fork of ``me``, or else what ``me`` has forked."""
    if os.getpid() != me:
        os._exit(0)
    confine.end_descendants()


def _warm_up(message: Dict[str, Any], site_packages: Sequence[str]) -> None:
    """Do once what every child would have to do."""
    installed = [
        name for name in message["others"] if _is_installed(name.partition(".")[0], site_packages)
    ]
    for name in [*message["modules"], *installed]:
        try:
            importlib.import_module(name)
        except BaseException:  # the program that imports it will meet the same
            continue
    os.environ.clear()  # it told libraries how many threads to start
    arrays.read_numpy(sys.modules.get("numpy"))


def _is_installed(name: str, site_packages: Sequence[str]) -> bool:
    """Whether a module is one of those that the user let programs have."""
    try:
        found = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return False
    origins = [found.origin, *(found.submodule_search_locations or ())] if found else []
    return any(
        (origin or "").startswith(folder + os.sep) for origin in origins for folder in site_packages
    )
