"""Hostile programs that reach for other processes, or hide from their server."""

from __future__ import annotations

from hostile_programs_libc import LIBC, NONE_LEFT
from hostile_programs_record import (
    CRASH,
    DENIED,
    HARMFUL,
    HUNG,
    SAME,
    Anything,
    Hostile,
    f,
    hangs_once,
    like,
    top,
)

REACHES_FOR_OTHERS = (
    Hostile("kill(getppid(), 9)", f("os.kill(os.getppid(), 9)", "import os"), DENIED, HARMFUL),
    Hostile(
        "stops its server",
        f("os.kill(os.getppid(), signal.SIGSTOP)", "import os, signal"),
        DENIED,
        HARMFUL,
    ),
    Hostile("kill(1)", f("os.kill(1, 0)", "import os"), DENIED, HARMFUL),
    Hostile("kill(-1)", f("os.kill(-1, 0)", "import os"), DENIED, HARMFUL),
    Hostile(
        "signals the group of its server",
        f("os.killpg(os.getpgid(os.getppid()), 0)", "import os"),
        DENIED,
        HARMFUL,
    ),
    Hostile(
        "signals its server by every other call",
        f(
            """
            server = os.getppid()
            nothing = ctypes.create_string_buffer(128)
            return refused([
                ('tgkill', server, server, 9),
                ((200, 130), server, 9),  # tkill
                ('sigqueue', server, 9, None),
                ((129, 138), server, 9, nothing),  # rt_sigqueueinfo
                ((297, 240), server, server, 9, nothing),  # rt_tgsigqueueinfo
            ])
            """,
            LIBC,
        ),
        NONE_LEFT,
        HARMFUL,
    ),
    Hostile(
        "signals its server through a descriptor",
        f(
            """
            pidfd = check(libc.syscall(434, os.getppid(), 0))
            return check(libc.syscall(424, pidfd, 9, None, 0))
            """,
            LIBC,
        ),
        DENIED,
        HARMFUL,
    ),
    Hostile(
        "has the kernel signal its server when a pipe is written to",
        f(
            """
            for own in (fcntl.F_SETOWN, 15):
                reader, writer = os.pipe()
                try:
                    whom = os.getppid() if own != 15 else struct.pack('ii', 1, os.getppid())
                    fcntl.fcntl(reader, fcntl.F_SETSIG, 9)
                    fcntl.fcntl(reader, own, whom)
                    fcntl.fcntl(reader, fcntl.F_SETFL, os.O_ASYNC)
                    os.write(writer, b'x')
                except PermissionError: pass
            return x
            """,
            "import fcntl, os, struct",
        ),
        SAME,
        HARMFUL,
    ),
    Hostile(
        "takes its server's descriptors away",
        f("resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (0, 0))", "import os, resource"),
        DENIED,
        HARMFUL,
    ),
    Hostile(
        "takes its server's CPU time away",
        f("resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (0, 0))", "import os, resource"),
        DENIED,
        HARMFUL,
    ),
    Hostile(
        "slows others down",
        f(
            """
            server, user = os.getppid(), os.getuid()
            return refused([
                ('setpriority', 0, server, 19),
                ('setpriority', 1, os.getpgid(server), 19),
                ('setpriority', 2, user, 19),
                ('sched_setaffinity', server, 8, bytes([1] + [0] * 7)),
                ('sched_setscheduler', server, 5, bytes(8)),
                ((251, 30), 1, server, 3 << 13),  # ioprio_set
                ((251, 30), 3, user, 3 << 13),
            ])
            """,
            LIBC,
        ),
        NONE_LEFT,
        HARMFUL,
    ),
    Hostile(
        "has its server trace it, and stops",
        f(
            "libc.ptrace(0, 0, 0, 0)\nos.kill(os.getpid(), signal.SIGSTOP)\nreturn x",
            LIBC + "import signal",
        ),
        HUNG,
        at_process=CRASH,
        inputs=([0],),
        timeout_s=0.05,
    ),
    Hostile(
        "has its server trace it, at import",
        top(LIBC + "check(libc.ptrace(0, 0, 0, 0))"),
        "load:PermissionError",
        at_process=SAME,
    ),
    Hostile(
        "traces its server",
        f("return check(libc.ptrace(0x4206, os.getppid(), None, None))", LIBC),
        DENIED,
        HARMFUL,
    ),
    Hostile(
        "reads and writes its server's memory",
        f(
            """
            server = os.getppid()
            return refused([
                (call, server, None, 0, None, 0, 0)
                for call in ('process_vm_readv', 'process_vm_writev')
            ])
            """,
            LIBC,
        ),
        NONE_LEFT,
        at_process=like("return [(n, 0, 0) for n in ('process_vm_readv', 'process_vm_writev')]"),
    ),
    Hostile(
        "takes a descriptor of its server",
        f(
            """
            pidfd = check(libc.syscall(434, os.getppid(), 0))
            for descriptor in range(64):
                try: return check(libc.syscall(438, pidfd, descriptor, 0))
                except OSError as error:
                    if error.errno == errno.EPERM: raise
            """,
            LIBC,
        ),
        DENIED,
        HARMFUL,
    ),
    Hostile(
        "leaves its session and its group",
        f(
            """
            left = []
            for step in (os.setsid, lambda: os.setpgid(0, os.getpgid(os.getppid()))):
                try: left.append(step())
                except PermissionError: pass
            return left
            """,
            "import os",
        ),
        NONE_LEFT,
    ),
    Hostile(
        "signals itself, and handles it",
        f(
            """
            got.clear()
            signal.signal(signal.SIGUSR1, lambda *any: got.append(x))
            os.kill(os.getpid(), signal.SIGUSR1)
            signal.raise_signal(signal.SIGUSR1)
            signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)
            return x if got == [x] * 3 else got
            """,
            "import os, signal, threading\ngot = []",
        ),
        SAME,
    ),
    Hostile(
        "outlives its server, deaf and asleep, by its own wish",
        f(
            """
            libc.prctl(1, 0, 0, 0, 0)  # PR_SET_PDEATHSIG: no signal when the server ends
            libc.prctl(4, 0, 0, 0, 0)
            libc.prctl(15, b'kworker/0:1', 0, 0, 0)
            libc.prctl(36, 1, 0, 0, 0)
            return x
            """,
            LIBC,
        ),
        SAME,
    ),
    hangs_once(
        "ends its main thread, and sleeps on in another",
        f(
            """
            threading.Thread(target=time.sleep, args=[3600]).start()
            libc.syscall(93 if os.uname().machine == 'aarch64' else 60, 0)
            """,
            LIBC + "import threading, time",
        ),
    ),
    hangs_once(
        "ends its main thread, and works on in another",
        f(
            """
            threading.Thread(target=work).start()
            libc.syscall(93 if os.uname().machine == 'aarch64' else 60, 0)
            """,
            LIBC + "import threading\ndef work():\n    while True: pass",
        ),
    ),
    Hostile(
        "forbids itself what ends it",
        f("libc.prctl(22, 1, 0, 0, 0)\nreturn x", LIBC),  # PR_SET_SECCOMP, strict
        SAME,
        at_process=Anything("it depends on what is left to do for the process"),
    ),
)
