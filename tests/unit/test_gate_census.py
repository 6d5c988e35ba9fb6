"""Less than the baseline has is stale, unless it is listed."""

from __future__ import annotations

import pytest
from gate_records import report, sized, verdict
from report_records import measured, report_of

from pytest_codecollapse.gate import (
    Policy,
    compare,
    describe_allowed,
    describe_staleness,
    is_stale,
    staleness,
    staleness_details,
)
from pytest_codecollapse.model import CompareSettings, Report, Settings, Staleness

RULE = "E[D_5] must not drop"
REMEDY = "where that was meant: list the problems in allow_removed"
BEFORE = report(*(sized(name, [6, 6]) for name in ("a", "b", "c[1]", "x/1", "x/2")))


def listing(*allow_removed: str) -> CompareSettings:
    """Return settings that list problems."""
    return CompareSettings(interval="percentile", allow_removed=allow_removed)


def test_fewer_candidates_are_stale() -> None:
    """Problems with fewer candidates are named with both numbers; more are no matter."""
    after = report(
        sized("a", [6, 3]), sized("b", [5, 6]), sized("c[1]", [6, 7]), *BEFORE.problems[3:]
    )
    found = staleness(BEFORE, after)
    assert found == Staleness(
        paired=3, fewer={"a": {"candidates": (12, 9)}, "b": {"candidates": (12, 11)}}
    )
    assert is_stale(found)
    assert describe_staleness(found) == "2 of 5 problems have fewer candidates"
    assert staleness_details(found) == (
        "2 of 5 problems have fewer candidates: a (12 -> 9), b (12 -> 11)",
        REMEDY,
    )


def test_fewer_inputs_are_stale() -> None:
    """A problem of the same identity that had fewer inputs is named, and is not compared."""
    before = report_of(measured("p", [3, 3], inputs=8), measured("q", [3, 3], inputs=8))
    after = report_of(measured("p", [3, 2], inputs=5), measured("q", [3, 3], inputs=9))
    found = compare(before, after, CompareSettings())
    assert found.staleness == Staleness(
        paired=1, fewer={"p": {"candidates": (6, 5), "inputs": (8, 5)}}
    )
    assert found.paired == ("q",)
    assert staleness_details(found.staleness)[0] == (
        "1 of 2 problems has fewer candidates and inputs: p (6 -> 5, 8 -> 5)"
    )


def test_inputs_are_not_counted_where_fewer_were_asked_for() -> None:
    """Where the setting is another it is the one thing that is told."""
    before = report_of(measured(inputs=8))
    after = report_of(measured(inputs=5))
    asked = Report(
        tool_version="0",
        environment=after.environment,
        settings=Settings(inputs=5),
        problems=after.problems,
        unmeasured=(),
        mean={},
    )
    assert describe_staleness(staleness(before, asked)) == "inputs 50 -> 5"


@pytest.mark.parametrize("stale", ["fail", "intersect"])
@pytest.mark.parametrize("allow_removed", [(), ("*",)])
def test_other_ids_for_every_problem_are_stale(stale: str, allow_removed: tuple[str, ...]) -> None:
    """Where every problem has another id nothing is compared, and that never passes."""
    after = report(*(sized(f"new {name}", [6, 6]) for name in "abcde"))
    policy = Policy(stale="intersect") if stale == "intersect" else Policy()
    found = verdict(RULE, after, BEFORE, settings=listing(*allow_removed), policy=policy)
    assert (found.status, found.failed) == ("stale", True)
    gone = "" if allow_removed else "5 of 5 problems are gone, "
    assert found.summary == (
        f"{RULE}: not comparable: {gone}{'5 are' if gone else '5 problems are'} new"
    )


def test_all_gone_as_allowed_is_still_stale() -> None:
    """Where all may be gone and all are, and nothing else is there, the gate fails."""
    found = verdict(RULE, report(), BEFORE, settings=listing("*"))
    assert (found.status, found.summary) == (
        "stale",
        f"{RULE}: not comparable: 5 problems left out",
    )


@pytest.mark.parametrize(
    ("allow_removed", "gone"),
    [
        (("a",), ("c[1]", "x/1", "x/2")),
        (("x/*", "a"), ("c[1]",)),
        (("c[1]", "?"), ("x/1", "x/2")),
        (("A", "x"), ("a", "c[1]", "x/1", "x/2")),
    ],
)
def test_what_is_listed_may_be_gone(allow_removed: tuple[str, ...], gone: tuple[str, ...]) -> None:
    """A list holds ids, brackets and all, and patterns, which match whole ids in their case."""
    found = staleness(BEFORE, report(sized("b", [6, 6])), allow_removed)
    assert found.gone == gone
    assert {*found.gone, *found.allowed} == {"a", "c[1]", "x/1", "x/2"}
    assert found.paired == 1


def test_what_is_missing_as_allowed_is_told_and_judged() -> None:
    """With all that is missing listed the gate is judged, fewer candidates too, and says so."""
    after = report(sized("a", [6, 6]), sized("b", [3, 3]), sized("c[1]", [6, 6]))
    found = verdict(RULE, after, BEFORE, settings=listing("x/*", "b"))
    assert found.status == "pass"
    assert found.summary == (
        f"{RULE}: 1.985 -> 1.990, delta 0.005051 [0, 0.01515] does not lie below 0;"
        " as allowed: 2 problems left out, 1 compared with fewer candidates"
    )


def test_fewer_candidates_are_not_intersected() -> None:
    """What falls with the number of candidates alone is compared only where it is listed."""
    after = report(sized("a", [1, 1]), *BEFORE.problems[1:])
    found = verdict("masking_ratio must not rise", after, BEFORE, policy=Policy(stale="intersect"))
    assert found.status == "pass"
    assert found.summary == (
        "masking_ratio must not rise: 6 -> 6, delta 0 [0, 0] does not lie above 0;"
        " left out: 1 of 5 problems has fewer candidates"
    )


def test_fewer_inputs_as_allowed_are_left_out() -> None:
    """Inputs that were taken away give another identity; listed, the problem is left out."""
    before = report_of(measured("p", inputs=8), measured("q"))
    after = report_of(measured("p", inputs=5, input_gen="g"), measured("q"))
    assert staleness(before, after).changed == {"p": ("inputs",)}
    assert staleness(before, after, ["p"]) == Staleness(paired=1, allowed=("p",))


def test_more_than_inputs_changed_is_stale_though_listed() -> None:
    """A listed problem of another reference is changed, however many inputs it has."""
    before = report_of(measured("p", inputs=8))
    after = report_of(measured("p", inputs=5, reference="def f(x): return 1", prompt="?"))
    assert staleness(before, after, ["p"]).changed == {"p": ("reference", "prompt")}


def test_nothing_missing_is_not_described() -> None:
    """Where all is there, there is nothing to tell."""
    assert describe_allowed(Staleness(paired=3)) == ""
