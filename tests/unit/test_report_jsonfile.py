from __future__ import annotations

import json
from fractions import Fraction
from typing import Any, Union

from report_records import measured, report_of

from pytest_codecollapse import __version__
from pytest_codecollapse.model import (
    CompareSettings,
    Comparison,
    MetricDelta,
    Staleness,
    Unmeasured,
    Verdict,
)
from pytest_codecollapse.report import (
    problem_to_json,
    render_comparison,
    render_report,
)

PROBLEM = measured(
    ks=(2, 13),
    labels=("a",) * 5 + ("b",) * 7,
    nondeterministic=[0],
    order_dependent=[11],
    left_out=[2, 9],
    cluster="lists",
)
REPORT = report_of(PROBLEM, unmeasured=[Unmeasured(problem_id="q", message="it hangs")], ks=(2, 13))


def exactly(fraction: Union[str, None], value: Union[float, None]) -> dict[str, Any]:
    """Return the JSON form of a statistic."""
    return {"exact": fraction, "value": value}


STATISTICS = {
    "pass@2": exactly("15/22", 15 / 22),
    "pass@13": exactly(None, None),
    "E[D_2]": exactly("59/33", 59 / 33),
    "E[D_13]": exactly(None, None),
    "E[W_2]": exactly("73/66", 73 / 66),
    "E[W_13]": exactly(None, None),
    "E[A_2]": exactly("9/5", 1.8),
    "E[A_13]": exactly(None, None),
    "hill_q0": exactly("5", 5.0),
    "hill_q1": exactly(None, 4.1542417361563855),
    "hill_q2": exactly("18/5", 3.6),
    "chao1": exactly("131/24", 131 / 24),
    "distinct_ast": exactly("3", 3.0),
    "masking_ratio": exactly("3/5", 0.6),
    "stable_at": exactly("5", 5.0),
    "nondeterministic": exactly("1", 1.0),
    "order_dependent": exactly("1", 1.0),
}


def behaviour(number: int, members: list[int]) -> dict[str, Any]:
    """Return the JSON form of a class."""
    return {
        "fingerprint": PROBLEM.partition.classes[number].fingerprint,
        "members": members,
        "correct": number == 0,
        "outcomes": {"value": 8},
        "witness": None,
    }


PROBLEM_JSON = {
    "problem_id": "p",
    "identity": PROBLEM.identity.whole,
    "identity_parts": {
        name: PROBLEM.identity.parts[name]
        for name in (
            *("entry_point", "reference", "inputs", "prompt", "setup", "equality"),
            "answered inputs",
        )
    },
    "n": 12,
    "correct": 5,
    "classes": [
        behaviour(0, [0, 1, 2, 3, 4]),
        behaviour(1, [5, 6, 7]),
        behaviour(2, [8, 9]),
        behaviour(3, [10]),
        behaviour(4, [11]),
    ],
    "nondeterministic": [0],
    "order_dependent": [11],
    "distinct_ast": 3,
    "ast_classes": [[0, 3, 6, 9], [1, 4, 7, 10], [2, 5, 8, 11]],
    "stability_curve": [1, 2, 3, 4, 5, 5, 5, 5],
    "stable_at": 5,
    "correct_curve": [12, 9, 7, 6, 5, 5, 5, 5],
    "inputs_left_out": [2, 9],
    "ari": exactly("490/1051", 490 / 1051),
    "cluster": "lists",
    "oracle": "reference",
    "checks": None,
    "causes": {"wrong output": [5, 6, 7, 8, 9, 10, 11]},
    "misnamed": {},
    "repairs": {},
    "input_origins": {},
    "statistics": STATISTICS,
}


def in_order(value: Any) -> str:
    """Write a JSON value so that the order of its keys counts."""
    return json.dumps(value, indent=1)


def test_a_report_has_every_field_in_order() -> None:
    """The file is valid JSON of schema 1, with exact fractions beside their floats."""
    assert in_order(json.loads(render_report(REPORT))) == in_order(
        {
            "schema": 1,
            "tool_version": __version__,
            "environment": {
                "python": "3.11.7",
                "platform": "Linux-x86_64",
                "isolation": "process",
                "canonical_form": 1,
            },
            "settings": {
                "inputs": 50,
                "timeout_s": 0.5,
                "memory_mb": 512,
                "input_seed": 0,
                "site_packages": False,
                "extract": None,
                "canonicalizers": {},
                "k": [2, 13],
            },
            "mean": STATISTICS,
            "ari": exactly("490/1051", 490 / 1051),
            "unmeasured": [{"problem_id": "q", "message": "it hangs"}],
            "causes": {"wrong output": 7},
            "repairs": {},
            "disagreements": {"only_tests": 0, "only_reference": 0},
            "problems": [PROBLEM_JSON],
        }
    )


def test_a_problem_alone_has_the_same_form() -> None:
    """What rides on a test report is what stands in the file."""
    assert in_order(problem_to_json(PROBLEM)) == in_order(PROBLEM_JSON)


def test_what_is_not_there_is_null() -> None:
    """A problem without labels or cluster says so."""
    form = problem_to_json(measured())
    assert (form["ari"], form["cluster"]) == (None, None)
    assert '"ari":null,"unmeasured":[],' in render_report(report_of(measured()))


def test_a_report_has_a_line_a_problem() -> None:
    """So that a diff of two reports names the problems that changed."""
    report = report_of(measured("one\ntwo"), measured("问题"))
    head, one, two, tail = render_report(report).splitlines()
    assert head.endswith('"only_reference":0},"problems":[')
    assert json.loads(one.rstrip(","))["problem_id"] == "one\ntwo"
    assert json.loads(two)["problem_id"] == "问题"
    assert tail == "]}"


def test_a_report_without_problems_is_valid() -> None:
    """The list is empty, every mean is null."""
    found = json.loads(render_report(report_of()))
    assert found["problems"] == []
    assert found["mean"]["pass@1"] == exactly(None, None)


def test_the_same_report_is_the_same_text() -> None:
    """Nothing in the text depends on when or where it is rendered."""
    again = report_of(
        measured(
            ks=(2, 13),
            labels=("a",) * 5 + ("b",) * 7,
            nondeterministic=[0],
            order_dependent=[11],
            left_out=[2, 9],
            cluster="lists",
        ),
        unmeasured=REPORT.unmeasured,
        ks=(2, 13),
    )
    assert render_report(REPORT) == render_report(again)


def test_a_comparison_has_every_field_in_order() -> None:
    """Values and interval ends are exact beside their floats; a metric is a line."""
    comparison = Comparison(
        settings=CompareSettings(resamples=9, confidence=Fraction(9, 10), seed=3),
        paired=("p",),
        metrics=(
            MetricDelta(
                metric="E[D_5]",
                pairs=1,
                before=Fraction(5, 3),
                after=Fraction(1),
                delta=Fraction(-2, 3),
                interval=(Fraction(-1), Fraction(-1, 3)),
            ),
            MetricDelta(
                metric="hill_q1", pairs=0, before=None, after=2.5, delta=None, interval=None
            ),
        ),
        staleness=Staleness(
            paired=1, settings=("inputs 50 -> 20",), changed={"q": ("inputs",)}, gone=("r",)
        ),
        caution="only 1 problem",
        environment=("isolation confined -> process",),
    )
    verdict = Verdict(
        rule="chao1 >= 2", status="fail", summary="low", details=("1 (p)",), problem_ids=("p",)
    )
    text = render_comparison(comparison, (verdict,))
    assert len(text.splitlines()) == 4
    assert in_order(json.loads(text)) == in_order(
        {
            "schema": 1,
            "settings": {"resamples": 9, "confidence": 0.9, "seed": 3, "interval": "expanded"},
            "paired": ["p"],
            "staleness": {
                "paired": 1,
                "settings": ["inputs 50 -> 20"],
                "changed": {"q": ["inputs"]},
                "gone": ["r"],
                "unmeasured": [],
                "new": [],
                "fewer": {},
                "allowed": [],
                "allowed_fewer": [],
            },
            "environment": ["isolation confined -> process"],
            "caution": "only 1 problem",
            "verdicts": [
                {
                    "rule": "chao1 >= 2",
                    "status": "fail",
                    "summary": "low",
                    "details": ["1 (p)"],
                    "problem_ids": ["p"],
                }
            ],
            "metrics": [
                {
                    "metric": "E[D_5]",
                    "pairs": 1,
                    "before": exactly("5/3", 5 / 3),
                    "after": exactly("1", 1.0),
                    "delta": exactly("-2/3", -2 / 3),
                    "interval": [exactly("-1", -1.0), exactly("-1/3", -1 / 3)],
                },
                {
                    "metric": "hill_q1",
                    "pairs": 0,
                    "before": exactly(None, None),
                    "after": exactly(None, 2.5),
                    "delta": exactly(None, None),
                    "interval": None,
                },
            ],
        }
    )
