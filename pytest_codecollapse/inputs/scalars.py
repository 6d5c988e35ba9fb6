"""Mutation of numbers, strings and bytes, within what is seen at their place."""

from __future__ import annotations

import math
import random
import re
import sys
from typing import Union

from pytest_codecollapse.inputs.places import Place
from pytest_codecollapse.inputs.text_rules import Texts

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_CLASSES = (_LETTERS, _LETTERS.upper(), "0123456789")
_KEPT_RULE = 0.97  # how often what all recorded strings have in common is kept
_ATTEMPTS = 12  # at a string that keeps to it
_LEAST_LIMIT = 8  # integers may become so large whatever is seen


def mutated_int(value: int, place: Place, rng: random.Random) -> int:
    """Change an integer a little, or to another in or just outside of the range seen."""
    low, high = math.ceil(place.low), math.floor(place.high)
    limit = 2 * max(abs(low), abs(high), _LEAST_LIMIT)
    draw = rng.random()
    if draw < 0.3:
        new = value + rng.choice((-2, -1, 1, 2))
    elif draw < 0.65:
        new = rng.randint(min(low, high), max(low, high) + 1)
    elif draw < 0.8:
        new = rng.choice((value * 2, value // 2, value * 3, value + high, value * 10))
    elif draw < 0.93:
        new = rng.choice((0, 1, -1, low, high, low - 1, high + 1, limit // 2))
    else:
        new = -value
    return int(_in_domain(max(-limit, min(limit, new)), low))


def mutated_float(value: float, place: Place, rng: random.Random) -> float:
    """Change a float as an integer is changed; it has as many decimals as those seen."""
    low, high = _as_float(place.low), _as_float(place.high)
    if not math.isfinite(value):
        return high
    limit = 2 * max(abs(low), abs(high), _LEAST_LIMIT)
    draw = rng.random()
    if draw < 0.35:
        new = value + rng.choice((-1.0, -0.5, -0.1, 0.1, 0.5, 1.0))
    elif draw < 0.65:
        new = low + (high - low) * rng.random()
    elif draw < 0.8:
        new = rng.choice((value * 2, value / 2, value * 10, value / 10))
    elif draw < 0.93:
        new = rng.choice((0.0, 1.0, -1.0, low, high, float(math.floor(value))))
    else:
        new = -value
    new = round(max(-limit, min(limit, new)), place.decimals)
    return float(_in_domain(new, low)) if math.isfinite(new) else value


def mutated_complex(value: complex, rng: random.Random) -> complex:
    """Change one part of a complex number, or exchange the two."""
    parts = [value.real, value.imag]
    which = rng.randrange(2)
    part = parts[which]
    parts[which] = rng.choice((part + 1, part - 1, part * 2, part / 2, -part, 0.0))
    if rng.random() < 0.1:
        parts.reverse()
    return complex(*parts)


def mutated_text(value: str, place: Place, rng: random.Random) -> str:
    """Change characters and words of a string, by those that are seen in others."""
    ruled = rng.random() < _KEPT_RULE
    for _ in range(_ATTEMPTS):
        new = value
        for _ in range(rng.choice((1, 1, 2, 3))):
            new = _text_step(new, place.texts, rng)
        new = new[: max(2, 2 * place.longest)]
        if not new and not place.empty and rng.random() < 0.8:
            continue
        if not ruled or place.texts.allow(new):
            return new
    return value


def mutated_bytes(value: bytes, place: Place, rng: random.Random) -> bytes:
    """Change bytes as the string with these code points is changed."""
    return mutated_text(value.decode("latin-1"), place, rng).encode("latin-1", "ignore")


def _as_float(number: Union[int, float]) -> float:
    return float(max(-sys.float_info.max, min(sys.float_info.max, number)))


def _in_domain(new: Union[int, float], low: Union[int, float]) -> Union[int, float]:
    """Keep a number positive where all are that are seen, and not 0 where none is."""
    new = -new if low >= 0 > new else new
    return low if low > 0 == new else new


def _text_step(text: str, texts: Texts, rng: random.Random) -> str:
    if texts.balanced and rng.random() < 0.5:
        return _brackets_step(text, texts, rng)
    if texts.form and "0" in texts.form and not texts.closed and rng.random() < 0.5:
        return _number_step(text, rng)
    if texts.words and rng.random() < (0.9 if texts.vocabulary else 0.3):
        return _words_step(text, texts, rng)
    draw = rng.random()
    if not text or draw < 0.2:
        return _put(text, rng.randint(0, len(text)), 0, _character("", texts, rng))
    start = rng.randrange(len(text))
    if draw < 0.45:
        return _put(text, start, 1, _character(text[start], texts, rng))
    if draw < 0.6:
        return _put(text, start, 1, "")
    length = rng.randint(1, min(4, len(text) - start))
    if draw < 0.7:
        return _put(text, start, length, 2 * text[start : start + length])
    if draw < 0.8:
        other = rng.randrange(len(text))
        return _put(_put(text, start, 1, text[other]), other, 1, text[start])
    return _whole(text, start, texts, rng)


def _whole(text: str, start: int, texts: Texts, rng: random.Random) -> str:
    """Change a string as a whole, or from a character on."""
    draw = rng.random()
    if draw < 0.25:
        return text[start:]
    if draw < 0.5:
        return text[:start]
    if draw < 0.65:
        return text[::-1]
    if draw < 0.8:
        return text + text
    if draw < 0.85:
        return ""
    if texts.closed:
        return text[start:] + text[:start]
    if draw < 0.95:
        return _put(text, start, 1, _other_case(text[start]))
    return "".join(map(_other_case, text))


def _words_step(text: str, texts: Texts, rng: random.Random) -> str:
    words = text.split(" ")
    index = rng.randrange(len(words))
    draw = rng.random()
    if draw < 0.35:
        words[index] = rng.choice(texts.words)
    elif draw < 0.55:
        words.insert(index, rng.choice(texts.words))
    elif draw < 0.75:
        del words[index]
    elif draw < 0.9:
        other = rng.randrange(len(words))
        words[index], words[other] = words[other], words[index]
    else:
        rng.shuffle(words)
    return " ".join(words)


def _brackets_step(text: str, texts: Texts, rng: random.Random) -> str:
    """Put in or take out a pair of brackets with nothing between them."""
    pairs = [each for each in ("()", "[]", "{}", "<>") if each[0] in texts.alphabet]
    pair = rng.choice(pairs)
    found = [match.start() for match in re.finditer(re.escape(pair), text)]
    if found and rng.random() < 0.4:
        return _put(text, rng.choice(found), 2, "")
    return _put(text, rng.randint(0, len(text)), 0, pair)


def _number_step(text: str, rng: random.Random) -> str:
    """Change a number within a string to one that has at most as many digits, or one more."""
    found = [match.span() for match in re.finditer("[0-9]+", text)]
    if not found:
        return text
    start, end = rng.choice(found)
    digits = min(end - start, 15)
    number = rng.choice((rng.randrange(10**digits), int(text[start : start + digits]) + 1))
    return _put(text, start, end - start, str(number))


def _character(old: str, texts: Texts, rng: random.Random) -> str:
    """Draw a character: one that is seen, or one of the same kind as the old."""
    alphabet = texts.alphabet or "a"
    if not texts.closed and rng.random() < 0.5:
        for characters in _CLASSES:
            if old and old in characters:
                return rng.choice(characters)
    return rng.choice(alphabet)


def _other_case(character: str) -> str:
    """Only of ASCII: other characters' cases are not the same in each version of Python."""
    return character.swapcase() if character.isascii() else character


def _put(text: str, start: int, length: int, new: str) -> str:
    return text[:start] + new + text[start + length :]
