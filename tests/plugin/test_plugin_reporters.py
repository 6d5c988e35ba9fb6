"""Problems and gates as reporters of others show them."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from plugin_corpora import write_checkpoints
from plugin_runs import run, run_apart

AGAINST = (
    "--codecollapse-samples=after.jsonl",
    "--codecollapse-baseline=before.jsonl",
    "--codecollapse-gate=E[D_5] must not drop by 10%",
    "--codecollapse-gate=hill_q0 >= 1.5",
    "--codecollapse-k=1,5",
)

PROBLEM = {
    "n": "6",
    "correct": "4",
    "pass@1": "0.6666666666666666",
    "pass@5": "1.0",
    "E[D_1]": "1.0",
    "E[D_5]": "2.0",
}

#: What each test of the run above says of itself.
PROPERTIES = {
    "one": PROBLEM,
    "two": PROBLEM,
    "gate[E[D_5] must not drop by 10%]": {
        "metric": "E[D_5]",
        "before": "5.0",
        "after": "2.0",
        "delta": "-3.0",
        "interval": "[-3, -3]",
        "threshold": "-0.5",
    },
    "gate[hill_q0 >= 1.5]": {"metric": "hill_q0", "after": "2.0", "threshold": "1.5"},
}


@pytest.fixture(autouse=True)
def checkpoints(pytester: pytest.Pytester) -> None:
    """Write before.jsonl and after.jsonl."""
    write_checkpoints(pytester.path)


def properties_in(path: Path) -> dict[str, dict[str, str]]:
    """Read the properties of each test case of a JUnit file."""
    return {
        case.get("name", ""): {
            each.get("name", ""): each.get("value", "")
            for each in case.findall("properties/property")
        }
        for case in ElementTree.parse(path).iter("testcase")
    }


def test_junit_holds_the_figures(pytester: pytest.Pytester) -> None:
    """A problem has its counts and statistics as properties, a gate what it was judged by."""
    run(pytester, *AGAINST, "--junitxml=junit.xml")
    assert properties_in(pytester.path / "junit.xml") == PROPERTIES


def test_junit_holds_the_figures_with_workers(pytester: pytest.Pytester) -> None:
    """They come from two workers as they come from a serial run."""
    pytest.importorskip("xdist")
    run_apart(pytester, *AGAINST, "--junitxml=junit.xml", "-n2")
    assert properties_in(pytester.path / "junit.xml") == PROPERTIES


def test_figures_that_are_not_there_are_left_out(pytester: pytest.Pytester) -> None:
    """A statistic that is not defined is no property, and a gate on it has its metric alone."""
    gate = "--codecollapse-gate=pass@9 >= 0.5"
    run(pytester, AGAINST[0], gate, "--codecollapse-k=9", "--junitxml=junit.xml")
    assert properties_in(pytester.path / "junit.xml") == {
        "one": {"n": "6", "correct": "4"},
        "two": {"n": "6", "correct": "4"},
        "gate[pass@9 >= 0.5]": {"metric": "pass@9", "threshold": "0.5"},
    }


def test_json_report_shows_problems_and_gates(pytester: pytest.Pytester) -> None:
    """pytest-json-report lists each with its outcome and its figures."""
    pytest.importorskip("pytest_jsonreport")
    run(pytester, *AGAINST, "--json-report", "--json-report-file=all.json")
    report = json.loads((pytester.path / "all.json").read_text())
    assert report["summary"]["passed"] == 3
    assert report["summary"]["failed"] == 1
    found = {test["nodeid"]: test for test in report["tests"]}
    assert sorted(found) == sorted(f"after.jsonl::{name}" for name in PROPERTIES)
    gate = found["after.jsonl::gate[E[D_5] must not drop by 10%]"]
    assert gate["outcome"] == "failed"
    assert {"metric": "E[D_5]"} in gate["user_properties"]


def test_pytest_html_shows_problems_and_gates(pytester: pytest.Pytester) -> None:
    """pytest-html lists each, and the message of the gate that failed."""
    pytest.importorskip("pytest_html")
    run(pytester, *AGAINST, "--html=all.html", "--self-contained-html")
    page = (pytester.path / "all.html").read_text()
    for name in PROPERTIES:
        assert f"after.jsonl::{name}" in page.replace("&gt;", ">").replace("\\u003e", ">")
    assert "delta -3 [-3, -3] lies below -0.5" in page
