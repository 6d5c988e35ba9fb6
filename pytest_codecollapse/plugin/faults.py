"""A fault that the ``codecollapse`` fixture tells of is shown as a message, not as a traceback."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from pytest_codecollapse.errors import CodecollapseError
from pytest_codecollapse.report import printable


class PlainFaults:
    """Registered when the fixture is first asked for: other sessions do not pay for it."""

    @pytest.hookimpl(wrapper=True, trylast=True)  # what xfail sees is the fault itself
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[Any]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Show a fault that a test has not caught like a ``pytest.fail`` without a traceback."""
        caught = call.excinfo
        if caught is not None and _is_told(item, caught):
            message = f"{_place(item, caught)}: {printable(str(caught.value))}"
            shown = pytest.fail.Exception(message, pytrace=False)
            call.excinfo = pytest.ExceptionInfo.from_exception(shown.with_traceback(caught.tb))
        try:
            return (yield)
        finally:
            call.excinfo = caught


def _is_told(item: pytest.Item, caught: pytest.ExceptionInfo[BaseException]) -> bool:
    uses_it = "codecollapse" in getattr(item, "fixturenames", ())
    return uses_it and isinstance(caught.value, (CodecollapseError, pytest.UsageError))


def _place(item: pytest.Item, caught: pytest.ExceptionInfo[BaseException]) -> str:
    """Name the line of the test's file that was come to last; the test's own before its body."""
    path, line, _ = item.location
    lines = [entry.lineno for entry in caught.traceback if entry.path == item.path]
    return f"{path}:{(lines[-1] if lines else line or 0) + 1}"
