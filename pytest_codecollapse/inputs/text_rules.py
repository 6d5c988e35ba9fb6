"""What the strings of a place have in common: characters, words, a form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple, Optional

_MOST_CHARACTERS = 20_000
_MOST_WORDS = 64
_ENOUGH = 3  # strings that are alike in something before it is taken for a rule
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")
_OPENING = {")": "(", "]": "[", "}": "{", ">": "<"}


class Texts(NamedTuple):
    """What the strings of a place are made of.

    ``closed`` where they have few characters, each of them often, as brackets. A ``vocabulary``
    has few words, each of them often. ``form`` is that of all strings, see ``form_of``, with their
    letters where ``spelled``; None where they have several. ``balanced`` where all brackets are,
    ``numeric`` where all are numbers.
    """

    alphabet: str = ""
    words: tuple[str, ...] = ()
    closed: bool = False
    vocabulary: bool = False
    form: Optional[str] = None
    spelled: bool = False
    balanced: bool = False
    numeric: bool = False

    def allow(self, text: str) -> bool:
        """Whether a string has what all recorded ones have in common."""
        if self.form is not None and form_of(text, spelled=self.spelled) != self.form:
            return False
        if self.numeric and not _NUMBER.fullmatch(text):
            return False
        return not self.balanced or is_balanced(text)


def texts_of(texts: Sequence[str]) -> Texts:
    """Sum up the strings of a place."""
    characters = list(islice((each for text in texts for each in text), _MOST_CHARACTERS))
    alphabet = "".join(dict.fromkeys(characters))
    spaced = any(" " in text for text in texts)
    words = [word for text in texts for word in text.split(" ") if spaced and word]
    distinct = tuple(dict.fromkeys(words))
    form, spelled = _common_form(texts)
    return Texts(
        alphabet=alphabet,
        words=distinct[:_MOST_WORDS],
        closed=len(alphabet) <= 6 and len(characters) >= 4 * len(alphabet),
        vocabulary=len(words) >= 6 and 2 * len(words) >= 3 * len(distinct),
        form=form,
        spelled=spelled,
        balanced=_all_balanced(texts),
        numeric=len(set(texts)) >= _ENOUGH and all(map(_NUMBER.fullmatch, texts)),
    )


def form_of(text: str, *, spelled: bool = False) -> str:
    """Return a string with a digit for each number, and where not spelled a letter for each word.

    >>> form_of("21 apples"), form_of("21 apples", spelled=True)
    ('0 a', '0 apples')
    """
    text = re.sub("[0-9]+", "0", text)
    return text if spelled else re.sub("[A-Za-z]+", "a", text)


def is_balanced(text: str) -> bool:
    """Whether each bracket is closed by its own, in order.

    >>> is_balanced("a(b)[]"), is_balanced("(]")
    (True, False)
    """
    opened: list[str] = []
    for each in text:
        if each in "([{<":
            opened.append(each)
        elif each in _OPENING and (not opened or opened.pop() != _OPENING[each]):
            return False
    return not opened


def _common_form(texts: Sequence[str]) -> tuple[Optional[str], bool]:
    if len(set(texts)) < _ENOUGH:
        return None, False
    for spelled in (True, False):
        forms = {form_of(text, spelled=spelled) for text in texts}
        if len(forms) == 1:
            return forms.pop(), spelled
    return None, False


def _all_balanced(texts: Sequence[str]) -> bool:
    bracketed = {text for text in texts if any(each in _OPENING for each in text)}
    return len(bracketed) >= _ENOUGH and all(map(is_balanced, texts))
