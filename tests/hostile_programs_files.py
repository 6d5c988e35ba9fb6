"""Hostile programs that read or write files which are not theirs.

``OUTSIDE`` is a folder of the host's with a file ``victim``, which must stay as it is. What is
made elsewhere is called ``codecollapse-hostile``, so that it can be looked for.
"""

from __future__ import annotations

from pathlib import Path

from hostile_programs_record import (
    DENIED,
    HARMFUL,
    SAME,
    Hostile,
    f,
    like,
    one_of,
)

_REFUSED = """
import os
from errno import EACCES, EBUSY, EPERM, EXDEV
REFUSALS = (EACCES, EBUSY, EPERM, EXDEV)
victim = OUTSIDE + "/victim"
beside = OUTSIDE + "/codecollapse-hostile"
def refused(**attempts):
    'Name what was not refused.'
    answers = []
    for name, attempt in attempts.items():
        try: answers.append((name, repr(attempt())))
        except OSError as error:
            if error.errno not in REFUSALS: answers.append((name, repr(error)))
    return answers
"""
_NONE_LEFT = like("return []")


def _writes(where: str, path: str) -> Hostile:
    """Expect that a file cannot be made, or be opened to be changed."""
    return Hostile(f"writes to {where}", f(f"open({path}, 'a')", "import os"), DENIED, HARMFUL)


def _writes_to_proc(what: str, path: str) -> Hostile:
    """Expect the same of a file system that may be mounted to be read alone."""
    refused = one_of(DENIED, "exc:OSError")
    return Hostile(
        f"writes to {what}", f(f"open(f'/proc/{path}', 'a')", "import os"), refused, HARMFUL
    )


def _reads(what: str, path: str) -> Hostile:
    """Expect that a file cannot be opened."""
    return Hostile(f"reads {what}", f(f"open({path}, 'rb')\nreturn x", "import os"), DENIED, SAME)


OUT_OF_BOUNDS = (
    _reads("the passwords", "'/etc/passwd'"),
    _reads("its own memory", "'/proc/self/mem'"),
    _reads("its own environment", "'/proc/self/environ'"),
    _reads("its own map of addresses", "'/proc/self/maps'"),
    _reads("its server's memory", "f'/proc/{os.getppid()}/mem'"),
    _reads("its server's environment", "f'/proc/{os.getppid()}/environ'"),
    _reads("the host's first process", "'/proc/1/cmdline'"),
    _reads("a file of the host's", "OUTSIDE + '/victim'"),
    _reads("our own source", "exit.__code__.co_filename"),
    Hostile(
        "lists the machine's folders",
        f(
            """
            return refused(**{
                path: lambda path=path: os.listdir(path)
                for path in ('/', '/home', '/proc', '/tmp', '/dev/shm', OUTSIDE, '..')
            })
            """,
            _REFUSED,
        ),
        _NONE_LEFT,
        HARMFUL,
    ),
    _writes("its parent directory", "'../codecollapse-hostile'"),
    _writes("/tmp", "'/tmp/codecollapse-hostile'"),
    _writes("/var/tmp", "'/var/tmp/codecollapse-hostile'"),
    _writes("/dev/shm", "'/dev/shm/codecollapse-hostile'"),
    _writes("the home directory", f"'{Path.home()}/codecollapse-hostile'"),
    _writes("the root directory", "'/codecollapse-hostile'"),
    _writes("the package's own files", "exit.__code__.co_filename"),
    _writes("the standard library", "os.__file__"),
    _writes_to_proc("its own memory, as a file", "self/mem"),
    _writes_to_proc("its server's memory", "{os.getppid()}/mem"),
    _writes_to_proc("its own score for the out-of-memory killer", "self/oom_score_adj"),
    Hostile(
        "changes a file of the host's",
        f(
            """
            return refused(
                write=lambda: open(victim, 'w'),
                append=lambda: open(victim, 'ab'),
                truncate=lambda: os.truncate(victim, 0),
                unlink=lambda: os.unlink(victim),
                rename=lambda: os.rename(victim, beside),
                replace=lambda: os.replace(victim, 'mine'),
                make=lambda: open(beside, 'x'),
                mkdir=lambda: os.mkdir(beside),
                symlink=lambda: os.symlink('/', beside),
                mkfifo=lambda: os.mkfifo(beside),
                follow=lambda: (os.symlink(victim, f'link-{x}'), open(f'link-{x}', 'w')),
            )
            """,
            _REFUSED,
        ),
        _NONE_LEFT,
        HARMFUL,
    ),
    Hostile(
        "changes what is known of a file of the host's",
        f(
            """
            return refused(
                chmod=lambda: os.chmod(victim, 0o777),
                chmod_folder=lambda: os.chmod(OUTSIDE, 0o777),
                chown=lambda: os.chown(victim, os.getuid(), os.getgid()),
                lchown=lambda: os.lchown(victim, os.getuid(), os.getgid()),
                utime=lambda: os.utime(victim, (0, 0)),
                setxattr=lambda: os.setxattr(victim, 'user.hostile', b'x'),
            )
            """,
            _REFUSED,
        ),
        _NONE_LEFT,
        HARMFUL,
    ),
    Hostile(
        "takes a file of the host's in by a hard link",
        f(
            """
            try: os.link(victim, 'mine')
            except OSError: return x
            """,
            _REFUSED,
        ),
        SAME,
        HARMFUL,
    ),
    Hostile(
        "moves its own directory away, or removes it",
        f(
            """
            here = os.getcwd()
            return refused(
                away=lambda: os.rename(here, here + '-hostile'),
                gone=lambda: os.rmdir(here),
            )
            """,
            _REFUSED,
        ),
        _NONE_LEFT,
        HARMFUL,
    ),
    Hostile(
        "makes a device of its own",
        f(
            """
            return refused(
                null=lambda: os.mknod('null', 0o020666, os.makedev(1, 3)),
                disk=lambda: os.mknod('disk', 0o060666, os.makedev(254, 0)),
            )
            """,
            _REFUSED,
        ),
        _NONE_LEFT,
        HARMFUL,
    ),
)
