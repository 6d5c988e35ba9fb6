from __future__ import annotations

import pytest
from interval_coverage import PROBLEM_COUNTS, measured_coverage

from pytest_codecollapse.stats import MEASURED_COVERAGE, Coverage

PAIRS = 400


@pytest.fixture(scope="module")
def coverages() -> dict[int, Coverage]:
    """Return the measured coverage at 8, 12, 20 and 80 problems."""
    return {problems: measured_coverage(problems, PAIRS, seed=0) for problems in (8, 12, 20, 80)}


@pytest.mark.slow
def test_both_methods_cover_at_80_problems(coverages: dict[int, Coverage]) -> None:
    """At 80 problems either 95% interval holds the true change in at least 93% of the pairs."""
    assert coverages[80].percentile >= 0.93
    assert coverages[80].expanded >= 0.93


@pytest.mark.slow
@pytest.mark.parametrize("problems", [8, 12, 20])
def test_expanded_covers_more_of_few_problems(
    coverages: dict[int, Coverage], problems: int
) -> None:
    """At 8, 12 and 20 problems the expanded interval holds it more often than the plain one."""
    assert coverages[problems].expanded > coverages[problems].percentile


@pytest.mark.slow
@pytest.mark.parametrize("problems", [8, 12, 20, 80])
def test_published_table_agrees(coverages: dict[int, Coverage], problems: int) -> None:
    """The table users are shown is within the error of 400 pairs, four points, of a rerun."""
    published = MEASURED_COVERAGE[problems]
    assert coverages[problems].percentile == pytest.approx(published.percentile, abs=0.04)
    assert coverages[problems].expanded == pytest.approx(published.expanded, abs=0.04)


def test_published_table_has_every_row_of_the_benchmark() -> None:
    """The table users are shown is the one that the benchmark prints."""
    assert tuple(MEASURED_COVERAGE) == PROBLEM_COUNTS
