"""The hooks that this plugin calls: for a conftest.py at the top of a suite, or another plugin.

pytest imports this at every start, so the records are named for type checkers alone. Under
pytest-xdist every process calls the first three for itself and must get the same from them; the
last two are called where the gates are judged, in one process. An implementation marked
``@pytest.hookimpl(optionalhook=True)`` does no harm where this plugin is not installed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Union

import pytest

if TYPE_CHECKING:
    from pytest_codecollapse.gate import Metric
    from pytest_codecollapse.model import Comparison, Report, Verdict


@pytest.hookspec(firstresult=True)
def pytest_codecollapse_load_samples(
    path: Path, config: pytest.Config
) -> Optional[Iterable[Union[Mapping[str, Any], tuple[int, Mapping[str, Any]]]]]:
    """Read samples, or a baseline, in a format that the package does not know, or its own way.

    It is asked before a format is recognised.

    Parameters
    ----------
    path
        A file or a directory that was named as samples, or as a baseline that is no saved report.
    config
        The session's.

    Returns
    -------
    iterable or None
        None for samples that are to be read otherwise. Else the problems in file order, each a dict
        with the fields of the native format, or a pair of the number of the line that it begins
        at and such a dict: errors then name ``path:line``. A generator is asked for one problem
        at a time. A function with a ``yield`` in it never returns None: return a generator.
    """


@pytest.hookspec
def pytest_codecollapse_metrics(config: pytest.Config) -> Optional[Mapping[str, Metric]]:
    """Add metrics, for gates, floors and reports.

    Returns
    -------
    mapping or None
        Name -> function. A name is an identifier that no other metric has. The function gets a
        measured problem (``pytest_codecollapse.ProblemReport``, frozen, with the package's own
        statistics) and returns a Fraction, an int or a float; None where it is not defined. It
        is called again for saved baselines, so it must depend on nothing else.
    """


@pytest.hookspec
def pytest_codecollapse_canonicalize(config: pytest.Config) -> Optional[Mapping[str, str]]:
    """Say what values of a type are compared by; without it that is their type's name alone.

    Returns
    -------
    mapping or None
        Full name of a type -> source of a module that defines ``canonicalize(value)``. The module
        of the programs, and of ``setup``, is ``solution``. The function runs where the programs
        run, under their Python and in their time, subclasses included; it returns what is to be
        compared in the place of the value, or the value itself to leave it alone. What it raises
        is what the call raised. It is part of the settings: a baseline that was measured with
        another is stale.
    """


@pytest.hookspec
def pytest_codecollapse_gate(
    config: pytest.Config, report: Report, comparison: Optional[Comparison]
) -> Union[Iterable[Verdict], Verdict, None]:
    """Judge a samples file by more than rules can say.

    It is not called where a part of the problems was measured.

    Parameters
    ----------
    config
        The session's.
    report
        The whole measurement of a samples file.
    comparison
        That of the report with its baseline; None without one.

    Returns
    -------
    Verdict, iterable of Verdict or None
        Each is a test of its own, named by its ``rule``; one with the status ``fail`` fails the
        run, whatever the other gates say.
    """


@pytest.hookspec
def pytest_codecollapse_modify_report(config: pytest.Config, report: dict[str, Any]) -> None:
    """Change the JSON report before it is written, in place.

    Whatever JSON can hold may be added, under ``extra`` for instance; it is ignored where the
    report is read back. What the report had must still be a report.

    Parameters
    ----------
    config
        The session's.
    report
        The whole JSON object.
    """
