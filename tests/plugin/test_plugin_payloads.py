"""What rides on test reports, against the serialiser that pytest-xdist sends them with."""

from __future__ import annotations

import pytest
from plugin_corpora import problem, program, write_samples

execnet = pytest.importorskip("execnet")

ODD_IDS = ("a::b", "HumanEval/1", "a b", "two\nlines", "größe 日本 🐍", "\x00\x1b[31m", "[x]")

#: Programs whose results, messages and class names cannot be encoded.
SURROGATES = (
    program(r"'\ud83d'"),
    "def f(x):\n    raise type('\\ud83d', (Exception,), {})\n",
    "class A: pass\nA.__qualname__ = A.__name__ = 'a\\ud83d'\ndef f(x): return A()\n",
    "raise ValueError('\\ud83d')\n",
)


def reports(pytester: pytest.Pytester) -> list[pytest.TestReport]:
    """Run the samples of after.jsonl; return the reports of the problems' calls."""
    recorder = pytester.inline_run(
        "-p", "no:cacheprovider", "--codecollapse-jobs=1", "--codecollapse-samples=after.jsonl"
    )
    sent = recorder.getreports("pytest_runtest_logreport")
    return [report for report in sent if report.when == "call"]


def sent_and_received(report: pytest.TestReport) -> pytest.TestReport:
    """Return what the controller makes of a report that a worker sends."""
    data = report._to_json()
    received = execnet.loads(execnet.dumps(data))
    assert received == data
    return pytest.TestReport._from_json(received)


def test_ids_of_any_kind_are_sent_whole(pytester: pytest.Pytester) -> None:
    """Each problem's outcome arrives under its own id, which no node id has escaped."""
    write_samples(pytester.path / "after.jsonl", *map(problem, ODD_IDS))
    received = [vars(sent_and_received(report)) for report in reports(pytester)]
    assert [each["codecollapse"]["problem_id"] for each in received] == list(ODD_IDS)
    assert {each["codecollapse"]["problem"]["n"] for each in received} == {2}


def test_programs_of_any_kind_are_sent_whole(pytester: pytest.Pytester) -> None:
    """What a program says of itself cannot keep a report from being sent."""
    gen = "def generate(rng, m): raise ValueError('\\ud83d \\x1b[31m')"
    write_samples(
        pytester.path / "after.jsonl",
        problem("odd", candidates=[program("2 * x"), *SURROGATES]),
        problem("unmeasured", inputs=None, input_gen=gen),
    )
    odd, unmeasured = [vars(sent_and_received(report)) for report in reports(pytester)]
    assert odd["codecollapse"]["problem"]["n"] == 5
    assert r"ValueError: \ud83d \x1b[31m" in unmeasured["codecollapse"]["unmeasured"]
    assert unmeasured["longrepr"] == unmeasured["codecollapse"]["unmeasured"]
