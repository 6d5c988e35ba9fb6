"""Problem files of public benchmarks -> problems without candidates; a module per form."""

from __future__ import annotations

from pytest_codecollapse.samples.benchmarks.benchmark import Benchmark, Known
from pytest_codecollapse.samples.benchmarks.reading import is_problem, open_benchmark

__all__ = ["Benchmark", "Known", "is_problem", "open_benchmark"]
