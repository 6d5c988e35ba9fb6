from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, Optional

import pytest

from pytest_codecollapse.model import (
    CompareSettings,
    Comparison,
    MetricDelta,
    Number,
    Staleness,
    Verdict,
)
from pytest_codecollapse.report import Screen, comparison_table, verdict_lines

WIDE = Screen(160)


def delta(
    metric: str,
    values: tuple[Number, Number, Number] = (Fraction(5, 2), Fraction(2), Fraction(-1, 2)),
    interval: Optional[tuple[Fraction, Fraction]] = (Fraction(-1), Fraction(-1, 4)),
) -> MetricDelta:
    """Build a row of a comparison."""
    before, after, change = values
    return MetricDelta(
        metric=metric, pairs=2, before=before, after=after, delta=change, interval=interval
    )


def comparison_of(
    rows: Sequence[MetricDelta],
    *,
    confidence: Fraction = Fraction(19, 20),
    caution: Optional[str] = None,
) -> Comparison:
    """Build a comparison of two problems."""
    return Comparison(
        settings=CompareSettings(confidence=confidence),
        paired=("one", "two"),
        metrics=tuple(rows),
        staleness=Staleness(paired=2),
        caution=caution,
    )


def verdict_of(
    status: Literal["pass", "fail", "inconclusive", "stale", "skipped"],
    summary: str = "E[D_5] >= 2: mean 3.330 (1 problem)",
    details: tuple[str, ...] = (),
) -> Verdict:
    """Build a verdict."""
    return Verdict(rule="E[D_5] >= 2", status=status, summary=summary, details=details)


def test_a_comparison_is_a_row_a_metric() -> None:
    """A star stands where the interval excludes zero, a dash where a value is not defined."""
    rows = [
        delta("E[D_5]"),
        delta("pass@1", (Fraction(1, 3), Fraction(1, 2), Fraction(1, 6)), (Fraction(1, 12),) * 2),
        delta("hill_q1", (2.5, 2.0, -0.5), (Fraction(-1), Fraction(0))),
        delta("E[D_10]", (None, None, None), None),
    ]
    text = comparison_table(comparison_of(rows, caution="only 2 problems"), Screen(80))
    assert text.splitlines() == [
        "metric   before  after   delta        95% interval",
        "─────────────────────────────────────────────────────",
        "E[D_5]      2.5      2    -0.5         [-1, -0.25]  *",
        "pass@1   0.3333    0.5  0.1667  [0.08333, 0.08333]  *",
        "hill_q1     2.5      2    -0.5             [-1, 0]",
        "E[D_10]       -      -       -                   -",
        "",
        "2 paired problems, 2000 resamples (expanded); * the interval excludes zero",
        "only 2 problems",
    ]


@pytest.mark.parametrize(
    ("confidence", "title"),
    [
        (Fraction(19, 20), "95% interval"),
        (Fraction(39, 40), "97.5% interval"),
        (Fraction(999, 1000), "99.9% interval"),
        (Fraction(1, 3), "100/3% interval"),
    ],
)
def test_the_confidence_is_not_rounded(confidence: Fraction, title: str) -> None:
    """The title claims the confidence that was asked for, and no more."""
    text = comparison_table(comparison_of([delta("chao1")], confidence=confidence), WIDE)
    assert text.splitlines()[0] == f"metric  before  after  delta{title:>{len(title) + 2}}"


def test_verdicts_are_a_line_each_with_details_under_it() -> None:
    """A status leads each line; details are indented, and escaped like the summary."""
    verdicts = [
        verdict_of("pass"),
        verdict_of("fail", "E[D_5] >= 4: \x1b[1m[red]", ("lowest:", "  1 (a\nb)")),
        verdict_of("inconclusive", "chao1: on both sides"),
        verdict_of("stale", "chao1: not comparable"),
        verdict_of("skipped", "chao1: left out"),
    ]
    assert verdict_lines(verdicts, WIDE).splitlines() == [
        "PASS E[D_5] >= 2: mean 3.330 (1 problem)",
        "FAIL E[D_5] >= 4: \\x1b[1m[red]",
        "  lowest:",
        "    1 (a\\nb)",
        "INCONCLUSIVE chao1: on both sides",
        "STALE chao1: not comparable",
        "SKIPPED chao1: left out",
    ]


def test_details_are_not_wrapped() -> None:
    """A command among them can be copied from a terminal of any width."""
    command = "to accept the change: codecollapse measure after.jsonl --json before.json"
    verdict = verdict_of("fail", "short", (command,))
    assert verdict_lines([verdict], Screen(40)).splitlines() == ["FAIL short", f"  {command}"]


def test_details_can_be_left_out() -> None:
    """Where they are told elsewhere, a gate is one line."""
    verdict = verdict_of("fail", details=("lowest:",))
    assert verdict_lines([verdict], WIDE, with_details=False) == (
        "FAIL E[D_5] >= 2: mean 3.330 (1 problem)"
    )


@pytest.mark.parametrize(
    ("status", "codes"),
    [
        ("pass", "32"),
        ("skipped", "33"),
        ("inconclusive", "33"),
        ("fail", "1;31"),
        ("stale", "1;31"),
    ],
)
def test_a_verdict_has_the_colour_of_its_status(
    monkeypatch: pytest.MonkeyPatch,
    status: Literal["pass", "fail", "inconclusive", "stale", "skipped"],
    codes: str,
) -> None:
    """Each line of a wrapped summary is coloured, wide characters are not cropped."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    verdict = verdict_of(status, f"问题问题问题问题问题问题 {'x' * 40}", ("detail",))
    assert verdict_lines([verdict], Screen(40, color=True)).splitlines() == [
        f"\x1b[{codes}m{status.upper()} 问题问题问题问题问题问题\x1b[0m",
        f"\x1b[{codes}m    {'x' * 40}\x1b[0m",
        "  detail",
    ]
