"""Hostile programs that want the network, or dark corners of the kernel."""

from __future__ import annotations

from hostile_programs_libc import LIBC, NONE_LEFT
from hostile_programs_record import (
    DENIED,
    HARMFUL,
    SAME,
    Hostile,
    f,
)

NETWORK = (
    Hostile("socket", f("socket.socket()", "import socket"), DENIED),
    Hostile(
        "_socket of every family",
        f(
            """
            opened = []
            for family in range(1, 46):
                for kind in (_socket.SOCK_STREAM, _socket.SOCK_DGRAM, _socket.SOCK_RAW):
                    try: opened.append((family, _socket.socket(family, kind).fileno()))
                    except PermissionError: pass
            return opened
            """,
            "import _socket",
        ),
        NONE_LEFT,
        HARMFUL,
    ),
    Hostile(
        "IPv6",
        f("socket.create_connection(('::1', 9))", "import socket"),
        DENIED,
    ),
    Hostile(
        "a UNIX socket",
        f("socket.socket(socket.AF_UNIX).connect('\\0hostile')", "import socket"),
        DENIED,
    ),
    Hostile(
        "urllib",
        f("urllib.request.urlopen('http://127.0.0.1:9/')", "import urllib.request"),
        "exc:URLError",
        timeout_s=0.5,
    ),
    Hostile(
        "a socket pair, which is no network",
        f(
            """
            async def answer(): return x
            ours, theirs = socket.socketpair()
            ours.send(b'x')
            return asyncio.run(answer()) if theirs.recv(1) == b'x' else None
            """,
            "import asyncio, socket",
        ),
        SAME,
        timeout_s=0.5,
    ),
)

KERNEL = (
    Hostile(
        "mounts, and changes roots and namespaces",
        f(
            """
            return refused([
                ('mount', None, None, None, 0, None),
                ('umount2', None, 0),
                ('chroot', None),
                ((155, 41), None, None),  # pivot_root
                ('unshare', 0x10000000),
                ('unshare', 0x00020000),
                ('setns', -1, 0),
                (428, -1, None, 0),  # open_tree
                (429, -1, None, -1, None, 0),  # move_mount
                (430, None, 0),  # fsopen
                (442, -1, None, 0, None, 0),  # mount_setattr
            ])
            """,
            LIBC,
        ),
        NONE_LEFT,
        HARMFUL,
    ),
    Hostile(
        "what only the superuser may",
        f(
            """
            return refused([
                ((169, 142), 0, 0, 0, None),  # reboot, with no magic
                ('sethostname', None, 1 << 20),
                ('setdomainname', None, 1 << 20),
                ((164, 170), ctypes.c_void_p(1), None),  # settimeofday
                ((227, 112), 0, None),  # clock_settime
                ('swapon', None, 0),
                ('swapoff', None),
                ((175, 105), None, 0, None),  # init_module
                ((176, 106), None, 0),  # delete_module
                ((246, 104), 0, 1 << 20, None, 0),  # kexec_load
            ])
            """,
            LIBC,
        ),
        NONE_LEFT,
        HARMFUL,
    ),
    Hostile(
        "large and dark corners of the kernel",
        f(
            """
            return refused([
                ((321, 280), 0, None, 0),  # bpf
                ((298, 241), None, 0, -1, -1, 0),  # perf_event_open
                ((323, 282), 0),  # userfaultfd
                (425, 1, None),  # io_uring_setup
                ((304, 265), -1, None, 0),  # open_by_handle_at
                ((300, 262), 0, 0),  # fanotify_init
            ])
            """,
            LIBC,
        ),
        NONE_LEFT,
        HARMFUL,
    ),
    Hostile(
        "leaves shared memory, semaphores and queues of System V",
        f(
            """
            return refused([
                ('shmget', 0x0C0DEC01, 4096, 0o1600),
                ('semget', 0x0C0DEC01, 1, 0o1600),
                ('msgget', 0x0C0DEC01, 0o1600),
            ])
            """,
            LIBC,
        ),
        NONE_LEFT,
        HARMFUL,
    ),
    Hostile(
        "leaves a POSIX message queue",
        f("return refused([((240, 180), b'hostile', 0o102, 0o600, None)])", LIBC),
        NONE_LEFT,
        HARMFUL,
    ),
    Hostile(
        "leaves a key with its user",
        f("return refused([((248, 217), b'user', b'hostile', b'x', 1, -4)])", LIBC),
        NONE_LEFT,
        HARMFUL,
    ),
    Hostile(
        "leaves shared memory of multiprocessing",
        f(
            "shared_memory.SharedMemory('hostile', create=True, size=4096)",
            "from multiprocessing import shared_memory",
        ),
        DENIED,
        HARMFUL,
        timeout_s=0.5,
    ),
    Hostile(
        "holds files in memory",
        f(
            """
            files = [os.memfd_create('hostile') for _ in range(40)]
            for file in files: os.truncate(file, 1 << 20)
            return x
            """,
            "import os",
        ),
        DENIED,
        at_process=SAME,
        inputs=([0],),
    ),
)
