"""Measure one corpus at a rung of the isolation ladder, in this process or as another user.

Run as a script, this is a host of its own: it becomes the user that it is told, measures, and
prints what came of it; or it hangs in the middle, to be killed. An ordinary user may be unable to
read the interpreter and the package of whoever runs the tests. So the script first does once as
itself what it will do as another, for all to be imported, and the user's zygotes get an
interpreter and a copy of the sandbox's files that they can read.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Optional

import msgspec
import pytest
from sandbox_problems import make_problem

from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.model import Environment, Execution, Problem, Settings
from pytest_codecollapse.sandbox import Interpreter, LocalEngine, launch, launch_bwrap

NOBODY = 65534

#: Whose host it is: that of whoever runs the tests, and an ordinary user's.
USERS = (0, NOBODY) if os.geteuid() == 0 else (os.geteuid(),)

#: What programs do, the same wherever they run; some of it would show a sandbox that is different.
CORPUS = {
    "the reference": "def f(x): return x",
    "another result": "def f(x): return x + 1, 0.1 + 0.2, 10 ** 300",
    "exception": "def f(x): return x // 0",
    "own exception": "class Mine(Exception): pass\ndef f(x): raise Mine",
    "too much memory": "def f(x): return len(bytes(1 << 30))",
    "endless loop": "def f(x):\n    while True: pass",
    "process ends": "import os\ndef f(x): os._exit(0)",
    "segmentation fault": "import ctypes\ndef f(x): ctypes.string_at(0)",
    "syntax error": "def f(x) return x",
    "unseeded": "import random\ndef f(x): return random.random()",
    "order of a set": "def f(x): return str(set('abcdefgh'))",
    "state": "seen = []\ndef f(x):\n    seen.append(x)\n    return len(seen)",
    "file": """
import os
def f(x):
    with open('file', 'w') as file: file.write('x')
    found = os.listdir('.')
    os.remove('file')
    return found
""",
    "thread": """
import threading
def f(x):
    found = []
    thread = threading.Thread(target=found.append, args=(x,))
    thread.start()
    thread.join()
    return found
""",
    "asyncio": "import asyncio\nasync def g(x): return x\ndef f(x): return asyncio.run(g(x))",
    "input": "def f(x): return input()",
    "surroundings": """
import os, sys
def f(x):
    ours = [path for path in sys.path if 'collapse' in path or 'packages' in path]
    return sorted(os.environ), sys.argv, ours, 'child' in sys.modules, __name__
""",
}


#: So many programs are run before the first progress is told, and some more.
PROGRAMS_TILL_PROGRESS = 20


def different(count: int) -> list[str]:
    """Write programs that do what ``def f(x): return x`` does."""
    return [f"def f(x): return x  # {number}" for number in range(count)]


class Seen(NamedTuple):
    """What came of the corpus, or why it was refused."""

    environment: Optional[Environment] = None
    executions: dict[str, Execution] = {}  # noqa: RUF012  (nobody changes it)
    refusal: str = ""


def ignore(count: int) -> None:
    """Take no notice of progress."""


def corpus() -> Problem:
    """Make the problem whose candidates are the corpus."""
    return make_problem(*CORPUS.values(), inputs=([0], [1], [2], [3]))


def measure(engine: LocalEngine) -> dict[str, Execution]:
    """Return what each program of the corpus did.

    Tokens are left out where they come from the order of a set: it depends on Python's version.
    """
    done = engine.submit(corpus(), Settings(timeout_s=0.2), ignore).result()
    seen = dict(zip(CORPUS, done.candidates))
    seen["order of a set"] = msgspec.structs.replace(seen["order of a set"], tokens=())
    return seen


def measure_as(user: int, isolation: str, folder: Path) -> Seen:
    """Measure the corpus in another process, of the user.

    Parameters
    ----------
    user
        One of ``USERS``; the test is skipped if there is no Python which that user may start.
    isolation
        The rung.
    folder
        Empty, and to be reached by every user.
    """
    order: dict[str, Any] = {"isolation": isolation, "user": user}
    if user != os.geteuid():
        order["python"] = _python_for(user)
        order["worker"] = str(shutil.copytree(launch.WORKER, folder / launch.WORKER.name))
    command = [sys.executable, __file__, json.dumps(order)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return msgspec.json.decode(done.stdout, type=Seen)


@contextmanager
def public_folder() -> Iterator[Path]:
    """Make a folder that every user reaches, as pytest's own are not."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def hanging_host(isolation: str, image: str) -> subprocess.Popen[bytes]:
    """Start a host that says a line when it is in the middle of an endless loop of a program."""
    order = {"isolation": isolation, "image": image, "hang": True}
    return subprocess.Popen(
        [sys.executable, __file__, json.dumps(order)],
        stdout=subprocess.PIPE,
        start_new_session=True,
    )


def _python_for(user: int) -> str:
    for path in (os.path.realpath(sys.executable), "/usr/bin/python3"):
        command = [
            path,
            "-S",
            "-c",
            "import ctypes, json, sys; sys.exit(sys.version_info < (3, 8))",
        ]
        try:
            tried = subprocess.run(
                command, user=user, group=user, extra_groups=[], cwd="/", env={}, check=False
            )
        except PermissionError:
            continue
        if not tried.returncode:
            return path
    pytest.skip(f"there is no Python that user {user} may start")


def _become(user: int) -> None:
    with LocalEngine(1, "process") as engine:  # whatever is imported late is imported now
        engine.submit(make_problem("def f(x): return x"), Settings(), ignore).result()
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)
    tempfile.tempdir = None  # the other one's may be out of reach


def _main(order: dict[str, Any]) -> None:
    interpreter = None
    if "python" in order:
        interpreter = Interpreter(order["python"])
        for module in (launch, launch_bwrap):
            pytest.MonkeyPatch().setattr(module, "WORKER", Path(order["worker"]))
        _become(order["user"])
    with LocalEngine(1, order["isolation"], interpreter, order.get("image", "")) as engine:
        if "hang" in order:
            _hang(engine)
        try:
            seen = Seen(engine.environment, measure(engine))
        except UsageError as error:
            seen = Seen(refusal=str(error))
    sys.stdout.buffer.write(msgspec.json.encode(seen))


def _hang(engine: LocalEngine) -> None:
    loop = "def f(x):\n    while True: pass"
    problem = make_problem(*different(PROGRAMS_TILL_PROGRESS), loop)
    settings = Settings(timeout_s=600.0)
    engine.submit(problem, settings, lambda count: print("running", flush=True)).result()


if __name__ == "__main__":
    _main(json.loads(sys.argv[1]))
