from __future__ import annotations

from collections.abc import Iterator

import pytest
from confined_programs import USERS, Confined, Outcome, start

from pytest_codecollapse.sandbox.child import libc

pytestmark = pytest.mark.skipif(not libc.architecture(), reason="there is no capset to call here")

needs_root = pytest.mark.skipif(0 not in USERS, reason="an ordinary user has no capabilities")


@pytest.fixture(scope="module")
def confined() -> Iterator[Confined]:
    """Give the tests of this module one interpreter that forks."""
    with start() as running:
        yield running


SETS = """
status = open('/proc/self/status').read().split('\\n')
result = {line[:6]: int(line[7:], 16) for line in status if line.startswith('Cap')}
"""


@pytest.mark.parametrize("user", USERS)
def test_none_is_left(confined: Confined, user: int) -> None:
    """No set of the process has any left that root could use or gain by an exec."""
    ran = confined.run(SETS, user)
    assert ran.raised == ""
    bounding = ran.result.pop("CapBnd")
    assert ran.result == {"CapInh": 0, "CapPrm": 0, "CapEff": 0, "CapAmb": 0}
    if user == 0:
        assert bounding == 0


@needs_root
@pytest.mark.parametrize(
    "program",
    [
        "for limit in (1 << 40, 1 << 41): resource.setrlimit(resource.RLIMIT_AS, (limit, limit))",
        "os.setpriority(os.PRIO_PROCESS, 0, -10)",
        "os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))",
        "os.mknod('device', 0o600 | 0o020000, os.makedev(1, 3))",
        "os.chown('.', 1, 1)",
        "os.setuid(1)",
        "os.chroot('.')",
    ],
)
def test_root_without_them_is_an_ordinary_user(confined: Confined, program: str) -> None:
    """What it could do with them fails, above all the raising of a hard limit."""
    if confined.run(program, 0, capabilities=True) != Outcome():
        pytest.skip("root has not the capability in question, as in some containers")
    assert confined.run(program, 0).raised in ("PermissionError", "ValueError")


@needs_root
def test_root_still_owns_its_files(confined: Confined) -> None:
    """Clearing away what programs have left needs no capability."""
    program = """
os.mkdir('closed')
open('closed/file', 'w').close()
os.chmod('closed', 0)
try: os.listdir('closed')
except PermissionError: os.chmod('closed', 0o700)
shutil.rmtree('closed')
result = os.listdir('.')
"""
    assert confined.run(program, 0) == Outcome(result=[])
