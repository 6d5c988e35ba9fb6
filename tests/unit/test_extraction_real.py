"""Extraction on real benchmarks and samples, where they stand beside the repository."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pytest_codecollapse.extraction import extract
from pytest_codecollapse.extraction.names import bound_at_top
from pytest_codecollapse.extraction.parse import Parser


def rows(path: Path) -> list[Any]:
    """Return the rows of a gzipped file of JSON lines."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def is_program(source: str, entry_point: str) -> bool:
    """Return whether a source parses and binds the entry point."""
    tree = Parser().read(source).tree
    return tree is not None and entry_point in bound_at_top(tree)


def counted(samples: Iterable[tuple[str, dict[str, Any]]]) -> tuple[int, Counter[str]]:
    """Extract each text for its problem: how many are no programs, and how often each repair."""
    repairs: Counter[str] = Counter()
    failed = 0
    for text, problem in samples:
        entry_point = problem["entry_point"]
        found = extract(text, prompt=problem["prompt"], entry_point=entry_point)
        failed += not is_program(found.source, entry_point)
        repairs.update(found.repairs)
    return failed, repairs


def human_eval(shared_data: Path) -> list[dict[str, Any]]:
    """Return HumanEval's problems."""
    return rows(shared_data / "human_eval" / "HumanEval.jsonl.gz")


def test_references_of_human_eval(shared_data: Path) -> None:
    """All 164 complete their prompts as they are."""
    problems = human_eval(shared_data)
    found = counted((problem["canonical_solution"], problem) for problem in problems)
    assert len(problems) == 164
    assert found == (0, Counter(prompt=164))


def test_references_of_mbpp(shared_data: Path) -> None:
    """All 974 are programs; two prompts and their solutions have indents that do not agree."""
    problems = rows(shared_data / "mbpp" / "mbpp_release_v1.jsonl.gz")
    found = counted((problem["canonical_solution"], problem) for problem in problems)
    assert len(problems) == 974
    assert found == (0, Counter(prompt=974, docstring=1, reindent=1))


def test_stripped_completions_of_mistral_and_zephyr(shared_data: Path) -> None:
    """No more than the faults of the models' own are left of 1,590 and 1,522 that do not parse."""
    problems = {problem["task_id"]: problem for problem in human_eval(shared_data)}
    failed = {}
    for model in ("mistral", "zephyr"):
        file = shared_data / "mistral_vs_zephyr" / f"{model}_samples.jsonl_results.jsonl.gz"
        samples = ((row["completion"], problems[row["task_id"]]) for row in rows(file))
        failed[model] = counted(samples)[0]
    assert failed == {"mistral": 25, "zephyr": 9}


def test_whole_programs_of_codegeex2(shared_data: Path) -> None:
    """The 3,133 that parse stay as they are; of the others, all but 7 are cut at their end."""
    problems = {problem["entry_point"]: problem for problem in human_eval(shared_data)}
    path = shared_data / "codegeex2" / "codegeex2-6b_temp0.2_n20_generations.json.gz"
    generations = json.loads(gzip.decompress(path.read_bytes()))
    samples = []
    for programs in generations:
        defined = Counter(
            name for name in problems for program in programs if f"def {name}(" in program
        )
        samples += [(program, problems[defined.most_common(1)[0][0]]) for program in programs]
    failed, repairs = counted(samples)
    assert len(samples) == 3160
    assert (failed, repairs) == (7, Counter(prompt=7, tail=20))


def test_completions_of_codegen(shared_data: Path) -> None:
    """Of the first 30 of each problem, those that parse get the prompt and nothing else.

    One is a function of the entry point's name, indented: behind the prompt it would do nothing.
    """
    problems = sorted(human_eval(shared_data), key=lambda problem: str(problem["task_id"]))
    file = shared_data / "codet" / "HumanEval_codegen16B_temp0.8_num100_code_solution.jsonl.gz"
    others = []
    for problem, row in zip(problems, rows(file)):
        prompt, entry_point = row["prompt"], problem["entry_point"]
        for text in row["samples"][:30]:
            found = extract(text, prompt=prompt, entry_point=entry_point)
            if is_program(text, entry_point):
                assert found == (text, ())
            elif is_program(prompt + text, entry_point) and found != (prompt + text, ("prompt",)):
                others.append((problem["task_id"], found.repairs))
    assert others == [("HumanEval/83", ("dedent",))]
