"""Hostile programs that start processes."""

from __future__ import annotations

import platform

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
    like,
    top,
)

STARTS_PROCESSES = (
    Hostile(
        "fork",
        f("if os.fork() == 0: os._exit(0)\nreturn x", "import os"),
        DENIED,
        at_process=SAME,
    ),
    Hostile(
        "fork at import, where the child goes on as the program",
        top("import os\nos.fork()"),
        "load:PermissionError",
        at_process=Anything("both reply on one line"),
    ),
    Hostile(
        "a daemon, forked twice and in a session of its own",
        f(
            """
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0: time.sleep(3600)
                os._exit(0)
            return x
            """,
            "import os, time",
        ),
        DENIED,
        at_process=SAME,
    ),
    Hostile(
        "a forked child that keeps the line open, while the program ends",
        f(
            """
            if os.fork() == 0:
                os.setsid()
                time.sleep(3600)
            os._exit(0)
            """,
            "import os, time",
        ),
        DENIED,
        at_process=CRASH,
    ),
    Hostile(
        "a fork bomb",
        f("while True: os.fork()", "import os"),
        DENIED,
        at_process=HARMFUL,
    ),
    Hostile(
        "a fork bomb that swallows",
        f(
            """
            while True:
                try: os.fork()
                except OSError: pass
            """,
            "import os",
        ),
        HUNG,
        at_process=HARMFUL,
        inputs=([0],),
        timeout_s=0.02,
    ),
    Hostile("vfork", f("return check(libc.vfork())", LIBC), DENIED, at_process=HARMFUL),
    Hostile(
        "clone and fork as bare system calls",
        f("return refused([((56, 220), 17, 0, 0, 0, 0), ((57, 220), 17, 0, 0, 0, 0)])", LIBC),
        NONE_LEFT,
        at_process=HARMFUL,
    ),
    Hostile(
        "clone3, which no filter can look into",
        f(
            """
            arguments = (ctypes.c_uint64 * 11)()
            arguments[4] = 17
            libc.syscall(435, arguments, 88)
            return ctypes.get_errno() in (errno.ENOSYS, errno.EPERM)
            """,
            LIBC,
        ),
        like("return True"),
        at_process=HARMFUL,
    ),
    Hostile(
        "fork by the numbers of another architecture",
        f(
            """
            if os.uname().machine != 'x86_64': return x
            libc.syscall(0x40000000 + 57)
            page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
            page.write(bytes.fromhex('53 b8 02 00 00 00 cd 80 5b c3'))  # eax = 2; int 0x80
            address = ctypes.addressof(ctypes.c_char.from_buffer(page))
            pid = os.getpid()
            ctypes.CFUNCTYPE(ctypes.c_int)(address)()
            if os.getpid() != pid: os._exit(0)
            return x
            """,
            LIBC + "import mmap",
        ),
        CRASH if platform.machine() == "x86_64" else SAME,
        at_process=HARMFUL,
    ),
    Hostile(
        "posix_spawn",
        f("os.posix_spawn('/bin/true', ['true'], {})\nreturn x", "import os"),
        DENIED,
        at_process=SAME,
    ),
    Hostile(
        "subprocess",
        f("subprocess.run(['/bin/true'], check=True)\nreturn x", "import subprocess"),
        DENIED,
        at_process=SAME,
        timeout_s=0.5,
    ),
    Hostile(
        "os.system",
        f("return os.system('exit 0') == 0", "import os"),
        like("return False"),
        at_process=like("return True"),
        timeout_s=0.5,
    ),
    Hostile(
        "a process of multiprocessing",
        f(
            """
            process = multiprocessing.get_context('fork').Process(target=print)
            process.start()
            process.join()
            return x
            """,
            "import multiprocessing",
        ),
        DENIED,
        at_process=SAME,
        timeout_s=0.5,
    ),
    Hostile(
        "a pool of multiprocessing",
        f(
            "with fork.Pool(2) as pool: return pool.map(abs, [x])[0]",
            "import multiprocessing\nfork = multiprocessing.get_context('fork')",
        ),
        DENIED,
        at_process=SAME,
        timeout_s=1.0,
    ),
    Hostile(
        "execs a file in memory",
        f(
            """
            file = os.memfd_create('hostile', 0)
            os.write(file, b'#!/bin/true\\n')
            os.execve(file, ['true'], {})
            """,
            "import os",
        ),
        DENIED,
        at_process=CRASH,
    ),
)
