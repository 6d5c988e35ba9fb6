from __future__ import annotations

from fractions import Fraction

import pytest
from gate_records import behaviour, chao1, measured, sized

from pytest_codecollapse.gate import describe_change, moved_most, pair_problems
from pytest_codecollapse.gate.changes import lost_classes
from pytest_codecollapse.model import ProblemReport


def window_sums(*names: str) -> ProblemReport:
    """Build a problem of five classes, of which only the named ones were sampled."""
    classes = [
        behaviour("right", range(5), correct=True),
        behaviour("wrong1", (5, 6)),
        behaviour("wrong2", (7,), outcomes={"value": 26, "exc:IndexError": 24}),
        behaviour("raises", (8,), outcomes={"value": 24, "exc:ValueError": 26}),
        behaviour("hangs", (9,), outcomes={"TIMEOUT": 50}),
        behaviour("dies", (10,), outcomes={"CRASH": 50}),
        behaviour("broken", (11, 12), outcomes={"load:SyntaxError": 50}),
    ]
    kept = [each for each in classes if each.fingerprint in names]
    return measured("window_sums", kept, {"hill_q0": Fraction(len(kept))})


ALL = ("right", "wrong1", "wrong2", "raises", "hangs", "dies", "broken")


def test_lost_classes_are_those_whose_fingerprint_is_gone() -> None:
    """A behaviour that is still sampled is not lost; a new one replaces none."""
    before, after = window_sums("right", "wrong1", "raises"), window_sums("right", "hangs")
    assert [each.fingerprint for each in lost_classes(before, after)] == ["wrong1", "raises"]


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        (
            ("right", "wrong1", "wrong2", "raises"),
            ("right",),
            "window_sums  hill_q0 4 -> 1  lost 3 behaviours: 2 wrong (3 candidates),"
            " 1 raising ValueError (1 candidate)",
        ),
        (
            ALL,
            ("wrong1", "wrong2"),
            "window_sums  hill_q0 7 -> 2  lost 5 behaviours: 1 correct (5 candidates),"
            " 1 crashing (1 candidate), 1 not loading (SyntaxError) (2 candidates),"
            " 1 raising ValueError (1 candidate), 1 timing out (1 candidate)",
        ),
        (
            ("right", "wrong1"),
            ("right",),
            "window_sums  hill_q0 2 -> 1  lost 1 behaviour: 1 wrong (2 candidates)",
        ),
        (
            ("right",),
            ("right", "wrong1"),
            "window_sums  hill_q0 1 -> 2  lost no behaviour; largest class 5 of 5 -> 5 of 7",
        ),
    ],
)
def test_a_change_is_one_line(before: tuple[str, ...], after: tuple[str, ...], line: str) -> None:
    """Lost behaviours are counted by what they did on most inputs, correct ones first."""
    assert describe_change(window_sums(*before), window_sums(*after), "hill_q0") == line


def test_a_drop_without_a_lost_class_shows_the_largest() -> None:
    """The same behaviours in other shares read as a larger class."""
    line = describe_change(sized("p", [6, 6]), sized("p", [11, 1]), "E[D_5]")
    assert line == (
        "p  E[D_5] 1.985 -> 1.417  lost no behaviour; largest class 6 of 12 -> 11 of 12"
    )


def test_those_that_moved_most_come_first() -> None:
    """Only problems that moved in the direction are listed, furthest first, ties by id."""
    pairs = pair_problems(chao1(5, 5, 5, 5, None), chao1(4, 2, 6, 4, 1))
    ids = [new.problem_id for _, new in moved_most(pairs, "chao1", "drop")]
    assert ids == ["p1", "p0", "p3"]
    assert [new.problem_id for _, new in moved_most(pairs, "chao1", "rise")] == ["p2"]
    assert [new.problem_id for _, new in moved_most(pairs, "chao1", "drop", limit=1)] == ["p1"]
