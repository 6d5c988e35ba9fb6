"""The library's own names, and what importing it costs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import pytest_codecollapse
from pytest_codecollapse import errors, stats

NAMES = [
    "CodecollapseError",
    "Comparison",
    "ProblemReport",
    "Report",
    "Verdict",
    "__version__",
    "mean_pass_at_k",
    "naive_pass_at_k",
    "pass_at_k",
]


def test_the_statistics_can_be_called() -> None:
    """10 candidates of which 3 are correct: 21 of the 252 draws of 5 hold none."""
    assert pytest_codecollapse.pass_at_k(10, 3, 5) == pytest.approx(231 / 252, rel=1e-15)
    assert pytest_codecollapse.mean_pass_at_k([10, 2], [3, 0], 1) == pytest.approx(0.15, rel=1e-15)
    assert pytest_codecollapse.naive_pass_at_k(10, 3, 5) == pytest.approx(1 - 0.7**5, rel=1e-15)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("pass_at_k", (4, 1, 5)),
        ("naive_pass_at_k", (4, 1, 5)),
        ("mean_pass_at_k", ([5, 4], [1, 1], 5)),
    ],
)
def test_more_draws_than_candidates_are_an_error(name: str, arguments: tuple[object]) -> None:
    """There is no figure that would not be made up."""
    with pytest.raises(ValueError, match="not defined for k > n"):
        getattr(pytest_codecollapse, name)(*arguments)


def test_the_names_are_those_of_their_homes() -> None:
    """What is imported late is the same object."""
    assert pytest_codecollapse.pass_at_k is stats.pass_at_k
    assert pytest_codecollapse.CodecollapseError is errors.CodecollapseError


def test_the_names_are_listed() -> None:
    """``dir`` and ``import *`` know them before they are first used."""
    assert sorted(pytest_codecollapse.__all__) == NAMES
    assert set(NAMES) <= set(dir(pytest_codecollapse))
    assert dir(pytest_codecollapse) == sorted(dir(pytest_codecollapse))
    namespace: dict[str, object] = {}
    exec("from pytest_codecollapse import *", namespace)
    assert sorted(namespace.keys() - {"__builtins__"}) == NAMES


def test_an_unknown_name_is_an_attribute_error() -> None:
    """As of any module, so that ``hasattr`` and typos behave."""
    with pytest.raises(
        AttributeError, match=r"^module 'pytest_codecollapse' has no attribute 'pass_at'$"
    ):
        pytest_codecollapse.pass_at  # noqa: B018
    assert not hasattr(pytest_codecollapse, "measure_all")


def test_importing_it_imports_nothing_heavy() -> None:
    """None of its modules or dependencies come along, because pytest imports it at every start."""
    program = (
        "import sys, pytest_codecollapse;"
        "heavy = ('pytest_codecollapse', 'msgspec', 'rich', 'pytest', '_pytest', 'pluggy');"
        "print(*sorted(name for name in sys.modules if name.partition('.')[0] in heavy))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "pytest_codecollapse\n"
