"""An eval suite whose tests hold floors on the diversity of samples.

``samples=`` is relative to this file. The rules are about the mean over the file's problems, or
about one problem. The fixture gives the measurements to tests that want to look at them.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_codecollapse.plugin.facade import Codecollapse


@pytest.mark.diversity_floor("E[D_5] >= 2", "masking_ratio <= 3", samples="samples.jsonl")
def test_the_suite_is_diverse() -> None:
    """Five draws give two behaviours or more, on average over the problems."""


@pytest.mark.diversity_floor("E[D_5] >= 2.5", samples="samples.jsonl", problem="window_sums")
def test_one_problem_is_diverse() -> None:
    """Five draws of window_sums give two and a half behaviours or more."""


def test_the_reference_is_found(codecollapse: Codecollapse) -> None:
    """At least a quarter of the samples of each problem is right."""
    report = codecollapse.measure("samples.jsonl")
    assert not report.unmeasured
    for problem in report.problems:
        assert problem.statistics["pass@1"] >= Fraction(1, 4), problem.problem_id


@pytest.mark.diversity_floor("pass@1 >= 0.25", samples="samples.jsonl", problem="safe_ratio")
class TestSafeRatio:
    """A mark on a class holds for each of its tests; on a module it would for each of those."""

    def test_it_is_solved(self) -> None:
        """A quarter of the samples is right."""

    @pytest.mark.diversity_floor("hill_q0 >= 6", samples="samples.jsonl", problem="safe_ratio")
    def test_it_has_many_answers(self) -> None:
        """Six behaviours or more: of two marks the closest counts, this one alone."""
