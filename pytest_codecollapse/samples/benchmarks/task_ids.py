"""Ids of tasks as tools write them: ``HumanEval/0``, ``HumanEval_0``, ``Mbpp/12``, ``12``."""

from __future__ import annotations

import re
from typing import NamedTuple, Optional

_ID = re.compile(r"(?:([^0-9]*?)[/_\- ]*)?([0-9]+)")


class TaskId(NamedTuple):
    """A family of problems in lower case, "" where the id names none, and the number in it."""

    family: str
    number: int


def parts_of(task_id: str) -> Optional[TaskId]:
    """Return the parts of an id that ends in a number, None for others.

    Of two numbers the last may be that of a sample: that is no id of a task.

    >>> parts_of("HumanEval_7"), parts_of("Mbpp/12"), parts_of("12")
    (TaskId(family='humaneval', number=7), TaskId(family='mbpp', number=12), \
TaskId(family='', number=12))
    >>> parts_of("seven"), parts_of("HumanEval/7-0")
    (None, None)
    """
    match = _ID.fullmatch(task_id)
    if match is None or len(match[2]) > 18:
        return None
    family = re.sub(r"[^a-z]", "", (match[1] or "").lower())
    return TaskId(family, int(match[2]))
