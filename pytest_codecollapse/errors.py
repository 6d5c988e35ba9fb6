"""The errors a user can meet: each says where, what (got, expected) and the remedy."""

from __future__ import annotations

from typing import NamedTuple, Optional


class Where(NamedTuple):
    """A place in the user's files: ``path:line: problem 'id'``, as far as it is known."""

    path: str
    line: Optional[int] = None
    problem_id: Optional[str] = None

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        return place if self.problem_id is None else f"{place}: problem {self.problem_id!r}"


class CodecollapseError(Exception):
    """Base of every error this package raises on purpose.

    Parameters
    ----------
    what
        What is wrong, with what was got and what was expected.
    where
        The place it was met at, if it has one.
    remedy
        What the user can do about it.
    """

    def __init__(
        self, what: str, *, where: Optional[Where] = None, remedy: Optional[str] = None
    ) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.remedy = remedy

    def __str__(self) -> str:
        place = "" if self.where is None else f"{self.where}: "
        remedy = "" if self.remedy is None else f"; {self.remedy}"
        return f"{place}{self.what}{remedy}"


class UsageError(CodecollapseError):
    """The user's fault: a bad option, a bad rule, a file that is missing or malformed."""


class SamplesError(UsageError):
    """A samples file, or a line of it, that is not what the format asks for."""


class ProblemError(CodecollapseError):
    """A well-formed problem that cannot be measured: the others still are."""


class SandboxError(CodecollapseError):
    """The sandbox's own fault: never a candidate's behaviour, never part of a measurement."""
