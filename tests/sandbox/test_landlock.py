from __future__ import annotations

import errno
import signal
import socket
from collections.abc import Iterator

import pytest
from confined_programs import USERS, Confined, Outcome, start

from pytest_codecollapse.sandbox.child import landlock

ABI = landlock.abi()

pytestmark = pytest.mark.skipif(ABI == 0, reason="this kernel has no Landlock")

DENIED = Outcome(raised="PermissionError", errno=errno.EACCES)


@pytest.fixture(scope="module")
def confined() -> Iterator[Confined]:
    """Give the tests of this module one interpreter that forks."""
    with start() as running:
        yield running


def since(abi: int) -> pytest.MarkDecorator:
    """Skip a test where the kernel's Landlock is older."""
    return pytest.mark.skipif(
        abi > ABI, reason=f"needs Landlock's ABI {abi}, this kernel has {ABI}"
    )


def everywhere(outcome: Outcome, *programs: str) -> pytest.MarkDecorator:
    """Run a test for each program and user, with the outcome that all are to have."""
    return pytest.mark.parametrize(
        ("program", "user", "outcome"),
        [
            pytest.param(program, user, outcome, id=f"{program}-{user}")
            for program in programs
            for user in USERS
        ],
    )


@everywhere(
    DENIED,
    "open(outside + '/file').read()",
    "open(readable + '/../outside/file').read()",
    "os.listdir(outside)",
    "os.scandir('/')",
    "os.listdir('..')",
    "open('/etc/passwd').read()",
    "open('/proc/self/status').read()",
    "open('/proc/self/mem', 'rb')",
    "open(f'/proc/{parent}/mem', 'rb')",
    "open(f'/proc/{parent}/environ', 'rb')",
    "open('/dev/zero', 'rb')",
    "os.symlink(outside + '/file', 'link'); open('link').read()",
)
def test_nothing_else_can_be_read(
    confined: Confined, program: str, user: int, outcome: Outcome
) -> None:
    """Only what the rules name is read, by whatever path, whoever may read it otherwise."""
    assert confined.run(program, user, landlock=True)._replace(said="") == outcome


@everywhere(
    DENIED,
    "open(outside + '/file', 'a')",
    "open(outside + '/new', 'w')",
    "open(readable + '/file', 'a')",
    "open(readable + '/new', 'w')",
    "open('/tmp/new', 'w')",
    "open('/dev/shm/new', 'w')",
    "os.mkdir(outside + '/new')",
    "os.mkfifo(outside + '/new')",
    "os.symlink('file', outside + '/new')",
    "os.unlink(outside + '/file')",
    "os.unlink(readable + '/file')",
    "os.rename(outside + '/file', outside + '/new')",
    "open('mine', 'w'); os.rename('mine', outside + '/file')",
    "os.rmdir(scratch)",
    "tempfile.NamedTemporaryFile(dir='/tmp')",
)
def test_nothing_else_can_be_written(
    confined: Confined, program: str, user: int, outcome: Outcome
) -> None:
    """Folders that any user may write to without Landlock are closed."""
    assert confined.run(program, user, landlock=True)._replace(said="") == outcome


@everywhere(
    DENIED,
    "os.execv('/bin/true', ['true'])",
    "open('a', 'w').write('no program'); os.chmod('a', 0o700); os.execv('./a', ['a'])",
    "os.mknod('zero', 0o600 | 0o020000, os.makedev(1, 5))",
    "os.mknod('disk', 0o600 | 0o060000, os.makedev(254, 0))",
)
def test_nothing_is_executed_and_no_device_is_made(
    confined: Confined, program: str, user: int, outcome: Outcome
) -> None:
    """Nowhere, not even by a root that has kept its capabilities."""
    ran = confined.run(program, user, landlock=True, capabilities=True)
    assert ran._replace(said="") in (outcome, outcome._replace(errno=errno.EPERM))


def test_a_file_cannot_be_taken_out_of_its_folder_by_a_link(confined: Confined) -> None:
    """A hard link in the scratch directory would make a file writable that is only readable."""
    ran = confined.run("os.link(readable + '/file', 'mine')", landlock=True)
    assert ran.errno in (errno.EACCES, errno.EXDEV)


@everywhere(
    Outcome(result="right"),
    "result = 'right' if open(readable + '/file').read() == 'to be read' else 'wrong'",
    "result = 'right' if os.listdir(readable) == ['file'] else 'wrong'",
    "open('a', 'w').write('right'); os.rename('a', 'b'); result = open('b').read()",
    "open('a', 'w').write('right'); os.link('a', 'b'); os.unlink('a'); result = open('b').read()",
    "os.mkdir('d'); os.rmdir('d'); result = 'wrong' if os.listdir() else 'right'",
    "os.symlink('a', 'b'); open('a', 'w').write('right'); result = open('b').read()",
    "os.mkfifo('a'); result = 'right' if os.listdir('.') == ['a'] else 'wrong'",
    "open('a', 'w').write('right is what is left'); os.truncate('a', 5); result = open('a').read()",
    "open(scratch + '/a', 'w').write('right'); result = open('a').read()",
    "result = 'wrong' if open('/dev/null', 'r+b', buffering=0).write(b'x') != 1 else 'right'",
    "result = open('/dev/null').read() or 'right'",
    "result = 'right' if tempfile.gettempdir() == os.getcwd() else tempfile.gettempdir()",
    "sqlite3.connect('a.db').execute('create table t (a)'); result = 'right'",
)
def test_the_scratch_directory_and_devices_can_be_used(
    confined: Confined, program: str, user: int, outcome: Outcome
) -> None:
    """Everything that a program may want with files of its own works."""
    assert confined.run(program, user, landlock=True) == outcome


@pytest.mark.parametrize("user", USERS)
def test_files_move_between_own_folders(confined: Confined, user: int) -> None:
    """Where the ABI is too old to allow it, the error is the one of another file system."""
    program = "os.mkdir('d'); open('a', 'w').close(); os.rename('a', 'd/a'); result = os.listdir()"
    ran = confined.run(program, user, landlock=True)
    if ABI >= 2:
        assert ran == Outcome(result=["d"])
    else:
        assert ran.errno == errno.EXDEV


@since(3)
@everywhere(DENIED, "os.truncate(outside + '/file', 0)", "os.truncate(readable + '/file', 0)")
def test_nothing_else_can_be_truncated(
    confined: Confined, program: str, user: int, outcome: Outcome
) -> None:
    """The right to read a file is none to empty it."""
    assert confined.run(program, user, landlock=True)._replace(said="") == outcome


@since(4)
@pytest.mark.parametrize("user", USERS)
def test_no_tcp(confined: Confined, user: int) -> None:
    """Without a filter, a TCP socket is made but neither bound nor connected."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        address = server.getsockname()
        for program in (
            "socket.socket().connect(tuple(address))",
            "socket.socket().bind(('127.0.0.1', 0))",
        ):
            ran = confined.run(program, user, landlock=True, address=address)
            assert ran._replace(said="") == DENIED, program
        program = "socket.socket().connect(tuple(address))"
        assert confined.run(program, user, address=address) == Outcome()


@since(6)
@pytest.mark.parametrize("user", USERS)
def test_nothing_outside_is_reached_by_socket_or_signal(confined: Confined, user: int) -> None:
    """An abstract socket has no path, and a process of the same user could be signalled."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("")  # the kernel chooses an abstract name
        server.listen()
        name = server.getsockname().decode("latin-1")
        program = "socket.socket(socket.AF_UNIX).connect(name.encode('latin-1'))"
        assert confined.run(program, user, name=name) == Outcome()
        ran = confined.run(program, user, landlock=True, name=name)
        assert ran.errno == errno.EPERM
    ran = confined.run("os.kill(parent, 0)", user, landlock=True)
    assert ran.errno == errno.EPERM


@pytest.mark.parametrize("user", USERS)
def test_a_process_in_a_domain_can_be_ended(confined: Confined, user: int) -> None:
    """By itself, by a process outside, and by one in a wider domain, as a server's is."""
    assert confined.run("os.kill(os.getpid(), 9)", user, landlock=True).signal == signal.SIGKILL
    program = """
from child import landlock
reader, writer = os.pipe()
pid = os.fork()
if pid == 0:
    landlock.make_ruleset([], [scratch], []).restrict_self()
    os.write(writer, b'in')
    time.sleep(20)
    os._exit(1)
os.read(reader, 2)
os.kill(pid, 15)
result = os.waitpid(pid, 0)[1]
"""
    for domain in (False, True):
        ran = confined.run(program, user, landlock=domain)
        assert ran == Outcome(result=int(signal.SIGTERM))


def test_domains_nest(confined: Confined) -> None:
    """What the outer one denies stays denied, whatever the inner one allows."""
    program = """
from child import landlock
os.mkdir('inner')
open('file', 'w').close()
landlock.make_ruleset([outside], [scratch + '/inner'], []).restrict_self()
result = []
for path, mode in [('inner/a', 'w'), ('file', 'a'), (outside + '/file', 'r')]:
    try: open(path, mode)
    except PermissionError: result.append(path)
"""
    outside = str(confined.folder / "outside" / "file")
    assert confined.run(program, landlock=True) == Outcome(result=["file", outside])


def test_one_ruleset_serves_many_children(confined: Confined) -> None:
    """It is made once; each child restricts itself by it, and whoever made it is free."""
    program = """
from child import landlock
ruleset = landlock.make_ruleset([], [scratch], [])
result = []
for number in range(3):
    pid = os.fork()
    if pid == 0:
        ruleset.restrict_self()
        try: os.listdir(outside)
        except PermissionError: os._exit(7)
        os._exit(0)
    result.append(os.waitpid(pid, 0)[1] >> 8)
ruleset.close()
result.append(os.listdir(outside))
"""
    assert confined.run(program) == Outcome(result=[7, 7, 7, ["file"]])


def test_a_writable_folder_must_be_there(confined: Confined) -> None:
    """The others are passed over; a program without its directory is a fault of the sandbox."""
    program = """
from child import landlock
before = os.listdir('/proc/self/fd')
landlock.make_ruleset(['/no/such'], [], ['/dev/null/none']).close()
try: landlock.make_ruleset([], ['/no/such'], [])
except FileNotFoundError as error: result = error.filename, before == os.listdir('/proc/self/fd')
"""
    assert confined.run(program) == Outcome(result=["/no/such", True])


@pytest.mark.parametrize("user", USERS)
def test_new_privileges_have_to_be_given_up_first(confined: Confined, user: int) -> None:
    """The kernel's refusal is an error, so that no program runs unconfined by mistake."""
    ran = confined.run("", user, landlock=True, new_privileges=True)
    assert ran.errno == errno.EPERM
