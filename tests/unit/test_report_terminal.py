from __future__ import annotations

from fractions import Fraction

import pytest
from report_records import measured, report_of
from rich.cells import cell_len

from pytest_codecollapse.model import Unmeasured
from pytest_codecollapse.report import Screen, measurement_table, unmeasured_lines

WIDE = Screen(160)
#: The reference values of the design for [5, 3, 2, 1, 1] and [4, 4, 4], rounded.
CELLS = {
    "one": "12 5 5 3 0.60 0.417 0.973 1.000 1.000 3.330 4.652 4.15 3.60 5.5 5/8 0",
    "two": "12 0 3 3 1.00 0.000 0.000 0.000 1.000 2.788 3.000 3.00 3.00 3.0 3/8 1",
    "three": "3 2 2 3 1.50 0.667 - - 1.000 - - 1.89 1.80 2.0 2/8 0",
    "MEAN": "3.3 3 1.03 0.361 0.487 0.500 1.000 3.059 3.826 3.01 2.80 3.5 0.3",
    "problem": "n correct behav AST mask pass@1 pass@5 pass@10 E[D_1] E[D_5] E[D_10] "
    "Hill1 Hill2 Chao1 stable@ nondet",
}
REPORT = report_of(
    measured("one"),
    measured("two", [4, 4, 4], correct=None, nondeterministic=[3]),
    measured("three", [2, 1]),
)


def cells_of(text: str) -> dict[str, str]:
    """Join the cells of each row over all tables, by the first word of the row."""
    cells: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line and line[0] != "─":
            name, *rest = line.split()
            cells.setdefault(name, []).extend(rest)
    return {name: " ".join(rest) for name, rest in cells.items()}


@pytest.mark.parametrize("width", [50, 80, 120, 160])
def test_the_table_shrinks_without_cutting_a_number(width: int) -> None:
    """Every number is shown whole on any screen, and no line is wider than that."""
    text = measurement_table(REPORT, Screen(width))
    assert max(map(cell_len, text.splitlines())) <= width
    assert cells_of(text) == CELLS


def test_the_table_of_80_columns() -> None:
    """Three tables carry what one carries on a wide screen, a long name is cut."""
    report = report_of(measured("one"), measured("a much longer name of a problem", [2, 1]))
    assert measurement_table(report, Screen(80)).splitlines() == [
        "problem                    n  correct  behav  AST  mask  pass@1  pass@5  pass@10",
        "─" * 80,
        "one                       12        5      5    3  0.60   0.417   0.973    1.000",
        "a much longer name of a…   3        2      2    3  1.50   0.667       -        -",
        "─" * 80,
        "MEAN                                     3.5    3  1.05   0.542   0.973    1.000",
        "",
        "problem                    E[D_1]  E[D_5]  E[D_10]  Hill1  Hill2  Chao1  stable@",
        "─" * 80,
        "one                         1.000   3.330    4.652   4.15   3.60    5.5      5/8",
        "a much longer name of a …   1.000       -        -   1.89   1.80    2.0      2/8",
        "─" * 80,
        "MEAN                        1.000   3.330    4.652   3.02   2.70    3.7",
        "",
        "problem                          nondet",
        "─" * 39,
        "one                                   0",
        "a much longer name of a problem       0",
        "─" * 39,
        "MEAN                                  0",
    ]


def test_problems_can_be_chosen() -> None:
    """Only the named problems have a row; the means stay those over all problems."""
    cells = cells_of(measurement_table(REPORT, WIDE, ["three", "one"]))
    assert cells == {name: row for name, row in CELLS.items() if name != "two"}


def test_no_chosen_problem_leaves_the_means() -> None:
    """An empty choice is not taken for no choice."""
    cells = cells_of(measurement_table(REPORT, WIDE, []))
    assert list(cells) == ["problem", "MEAN"]


def test_a_report_without_problems_shows_that_nothing_is_defined() -> None:
    """All means are dashes."""
    cells = cells_of(measurement_table(report_of(), WIDE))
    assert cells["MEAN"] == " ".join("-" * 13)


@pytest.mark.parametrize(
    ("ks", "titles", "cells"),
    [
        ((2,), "pass@2 E[D_2]", "0.682 1.788"),
        ((1, 12, 13), "pass@1 pass@12 pass@13 E[D_1] E[D_12] E[D_13]", "0.417 1.000 - 1.000 5.000"),
    ],
)
def test_there_is_a_column_for_each_number_of_draws(
    ks: tuple[int, ...], titles: str, cells: str
) -> None:
    """The measured k are shown, and no others."""
    shown = cells_of(measurement_table(report_of(measured("one", ks=ks), ks=ks), WIDE))
    assert titles in shown["problem"]
    assert shown["problem"].count("@") == len(ks) + 1
    assert cells in shown["one"]


def test_agreement_with_the_labels_is_a_line_of_its_own() -> None:
    """The mean over the problems that have labels is shown under the table."""
    labels = ("a",) * 5 + ("b",) * 7
    report = report_of(
        measured("one", labels=labels), measured("two", [1, 1], labels=("x", "y")), measured("no")
    )
    assert report.ari == (Fraction(490, 1051) + 1) / 2
    assert measurement_table(report, WIDE).splitlines()[-1] == (
        "adjusted Rand index against the labels: 0.733"
    )
    assert "Rand" not in measurement_table(REPORT, WIDE)


def test_inputs_that_are_left_out_are_counted() -> None:
    """Where a reference does not answer, the table says on how many inputs, by problem."""
    report = report_of(
        measured("one", left_out=[2]), measured("two"), measured("th\nree", left_out=[0, 9])
    )
    assert measurement_table(report, WIDE).splitlines()[-1] == (
        "inputs left out, as the reference does not answer them: one 1, th\\nree 2"
    )
    assert "left out" not in measurement_table(REPORT, WIDE)


@pytest.mark.parametrize(
    ("problem_id", "shown"),
    [
        ("\x1b[2J\x1b[31mone", "\\x1b[2J\\x1b[31mone"),
        ("one\n12  5", "one\\n12  5"),
        ("[red]one[/red]", "[red]one[/red]"),
    ],
)
@pytest.mark.parametrize("color", [False, True])
def test_a_hostile_problem_id_is_shown_and_not_obeyed(
    problem_id: str, shown: str, color: bool
) -> None:
    """Escape sequences, newlines and rich's markup are text like any other."""
    text = measurement_table(report_of(measured(problem_id)), Screen(160, color))
    assert text.splitlines()[2].startswith(f"{shown}  ")
    assert len(text.splitlines()) == 5
    assert text.count("\x1b") == (4 if color else 0)  # bold on and off, for titles and means


def test_all_measured_leaves_nothing_to_say() -> None:
    """Without unmeasured problems there is no line."""
    assert unmeasured_lines(REPORT, WIDE) == ""


def test_what_could_not_be_measured_is_said_whole() -> None:
    """The count comes first, then each message, wrapped, with what is hostile in it escaped."""
    report = report_of(
        measured("one"),
        unmeasured=[
            Unmeasured(problem_id="b", message="a.jsonl:2: problem 'b': the reference hangs"),
            Unmeasured(problem_id="c", message="input_gen failed: \x1b[31m [red] " + "word " * 9),
        ],
    )
    assert unmeasured_lines(report, Screen(50)).splitlines() == [
        "2 problems of 3 could not be measured:",
        "  a.jsonl:2: problem 'b': the reference hangs",
        "  input_gen failed: \\x1b[31m [red] word word word",
        "      word word word word word word",
    ]


def test_one_unmeasured_problem_is_singular() -> None:
    """The count agrees with its noun."""
    report = report_of(unmeasured=[Unmeasured(problem_id="b", message="no")])
    assert unmeasured_lines(report, WIDE) == "1 problem of 1 could not be measured:\n  no"
