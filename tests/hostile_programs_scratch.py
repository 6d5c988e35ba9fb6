"""Hostile programs that fill their own directory, or leave in it what is hard to remove."""

from __future__ import annotations

from hostile_programs_record import (
    DENIED,
    HARMFUL,
    SAME,
    Hostile,
    f,
    hangs_once,
    like,
    top,
)

IN_ITS_DIRECTORY = (
    Hostile(
        "writes to its directory",
        f(
            """
            os.makedirs('a/b', exist_ok=True)
            with open('a/b/file', 'w') as file: file.write('x')
            return x
            """,
            "import os",
        ),
        SAME,
    ),
    Hostile(
        "leaves links to a folder of the host's",
        top("import os\nos.symlink(OUTSIDE, 'a')\nos.mkdir('d')\nos.symlink(OUTSIDE, 'd/a')"),
        SAME,
    ),
    Hostile(
        "leaves directories that cannot be entered",
        top("""
            import os
            os.makedirs('a/b/c')
            for path in ('a/b/c', 'a/b', 'a', '.'): os.chmod(path, 0)
        """),
        "load:PermissionError",
        at_process=SAME,
    ),
    Hostile(
        "makes directories that cannot be entered",
        f("os.mkdir(f'closed-{x}', 0)\nreturn x", "import os"),
        DENIED,
        at_process=SAME,
    ),
    Hostile(
        "leaves a hundred directories in one another",
        top("import os\nfor _ in range(100):\n    os.mkdir('d')\n    os.chdir('d')"),
        SAME,
    ),
    Hostile(
        "leaves more directories in one another than functions can call one another",
        top("import os\nfor _ in range(1200):\n    os.mkdir('d')\n    os.chdir('d')"),
        SAME,
        inputs=([0],),
        timeout_s=2.0,
    ),
    Hostile(
        "leaves four thousand directories in one another",
        top("""
            import os
            try:
                for _ in range(4000):
                    os.mkdir('d')
                    os.chdir('d')
            except OSError: pass  # there is no room for so many
        """),
        SAME,
        inputs=([0],),
        timeout_s=10.0,
        slow=True,
    ),
    Hostile(
        "leaves a thousand files",
        top("for number in range(1000): open(f'file-{number}', 'w').close()"),
        SAME,
        inputs=([0],),
        timeout_s=2.0,
    ),
    Hostile(
        "leaves odd names",
        top("""
            import os
            for name in (b'a\\nb', b' ', b'-rf', b'\\xff\\xfe', b'*', b'a' * 255, b'...'):
                os.mkdir(name)
                open(os.path.join(name, name), 'w').close()
        """),
        SAME,
    ),
    Hostile(
        "leaves a pipe with a name",
        top("import os\nos.mkfifo('fifo')\nos.open('fifo', os.O_RDWR)"),
        SAME,
    ),
    hangs_once(
        "waits at a pipe with a name",
        f("os.mkfifo('fifo')\nopen('fifo')", "import os"),
    ),
    Hostile(
        "leaves a file that cannot be removed",
        f(
            """
            file = os.open('kept', os.O_CREAT | os.O_RDWR)
            fcntl.ioctl(file, 0x40086602, struct.pack('l', 0x10))  # FS_IOC_SETFLAGS, immutable
            """,
            "import fcntl, os, struct",
        ),
        "exc:OSError",
        HARMFUL,
    ),
    Hostile(
        "leaves a note on its directory, which stays empty",
        f(
            """
            try: os.setxattr('.', 'user.hostile', b'x')
            except OSError: pass
            return x
            """,
            "import os",
        ),
        SAME,
    ),
    Hostile(
        "removes its directory, if it can",
        top("""
            import os
            try: os.rmdir(os.getcwd())
            except OSError: pass
        """),
        SAME,
    ),
    Hostile(
        "holds a large file without a name",
        f(
            """
            held.append(open('large', 'wb'))
            held[-1].truncate(15 << 20)
            held[-1].write(bytes(1 << 20))
            os.unlink('large')
            return x
            """,
            "import os\nheld = []",
        ),
        SAME,
    ),
    Hostile(
        "fills the disk with one file",
        f(
            """
            try:
                with open('file', 'wb', buffering=0) as file:
                    for _ in range(100): file.write(bytes(1 << 20))
            except OSError as error: return error.errno
            """
        ),
        like("return 27"),
        inputs=([0],),
        timeout_s=1.0,
    ),
    Hostile(
        "writes several files to the limit",
        f(
            """
            for name in 'abc':
                with open(name, 'wb') as file: file.write(bytes(16 << 20))
            return x
            """
        ),
        SAME,
        inputs=([0],),
        timeout_s=1.0,
    ),
    Hostile(
        "brings a module of its own",
        top("""
            import sys
            sys.path.insert(0, '.')
            with open('canon.py', 'w') as file: file.write('mine = True')
            import canon
            assert canon.mine
        """),
        SAME,
    ),
)
