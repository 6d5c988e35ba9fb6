"""Builders of what written reports tell: two sides, verdicts, and hostile names and code."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec
from checked_records import REPAIRS, checked
from report_records import measured, report_of

from pytest_codecollapse.gate import Baseline, compare, judge, parse_rule
from pytest_codecollapse.model import (
    BehaviourClass,
    CompareSettings,
    ProblemReport,
    Report,
    Witness,
)
from pytest_codecollapse.report import Findings

RULES = ("E[D_5] must not drop", "pass@1 >= 0.1")

#: What must be shown and nothing else, as a problem id, as code or as a witness.
HOSTILE = (
    "</script><script>document.title='pwned'</script>",
    "<img src=x onerror=\"document.title='pwned'\">",
    "</pre></code></title></style><svg onload=\"document.title='pwned'\">",
    "[link](javascript:document.title='pwned')",
    "{{7*7}}{% raw %}{# #}${7*7}",
    "' onmouseover='document.title=1' \" autofocus onfocus=\"document.title=1",
    "<!-- --> ]]> &lt;b&gt; &amp; &#60;",
    "ünïcödé 例 🧪 \u202egnp.exe \u200b",
    "nul \x00 bell \x07 escape \x1b[31m delete \x7f",
    "line\nfeed\rreturn\u2028separator",
    "lone \ud800 surrogate",
)


def compared(
    before: Sequence[ProblemReport], after: Sequence[ProblemReport], *rules: str
) -> Findings:
    """Build the findings of a comparison, judged by these rules."""
    return with_baseline(report_of(*before), report_of(*after), *rules or RULES)


def with_baseline(before: Report, after: Report, *rules: str) -> Findings:
    """Build the findings of two reports, judged by these rules."""
    settings = CompareSettings(resamples=200, confidence=Fraction(9, 10))
    baseline = Baseline(report=before, comparison=compare(before, after, settings))
    return Findings(
        name="after.jsonl",
        after=after,
        verdicts=judge([parse_rule(rule) for rule in rules], after, baseline=baseline),
        baseline=baseline,
        baseline_name="before.jsonl",
    )


def collapsed() -> Findings:
    """Build three problems of which ``one`` collapsed, ``two`` less so and ``three`` least."""
    return compared(
        [
            measured("one", [2, 2, 2, 2, 2, 2]),
            measured("two", [4, 4, 4]),
            measured("three", [6, 3, 3]),
        ],
        [measured("one", [11, 1]), measured("two", [10, 2]), measured("three", [6, 6])],
    )


def witnessed(problem: ProblemReport, **texts: str) -> ProblemReport:
    """Give the first wrong class of a problem a witness with these texts."""
    witness = Witness(input=2, **{"arguments": "(1,)", "output": "2", "expected": "3", **texts})
    first = next(each for each in problem.partition.classes if not each.correct)

    def changed(each: BehaviourClass) -> BehaviourClass:
        return msgspec.structs.replace(each, witness=witness) if each is first else each

    partition = msgspec.structs.replace(
        problem.partition, classes=tuple(map(changed, problem.partition.classes))
    )
    return msgspec.structs.replace(problem, partition=partition)


def with_tests() -> Findings:
    """Build findings with tests, every cause, repairs and disagreements."""
    report = report_of(
        checked("one", reference_fails=True, repairs=REPAIRS, origins={"tests": 4}),
        checked("two", by_tests=True),
    )
    return Findings(name="after.jsonl", after=report)


def hostile_tests() -> Findings:
    """Build findings in which all that tests and repairs say is hostile."""
    problems = [
        checked(text, assertion=text, got=text, reference_fails=True, repairs=[(text,)] * 12)
        for text in HOSTILE
    ]
    return Findings(name="a", after=report_of(*problems))


def hostile() -> Findings:
    """Build findings in which every text that a samples file decides is hostile."""
    problems = [
        witnessed(measured(text, [3, 2, 1]), arguments=text, output=text, expected=text)
        for text in HOSTILE
    ]
    findings = compared([measured(text, [2, 2, 2]) for text in HOSTILE], problems, *RULES)
    sources: dict[str, Any] = {text: [f"# {text}\n{text}"] * 6 for text in HOSTILE}
    return findings._replace(
        name=HOSTILE[0],
        baseline_name=HOSTILE[1],
        sources=sources.__getitem__,
        baseline_sources=sources.__getitem__,
    )
