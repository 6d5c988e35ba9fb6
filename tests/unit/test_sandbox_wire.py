"""Replies with texts: what is believed of them, and what is taken for forged."""

from __future__ import annotations

import msgspec
import pytest

from pytest_codecollapse.errors import SandboxError
from pytest_codecollapse.sandbox.child.texts import MAX_TEXT
from pytest_codecollapse.sandbox.child.wire import (
    LOADED,
    MalformedReplyError,
    Replies,
    pack_reply,
)
from pytest_codecollapse.sandbox.messages import Ran, parse

TOKEN = b"0123456789abcdef"
HEAD = pack_reply(0, 0, 0, LOADED)


def test_a_text_is_taken_beside_its_token() -> None:
    """Tokens are what they are without texts; an exception has none."""
    replies = Replies(3, MAX_TEXT)
    replies.feed(HEAD + pack_reply(1, 5, 6, TOKEN + b"\t[1, 'a b']"))
    replies.feed(pack_reply(2, 0, 0, b"exc:ValueError") + b"3 0 0 " + TOKEN)
    replies.feed(b"\t" + b"~" * MAX_TEXT + b"\n")
    assert replies.tokens[1:] == [TOKEN.decode(), "exc:ValueError", TOKEN.decode()]
    assert replies.texts == ["", "[1, 'a b']", "", "~" * MAX_TEXT]
    assert (replies.events[1], replies.cpu_ns[1]) == (5, 6)
    assert replies.is_complete


@pytest.mark.parametrize(
    "said",
    [
        pack_reply(0, 0, 0, LOADED + b"\ttext"),
        HEAD + pack_reply(1, 0, 0, TOKEN),
        HEAD + pack_reply(1, 0, 0, TOKEN + b"\t"),
        HEAD + pack_reply(1, 0, 0, TOKEN + b"\t\x1b[31m"),
        HEAD + pack_reply(1, 0, 0, TOKEN + b"\ta\tb"),
        HEAD + pack_reply(1, 0, 0, TOKEN + b"\t\xe9"),
        HEAD + pack_reply(1, 0, 0, TOKEN + b"\ta\rb"),
        HEAD + pack_reply(1, 0, 0, TOKEN + b"\t" + b"a" * (MAX_TEXT + 1)),
        HEAD + pack_reply(1, 0, 0, b"exc:ValueError\ttext"),
        HEAD + pack_reply(1, 0, 0, b"TIMEOUT\ttext"),
        HEAD + pack_reply(2, 0, 0, TOKEN + b"\ttext"),
        HEAD + pack_reply(1, 0, 0, b"load:ValueError"),
        HEAD + b"1 0 0 " + TOKEN + b"\t" + b"a" * 300,
        pack_reply(0, 0, 0, b"load:ValueError\ttext"),
    ],
)
def test_a_text_of_another_form_is_forged(said: bytes) -> None:
    """Too long, not printable, where none is due, or none where one is due: all is refused."""
    with pytest.raises(MalformedReplyError):
        Replies(2, MAX_TEXT).feed(said)


def test_an_exception_has_a_text_where_values_are_wanted() -> None:
    """There it is due, and a reply without one is forged."""
    replies = Replies(2, MAX_TEXT, tells_exceptions=True)
    replies.feed(HEAD + pack_reply(1, 0, 0, b'exc:ValueError\t["ValueError", []]'))
    replies.feed(pack_reply(2, 0, 0, TOKEN + b"\t[1]"))
    assert replies.texts == ["", '["ValueError", []]', "[1]"]
    with pytest.raises(MalformedReplyError):
        Replies(1, MAX_TEXT, tells_exceptions=True).feed(HEAD + pack_reply(1, 0, 0, b"exc:A"))


def test_a_text_that_was_not_asked_for_is_forged() -> None:
    """A measured run has no texts."""
    with pytest.raises(MalformedReplyError):
        Replies(2).feed(HEAD + pack_reply(1, 0, 0, TOKEN + b"\ttext"))


@pytest.mark.parametrize("text", ["a" * (MAX_TEXT + 1), "\x1b[31m", "caf\u00e9", "a\n"])
def test_the_host_checks_texts_once_more(text: str) -> None:
    """A server that sends another text was broken by a program: the sandbox's own fault."""
    fields: dict[str, list[int]] = {"tokens": [], "events": [], "cpu_ns": [], "shrunk": []}
    good = parse(msgspec.json.encode({"kind": "ran", "texts": [[0, "fine"]], **fields}))
    assert isinstance(good, Ran)
    assert good.texts == ((0, "fine"),)
    with pytest.raises(SandboxError):
        parse(msgspec.json.encode({"kind": "ran", "texts": [[0, text]], **fields}))
    with pytest.raises(SandboxError):
        parse(msgspec.json.encode({"kind": "ready", "digests": [], "arguments": [text]}))
