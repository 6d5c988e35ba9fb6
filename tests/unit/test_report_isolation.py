"""The lines that say where programs run."""

from __future__ import annotations

from pytest_codecollapse.model import Environment
from pytest_codecollapse.report import isolation_lines

WARNING = (
    "warning: programs are limited but not confined: they can read your files, write where you may"
    " write, and reach the network"
)


def environment(isolation: str) -> Environment:
    """Build the environment of a rung."""
    return Environment(python="3.8.18", platform="Linux-x86_64", isolation=isolation)


def test_a_rung_that_confines_is_one_line() -> None:
    """Rung, the candidates' Python and the jobs; what a higher rung lacks is no fault."""
    lines = isolation_lines(environment("confined"), 2, {"namespaces": "no user namespaces"})
    assert lines == ["isolation confined, python 3.8.18, jobs 2"]


def test_the_lowest_rung_warns_and_says_what_the_others_lack() -> None:
    """Each rung above has a line of its own."""
    missing = {"namespaces": "the kernel\nsays no", "confined": "no Landlock"}
    assert isolation_lines(environment("process"), 1, missing) == [
        "isolation process, python 3.8.18, jobs 1",
        WARNING,
        "isolation namespaces is not to be had: the kernel\\nsays no",
        "isolation confined is not to be had: no Landlock",
    ]


def test_the_lowest_rung_warns_where_it_was_asked_for() -> None:
    """What is asked for by name lacks nothing."""
    lines = isolation_lines(environment("process"), 1, {})
    assert lines == ["isolation process, python 3.8.18, jobs 1", WARNING]
