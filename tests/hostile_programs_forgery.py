"""Hostile programs that forge replies.

A program may say of itself what it likes, except that it was ended: it could as well have done
it. So a forged token that is well-formed stands, and every other forgery is CRASH.
"""

from __future__ import annotations

from hostile_programs_record import (
    CRASH,
    HUNG,
    SAME,
    Anything,
    Hostile,
    f,
    hangs,
    one_of,
    top,
)

from pytest_codecollapse.sandbox.child.wire import LOADED, pack_reply

_FORGED = "exc:Forged"
_LOADED = pack_reply(0, 0, 0, LOADED)


def _reply(number: int, token: bytes = b"exc:Forged") -> bytes:
    return pack_reply(number, 0, 0, token)


#: Programs that reply for themselves have the replies from here.
_REPLIES = f"import os\nREPLIES = {[_LOADED, *map(_reply, (1, 2, 3, 4))]!r}"


def _says(name: str, reply: bytes) -> Hostile:
    """Expect that a reply for the input in progress is not believed."""
    return Hostile(name, f(f"os.write(3, {reply!r})\nos._exit(0)", "import os"), CRASH)


def _says_at_import(name: str, *replies: bytes, expected: str = CRASH, fault: str = "") -> Hostile:
    """Expect that replies for everything, before there is anything, are not believed."""
    said = top(f"import os\nos.write(3, {b''.join(replies)!r})\nos._exit(0)")
    return Hostile(name, said, expected, fault=fault)


REPLIES = (
    Hostile("writes garbage", f("os.write(3, b'garbage' * 100)\nreturn x", "import os"), CRASH),
    Hostile("writes one zero", f("os.write(3, bytes(1))\nreturn x", "import os"), CRASH),
    Hostile(
        "writes to every descriptor",
        f(
            """
            for descriptor in range(64):
                try: os.write(descriptor, b'garbage')
                except OSError: pass
            return x
            """,
            "import os",
        ),
        CRASH,
    ),
    Hostile(
        "writes without end",
        f("while True: os.write(3, bytes(65536))", "import os"),
        CRASH,
        inputs=([0],),
    ),
    Hostile(
        "a reply for itself, and then its own",
        f("os.write(3, REPLIES[x + 1])\nreturn x", _REPLIES),
        CRASH,
    ),
    Hostile(
        "a reply ahead of its time",
        f("os.write(3, REPLIES[x + 2])\nreturn x", _REPLIES),
        CRASH,
    ),
    _says("says that it timed out", _reply(1, b"TIMEOUT")),
    _says("says that it crashed", _reply(1, b"CRASH")),
    _says("says that it did not load, after it has", _reply(1, b"load:E")),
    _says("says something unprintable", _reply(1, b"exc:\n")),
    _says("says something in another alphabet", _reply(1, b"exc:\xe9")),
    _says("says too much", _reply(1, b"exc:" + b"a" * 999)),
    _says("says nothing", _reply(1, b"")),
    _says("says that it took no time at all", b"1 0 -1 exc:Forged\n"),
    _says_at_import(
        "a whole run of replies at import",
        *(_LOADED, _reply(1), _reply(2), _reply(3)),
        expected=_FORGED,
    ),
    _says_at_import(
        "a reply too many at import",
        *(_LOADED, _reply(1), _reply(2), _reply(3), _reply(4)),
    ),
    _says_at_import("says that it loaded, and nothing else", _LOADED),
    _says_at_import(
        "says that loading raised what only a call can",
        _reply(0),
    ),
    _says_at_import(
        "says that loading returned something",
        _reply(0, b"0123456789abcdef"),
    ),
    Hostile(
        "a reply for itself, and then it hangs",
        f("os.write(3, REPLIES[1])\nwhile True: pass", _REPLIES),
        one_of(_FORGED, HUNG),
        timeout_s=0.02,
        steady=False,
    ),
    hangs(
        "half a reply, and then it hangs",
        f("os.write(3, bytes(5))\nwhile True: pass", "import os"),
    ),
    Hostile(
        "a thread that forges replies while the program goes on",
        f(
            "threading.Thread(target=forge, daemon=True).start()\nreturn x",
            _REPLIES + "\nimport threading\ndef forge():\n    while True: os.write(3, REPLIES[1])",
        ),
        Anything("it depends on which bytes come first"),
        steady=False,
    ),
    Hostile(
        "closes every descriptor",
        f("os.closerange(0, 64)\nreturn x", "import os"),
        CRASH,
    ),
    Hostile(
        "closes every descriptor, and sleeps with the signals blocked",
        f(
            """
            signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
            os.closerange(0, 64)
            time.sleep(3600)
            """,
            "import os, signal, time",
        ),
        CRASH,
        inputs=([0],),
        timeout_s=0.05,
    ),
    Hostile(
        "puts the way to nowhere in place of its line",
        top("import os\nos.dup2(os.open('/dev/null', os.O_RDWR), 3)"),
        CRASH,
    ),
    Hostile(
        "keeps its line under another number, and replies to nowhere",
        top("import os\nkept = os.dup(3)\nos.dup2(os.open('/dev/null', os.O_RDWR), 3)"),
        CRASH,
    ),
    Hostile(
        "narrows its line, and does not wait",
        top("import fcntl, os\nfcntl.fcntl(3, 1031, 4096)\nos.set_blocking(3, False)"),
        SAME,
    ),
)
