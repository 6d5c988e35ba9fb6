"""Class sizes in, exact numbers out; the standard library alone."""

from __future__ import annotations

from pytest_codecollapse.stats.agreement import adjusted_rand_index
from pytest_codecollapse.stats.chao1 import chao1
from pytest_codecollapse.stats.hill import hill_number
from pytest_codecollapse.stats.intervals import (
    MEASURED_COVERAGE,
    Coverage,
    Resampler,
    mean_interval,
    problems_needed,
)
from pytest_codecollapse.stats.means import mean_defined
from pytest_codecollapse.stats.passk import (
    mean_pass_at_k,
    naive_pass_at_k,
    naive_pass_at_k_exact,
    pass_at_k,
    pass_at_k_exact,
)
from pytest_codecollapse.stats.rarefaction import expected_distinct

__all__ = [
    "MEASURED_COVERAGE",
    "Coverage",
    "Resampler",
    "adjusted_rand_index",
    "chao1",
    "expected_distinct",
    "hill_number",
    "mean_defined",
    "mean_interval",
    "mean_pass_at_k",
    "naive_pass_at_k",
    "naive_pass_at_k_exact",
    "pass_at_k",
    "pass_at_k_exact",
    "problems_needed",
]
