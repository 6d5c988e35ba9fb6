from __future__ import annotations

import errno
import signal
from collections.abc import Iterator
from typing import Optional

import pytest
from confined_programs import USERS, Confined, Outcome, start

from pytest_codecollapse.sandbox.child import landlock, libc, seccomp
from pytest_codecollapse.sandbox.child.policy import PROGRAM, SERVER
from pytest_codecollapse.sandbox.child.syscalls import number

needs_seccomp = pytest.mark.skipif(
    not seccomp.is_available(), reason="this machine or its kernel has no filters of ours"
)

BOTH = ("SERVER", "PROGRAM")  # a program is under both
REFUSED = Outcome(raised="PermissionError", errno=errno.EPERM)


@pytest.fixture(scope="module")
def confined() -> Iterator[Confined]:
    """Give the tests of this module one interpreter that forks."""
    with start() as running:
        yield running


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


@needs_seccomp
@everywhere(
    REFUSED,
    # processes
    "os.fork()",
    "os.posix_spawn('/bin/true', ['true'], {})",
    "os.execv('/bin/true', ['true'])",
    "subprocess.run(['/bin/true'])",
    "subprocess.run('true', shell=True)",
    "multiprocessing.get_context('fork').Process(target=abs).start()",
    # signals to others, and ways to stay alive
    "os.kill(parent, 0)",
    "os.kill(1, 0)",
    "os.kill(0, 0)",
    "os.kill(-1, 0)",
    "os.kill(-os.getpgrp(), 0)",
    "os.kill(-os.getpid(), 0)",
    "os.killpg(os.getpgrp(), 0)",
    "os.setsid()",
    "os.setpgid(0, 0)",
    "fcntl.fcntl(os.pipe()[0], fcntl.F_SETOWN, parent)",
    "fcntl.fcntl(os.pipe()[0], 10, 9)",
    "fcntl.fcntl(os.open('a', os.O_CREAT), fcntl.F_SETLEASE, fcntl.F_RDLCK)",
    # limits and priorities of others
    "resource.prlimit(parent, resource.RLIMIT_NOFILE)",
    "resource.prlimit(os.getpid(), resource.RLIMIT_NOFILE)",
    "os.setpriority(os.PRIO_PROCESS, parent, 19)",
    "os.setpriority(os.PRIO_USER, 0, 19)",
    "os.setpriority(os.PRIO_PGRP, 0, 19)",
    "os.sched_setaffinity(parent, [0])",
    "os.sched_setscheduler(parent, os.SCHED_IDLE, os.sched_param(0))",
    # the network
    "socket.socket()",
    "socket.socket(socket.AF_INET6)",
    "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "socket.socket(socket.AF_UNIX)",
    "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "socket.socket(38, socket.SOCK_SEQPACKET)",
    "socket.socketpair(socket.AF_INET)",
    "socket.create_connection(('127.0.0.1', 9))",
    "socket.socketpair()[0].bind('name')",
    "socket.socketpair(type=socket.SOCK_DGRAM)[0].connect('name')",
    "socket.socketpair(type=socket.SOCK_DGRAM)[0].sendto(b'x', '/run/systemd/notify')",
    "socket.socketpair(type=socket.SOCK_DGRAM)[0].sendmsg([b'x'], [], 0, '/run/systemd/notify')",
    # files, where Landlock has nothing to say
    "os.chmod(readable, 0o777)",
    "os.fchmod(os.open(readable + '/file', os.O_RDONLY), 0o777)",
    "os.chown(readable, -1, -1)",
    "os.lchown(readable, -1, -1)",
    "os.utime(readable)",
    "os.setxattr(readable, 'user.name', b'value')",
    "os.truncate(outside + '/file', 99)",
    "os.open(outside + '/file', os.O_RDONLY | os.O_TRUNC)",
    "os.open(outside + '/file', 3 | os.O_TRUNC)",
    "os.mkdir('unlisted', 0o300)",
    "os.chroot('.')",
    # memory that no limit counts, and what stays
    "os.memfd_create('name') if hasattr(os, 'memfd_create') else os.fork()",
)
def test_refused(confined: Confined, program: str, user: int, outcome: Outcome) -> None:
    """Python raises PermissionError, for root as for anybody, and nothing has happened."""
    assert confined.run(program, user, rules=BOTH)._replace(said="") == outcome
    assert (confined.folder / "outside" / "file").read_text() == "not to be read"


#: Makes a system call by number and says how it failed: "EPERM"; or "" where it did not.
BARE = """
libc = ctypes.CDLL(None, use_errno=True)
def bare(number, *arguments):
    if libc.syscall(number, *map(ctypes.c_long, arguments)) >= 0: return ''
    return errno.errorcode[ctypes.get_errno()]
"""


@needs_seccomp
@pytest.mark.parametrize("user", USERS)
def test_every_call_that_is_refused_as_a_whole_is(confined: Confined, user: int) -> None:
    """The kernel's answer to the bare call, arguments zero, is the error of the rule."""
    rules = {**SERVER, **PROGRAM}
    calls = {
        name: (number(name, libc.architecture()), errno.errorcode[rule.error])
        for name, rule in rules.items()
        if not rule.unless and number(name, libc.architecture()) is not None
    }
    assert len(calls) > 100
    program = BARE + "result = {name: bare(number, 0, 0, 0, 0, 0, 0) for name, number in calls}"
    numbers = [(name, call) for name, (call, _) in calls.items()]
    ran = confined.run(program, user, rules=BOTH, calls=numbers)
    assert ran == Outcome(result={name: answer for name, (_, answer) in calls.items()})


def call(name: str) -> Optional[int]:
    """Return the number of a call on this machine."""
    architecture = libc.architecture()
    return number(name, architecture) if architecture else None


THREAD_AND_NAMESPACE = 0x00010000 | 0x40000000  # CLONE_THREAD, CLONE_NEWNET


@needs_seccomp
@pytest.mark.parametrize(
    ("name", "arguments", "answer"),
    [
        ("clone", (signal.SIGCHLD,), "EPERM"),
        ("clone", (THREAD_AND_NAMESPACE,), "EPERM"),
        ("clone", (0x00010000,), "EINVAL"),  # a thread: the kernel asks for CLONE_SIGHAND, too
        ("tkill", ("parent", 0), "EPERM"),
        ("tkill", ("self", 0), ""),
        ("tgkill", ("parent", "parent", 0), "EPERM"),
        ("tgkill", ("self", "self", 0), ""),
        ("rt_sigqueueinfo", ("parent", 9, 0), "EPERM"),
        ("rt_sigqueueinfo", ("self", 9, 0), "EFAULT"),
        ("rt_tgsigqueueinfo", ("parent", "parent", 9, 0), "EPERM"),
        ("rt_tgsigqueueinfo", ("self", "self", 9, 0), "EFAULT"),
        ("kill", (1 << 32, 0), "EPERM"),  # the kernel looks at the low half, a zero
        ("prctl", (1, 0), "EPERM"),  # PR_SET_PDEATHSIG
        ("prctl", (4, 0), "EPERM"),  # PR_SET_DUMPABLE
        ("prctl", (22, 2, 0), "EPERM"),  # PR_SET_SECCOMP
        ("prctl", (36, 1), "EPERM"),  # PR_SET_CHILD_SUBREAPER
        ("prctl", (3,), ""),  # PR_GET_DUMPABLE
        ("prctl", (38, 1, 0, 0, 0), ""),  # PR_SET_NO_NEW_PRIVS
        ("personality", (0x0040000,), "EPERM"),  # ADDR_NO_RANDOMIZE
        ("personality", (0xFFFFFFFF,), ""),
        ("sched_setparam", ("parent", 0), "EPERM"),
        ("sched_setattr", ("parent", 0, 0), "EPERM"),
        ("sched_setattr", (0, 0, 0), "EINVAL"),
        ("ioprio_set", (1, "parent", 0), "EPERM"),
        ("ioprio_set", (3, 0, 0), "EPERM"),
        ("ioprio_set", (1, 0, 2 << 13), ""),
        ("umask", (0o777,), "EPERM"),
        ("umask", (0o77,), ""),
        ("ioctl", (0, 0x5412, 0), "ENOTTY"),  # TIOCSTI
        ("ioctl", (0, 0x40086602, 0), "ENOTTY"),  # FS_IOC_SETFLAGS
    ],
)
@pytest.mark.parametrize("user", USERS)
def test_what_depends_on_arguments(
    confined: Confined, user: int, name: str, arguments: tuple[object, ...], answer: str
) -> None:
    """What is allowed gets the kernel's own answer, what is not the filter's."""
    program = BARE + (
        "who = {'self': os.getpid(), 'parent': parent}\n"
        "result = bare(number, *(who.get(each, each) for each in arguments))"
    )
    ran = confined.run(program, user, rules=BOTH, number=call(name), arguments=arguments)
    assert ran == Outcome(result=answer)


@needs_seccomp
@everywhere(
    Outcome(result="right"),
    # threads
    "t = threading.Thread(target=lambda: globals().update(result='right')); t.start(); t.join()",
    "result = concurrent.futures.ThreadPoolExecutor(8).submit(lambda: 'right').result()",
    "async def f():\n await asyncio.sleep(0.001)\n return 'right'\nresult = asyncio.run(f())",
    "async def f():\n return await asyncio.get_running_loop().run_in_executor(None, str, 'right')\n"
    "result = asyncio.run(f())",
    # signals to itself
    "signal.signal(10, lambda *any: globals().update(result='right')); os.kill(os.getpid(), 10)",
    "signal.signal(10, lambda *any: globals().update(result='right')); signal.raise_signal(10)",
    "signal.signal(10, lambda *any: globals().update(result='right'))\n"
    "signal.pthread_kill(threading.get_ident(), 10)",
    "signal.signal(14, lambda *any: globals().update(result='right'))\n"
    "signal.setitimer(signal.ITIMER_REAL, 0.001); signal.pause()",
    # pipes, sockets, polling
    "r, w = os.pipe(); os.write(w, b'right'); result = os.read(r, 9).decode()",
    "a, b = socket.socketpair(); a.send(b'right'); result = b.recv(9).decode()",
    "a, b = socket.socketpair(); a.setblocking(False)\n"
    "try: a.recv(1)\nexcept BlockingIOError: result = 'right'",
    "r, w = os.pipe(); os.write(w, b'x')\n"
    "result = 'right' if select.select([r], [], [], 0)[0] else ''",
    "r, w = os.pipe(); e = select.epoll(); e.register(w); result = 'right' if e.poll(0) else ''",
    # files
    "open('a', 'w').write('right'); result = open('a', 'r+').read()",
    "open('a', 'w').write('righteous'); f = open('a', 'r+'); f.truncate(5); result = f.read()",
    "open('a', 'w').write('right'); shutil.copyfile('a', 'b'); result = open('b').read()",
    "os.mkdir('d'); os.mkdir('e', 0o700); os.rename('d', 'f'); result = 'right'",
    "os.umask(0o077); result = 'right' if os.umask(0o022) == 0o077 else ''",
    "f = open('a', 'w'); fcntl.flock(f, fcntl.LOCK_EX); fcntl.lockf(f, fcntl.LOCK_UN)\n"
    "result = 'right'",
    "f = open('a', 'w'); os.set_inheritable(f.fileno(), True); os.dup2(f.fileno(), 9)\n"
    "result = 'right'",
    "d = tempfile.TemporaryDirectory(dir='.'); d.cleanup(); result = 'right'",
    "with tempfile.TemporaryFile(dir='.') as f: f.write(b'x')\nresult = 'right'",
    "result = 'right' if not os.isatty(os.open('/dev/null', os.O_RDONLY)) else ''",
    "c = sqlite3.connect('a.db'); c.execute('create table t (a)'); c.commit(); result = 'right'",
    "os.posix_fallocate(os.open('a', os.O_CREAT | os.O_RDWR), 0, 99); result = 'right'",
    # its own limits and priorities
    "resource.setrlimit(resource.RLIMIT_NOFILE, (32, 32)); result = 'right'",
    "resource.prlimit(0, resource.RLIMIT_NOFILE, (32, 32)); result = 'right'",
    "os.nice(1); os.setpriority(os.PRIO_PROCESS, 0, 2); result = 'right'",
    "os.sched_setaffinity(0, os.sched_getaffinity(os.getpid())); result = 'right'",
    "os.sync(); result = 'right'",
    # chance and time
    "result = 'right' if len(os.urandom(4)) == 4 and random.SystemRandom().random() < 1 else ''",
    "time.sleep(0.001); time.localtime(); result = 'right' if time.process_time() >= 0 else ''",
)
def test_allowed(confined: Confined, program: str, user: int, outcome: Outcome) -> None:
    """What programs do for good reasons works as without a filter."""
    assert confined.run(program, user, rules=BOTH) == outcome


@needs_seccomp
@pytest.mark.parametrize(
    ("program", "ended_by"),
    [
        ("os.kill(os.getpid(), signal.SIGTERM)", signal.SIGTERM),
        ("os.kill(os.getpid(), signal.SIGKILL)", signal.SIGKILL),
        ("signal.raise_signal(signal.SIGTERM)", signal.SIGTERM),
        ("os.abort()", signal.SIGABRT),
        ("ctypes.string_at(0)", signal.SIGSEGV),
        ("signal.setitimer(signal.ITIMER_PROF, 0.01)\nwhile True: pass", signal.SIGPROF),
        ("threading.Thread(target=os.abort).start()\ntime.sleep(20)", signal.SIGABRT),
    ],
)
@pytest.mark.parametrize("user", USERS)
def test_a_program_can_end_itself(
    confined: Confined, user: int, program: str, ended_by: int
) -> None:
    """Its verdict comes from the signal; the filter does not change it."""
    assert confined.run(program, user, rules=BOTH).signal == ended_by


@needs_seccomp
@pytest.mark.skipif(libc.architecture() != "x86_64", reason="there is no x32 on this machine")
@pytest.mark.parametrize("user", USERS)
def test_x32_calls_end_the_process(confined: Confined, user: int) -> None:
    """A fork by another number is as good as any; the kernel ends the process, not the thread."""
    program = (
        BARE + "threading.Thread(target=bare, args=(0x40000000 + 57,)).start(); time.sleep(20)"
    )
    assert confined.run(program, user, rules=BOTH).signal == signal.SIGSYS


@needs_seccomp
@pytest.mark.parametrize("user", USERS)
def test_threads_are_under_the_filter(confined: Confined, user: int) -> None:
    """A thread that is started later, and one that such a thread starts, cannot fork either."""
    program = """
result = []
def attempt(depth):
    try: os.fork()
    except PermissionError: result.append(depth)
    if depth:
        thread = threading.Thread(target=attempt, args=(depth - 1,))
        thread.start()
        thread.join()
attempt(2)
"""
    assert confined.run(program, user, rules=BOTH) == Outcome(result=[2, 1, 0])


@needs_seccomp
@pytest.mark.parametrize("user", USERS)
def test_a_server_still_forks_and_ends_its_children(confined: Confined, user: int) -> None:
    """Under the server's rules, children are forked, confined further, signalled and waited for."""
    program = """
from child import libc, policy, seccomp
prepared = seccomp.compile_filter(policy.PROGRAM)
result = []
for number in range(3):
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.setsid()
        libc.prctl(1, 9)
        prepared.install(os.getpid())
        os.kill(os.getpid(), 0)
        try: os.kill(os.getppid(), 0)
        except PermissionError: os.write(writer, b'refused')
        time.sleep(20)
        os._exit(0)
    refused = os.read(reader, 9).decode()
    os.kill(pid, 15)
    result.append((refused, os.waitpid(pid, 0)[1]))
try: os.execv('/bin/true', ['true'])
except PermissionError: result.append('no exec')
"""
    ran = confined.run(program, user, rules=("SERVER",))
    assert ran == Outcome(result=[["refused", 15]] * 3 + ["no exec"])


@needs_seccomp
def test_no_filter_of_its_own(confined: Confined) -> None:
    """A program cannot put another filter on top."""
    program = "from child import policy, seccomp; seccomp.compile_filter(policy.PROGRAM).install(1)"
    ran = confined.run(program, rules=BOTH)
    assert (ran.raised, ran.errno) == ("PermissionError", errno.EPERM)


@needs_seccomp
@pytest.mark.skipif(len(USERS) == 1, reason="it takes root to try it as another user as well")
def test_new_privileges_have_to_be_given_up_first(confined: Confined) -> None:
    """The kernel's refusal is an error, so that no program runs unconfined by mistake."""
    for user in USERS:
        ran = confined.run("", user, rules=("SERVER",), new_privileges=True)
        assert (ran.raised, ran.errno) == ("PermissionError", errno.EACCES)


@needs_seccomp
@pytest.mark.skipif(landlock.abi() == 0, reason="this kernel has no Landlock")
@pytest.mark.parametrize("user", USERS)
def test_both_mechanisms_together(confined: Confined, user: int) -> None:
    """Under Landlock and both filters, as programs are, ordinary work goes on."""
    program = """
async def work():
    await asyncio.sleep(0)
    return await asyncio.get_running_loop().run_in_executor(None, open('a').read)
open('a', 'w').write('right')
result = [asyncio.run(work())]
for forbidden in (os.fork, lambda: open(outside + '/file'), lambda: os.kill(parent, 0)):
    try: forbidden()
    except PermissionError as error: result.append(errno.errorcode[error.errno])
"""
    ran = confined.run(program, user, landlock=True, rules=BOTH)
    assert ran == Outcome(result=["right", "EPERM", "EACCES", "EPERM"])
