"""Why candidates fail, in the lines above and under the table."""

from __future__ import annotations

import pytest
from checked_records import PLAIN, REPAIRS, RIGHT, ROWS, WRONG, Row, checked
from findings_records import HOSTILE
from report_records import measured, report_of
from rich.cells import cell_len

from pytest_codecollapse.report import (
    Screen,
    extraction_warning,
    measurement_table,
    problem_details,
    reason_lines,
)

WIDE = Screen(160)
ASSERTION = "assert count_vowels('a') == 1"
BROKEN: Row = ("def count_vowels(x) return x", "load:SyntaxError", 0, "load")
OK: Row = (PLAIN, RIGHT, 3, None)
BAD: Row = (PLAIN, WRONG, 2, "value")


def test_everything_is_said_over_the_suite() -> None:
    """Causes with shares, similar names, repairs, origins, and each disagreement."""
    report = report_of(
        checked("one", repairs=REPAIRS, origins={"tests": 3, "mutation": 7}),
        checked("two", by_tests=True),
        checked("three", reference_fails=True),
        measured("four"),
    )
    fails = f"right by the reference, fails {ASSERTION} -> 2"
    passes = "right by the tests, not by the reference: ('3') -> 1, expected 0"
    assert reason_lines(report, WIDE).splitlines() == [
        "why candidates fail: wrong output 13 (38%), no code 3 (9%), syntax 3 (9%), name 3 (9%),"
        " signature 3 (9%), import 3 (9%), timeout 3 (9%), crash 3 (9%)",
        "differently named: count_vowel 3",
        "extraction: 44 as they were, prompt 3, fence 2 (1 had several)",
        "inputs by origin: mutation 7, tests 3",
        "tests and reference disagree on 4 candidates, each a weak test or a wrong reference:",
        f"  one, candidate 2: {fails}",
        f"  one, candidate 3: {passes}",
        f"  three, candidate 2: {fails}",
        f"  three, candidate 3: {passes}",
        "1 reference fails its own tests:",
        f"  three: {ASSERTION} -> 2",
    ]


def test_candidates_of_whom_the_same_is_said_share_a_line() -> None:
    """In a suite of one bad habit, as sorting in place, each problem is one line."""
    passing: Row = (PLAIN, WRONG, 3, None)
    lines = reason_lines(report_of(checked("one", rows=[OK, *[passing] * 5])), WIDE).splitlines()
    shown = "('3') -> 1, expected 0"
    assert lines[-2:] == [
        "tests and reference disagree on 5 candidates, each a weak test or a wrong reference:",
        f"  one, candidates 1, 2, 3 and 2 more: right by the tests, not by the reference: {shown}",
    ]


def test_no_more_than_a_few_disagreements_are_listed() -> None:
    """What is left out is counted; the JSON report has it."""
    report = report_of(*(checked(str(number), reference_fails=True) for number in range(8)))
    lines = reason_lines(report, WIDE).splitlines()
    assert lines[2].startswith("tests and reference disagree on 16 candidates")
    assert lines[8] == "  and 11 more, in the JSON report"
    assert lines[9] == "8 references fail their own tests:"
    assert lines[-1] == "  and 3 more, in the JSON report"
    assert len(lines) == 16


def test_asserts_that_are_left_out_are_counted_with_the_first_of_each_problem() -> None:
    """They count for nothing, and no reader should take them for passed."""
    first = "assert f(iter([1])) == 1: an argument is no built-in value"
    problems = [checked(name, rows=[OK], left_out=2) for name in ("one", "two")]
    assert reason_lines(report_of(*problems, checked("three", rows=[OK])), WIDE).splitlines() == [
        "4 asserts are left out, which call the function with what no program can be given:",
        f"  one: {first}",
        f"  two: {first}",
    ]
    lines = reason_lines(report_of(checked("one", rows=[OK], left_out=1)), WIDE).splitlines()
    assert lines[0].startswith("1 assert is left out, which calls the function with what")


def test_one_candidate_fails_in_the_singular() -> None:
    """And says which assert it fails."""
    assert problem_details(checked(rows=[OK, BAD])) == (
        "1 of 2 candidates fails: wrong output 1",
        f"  1 candidate fails {ASSERTION} -> 2 (2 of 3 asserts passed)",
    )


def test_nothing_is_said_where_nothing_fails() -> None:
    """A suite of correct candidates has no line, and an older report has none."""
    assert reason_lines(report_of(measured(sizes=[4])), WIDE) == ""
    assert reason_lines(report_of(), WIDE) == ""


@pytest.mark.parametrize("width", [40, 80, 120])
def test_hostile_text_stays_on_its_line(width: int) -> None:
    """Ids, asserts, what code returned, names and repairs cannot act on a terminal."""
    problems = [
        checked(text, assertion=text, got=text, reference_fails=True, repairs=[(text,)] * len(ROWS))
        for text in HOSTILE
    ]
    for problem in problems:
        text = reason_lines(report_of(problem), Screen(width))
        details = "\n".join(problem_details(problem))
        assert all(line.isprintable() for line in (text + details).splitlines())


def test_lines_fit_the_screen() -> None:
    """At 80 columns long lines go on below."""
    text = reason_lines(report_of(checked(reference_fails=True, repairs=REPAIRS)), Screen(80))
    assert max(map(cell_len, text.splitlines())) <= 80


def test_shares_are_rounded_but_never_to_none_or_all() -> None:
    """One of a thousand is not none of them."""
    rows = [BAD] * 999 + [BROKEN]
    assert reason_lines(report_of(checked(rows=rows)), WIDE) == (
        "why candidates fail: wrong output 999 (>99%), syntax 1 (<1%)"
    )


@pytest.mark.parametrize(
    ("rows", "warns"),
    [
        ([OK] * 9 + [BROKEN], True),  # all that fail, and a tenth of all
        ([OK] * 20 + [BROKEN], False),  # all that fail, and too few to matter
        ([OK] * 8 + [BROKEN, BAD], False),  # just half of what fails
        ([BAD] * 8 + [BROKEN] * 2, False),  # just a fifth of all
        ([BAD] * 7 + [BROKEN] * 3, True),  # more than that
        ([OK] * 7 + [BAD] + [BROKEN] * 2, True),
        ([OK] * 10, False),
    ],
)
def test_a_suite_that_fails_mostly_for_extraction_is_warned_of(
    rows: list[Row], warns: bool
) -> None:
    """More than half of what fails and a twentieth of all, or more than a fifth of all."""
    found = extraction_warning(report_of(checked(rows=rows)))
    assert found.startswith("warning: ") is warns
    assert bool(found) is warns


def test_the_warning_says_how_many_and_why() -> None:
    """One line, with the causes that may lie in extraction."""
    rows: list[Row] = [OK, OK, BAD, BROKEN, BROKEN, ("", "load:NameError", 0, "load")]
    assert extraction_warning(report_of(checked(rows=rows))) == (
        "warning: 3 of 4 candidates that are not correct fail for reasons of extraction"
        " (syntax 2, no code 1): this is not the model's diversity; look at how programs are"
        " got out of what it wrote"
    )


def test_many_functions_of_other_names_may_be_of_other_problems() -> None:
    """As of samples of MBPP with HumanEval's problems, which a number for an id does not tell."""
    other: Row = ("def count_vowel(x): return x", "load:NameError", 0, "load")
    assert extraction_warning(report_of(checked(rows=[other, other, other, BROKEN, BROKEN]))) == (
        "warning: 5 of 5 candidates that are not correct fail for reasons of extraction"
        " (name 3, syntax 2): this is not the model's diversity; see whether these are the problems"
        " that were sampled from, and whether the prompt names the function"
    )
    found = extraction_warning(report_of(checked(rows=[other, BROKEN])))
    assert found.endswith("look at how programs are got out of what it wrote")


def test_the_details_of_a_problem_name_the_first_failing_asserts() -> None:
    """With what the code did there; what does not load has its cause alone."""
    assert problem_details(checked()) == (
        "9 of 12 candidates fail: wrong output 2, no code 1, syntax 1, name 1, signature 1,"
        " import 1, timeout 1, crash 1",
        f"  2 candidates fail {ASSERTION} -> 2 (2 of 3 asserts passed)",
        f"  1 candidate fails {ASSERTION} -> raises TypeError (1 of 3 asserts passed)",
        f"  1 candidate fails {ASSERTION} -> TIMEOUT (2 of 3 asserts passed)",
    )
    rows: list[Row] = [OK, BAD, (PLAIN, WRONG, 0, "value")]
    assert problem_details(checked(rows=rows))[1] == (
        f"  2 candidates fail {ASSERTION} -> 2 (0 to 2 of 3 asserts passed)"
    )
    assert problem_details(measured(sizes=[3])) == ()


def test_the_table_has_the_main_cause_where_that_fits() -> None:
    """Beside the last columns, with names whole; not where it would take a table of its own."""
    report = report_of(checked("one"), checked("two", [OK, BROKEN]), measured("three", [3]))
    table = measurement_table(report, Screen(120))
    (head,) = [line for line in table.splitlines() if "main cause" in line]
    assert head.split()[1:] == ["nondet", "main", "cause"]
    rows = [line.rpartition("  ")[2].strip() for line in table.splitlines()[-5:-2]]
    assert rows == ["wrong output 2", "syntax 1", "-"]
    assert "main cause" in measurement_table(report, WIDE)
    assert "main cause" not in measurement_table(report, Screen(75))
    assert len(measurement_table(report, Screen(75)).split("\n\n")) == 2


def test_a_suite_of_one_cause_needs_no_column() -> None:
    """The line under the table says it."""
    assert "main cause" not in measurement_table(report_of(measured()), WIDE)
