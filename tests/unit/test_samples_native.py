from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_codecollapse.errors import SamplesError, Where
from pytest_codecollapse.model import Problem
from pytest_codecollapse.samples.native import MAX_NESTING, parse_line

WHERE = Where("after.jsonl", 7)
BASE: dict[str, Any] = {
    "problem_id": "p",
    "entry_point": "f",
    "candidates": ["def f(x): return x", "def f(x): return -x"],
    "reference": "def f(x): return x",
    "inputs": [[1], [2]],
}
GEN = "def generate(rng, m): return [(rng.random(),) for _ in range(m)]"


def line(*without: str, **fields: Any) -> bytes:
    """Return a line of the base problem, without some fields and with others."""
    problem = {name: value for name, value in {**BASE, **fields}.items() if name not in without}
    return json.dumps(problem).encode() + b"\n"


def nested(levels: int) -> bytes:
    """Return a list that holds a list that holds a list, and so on."""
    return b"[" * levels + b"]" * levels


def test_every_field_is_read() -> None:
    """A line with every field becomes the record that holds them."""
    optional = {"prompt": "Add.", "setup": "import math", "equality": "python", "cluster": "sums"}
    assert parse_line(line(labels=["a", "b"], **optional), WHERE) == Problem(
        problem_id="p",
        entry_point="f",
        candidates=("def f(x): return x", "def f(x): return -x"),
        reference="def f(x): return x",
        where=Where("after.jsonl", 7, "p"),
        inputs=([1], [2]),
        labels=("a", "b"),
        prompt="Add.",
        setup="import math",
        equality="python",
        cluster="sums",
    )


def test_a_generator_takes_the_place_of_inputs() -> None:
    """A line with input_gen has no inputs, and defaults for what it leaves out."""
    assert parse_line(line("inputs", input_gen=GEN), WHERE) == Problem(
        problem_id="p",
        entry_point="f",
        candidates=("def f(x): return x", "def f(x): return -x"),
        reference="def f(x): return x",
        where=Where("after.jsonl", 7, "p"),
        input_gen=GEN,
        inputs=None,
        labels=None,
        prompt="",
        setup="",
        equality="strict",
        cluster=None,
    )


def test_a_line_needs_no_line_end() -> None:
    """The last line of a file may lack its newline."""
    assert parse_line(line().rstrip(b"\n"), WHERE) == parse_line(line(), WHERE)


def test_other_keys_are_ignored() -> None:
    """Fields of the user's own, however odd, change nothing."""
    other = line(note={"a": [None]}, remark="assert f(1) == 1", **{"\ud800": 1})
    assert parse_line(other, WHERE) == parse_line(line(), WHERE)


def test_null_is_an_optional_field_left_out() -> None:
    """Exporters write null for what is missing."""
    names = ["input_gen", "labels", "prompt", "setup", "equality", "cluster", "tests"]
    assert parse_line(line(**dict.fromkeys(names)), WHERE) == parse_line(line(), WHERE)
    assert parse_line(line(inputs=None, input_gen=GEN), WHERE).inputs is None


def test_labels_and_cluster_become_strings() -> None:
    """The label 1 and the label "1" are the same class."""
    problem = parse_line(line(labels=[1, "1"], cluster=3), WHERE)
    assert problem.labels == ("1", "1")
    assert problem.cluster == "3"


def test_lone_surrogates_in_programs_are_read() -> None:
    r"""A program that a token limit cut inside an emoji arrives as \ud83d."""
    problem = parse_line(line(candidates=["x = '\ud83d"], prompt="\ud83d"), WHERE)
    assert problem.candidates == ("x = '\ud83d",)
    assert problem.prompt == "\ud83d"


def test_inputs_may_be_what_pythons_json_writes() -> None:
    """NaN and infinities are inputs like any other."""
    inputs = parse_line(line(inputs=[[float("nan")], [float("inf"), -float("inf")]]), WHERE).inputs
    assert repr(inputs) == "([nan], [inf, -inf])"


def test_inputs_may_be_nested_up_to_the_limit() -> None:
    """At the limit inputs are read; one level deeper they are not."""
    deepest = line(inputs=[[]]).replace(b"[[]]", nested(MAX_NESTING))
    assert len(parse_line(deepest, WHERE).inputs or ()) == 1
    with pytest.raises(SamplesError, match="inputs are nested too deeply"):
        parse_line(line(inputs=[[]]).replace(b"[[]]", nested(MAX_NESTING + 1)), WHERE)


NOT_A_RECORD = {
    "text": (
        b"hello\n",
        "the line is not JSON (got 'hello': Expecting value at column 1, expected a JSON object); "
        "write each problem as one JSON object on a line of its own",
    ),
    "cut off": (
        b'{"problem_id": "p", "candidates"' + b" " * 50,
        'the line is not JSON (got \'{"problem_id": "p", "candidates"\': '
        "Expecting ':' delimiter at column 83, expected a JSON object); "
        "write each problem as one JSON object on a line of its own",
    ),
    "long": (
        b"x" * 100,
        f"the line is not JSON (got '{'x' * 60}…': Expecting value at column 1, "
        "expected a JSON object); write each problem as one JSON object on a line of its own",
    ),
    "two objects": (
        b"{} {}\n",
        "the line is not JSON (got '{} {}': Extra data at column 4, expected a JSON object); "
        "write each problem as one JSON object on a line of its own",
    ),
    "a list": (
        b"[1]\n",
        "the line is no object (got a list, expected a JSON object); "
        "write each problem as one JSON object on a line of its own",
    ),
    "null": (
        b"null\n",
        "the line is no object (got null, expected a JSON object); "
        "write each problem as one JSON object on a line of its own",
    ),
    "blank": (
        b"\n",
        "the line is blank (got nothing, expected a JSON object); remove the line",
    ),
    "white space": (
        b" \t \n",
        "the line is blank (got nothing, expected a JSON object); remove the line",
    ),
    "Latin-1": (
        '{"problem_id": "é"}\n'.encode("latin-1"),
        "the line is not UTF-8 (got byte E9 at byte 17 of the line, expected UTF-8); "
        "convert the file, as iconv does",
    ),
    "UTF-16": (
        "{}\n".encode("utf-16"),
        "the line is not UTF-8 (got byte FF at byte 1 of the line, expected UTF-8); "
        "convert the file, as iconv does",
    ),
    "a surrogate in UTF-8": (
        '{"problem_id": "\ud800"}\n'.encode("utf-8", "surrogatepass"),
        "the line is not UTF-8 (got byte ED at byte 17 of the line, expected UTF-8); "
        "convert the file, as iconv does",
    ),
    "BOM": (
        b"\xef\xbb\xbf{}\n",
        "the line begins with a byte order mark (got EF BB BF, expected '{'); "
        "save the file as UTF-8 without BOM",
    ),
    "CRLF": (
        b"{}\r\n",
        r"the line ends as on Windows (got '\r\n', expected '\n'); "
        "convert the file, as dos2unix does",
    ),
    "repeated key": (
        b'{"problem_id": "p", "problem_id": "q"}\n',
        "an object repeats the key 'problem_id' (got it twice, expected it once); remove one",
    ),
    "repeated key inside": (
        b'{"inputs": [[{"a": 1, "a": 2}]]}\n',
        "an object repeats the key 'a' (got it twice, expected it once); remove one",
    ),
    "endless nesting": (
        b'{"a": ' + nested(100_000) + b"}\n",
        "the line is nested too deeply (got more levels than Python reads, expected fewer); "
        "leave that out; input_gen can build deep inputs",
    ),
    "endless integer": (
        b'{"a": ' + b"9" * 5_000 + b"}\n",
        "an integer is too long (got more digits than Python reads, expected fewer); "
        "leave that out; input_gen can build long integers",
    ),
    "no fields": (
        b"{}\n",
        "the field problem_id is missing (got no fields, expected problem_id); "
        "give each problem an id of its own, such as 'HumanEval/0'",
    ),
    "many other fields": (
        json.dumps(dict.fromkeys(map(str, range(99)))).encode(),
        "the field problem_id is missing (got '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', "
        "'10', '11', expected problem_id); "
        "give each problem an id of its own, such as 'HumanEval/0'",
    ),
    "problem_id missing": (
        line("problem_id"),
        "the field problem_id is missing "
        "(got 'entry_point', 'candidates', 'reference', 'inputs', expected problem_id); "
        "give each problem an id of its own, such as 'HumanEval/0'",
    ),
    "problem_id misspelt": (
        line("problem_id", problemId="p"),
        "the field problem_id is missing (got 'problemId', expected 'problem_id'); "
        "rename the key to problem_id",
    ),
    "problem_id a number": (
        line(problem_id=1),
        "problem_id is of the wrong type (got a number, expected a string); "
        "give each problem an id of its own, such as 'HumanEval/0'",
    ),
    "problem_id empty": (
        line(problem_id=""),
        "problem_id is empty (got '', expected some text); "
        "give each problem an id of its own, such as 'HumanEval/0'",
    ),
    "problem_id with a lone surrogate": (
        line(problem_id="p\ud83d"),
        r"problem_id holds half a surrogate pair (got 'p\ud83d', "
        "expected text that UTF-8 can hold); "
        "give each problem an id of its own, such as 'HumanEval/0'",
    ),
}

CANDIDATES = "give the sampled programs as a list of sources"
INPUTS = (
    "give a list of argument lists, such as [[1, 2], [3, 4]], or of Python arguments in strings, "
    "such as ['(1, 2), {3}']"
)
TESTS = "give code that defines check(candidate), or a list of assert statements"
ATOL = "give by how much a float may be off, a number from 0, or leave atol out"
LABELS = "give one string or integer per candidate, or leave labels out"
REFERENCE = "give the source of a program whose behaviour is correct, or tests"
CLUSTER = "name the group that the problem belongs to, or leave cluster out"

NO_PROBLEM = {
    "entry_point missing": (
        line("entry_point", "candidates", "reference", "inputs", note=1),
        "the field entry_point is missing (got 'problem_id', 'note', expected entry_point); "
        "name the function to call, or the problems' file with --problems",
    ),
    "entry_point misspelt": (
        line("entry_point", entrypoint="f"),
        "the field entry_point is missing (got 'entrypoint', expected 'entry_point'); "
        "rename the key to entry_point",
    ),
    "entry_point null": (
        line(entry_point=None),
        "entry_point is of the wrong type (got null, expected a string); name the function to call",
    ),
    "entry_point no identifier": (
        line(entry_point="Solution().f"),
        "entry_point is no name that a function can have "
        "(got 'Solution().f', expected a Python identifier); name the function to call",
    ),
    "entry_point a keyword": (
        line(entry_point="lambda"),
        "entry_point is no name that a function can have "
        "(got 'lambda', expected a Python identifier); name the function to call",
    ),
    "candidates missing": (
        line("candidates"),
        "the field candidates is missing "
        "(got 'problem_id', 'entry_point', 'reference', 'inputs', expected candidates); "
        f"{CANDIDATES}",
    ),
    "candidates misspelt": (
        line("candidates", candidate=["x = 1"], Candidates=["x = 1"]),
        "the field candidates is missing (got 'candidate', expected 'candidates'); "
        "rename the key to candidates",
    ),
    "candidates a string": (
        line(candidates="def f(x): return x"),
        f"candidates is of the wrong type (got a string, expected a list); {CANDIDATES}",
    ),
    "candidates empty": (
        line(candidates=[]),
        f"candidates is empty (got [], expected at least one item); {CANDIDATES}",
    ),
    "a candidate null": (
        line(candidates=["x = 1", None]),
        f"candidates[1] is of the wrong type (got null, expected a string); {CANDIDATES}",
    ),
    "a candidate an object": (
        line(candidates=[{"code": "x = 1"}]),
        f"candidates[0] is of the wrong type (got an object, expected a string); {CANDIDATES}",
    ),
    "reference missing": (
        line("reference"),
        "the field reference is missing "
        "(got 'problem_id', 'entry_point', 'candidates', 'inputs', expected reference); "
        f"{REFERENCE}",
    ),
    "reference misspelt": (
        line("reference", refrence="x = 1"),
        "the field reference is missing (got 'refrence', expected 'reference'); "
        "rename the key to reference",
    ),
    "reference a list": (
        line(reference=["x = 1"]),
        f"reference is of the wrong type (got a list, expected a string); {REFERENCE}",
    ),
    "neither inputs nor input_gen": (
        line("inputs"),
        "inputs have no source (got 'problem_id', 'entry_point', 'candidates', 'reference', "
        f"expected input_gen or inputs or tests); {INPUTS}, "
        "or input_gen: source that defines generate(rng, m), or tests",
    ),
    "inputs misspelt": (
        line("inputs", input=[[1]]),
        "inputs have no source (got 'input', expected 'inputs'); rename the key to inputs",
    ),
    "input_gen misspelt": (
        line("inputs", inputGen=GEN),
        "inputs have no source (got 'inputGen', expected 'input_gen'); rename the key to input_gen",
    ),
    "both inputs and input_gen": (
        line(input_gen=GEN),
        "inputs have two sources (got input_gen and inputs, expected one of them); remove one",
    ),
    "tests a number": (
        line(tests=3),
        f"tests is of the wrong type (got a number, expected a list); {TESTS}",
    ),
    "a test a list": (
        line(tests=["assert f(1) == 1", []]),
        f"tests[1] is of the wrong type (got a list, expected a string); {TESTS}",
    ),
    "no tests in the list": (
        line(tests=[]),
        f"tests is empty (got [], expected at least one item); {TESTS}",
    ),
    "an input that calls": (
        line(inputs=["open('x')"]),
        "inputs[0] cannot be read as Python "
        f"(got \"open('x')\": no literal at column 1, expected literals); {INPUTS}",
    ),
    "atol a string": (
        line(atol="1e-6"),
        f"atol is of the wrong type (got a string, expected a number); {ATOL}",
    ),
    "atol negative": (
        line(atol=-1),
        f"atol is out of range (got -1, expected a number from 0); {ATOL}",
    ),
    "repairs of another length": (
        line(repairs=[["prompt"]]),
        "repairs and candidates differ in number (got 1 lists, expected 2); "
        "give one list of names per candidate, or leave repairs out",
    ),
    "input_gen a number": (
        line("inputs", input_gen=1.5),
        "input_gen is of the wrong type (got a number, expected a string); "
        "give source that defines generate(rng, m)",
    ),
    "inputs an object": (
        line(inputs={"a": [1]}),
        f"inputs is of the wrong type (got an object, expected a list); {INPUTS}",
    ),
    "inputs empty": (
        line(inputs=[]),
        f"inputs is empty (got [], expected at least one item); {INPUTS}",
    ),
    "inputs no lists": (
        line(inputs=[[1], 2]),
        f"inputs[1] is of the wrong type (got a number, expected a list or a string); {INPUTS}",
    ),
    "inputs nested deeply": (
        line(inputs=[[]]).replace(b"[[]]", nested(MAX_NESTING + 1)),
        "inputs are nested too deeply (got more than 100 levels, expected fewer); "
        "build deep inputs in input_gen",
    ),
    "inputs nested deeply in objects": (
        line(inputs=[[]]).replace(b"[[]]", b'[[{"a":' * 40 + b"1" + b"}]]" * 40),
        "inputs are nested too deeply (got more than 100 levels, expected fewer); "
        "build deep inputs in input_gen",
    ),
    "labels a string": (
        line(labels="ab"),
        f"labels is of the wrong type (got a string, expected a list); {LABELS}",
    ),
    "labels of another length": (
        line(labels=["a", "b", "c"]),
        "labels and candidates differ in number (got 3 labels, expected 2, one per candidate); "
        f"{LABELS}",
    ),
    "a label true": (
        line(labels=["a", True]),
        f"labels[1] is of the wrong type (got true, expected a string or an integer); {LABELS}",
    ),
    "a label a fraction": (
        line(labels=[0.5, 1]),
        f"labels[0] is of the wrong type (got a number, expected a string or an integer); {LABELS}",
    ),
    "prompt a list": (
        line(prompt=["Add."]),
        "prompt is of the wrong type (got a list, expected a string); "
        "give the text that was sampled from, or leave prompt out",
    ),
    "setup false": (
        line(setup=False),
        "setup is of the wrong type (got false, expected a string); "
        "give the code to put before every program, or leave setup out",
    ),
    "equality a number": (
        line(equality=1),
        "equality is of the wrong type (got a number, expected a string); "
        "choose one, or leave equality out",
    ),
    "equality unknown": (
        line(equality="loose"),
        "equality is unknown (got 'loose', expected 'strict' or 'python'); "
        "choose one, or leave equality out",
    ),
    "cluster a list": (
        line(cluster=[]),
        f"cluster is of the wrong type (got a list, expected a string or an integer); {CLUSTER}",
    ),
    "cluster with a lone surrogate": (
        line(cluster="\udc00"),
        r"cluster holds half a surrogate pair (got '\udc00', "
        f"expected text that UTF-8 can hold); {CLUSTER}",
    ),
}


@pytest.mark.parametrize(("raw", "message"), NOT_A_RECORD.values(), ids=list(NOT_A_RECORD))
def test_a_line_without_a_problem_id_is_refused_by_line(raw: bytes, message: str) -> None:
    """The error names path and line, what is wrong and the remedy."""
    with pytest.raises(SamplesError) as caught:
        parse_line(raw, WHERE)
    assert str(caught.value) == f"after.jsonl:7: {message}"
    assert caught.value.where == WHERE


@pytest.mark.parametrize(("raw", "message"), NO_PROBLEM.values(), ids=list(NO_PROBLEM))
def test_a_malformed_problem_is_refused_by_id(raw: bytes, message: str) -> None:
    """The error names path, line and problem, what is wrong and the remedy."""
    with pytest.raises(SamplesError) as caught:
        parse_line(raw, WHERE)
    assert str(caught.value) == f"after.jsonl:7: problem 'p': {message}"
    assert caught.value.where == Where("after.jsonl", 7, "p")


def test_an_odd_problem_id_is_quoted() -> None:
    """An id that could break the output's lines is escaped in messages."""
    with pytest.raises(SamplesError) as caught:
        parse_line(line("candidates", problem_id="a\n::b"), WHERE)
    assert str(caught.value).startswith(r"after.jsonl:7: problem 'a\n::b': the field candidates")
