"""The classes of a problem before and after, as lines that a person reads."""

from __future__ import annotations

from typing import Optional

import msgspec
import pytest
from gate_records import behaviour, measured

from pytest_codecollapse.gate.difference import describe_difference
from pytest_codecollapse.model import (
    BehaviourClass,
    ChecksReport,
    ProblemReport,
    SharedFailure,
    Verdict,
    Witness,
)
from pytest_codecollapse.report import Screen, verdict_lines


def seen(
    name: str,
    members: range,
    output: str = "3",
    *,
    arguments: str = "[1, 2]",
    expected: str = "4",
    outcomes: Optional[dict[str, int]] = None,
) -> BehaviourClass:
    """Build an incorrect class with a witness."""
    witness = Witness(input=0, arguments=arguments, output=output, expected=expected)
    return msgspec.structs.replace(behaviour(name, members, outcomes=outcomes), witness=witness)


def problem(*classes: BehaviourClass) -> ProblemReport:
    """Build a problem of classes."""
    return measured("p", classes, {})


RIGHT = behaviour("right", range(4), correct=True)


def lost(each: BehaviourClass) -> tuple[str, ...]:
    """Describe that a class was lost, and nothing else."""
    return describe_difference(problem(RIGHT, each), problem(RIGHT))[:-1]


def lost_by_tests(each: BehaviourClass, assertion: str, got: str) -> tuple[str, ...]:
    """Describe that a class was lost which fails an assert, of a problem without a reference."""
    failure = SharedFailure(assertion=assertion, got=got, kind="value", members=each.members)
    checks = ChecksReport(asserts=2, passed=(), failures=(failure,))
    before = msgspec.structs.replace(problem(RIGHT, each), oracle="tests", checks=checks)
    return describe_difference(before, problem(RIGHT))[:-1]


def test_what_was_lost_comes_first_then_what_is_new_or_has_grown() -> None:
    """Each with its size, what it is, and an input; correct ones have no input."""
    raises = seen("raises", range(4, 5), "raises KeyError", outcomes={"exc:KeyError": 50})
    before = problem(RIGHT, seen("wrong", range(4, 9)), raises)
    after = problem(
        behaviour("right", range(9), correct=True), seen("late", range(9, 11), "TIMEOUT")
    )
    assert describe_difference(before, after) == (
        "lost: 5 candidates, wrong: ([1, 2]) -> 3, expected 4",
        "lost: 1 candidate, raising KeyError: ([1, 2])",
        "  -> raises KeyError, expected 4",
        "grown: 4 of 10 -> 9 of 11 candidates, correct",
        "new: 2 candidates, wrong: ([1, 2]) -> TIMEOUT, expected 4",
    )


def test_no_more_than_a_few_are_listed() -> None:
    """What is left out is counted, by whether it was lost or came."""
    many = [seen(f"class {number}", range(number, number + 1), str(number)) for number in range(6)]
    line = "1 candidate, wrong: ([1, 2]) -> {}, expected 4"
    assert describe_difference(problem(*many), problem(RIGHT)) == (
        *(f"lost: {line.format(number)}" for number in range(3)),
        "and 3 more lost",
        "new: 4 candidates, correct",
    )
    assert describe_difference(problem(RIGHT), problem(RIGHT, *many))[:3] == (
        f"new: {line.format(0)}",
        f"new: {line.format(1)}",
        "and 4 more new or grown",
    )


def test_a_class_whose_share_has_not_grown_is_not_listed() -> None:
    """Nothing is said where both sides are the same."""
    before = problem(RIGHT, seen("wrong", range(4, 9)))
    assert describe_difference(before, before) == ()


def test_what_does_not_load_needs_no_input() -> None:
    """It does the same on each, as its kind says."""
    broken = seen(
        "broken", range(4, 6), "does not load: SyntaxError", outcomes={"load:SyntaxError": 50}
    )
    assert lost(broken) == ("lost: 2 candidates, not loading (SyntaxError)",)


def test_a_report_without_witnesses_is_described_without() -> None:
    """An older report names the classes alone."""
    assert lost(behaviour("wrong", range(4, 5))) == ("lost: 1 candidate, wrong",)


def test_what_is_too_wide_for_one_line_goes_to_further_lines() -> None:
    """First what was returned, then, where that is long as well, both below each other."""
    numbers = ", ".join(map(str, range(10, 30)))
    assert lost(seen("wrong", range(4, 5), arguments=numbers)) == (
        "lost: 1 candidate, wrong: (10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 2...)",
        "  -> 3, expected 4",
    )
    assert lost(seen("wrong", range(4, 5), f"[{numbers[:50]}]", expected="[10, 11, 12]")) == (
        "lost: 1 candidate, wrong: ([1, 2])",
        "  output    [10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22]",
        "  expected  [10, 11, 12]",
    )


def test_long_texts_are_shown_from_where_they_differ() -> None:
    """Two lists that begin alike are cut at their beginning, not before their difference."""
    one, other = (f"[{'0, ' * 30}{last}]" for last in (1, 2))
    assert lost(seen("wrong", range(4, 5), one, expected=other))[1:] == (
        "  output    ...0, 0, 0, 0, 1]",
        "  expected  ...0, 0, 0, 0, 2]",
    )


def test_texts_that_are_cut_alike_are_said_to_differ() -> None:
    """The behaviours differ in what no text shows; it must not read as if they were the same."""
    assert lost(seen("wrong", range(4, 5), "<A object>", expected="<A object>")) == (
        "lost: 1 candidate, wrong: ([1, 2])",
        "  -> <A object>, expected another that reads alike",
    )


def test_without_a_reference_the_first_failed_assert_is_shown() -> None:
    """A class has no witness then; what it fails is what tells it from a correct one."""
    wrong = behaviour("wrong", range(4, 6))
    assert lost_by_tests(wrong, "assert f(1) == 2", "3") == (
        "lost: 2 candidates, wrong: assert f(1) == 2 -> 3",
    )
    long = "1, " * 20
    assert lost_by_tests(wrong, f"assert f({long}) == 2", "3" * 90) == (
        "lost: 2 candidates, wrong",
        f"  {f'assert f({long}) == 2'[:67]}...",
        f"  -> {'3' * 64}...",
    )
    raises = behaviour("raises", range(4, 5), outcomes={"load:NameError": 50})
    assert lost_by_tests(raises, "assert f(1) == 2", "does not load") == (
        "lost: 1 candidate, not loading (NameError)",
    )


@pytest.mark.parametrize("size", [1, 60, 120, 5000])
@pytest.mark.parametrize("kind", ["value", f"exc:{'X' * 80}"])
def test_no_line_is_wider_than_a_terminal_has_room_for(size: int, kind: str) -> None:
    """80 columns less the indent, whatever a report says."""
    each = seen(
        "wrong",
        range(4, 5),
        "a" * size,
        arguments="b" * size,
        expected="a" * (size - 1) + "c",
        outcomes={kind: 50},
    )
    assert max(map(len, lost(each))) <= 72


def test_a_hostile_report_cannot_act_on_the_terminal() -> None:
    """A baseline is a file that anybody may have written; its texts are escaped like all others."""
    lines = lost(seen("wrong", range(4, 5), "\x1b[31m", arguments="\n", expected="\u202e"))
    shown = verdict_lines(
        [Verdict(rule="r", status="fail", summary="s", details=lines)], Screen(80)
    )
    assert shown == ("FAIL s\n  lost: 1 candidate, wrong: (\\n) -> \\x1b[31m, expected \\u202e")
