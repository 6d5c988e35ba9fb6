"""What a reasoning model thought before it answered: drafts in it are no answer."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from pytest_codecollapse.extraction.quotes import is_quoted, line_before

_NAMES = r"think|thinking|thoughts?|reasoning|analysis|scratchpad|seed:think"

_OPENING = re.compile(
    rf"<(?P<tag>{_NAMES})>|\[(?P<square>think)\]|◁(?P<triangle>think)▷"
    r"|<\|begin(?P<token>_of_thought)\|>"
    r"|(?P<channel><\|channel\|>)(?:analysis|commentary)\b[^<>\r\n]{0,80}<\|message\|>",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    rf"(?:</(?P<tag>{_NAMES})>|\[/(?P<square>think)\]|◁/(?P<triangle>think)▷"
    r"|<\|end(?P<token>_of_thought)\|>"
    r"|(?P<channel><\|channel\|>)final\b[^<>\r\n]{0,80}(?:<\|constrain\|>\w{1,20})?<\|message\|>)"
    r"[\r\n]*",
    re.IGNORECASE,
)

#: What can stand before a thought that a text begins with: tokens of a chat's template.
_LEAD = re.compile(r"(?:\s|<s>|<[|\uff5c][^\s<>]{1,40}[|\uff5c]>|assistant\b)*")
_FENCE = re.compile(r"^[ \t>]*(?:```|~~~)", re.MULTILINE)

_Kind = tuple[str, str]


class _Tag(NamedTuple):
    kind: _Kind
    start: int
    end: int


def without_thoughts(text: str) -> str:
    r"""Return a text without the thoughts in it.

    A thought begins with its opening tag, which the text begins with or which is at the margin and
    in no fenced block, and goes on to its closing tag, with the line ends behind it. The opening
    tag is missing where the prompt has it, the closing tag where the model was cut off.

    >>> without_thoughts("<think>\ndef f(): pass\n</think>def f(): return 1")
    'def f(): return 1'
    """
    openings = [_tag(found) for found in _OPENING.finditer(text)]
    closings = [_tag(found) for found in _CLOSING.finditer(text)]
    if not openings and not closings:
        return text
    at = counted = _end_of_one_without_opening(text, openings, closings)
    if not openings:
        return text[at:]
    ends = _Ends(text, closings)
    kept: list[str] = []
    leads, fences = True, 0
    for opening in openings:
        if opening.start < at:
            continue
        fences += len(_FENCE.findall(text, counted, opening.start))
        counted = opening.start
        leads = leads and _LEAD.fullmatch(text, at, opening.start) is not None
        if leads or (fences % 2 == 0 and _is_at_margin(text, opening)):
            kept.append(text[at : opening.start])
            at = counted = ends.of(opening)
    return "".join([*kept, text[at:]])


class _Ends:
    """Where thoughts end: at the next tag of their kind, at a quoted one if there is no other."""

    def __init__(self, text: str, closings: list[_Tag]) -> None:
        self._length = len(text)
        self._plain = _by_kind(tag for tag in closings if not is_quoted(text, tag.start, tag.end))
        self._all = _by_kind(closings)

    def of(self, opening: _Tag) -> int:
        """Return where the thought ends that begins with a tag: the text's end if nowhere else."""
        for starts, ends in (self._plain[opening.kind], self._all[opening.kind]):
            first = bisect_left(starts, opening.end)
            if first < len(ends):
                return ends[first]
        return self._length


def _by_kind(tags: Iterable[_Tag]) -> defaultdict[_Kind, tuple[list[int], list[int]]]:
    """Return where the tags of each kind start and end."""
    places: defaultdict[_Kind, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for tag in tags:
        places[tag.kind][0].append(tag.start)
        places[tag.kind][1].append(tag.end)
    return places


def _end_of_one_without_opening(text: str, openings: list[_Tag], closings: list[_Tag]) -> int:
    """Return the end of a thought whose opening tag the prompt had, 0 where there is none."""
    opened = {tag.kind: tag.start for tag in reversed(openings)}
    for tag in closings:
        is_indented = line_before(text, tag.start).startswith((" ", "\t"))
        if not is_indented and not is_quoted(text, tag.start, tag.end):
            return 0 if opened.get(tag.kind, len(text)) < tag.start else tag.end
    return 0


def _tag(found: re.Match[str]) -> _Tag:
    group = found.lastgroup or ""
    return _Tag((group, found[group].lower()), found.start(), found.end())


def _is_at_margin(text: str, tag: _Tag) -> bool:
    return tag.start == 0 or text[tag.start - 1] in "\r\n"
