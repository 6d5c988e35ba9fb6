"""Samples of other tools: which texts are of which problem, told by the content alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchmark_files import BODIES, Folder, humaneval, mbpp, prompt

from pytest_codecollapse.samples import SamplesFile, open_samples

DOUBLE = "def double(x):\n    return 2 * x\n"

#: Parts of replies that hold no text, and an item of a response that does.
THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "s"}
SUMMARY = {"type": "reasoning", "id": "r", "summary": []}
REPLY = {
    "type": "message",
    "role": "assistant",
    "content": [{"type": "output_text", "text": "a", "annotations": []}],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """Return a folder with three problems."""
    return Folder(tmp_path, monkeypatch)


def opened(samples: SamplesFile) -> list[tuple[str, int, tuple[str, ...]]]:
    """Return id, line and candidates of each problem."""
    with samples:
        return [
            (each.problem_id, each.where.line or 0, each.candidates) for each in samples.problems()
        ]


def sample(number: int, **text: Any) -> dict[str, Any]:
    """Return a row that names its task."""
    return {"task_id": f"HumanEval/{number}", **text}


def definitions(*names: str) -> list[str]:
    """Return programs that define functions."""
    return [f"def {name}(x):\n    return x\n" for name in names]


class TestRows:
    """Rows that name their task."""

    def test_rows_of_a_task_stand_anywhere(self, folder: Folder) -> None:
        """Problems are in the order of their first rows, candidates in that of the file."""
        rows = [(1, "a"), (0, "b"), (1, "c"), (0, "d"), (1, "e")]
        samples = folder.open([sample(number, completion=text) for number, text in rows])
        first, second = prompt("halve"), prompt("double")
        assert opened(samples) == [
            ("HumanEval/1", 1, (f"{first}a", f"{first}c", f"{first}e")),
            ("HumanEval/0", 2, (f"{second}b", f"{second}d")),
        ]
        assert samples.description == "human-eval samples of 2 of 3 problems from problems.jsonl"
        assert samples.path == Path("samples")

    def test_results_of_an_earlier_run_mean_nothing(self, folder: Folder) -> None:
        """Columns other than the task and its text are not looked at."""
        rows = [sample(0, completion="x", result="failed", passed=False, code=1, output=[])]
        assert opened(folder.open(rows)) == [("HumanEval/0", 1, (prompt("double") + "x",))]

    @pytest.mark.parametrize(
        ("text", "candidates", "name"),
        [
            ({"solution": DOUBLE}, [DOUBLE], "EvalPlus"),
            ({"solution": DOUBLE, "completion": "x"}, [DOUBLE], "EvalPlus"),
            ({"solution": None, "completion": "x"}, [prompt("double") + "x"], "human-eval"),
            ({"completions": ["x", "y"]}, [prompt("double") + each for each in "xy"], "human-eval"),
            ({"code": DOUBLE}, [DOUBLE], "code"),
            ({"generation": DOUBLE}, [DOUBLE], "generation"),
            ({"response": "text"}, ["text"], "chat"),
            ({"output": ["one", "two"]}, ["one", "two"], "chat"),
            ({"generated_text": "text"}, ["text"], "chat"),
            ({"messages": [{"role": "assistant", "content": "text"}]}, ["text"], "chat"),
            (
                {"choices": [{"text": "one"}, {"message": {"content": "two"}}]},
                ["one", "two"],
                "chat",
            ),
        ],
    )
    def test_each_key_has_its_meaning(
        self, folder: Folder, text: dict[str, Any], candidates: list[str], name: str
    ) -> None:
        """Completions go on from the prompt, programs and replies stay as they are."""
        samples = folder.open([sample(0, **text)])
        assert samples.description == f"{name} samples of 1 of 3 problems from problems.jsonl"
        assert opened(samples) == [("HumanEval/0", 1, tuple(candidates))]

    def test_the_reply_of_a_chat(self, folder: Folder) -> None:
        """It is the last message of the assistant, be it text or parts of text."""
        chats = [
            [
                {"role": "user", "content": "q"},
                {"role": "assistant", "content": "no"},
                {"role": "user", "content": "again"},
                {"role": "assistant", "content": content},
                {"role": "user", "content": "thanks"},
            ]
            for content in ("one", [{"type": "text", "text": "t"}, {"type": "text", "text": "wo"}])
        ]
        rows = [
            sample(0, messages=chats[0]),
            sample(0, messages=chats[1]),
            sample(1, messages=chats),
        ]
        assert [candidates for _, _, candidates in opened(folder.open(rows))] == [
            ("one", "two"),
            ("one", "two"),
        ]

    @pytest.mark.parametrize(
        "text",
        [
            {"conversations": [{"from": "human", "value": "q"}, {"from": "gpt", "value": "a"}]},
            {"conversation": [{"role": "user", "content": "q"}, {"role": "model", "content": "a"}]},
            {"response": {"message": {"role": "assistant", "content": "a"}, "done": True}},
            {
                "response": {
                    "role": "assistant",
                    "content": [THOUGHT, {"type": "text", "text": "a"}],
                }
            },
            {"response": {"body": {"output": [SUMMARY, REPLY], "text": {"format": {}}}}},
            {"output": [SUMMARY, REPLY]},
            {
                "result": {
                    "type": "succeeded",
                    "message": {"content": [{"type": "text", "text": "a"}]},
                }
            },
            {
                "response": {
                    "candidates": [
                        {
                            "content": {
                                "parts": [{"text": "hm", "thought": True}, {"text": "a"}],
                                "role": "model",
                            }
                        }
                    ]
                }
            },
        ],
    )
    def test_the_reply_in_each_form_of_chat(self, folder: Folder, text: dict[str, Any]) -> None:
        """What was thought is no part of it, in ShareGPT's form and those of APIs and batches."""
        samples = folder.open([{"custom_id": "HumanEval/0", "error": None, **text}])
        assert samples.description.startswith("chat samples of 1 of 3")
        assert opened(samples) == [("HumanEval/0", 1, ("a",))]

    @pytest.mark.parametrize(
        "text",
        [
            {"choices": [{"message": {"role": "assistant", "content": None, "refusal": "no"}}]},
            {"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": []}]},
            {"response": {"role": "assistant", "content": [THOUGHT]}},
            {"output": [SUMMARY]},
            {"response": {"candidates": [{"content": {"role": "model"}}]}},
        ],
    )
    def test_a_reply_without_a_text(self, folder: Folder, text: dict[str, Any]) -> None:
        """A model that declined, or thought until its limit, has given no code: a candidate."""
        assert opened(folder.open([sample(0, **text)])) == [("HumanEval/0", 1, ("",))]

    def test_keys_that_mbpp_s_samples_have(self, folder: Folder) -> None:
        """They say that it is MBPP where the task can be one of it, nothing elsewhere."""
        folder.write("p", [mbpp(12)])
        for task_id in (12, "12", "Mbpp/12", "MBPP/12"):
            with folder.open([{"task_id": task_id, "generation": DOUBLE}], "p") as samples:
                assert samples.description == "MBPP samples of 1 problem from p"

    def test_a_batch_of_responses(self, folder: Folder) -> None:
        """custom_id is the task of a response that stands in its body."""
        choices = [{"index": at, "message": {"content": text}} for at, text in enumerate("ab")]
        row = {"custom_id": "HumanEval/2", "response": {"body": {"choices": choices}}}
        assert opened(folder.open([row])) == [("HumanEval/2", 1, ("a", "b"))]

    @pytest.mark.parametrize(
        "form", ["HumanEval/{}-{}", "HumanEval_{}_{}", "HumanEval-{}-sample-{}"]
    )
    def test_requests_of_a_batch_are_numbered(self, folder: Folder, form: str) -> None:
        """A request has an id of its own: the task's, and the number of the sample."""
        rows = [
            {"custom_id": form.format(task, number), "response": f"{task}{number}"}
            for task in (0, 2)
            for number in (0, 1, 17)
        ]
        assert opened(folder.open(rows)) == [
            ("HumanEval/0", 1, ("00", "01", "017")),
            ("HumanEval/2", 4, ("20", "21", "217")),
        ]

    @pytest.mark.parametrize(
        ("row", "message"),
        [
            (
                {"task_id": "HumanEval/0-1"},
                "the task_id is none of problems.jsonl; 1 of 2 are (got",
            ),
            (
                {"custom_id": "request-1"},
                "the custom_id is none of problems.jsonl; 1 of 2 are (got",
            ),
            ({"custom_id": "HumanEval/9-1"}, "the custom_id is none of problems.jsonl; 1 of 2 are"),
        ],
    )
    def test_a_number_is_not_taken_for_the_task_s(
        self, folder: Folder, row: dict[str, Any], message: str
    ) -> None:
        """The last of two numbers may be a sample's; whose sample it is nobody guesses."""
        rows = [sample(0, response="x"), {**row, "response": "y"}]
        assert folder.refusal(rows).startswith(f"samples:2: {message}")

    @pytest.mark.parametrize("key", ["response", "output", "choices", "generation", "result"])
    def test_messages_that_were_asked(self, folder: Folder, key: str) -> None:
        """An example in the prompt is no sample where what the model wrote stands beside it."""
        reply = {"role": "assistant", "content": "a"}
        shots = [
            {"role": "user", "content": "q"},
            {"role": "assistant", "content": "example"},
            {"role": "user", "content": "q"},
        ]
        text = {"choices": [{"message": reply}], "result": {"message": reply}}.get(key, "a")
        rows = [sample(0, messages=shots, **{key: text})]
        assert opened(folder.open(rows)) == [("HumanEval/0", 1, ("a",))]

    def test_formats_may_be_mixed(self, folder: Folder) -> None:
        """Each row counts by its own keys."""
        rows = [sample(0, completion="x"), sample(0, solution=DOUBLE), sample(0, response="y")]
        assert opened(folder.open(rows)) == [
            ("HumanEval/0", 1, (prompt("double") + "x", DOUBLE, "y"))
        ]

    def test_what_other_tools_write_is_read_with_patience(self, folder: Folder) -> None:
        """A byte order mark, CRLF and blank lines mean nothing; lines are still the file's."""
        lines = [json.dumps(sample(number, response="x")) for number in (0, 1)]
        content = "\ufeff\r\n" + "\r\n\r\n".join(lines) + "\r\n\r\n"
        assert opened(folder.open(content.encode())) == [
            ("HumanEval/0", 2, ("x",)),
            ("HumanEval/1", 4, ("x",)),
        ]

    def test_a_list_of_rows(self, folder: Folder) -> None:
        """Rows may stand in a JSON list."""
        content = json.dumps([sample(0, response="x"), sample(1, response="y")], indent=1)
        assert opened(folder.open(content.encode())) == [
            ("HumanEval/0", 2, ("x",)),
            ("HumanEval/1", 6, ("y",)),
        ]

    @pytest.mark.parametrize(
        ("row", "message"),
        [
            ({"completion": "x"}, "the row names no task (got 'completion', expected task_id);"),
            (
                {"task_id": 1.5, "completion": "x"},
                "task_id is of the wrong type (got a number, expected a string or an integer);",
            ),
            (
                {"task_id": 1, "result": "passed"},
                "problem '1': the row holds no text (got 'task_id', 'result', expected completion,"
                " solution, messages or the like); give each sample its text",
            ),
            (
                {"task_id": 1, "completion": None},
                "problem '1': completion holds no text (got null, expected a text, a list of"
                ' texts, chat messages or choices); give each sample its text, "" where the model'
                " wrote nothing, or remove it",
            ),
            (
                {"task_id": 1, "completions": []},
                "problem '1': completions is empty (got a list, expected a text,",
            ),
            (
                {"task_id": 1, "completions": ["x", 3]},
                "problem '1': completions[1] holds no text (got a number, expected a text,",
            ),
            (
                {"task_id": 1, "messages": [{"role": "user", "content": "q"}]},
                "problem '1': messages has no reply (got 1 messages, none of the assistant, exp",
            ),
            (
                {"task_id": 1, "choices": [{"message": {"refusal": "no"}}]},
                "problem '1': choices[0].message holds no text (got an object of 'refusal', exp",
            ),
            (
                {"custom_id": "1", "response": {"body": {"error": {"message": "no"}}}},
                "problem '1': response.body holds no text (got an object of 'error', expected",
            ),
            (
                {"custom_id": "1", "result": {"type": "errored", "error": {}}},
                "problem '1': result holds no text (got an object of 'type', 'error', expected",
            ),
            (
                {"task_id": 1, "response": {"role": "assistant", "contents": "typo"}},
                "problem '1': response holds no text (got an object of 'role', 'contents', exp",
            ),
        ],
    )
    def test_a_malformed_row(self, folder: Folder, row: dict[str, Any], message: str) -> None:
        """It is refused by its line, blank lines counted."""
        content = json.dumps(sample(0, completion="x")) + "\n\n" + json.dumps(row)
        assert folder.refusal(content.encode()).startswith(f"samples:3: {message}")

    def test_a_task_of_no_problem(self, folder: Folder) -> None:
        """The first is named, with the ids nearest to it and how many tasks are known."""
        rows = [sample(0, response="x"), sample(1, response="x"), sample(33, response="x")]
        assert folder.refusal(rows * 2) == (
            "samples:3: the task_id is none of problems.jsonl; 2 of 3 are (got 'HumanEval/33',"
            " expected one of its 3, such as 'HumanEval/2', 'HumanEval/1', 'HumanEval/0');"
            " remove these samples, or give the problems that they are of"
        )

    def test_samples_of_another_benchmark(self, folder: Folder) -> None:
        """Where no task is known, the problems are the wrong ones."""
        assert folder.refusal([{"task_id": "Mbpp/2", "solution": "x"}]) == (
            "samples:1: the task_id is none of problems.jsonl; 0 of 1 are (got 'Mbpp/2',"
            " expected one of its 3, such as 'HumanEval/0', 'HumanEval/1', 'HumanEval/2');"
            " give the problems that the samples are of"
        )


class TestLmEval:
    """What ``lm_eval --log_samples`` writes."""

    def row(self, number: int, *texts: str, **more: Any) -> dict[str, Any]:
        """Return a row of a problem, whose filter has put the prompt before the texts."""
        return {
            "doc_id": number,
            "doc": humaneval()[number],
            "target": "check(f)",
            "arguments": {"gen_args_0": {"arg_0": prompt("double"), "arg_1": {"until": ["x"]}}},
            "resps": [list(texts)],
            "filtered_resps": [["filtered"] * len(texts)],
            "filter": "create_test",
            **more,
        }

    def test_what_the_model_wrote_is_a_completion(self, folder: Folder) -> None:
        """Each response is a candidate, as it was before the harness filtered it."""
        samples = folder.open([self.row(1, "a", "b"), self.row(0, "c")])
        assert samples.description == (
            "lm-evaluation-harness samples of 2 of 3 problems from problems.jsonl"
        )
        assert opened(samples) == [
            ("HumanEval/1", 1, (f"{prompt('halve')}a", f"{prompt('halve')}b")),
            ("HumanEval/0", 2, (f"{prompt('double')}c",)),
        ]

    def test_tasks_of_mbpp(self, folder: Folder) -> None:
        """Their problems are numbered, and their responses whole programs."""
        folder.write("p", [mbpp(12)])
        rows = [{"doc_id": 0, "doc": mbpp(12), "resps": [[DOUBLE]], "filter": "none"}]
        assert opened(folder.open(rows, "p")) == [("12", 1, (DOUBLE,))]

    def test_a_problem_stands_there_once_for_each_filter(self, folder: Folder) -> None:
        """Its texts are counted once."""
        rows = [self.row(0, "a", filter=name) for name in ("strict", "flexible")]
        assert opened(folder.open(rows)) == [("HumanEval/0", 1, (prompt("double") + "a",))]

    @pytest.mark.parametrize(
        ("row", "message"),
        [
            ({"doc": {}}, "the row is not of lm-evaluation-harness (got 'doc', expected doc and"),
            ({"doc": {"id": 1}, "resps": [["x"]]}, "the row names no task (got 'id', expected"),
            (
                {"doc": {"task_id": 1}, "resps": [[-2.5, False]]},
                "problem '1': resps[0][0] holds no text (got a number,",
            ),
            ({"doc": {"task_id": 9}, "resps": [["x"]]}, "the task_id is none of problems.jsonl;"),
        ],
    )
    def test_a_malformed_row(self, folder: Folder, row: dict[str, Any], message: str) -> None:
        """It is refused by its line."""
        rows = [self.row(0, "a"), {"filter": "create_test", **row}]
        if "doc" in row and len(row) == 1:
            message = message.replace("'doc'", "'filter', 'doc'")
        assert folder.refusal(rows).startswith(f"samples:2: {message}")


class TestCodeT:
    """Prompts and their samples."""

    def test_completions_go_with_their_own_prompt(self, folder: Folder) -> None:
        """A prompt without its examples is the problem's that has its name, which keeps its own."""
        short = 'def halve(x: int) -> int:\n    """ Return half of x.\n    """\n'
        rows = [{"prompt": short, "samples": ["a", "b"]}]
        problems = folder.problems(rows)
        assert [each.problem_id for each in problems] == ["HumanEval/1"]
        assert problems[0].candidates == (f"{short}a", f"{short}b")
        assert problems[0].prompt == prompt("halve")

    def test_the_prompt_that_is_the_problem_s(self, folder: Folder) -> None:
        """The same prompt is the problem's, whatever its functions are called."""
        folder.write("p", humaneval("double", "double", entry_point="other"))
        assert folder.refusal([{"prompt": prompt("double"), "samples": ["x"]}], "p").startswith(
            "samples:1: the prompt is none of p"
        )
        folder.write("p", humaneval("double", "halve", entry_point="other"))
        samples = folder.open([{"prompt": prompt("halve"), "samples": ["x"]}], "p")
        assert opened(samples) == [("HumanEval/1", 1, (prompt("halve") + "x",))]

    def test_names_that_are_not_unique(self, folder: Folder) -> None:
        """Of problems with one name, it is the one that shares most of its prompt."""
        text = 'def double(x):\n    """ {}\n    >>> 1\n    """\n'
        problems = humaneval("double", "double")
        problems[0]["prompt"], problems[1]["prompt"] = text.format("Add x."), text.format("Use 2.")
        folder.write("p", problems)
        short = text.format("Use 2.").replace("    >>> 1\n", "")
        samples = folder.open([{"prompt": short, "samples": ["x"]}], "p")
        assert opened(samples) == [("HumanEval/1", 1, (f"{short}x",))]

    @pytest.mark.parametrize(
        ("row", "message"),
        [
            (
                {"prompt": "def f():", "samples": ["x"]},
                "the prompt is none of problems.jsonl; 1 of",
            ),
            ({"prompt": prompt("halve")}, "the row is not of CodeT (got 'prompt', expected prompt"),
            ({"prompt": 1, "samples": ["x"]}, "prompt is of the wrong type (got a number,"),
            ({"prompt": prompt("halve"), "samples": []}, "samples is empty (got a list,"),
            ({"prompt": prompt("halve"), "samples": [1]}, "samples[0] holds no text (got a number"),
        ],
    )
    def test_a_malformed_row(self, folder: Folder, row: dict[str, Any], message: str) -> None:
        """It is refused by its line."""
        rows = [{"prompt": prompt("double"), "samples": ["x"]}, row]
        assert folder.refusal(rows).startswith(f"samples:2: {message}")


class TestGenerations:
    """Lists of programs, of which nothing names the problem."""

    def lists(self, *rows: Any) -> bytes:
        """Return a file with a list a line."""
        return b"[" + b",\n".join(json.dumps(row).encode() for row in rows) + b"]"

    def test_a_list_belongs_to_the_problem_that_its_programs_define(self, folder: Folder) -> None:
        """In any order, with problems left out, and with programs that define something else."""
        negate, halve = definitions("negate", "negate", "halve"), definitions("halve")
        assert opened(folder.open(self.lists(negate, halve))) == [
            ("HumanEval/2", 1, tuple(negate)),
            ("HumanEval/1", 2, tuple(halve)),
        ]

    def test_lists_in_the_order_of_the_problems(self, folder: Folder) -> None:
        """Lists that define no entry point are those of their place, where the others are."""
        rows = [definitions("double"), ["x"], definitions("negate")]
        found = opened(folder.open(self.lists(*rows)))
        assert [(name, candidates[0]) for name, _, candidates in found] == [
            (f"HumanEval/{number}", row[0]) for number, row in enumerate(rows)
        ]

    def write_fourteen(self, folder: Folder) -> list[str]:
        """Write as many problems with a name each, and return the names."""
        names = [f"f{number}" for number in range(14)]
        rows = humaneval(*["double"] * len(names))
        folder.write("p", [{**row, "entry_point": name} for row, name in zip(rows, names)])
        return names

    def test_lists_of_another_benchmark(self, folder: Folder) -> None:
        """That most belong to none is said before that two of the others belong to one."""
        names = self.write_fourteen(folder)
        rows = [*[["x"]] * 5, definitions(names[3]), definitions(names[3])]
        message = folder.refusal(self.lists(*rows), "p")
        assert message.startswith("samples:1: list 1 belongs to no problem:")
        assert "(got 7 lists, 2 of which belong to one, expected 14 in that order)" in message

    def test_lists_in_the_order_of_a_split(self, folder: Folder) -> None:
        """They begin at another problem than the first; a few that define nothing do not matter."""
        names = self.write_fourteen(folder)
        rows = [definitions(name) for name in names[2:12]]
        rows[4] = ["x"]
        found = [name for name, _, _ in opened(folder.open(self.lists(*rows), "p"))]
        assert found == [f"HumanEval/{number}" for number in range(2, 12)]
        rows[5] = ["x"]
        assert "list 5 belongs to no problem" in folder.refusal(self.lists(*rows), "p")

    def test_the_one_that_is_left(self, folder: Folder) -> None:
        """Out of order, one list that defines nothing is the one problem's that is left."""
        rows = [definitions("negate"), definitions("double"), ["x"]]
        found = opened(folder.open(self.lists(*rows)))
        assert [name for name, _, _ in found] == ["HumanEval/2", "HumanEval/0", "HumanEval/1"]

    def test_helpers_that_other_problems_are_about(self, folder: Folder) -> None:
        """Of several that programs define, it is the one whose prompt is in them."""
        both = [prompt("halve") + BODIES["halve"] + definitions("double")[0]]
        found = opened(folder.open(self.lists(both, definitions("negate"))))
        assert [name for name, _, _ in found] == ["HumanEval/1", "HumanEval/2"]

    def test_a_prompt_says_more_than_a_name(self, folder: Folder) -> None:
        """Programs that stand behind their prompt are of it, whatever they define."""
        folder.write("p", [mbpp(12), mbpp(13, text="Halve.", test_list=["assert double(4) == 2"])])
        shown = '"""\n{}\n{}\n"""\n'
        one = shown.format("Write a function to double.", "assert double(1) == 2")
        other = shown.format("Halve.", "assert double(4) == 2")
        rows = [[other + text for text in definitions("double", "half")], [one + "def f(): pass"]]
        assert [name for name, _, _ in opened(folder.open(self.lists(*rows), "p"))] == ["13", "12"]

    def test_tests_tell_prompts_apart_that_are_alike(self, folder: Folder) -> None:
        """MBPP has problems with one text; the tests are in their prompts."""
        folder.write("p", [mbpp(12), mbpp(13, test_list=["assert double(4) == 8"])])
        rows = [[f'"""\nassert double({number}) == {2 * number}\n"""'] for number in (4, 1)]
        assert [name for name, _, _ in opened(folder.open(self.lists(*rows), "p"))] == ["13", "12"]

    @pytest.mark.parametrize(
        ("rows", "message"),
        [
            (
                [definitions("halve"), definitions("halve")],
                "2: problem 'HumanEval/1': list 2 belongs to the problem of list 1"
                " (got two lists of one problem, expected one);",
            ),
            (
                [definitions("double"), ["x"]],
                "2: list 2 belongs to no problem: most of its programs have the prompt or entry"
                " point of none, and the lists are not in the order of problems.jsonl, one for each"
                " problem"
                " (got 2 lists, 1 of which belongs to one, expected 3 in that order);",
            ),
            ([["x"], definitions("double"), ["y"]], "1: list 1 belongs to no problem: most of its"),
            ([["x"], []], "2: list 2 holds no programs (got an empty list, expected a list of"),
            ([["x"], [None]], "2: list 2 holds no programs (got a list with null in it,"),
            ([["x"], "y"], "2: list 2 holds no programs (got a string,"),
            (
                [["x"], ["y"], definitions("halve"), ["z"]],
                "4: there are more lists than problems.jsonl has problems (got 4 lists, expected at"
                " most 3); give generations.json as it was written, and the problems that it is of",
            ),
            (["x", "y"], "1: list 1 holds no programs (got a string,"),
            ([[None, "x"], ["y"]], "1: list 1 holds no programs (got a list with null in it,"),
            ([[["x"]], [["y"]]], "1: list 1 holds no programs (got a list with a list in it,"),
            (
                [["x"], definitions("halve")],
                "1: list 1 belongs to no problem",
            ),
        ],
    )
    def test_malformed_lists(self, folder: Folder, rows: list[Any], message: str) -> None:
        """They are refused by line, and by number, for the whole may stand on one line."""
        found = folder.refusal(self.lists(*rows))
        assert found.startswith(f"samples:{message}")
        assert found.endswith(
            "give generations.json as it was written, and the problems that it is of"
        )


class TestDirectory:
    """EvalPlus' directory of programs."""

    @pytest.fixture
    def programs(self, folder: Folder) -> Path:
        """Return a directory with a problem's eleven programs, and things beside it."""
        place = folder.path / "out"
        for number in range(11):
            self.write(place / "HumanEval_0" / f"{number}.py", f"# {number}\r\n")
        self.write(place / "args.txt", "")
        (place / "__pycache__").mkdir()
        (place / ".hidden").mkdir()
        return place

    def write(self, path: Path, text: str) -> None:
        """Write a file, and the folders around it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())

    def test_programs_are_in_the_order_of_their_numbers(self, programs: Path) -> None:
        """10 comes behind 9, in problems and programs; files and hidden folders are no problems."""
        self.write(programs / "HumanEval_2" / "0.py", "x")
        samples = open_samples(Path("out"), problems="problems.jsonl", extract="none")
        assert samples.description == "EvalPlus samples of 2 of 3 problems from problems.jsonl"
        assert opened(samples) == [
            ("HumanEval/0", 1, tuple(f"# {number}\r\n" for number in range(11))),
            ("HumanEval/2", 2, ("x",)),
        ]

    def test_what_is_odd_is_at_no_line(self, programs: Path) -> None:
        """A directory has none."""
        for name in ("HumanEval_1", "HumanEval_2"):
            self.write(programs / name / "0.py", "x")
        with open_samples(Path("out"), problems="problems.jsonl") as samples:
            assert samples.notes == ("HumanEval/0 has 11 candidates where most problems have 1",)

    @pytest.mark.parametrize(
        ("name", "text", "message"),
        [
            (
                "HumanEval_9/0.py",
                "",
                "out/HumanEval_9: the directory's name is none of problems.js",
            ),
            (
                "HumanEval_1/0.txt",
                "",
                "out/HumanEval_1: the directory holds no programs (got no .p",
            ),
            ("HumanEval_1/0.py", None, "out/HumanEval_1/0.py: the program cannot be read (got"),
        ],
    )
    def test_a_malformed_directory(
        self, folder: Folder, programs: Path, name: str, text: Any, message: str
    ) -> None:
        """The directory or the file is named."""
        self.write(programs / name, "")
        if text is None:
            (programs / name).write_bytes(b"\xff")
        with pytest.raises(Exception, match="expected") as caught:
            open_samples(Path("out"), problems="problems.jsonl")
        assert str(caught.value).startswith(message)

    @pytest.mark.parametrize("problems", [None, "problems.jsonl"])
    def test_any_other_directory(self, folder: Folder, problems: Any) -> None:
        """A directory without folders of programs is no samples."""
        with pytest.raises(Exception, match="expected") as caught:
            open_samples(folder.path, problems=problems, shown_as="here")
        assert str(caught.value) == (
            "here: the directory holds no samples (got no folder with programs in it, expected"
            " HumanEval_0/0.py and so on); name a file, or the directory that EvalPlus wrote"
            if problems
            else "here: this is no file to read samples from (got a directory, expected a .jsonl or"
            " .jsonl.gz file); name a regular file"
        )
