"""The texts in a value of a row: strings, chat messages, choices of a response."""

from __future__ import annotations

from typing import Any

from pytest_codecollapse.errors import SamplesError, Where
from pytest_codecollapse.samples.jsonline import fault, kind_of

#: Keys of the objects that hold a text somewhere inside, outermost first.
_WRAPPERS = (
    "choices",
    "body",
    "messages",
    "message",
    "content",
    "text",
    "generated_text",
    "completion",
)
_DEEPEST = 8  # levels of objects in objects
_EXPECTED = "a text, a list of texts, chat messages or choices"


def texts_of(value: Any, name: str, where: Where) -> tuple[str, ...]:
    """Return the candidates' texts in the value of a key.

    Parameters
    ----------
    value
        A string; a list of them; chat messages, of which the assistant's last one is the text; an
        OpenAI response or its choices, each of which is a candidate; a list of any of these.
    name, where
        The key, and its row's place.

    Raises
    ------
    SamplesError
        Where there is no text in it.
    """
    texts = tuple(_texts(value, name, where, _DEEPEST))
    if not texts:
        raise _fault(f"{name} is empty", kind_of(value), where)
    return texts


def _texts(value: Any, name: str, where: Where, levels: int) -> list[str]:
    if isinstance(value, str):
        return [value]
    if levels and isinstance(value, dict):
        for key in _WRAPPERS:
            if value.get(key) is not None:
                return _texts(value[key], f"{name}.{key}", where, levels - 1)
    if levels and isinstance(value, list):
        if value and all(isinstance(each, dict) for each in value):
            if "role" in value[0]:
                return _texts(_last_reply(value, name, where), name, where, levels - 1)
            if all(each.get("type") in ("text", "output_text") for each in value):
                return ["".join(_part(each, name, where) for each in value)]
        return [
            text
            for at, each in enumerate(value)
            for text in _texts(each, f"{name}[{at}]", where, levels - 1)
        ]
    raise _fault(f"{name} holds no text", kind_of(value), where)


def _last_reply(messages: list[dict[str, Any]], name: str, where: Where) -> Any:
    replies = [each for each in messages if each.get("role") in ("assistant", "model", "gpt")]
    if not replies or replies[-1].get("content") is None:
        what = f"{name} has no reply"
        got = f"{len(messages)} messages, none with a text of the assistant"
        raise _fault(what, got, where)
    return replies[-1]["content"]


def _part(part: dict[str, Any], name: str, where: Where) -> str:
    text = part.get("text")
    if not isinstance(text, str):
        raise _fault(f"a part of {name} holds no text", kind_of(text), where)
    return text


def _fault(what: str, got: str, where: Where) -> SamplesError:
    remedy = "give the samples as they were generated"
    return fault(where, what, got=got, expected=_EXPECTED, remedy=remedy)
