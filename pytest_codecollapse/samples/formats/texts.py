"""The texts in a value of a row: strings, chat messages, choices of a response."""

from __future__ import annotations

from typing import Any

from pytest_codecollapse.errors import SamplesError, Where
from pytest_codecollapse.samples.jsonline import fault, kind_of, quoted

#: Keys of the objects that hold a text somewhere inside, outermost first.
_WRAPPERS = (
    "choices",
    "candidates",
    "body",
    "output",
    "messages",
    "message",
    "content",
    "parts",
    "text",
    "value",
    "generated_text",
    "completion",
)

_REPLIERS = ("assistant", "model", "gpt")
_ASKERS = ("user", "human", "system", "developer")
_TEXT_TYPES = ("text", "output_text")

#: Types of the parts of a reply that are no text of it: what it thought, asked for or declined.
_OTHER_TYPES = (
    "thinking",
    "redacted_thinking",
    "reasoning",
    "tool_use",
    "tool_call",
    "function_call",
    "refusal",
)
_DEEPEST = 8  # levels of objects in objects
_MAX_LISTED = 5
_EXPECTED = "a text, a list of texts, chat messages or choices"
_REMEDY = 'give each sample its text, "" where the model wrote nothing, or remove it'


def texts_of(value: Any, name: str, where: Where) -> tuple[str, ...]:
    """Return the candidates' texts in the value of a key.

    Parameters
    ----------
    value
        A string; a list of them; chat messages, of which the assistant's last one is the text; a
        response of an API or its choices, each of which is a candidate; a list of any of these.
        A reply that is nothing but thoughts, or null, is the text "": the model gave no code.
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


def ends_in_question(value: Any) -> bool:
    """Whether a value is chat messages that end in what somebody asked, and not in a reply."""
    last = value[-1] if isinstance(value, list) and value else None
    return isinstance(last, dict) and _role(last) in _ASKERS


def _texts(value: Any, name: str, where: Where, levels: int) -> list[str]:
    if isinstance(value, str):
        return [value]
    if levels and isinstance(value, dict):
        if _is_silent(value):
            return [""]
        for key in _WRAPPERS:
            if value.get(key) is not None:
                return _texts(value[key], f"{name}.{key}", where, levels - 1)
    if levels and isinstance(value, list):
        if value and all(isinstance(each, dict) for each in value):
            if any(map(_role, value)):
                return _texts(_last_reply(value, name, where), name, where, levels - 1)
            if name.endswith(".parts") or all(map(_is_part, value)):
                return ["".join(_part(each, name, where) for each in value)]
        return [
            text
            for at, each in enumerate(value)
            for text in _texts(each, f"{name}[{at}]", where, levels - 1)
        ]
    raise _fault(f"{name} holds no text", _got(value), where)


def _role(message: dict[str, Any]) -> Any:
    """Return who wrote a message; in ShareGPT's form it is ``from`` somebody."""
    return message.get("role", message.get("from"))


def _is_silent(message: dict[str, Any]) -> bool:
    """Whether it is a reply without content, as of a model that thought until its limit."""
    no_content = "content" in message or len(message) == 1
    return _role(message) in _REPLIERS and no_content and not message.get("content")


def _last_reply(messages: list[dict[str, Any]], name: str, where: Where) -> Any:
    replies = [each for each in messages if _role(each) in _REPLIERS]
    if not replies:
        what = f"{name} has no reply"
        raise _fault(what, f"{len(messages)} messages, none of the assistant", where)
    return replies[-1]


def _is_part(value: dict[str, Any]) -> bool:
    return value.get("type") in (*_TEXT_TYPES, *_OTHER_TYPES)


def _part(part: dict[str, Any], name: str, where: Where) -> str:
    """Return the text of a part of a reply; "" where the part is of another kind."""
    if part.get("type") in _OTHER_TYPES or part.get("thought") is True:
        return ""
    text = part.get("text")
    if not isinstance(text, str):
        raise _fault(f"a part of {name} holds no text", kind_of(text), where)
    return text


def _got(value: Any) -> str:
    keys = ", ".join(map(quoted, list(value)[:_MAX_LISTED])) if isinstance(value, dict) else ""
    return f"an object of {keys}" if keys else kind_of(value)


def _fault(what: str, got: str, where: Where) -> SamplesError:
    return fault(where, what, got=got, expected=_EXPECTED, remedy=_REMEDY)
