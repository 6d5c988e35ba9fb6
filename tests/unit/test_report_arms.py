from __future__ import annotations

import json
from fractions import Fraction

import pytest
from gate_records import report, sized

from pytest_codecollapse.gate import Arm, Trial, compare_arms
from pytest_codecollapse.model import CompareSettings
from pytest_codecollapse.report import Screen, arms_tables, render_arms

LONG = "an_intervention_with_the_longest_of_names"


def trial_of(*arms: str) -> Trial:
    """Compare arms of these names, that are better by 3 of 12 candidates, over 20 problems."""
    control, better = (
        report(*(sized(f"p{index:02}", [size, 12 - size]) for index in range(20)))
        for size in (3, 6)
    )
    return compare_arms(
        Arm(name="retry", report=control),
        [Arm(name=name, report=better) for name in arms],
        CompareSettings(resamples=50),
    )


@pytest.mark.parametrize(
    ("width", "table"),
    [
        (
            80,
            [
                "pass@5                        control     arm   delta    97.5% interval  verdict",
                "─" * 80,
                "error_feedback                 0.8409  0.9924  0.1515  [0.1515, 0.1515]    fixes",
                "an_intervention_with_the_lo…   0.8409  0.9924  0.1515  [0.1515, 0.1515]    fixes",
            ],
        ),
        (
            120,
            [
                "pass@5                                     control     arm   delta"
                "    97.5% interval  verdict  problems",
                "─" * 103,
                "error_feedback                              0.8409  0.9924  0.1515"
                "  [0.1515, 0.1515]    fixes        20",
                f"{LONG}   0.8409  0.9924  0.1515  [0.1515, 0.1515]    fixes        20",
            ],
        ),
    ],
)
def test_tables_fit_the_screen(width: int, table: list[str]) -> None:
    """Where it is narrow, a long name is cut and no number is."""
    found = arms_tables(trial_of("error_feedback", LONG), Screen(width))
    assert max(map(len, found.splitlines())) <= width
    parts = found.split("\n\n")
    assert parts[1].splitlines() == table
    titles = dict.fromkeys(part.split()[0] for part in parts)
    assert [*titles] == ["pass@1", "pass@5", "pass@10", "E[D_5]", "E[D_10]", "control:"]


def test_a_hostile_name_is_shown_escaped() -> None:
    """A file's name may hold what acts on a terminal."""
    found = arms_tables(trial_of("a\x1b[2J"), Screen(120))
    assert "\x1b" not in found
    assert "\na\\x1b[2J" in found
    assert json.loads(render_arms(trial_of("a\x1b[2J")))["interventions"][0]["arm"] == "a\x1b[2J"


def test_no_problem_at_all_is_a_row_of_dashes() -> None:
    """Reports without problems have no metrics, and their tables have nothing to show."""
    trial = compare_arms(
        Arm(name="retry", report=report()),
        [Arm(name="a", report=report())],
        CompareSettings(confidence=Fraction(1, 2)),
    )
    assert arms_tables(trial, Screen(80)).splitlines()[:3] == [
        "pass@1  control  arm  delta  50% interval  verdict  problems",
        "────────────────────────────────────────────────────────────",
        "a             -    -      -             -        -         0",
    ]
