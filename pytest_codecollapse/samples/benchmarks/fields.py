"""Fields of a benchmark's row, each read with the check that it needs."""

from __future__ import annotations

from typing import Any

from pytest_codecollapse.errors import SamplesError, Where
from pytest_codecollapse.samples.jsonline import fault, fields_of, kind_of

_REMEDY = "give the problems' file as it was published"


class Fields:
    """One row of a problems' file.

    Attributes
    ----------
    where
        The row's place, with its id as soon as that is known.
    task_id
        Its id; an integer becomes its digits.
    """

    def __init__(self, row: dict[str, Any], where: Where) -> None:
        self._row = row
        self.where = where
        task_id = row.get("task_id")
        if isinstance(task_id, bool) or not isinstance(task_id, (str, int)):
            raise self.wrong("task_id", "a string or an integer")
        self.task_id = str(task_id)
        self.where = where._replace(problem_id=self.task_id)

    def text(self, name: str) -> str:
        """Read a string that has to be there."""
        value = self._row.get(name)
        if not isinstance(value, str):
            raise self.wrong(name, "a string")
        return value

    def optional_text(self, name: str) -> str:
        """Read a string; "" where there is none."""
        return "" if self._row.get(name) is None else self.text(name)

    def items(self, name: str, kind: type) -> list[Any]:
        """Read a list of values of one JSON kind; none where it is left out."""
        value = self._row.get(name)
        if not value:  # an empty object, too: EvalPlus has one where there are no inputs
            return []
        if not isinstance(value, list):
            raise self.wrong(name, "a list")
        for at, item in enumerate(value):
            if not isinstance(item, kind):
                what = f"{name}[{at}] is of the wrong type"
                got, expected = kind_of(item), kind_of(kind())
                raise fault(self.where, what, got=got, expected=expected, remedy=_REMEDY)
        return value

    def number(self, name: str) -> float:
        """Read a number; 0 where there is none."""
        value = self._row.get(name)
        if value is None:
            return 0.0
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.wrong(name, "a number")
        return value

    def wrong(self, name: str, expected: str) -> SamplesError:
        """Return the error that a field is missing or of the wrong type."""
        if name not in self._row:
            what = f"the field {name} is missing"
            return fault(self.where, what, got=fields_of(self._row), expected=name, remedy=_REMEDY)
        what = f"{name} is of the wrong type"
        got = kind_of(self._row[name])
        return fault(self.where, what, got=got, expected=expected, remedy=_REMEDY)
