"""What every format is read as: texts that were sampled for a task."""

from __future__ import annotations

from typing import Literal, NamedTuple, Optional

#: What a text is by its format: code that goes on from the prompt, a whole program, or a reply
#: that may be either, with prose around it.
Kind = Literal["completion", "program", "reply"]


class Row(NamedTuple):
    """Texts of one problem; ``prompt`` is what they go on from, where it is not the problem's."""

    line: int
    problem_id: str
    texts: tuple[str, ...]
    kind: Kind
    prompt: Optional[str] = None
