from __future__ import annotations

from fractions import Fraction

import pytest
from gate_records import (
    PERCENTILE,
    WORKED_AFTER,
    WORKED_BEFORE,
    chao1,
    identity_with,
    report,
    sized,
    valued,
    worked,
)

from pytest_codecollapse.gate import compare, is_stale, pair_problems
from pytest_codecollapse.model import CompareSettings, Comparison, MetricDelta, Report
from pytest_codecollapse.stats import MEASURED_COVERAGE


def row_of(comparison: Comparison, metric: str) -> MetricDelta:
    """Return the row of a metric."""
    return next(row for row in comparison.metrics if row.metric == metric)


def test_the_worked_check_of_the_design() -> None:
    """E[D_5] over the eight problems moves by -1117/1056 in the mean."""
    comparison = compare(worked(WORKED_BEFORE), worked(WORKED_AFTER), PERCENTILE)
    row = row_of(comparison, "E[D_5]")
    assert (row.pairs, row.before, row.after) == (8, Fraction(2077, 704), Fraction(3997, 2112))
    assert row.delta == Fraction(-1117, 1056)
    assert row.interval == (Fraction(-1137, 704), Fraction(-545, 1056))


def test_many_resamples_reach_the_exact_interval() -> None:
    """Both ends come within 0.01 of the exact interval over all resamples, [-563/352, -265/528]."""
    settings = CompareSettings(resamples=40_000, interval="percentile")
    before, after = (
        report(*(valued(p.problem_id, {"E[D_5]": p.statistics["E[D_5]"]}) for p in side.problems))
        for side in (worked(WORKED_BEFORE), worked(WORKED_AFTER))
    )
    interval = row_of(compare(before, after, settings), "E[D_5]").interval
    assert interval is not None
    assert float(interval[0]) == pytest.approx(-563 / 352, abs=0.01)
    assert float(interval[1]) == pytest.approx(-265 / 528, abs=0.01)


def test_the_expanded_interval_is_wider() -> None:
    """The default interval of the worked check holds the plain one."""
    comparison = compare(worked(WORKED_BEFORE), worked(WORKED_AFTER), CompareSettings())
    assert row_of(comparison, "E[D_5]").interval == (Fraction(-1193, 704), Fraction(-261, 704))


def test_the_order_of_the_files_does_not_matter() -> None:
    """Reports with their problems in another order give the same comparison."""
    before, after = worked(WORKED_BEFORE), worked(WORKED_AFTER)
    turned = report(*reversed(before.problems)), report(*reversed(after.problems))
    assert compare(*turned, PERCENTILE) == compare(before, after, PERCENTILE)


def test_pairs_need_the_same_id_and_identity() -> None:
    """A problem that changed, and one on one side only, is not paired."""
    before = report(sized("c", [1]), sized("b", [1]), sized("a", [1]), sized("gone", [1]))
    after = report(
        sized("a", [2]),
        sized("b", [2], identity=identity_with(prompt="1")),
        sized("c", [2]),
        sized("new", [2]),
    )
    pairs = pair_problems(before, after)
    assert [(old.n, new.n, new.problem_id) for old, new in pairs] == [(1, 2, "a"), (1, 2, "c")]
    comparison = compare(before, after, PERCENTILE)
    assert comparison.paired == ("a", "c")
    assert comparison.staleness.changed == {"b": ("prompt",)}


def test_a_problem_without_the_metric_on_either_side_is_no_pair() -> None:
    """The means before and after are over the same problems."""
    row = row_of(compare(chao1(1, None, 3, 10), chao1(2, 5, None, 13), PERCENTILE), "chao1")
    assert (row.pairs, row.before, row.after) == (2, Fraction(11, 2), Fraction(15, 2))
    assert row.delta == 2


def test_a_metric_that_no_pair_defines_has_an_empty_row() -> None:
    """Where k is over n everywhere there is no mean, no delta and no interval."""
    comparison = compare(report(sized("a", [4, 2])), report(sized("a", [6])), PERCENTILE)
    assert row_of(comparison, "E[D_10]") == MetricDelta(
        metric="E[D_10]", pairs=0, before=None, after=None, delta=None, interval=None
    )


def test_a_metric_of_one_report_only_has_no_row() -> None:
    """Rows are those that both reports hold, in the order of the current one."""
    before = report(valued("a", {"hill_q0": Fraction(1), "chao1": Fraction(1)}))
    after = report(
        valued("a", {"chao1": Fraction(2), "hill_q2": Fraction(2), "hill_q0": Fraction(2)})
    )
    assert [row.metric for row in compare(before, after, PERCENTILE).metrics] == [
        "chao1",
        "hill_q0",
    ]


def test_one_problem_has_a_delta_and_no_interval() -> None:
    """One pair says how far it moved, but nothing about the mean of others."""
    comparison = compare(chao1(3), chao1(1), PERCENTILE)
    row = row_of(comparison, "chao1")
    assert (row.delta, row.interval) == (-2, None)
    assert comparison.caution == (
        "1 problem to compare: there is no interval under 2, so no verdict on a change"
    )


@pytest.mark.parametrize("settings", [PERCENTILE, CompareSettings()])
def test_a_constant_delta_has_a_degenerate_interval(settings: CompareSettings) -> None:
    """Where every problem moves alike, both ends are that delta."""
    row = row_of(compare(chao1(1, 2, 3), chao1(3, 4, 5), settings), "chao1")
    assert row.interval == (Fraction(2), Fraction(2))


def test_floats_stay_floats_and_their_intervals_exact() -> None:
    """hill_q1 has float means and delta; an interval's ends are fractions."""
    before = report(valued("a", {"hill_q1": 1.5}), valued("b", {"hill_q1": 2.5}))
    after = report(valued("a", {"hill_q1": 2.0}), valued("b", {"hill_q1": 3.0}))
    row = row_of(compare(before, after, PERCENTILE), "hill_q1")
    assert (row.before, row.after, row.delta) == (2.0, 2.5, 0.5)
    assert isinstance(row.delta, float)
    assert row.interval == (Fraction(1, 2), Fraction(1, 2))


def clustered(values: str) -> Report:
    """Build a report of problems in clusters, from ``cluster:value`` words; ``-`` is no cluster."""
    problems = []
    for index, word in enumerate(values.split()):
        cluster, value = word.split(":")
        problems.append(
            valued(
                f"p{index}",
                {"chao1": Fraction(value)},
                cluster=None if cluster == "-" else cluster,
            )
        )
    return report(*problems)


def test_problems_of_one_cluster_are_drawn_together() -> None:
    """Clusters that move alike in the mean leave no spread, however their problems differ."""
    row = row_of(
        compare(clustered("x:0 x:0 y:0 y:0"), clustered("x:1 x:3 y:3 y:1"), PERCENTILE), "chao1"
    )
    assert row.interval == (Fraction(2), Fraction(2))
    apart = row_of(
        compare(clustered("-:0 -:0 -:0 -:0"), clustered("-:1 -:3 -:3 -:1"), PERCENTILE), "chao1"
    )
    assert apart.interval == (Fraction(1), Fraction(3))


def test_one_cluster_has_no_interval() -> None:
    """Problems that are all of one cluster count as one."""
    comparison = compare(clustered("x:0 x:0"), clustered("x:1 x:3"), PERCENTILE)
    assert row_of(comparison, "chao1").interval is None
    assert comparison.caution == (
        "1 cluster to compare: there is no interval under 2, so no verdict on a change"
    )


def test_a_cluster_named_like_a_problem_is_not_that_problem() -> None:
    """A problem of no cluster is a unit of its own, whatever clusters are called."""
    row = row_of(compare(clustered("p1:0 -:0"), clustered("p1:1 -:3"), PERCENTILE), "chao1")
    assert row.interval == (Fraction(1), Fraction(3))


@pytest.mark.parametrize("interval", ["percentile", "expanded"])
def test_under_20_problems_the_measured_coverage_is_told(interval: str) -> None:
    """The caution gives the coverage of the method in force at the next smaller tabled size."""
    settings = PERCENTILE if interval == "percentile" else CompareSettings()
    caution = compare(chao1(*range(7)), chao1(*range(7)), settings).caution
    tabled = max(size for size in MEASURED_COVERAGE if size <= 7)
    covered = getattr(MEASURED_COVERAGE[tabled], interval)
    assert caution == (
        f"only 7 problems: an interval of nominal 95% ({interval}) covers the true change"
        f" {covered:.0%} of the time, as measured at {tabled}"
    )


def test_the_caution_ends_at_20_problems() -> None:
    """Nineteen problems are cautioned, twenty are not."""
    assert compare(chao1(*range(19)), chao1(*range(19)), PERCENTILE).caution is not None
    assert compare(chao1(*range(20)), chao1(*range(20)), PERCENTILE).caution is None


def test_the_caution_says_how_many_problems_the_change_needs() -> None:
    """A small drop of E[D_5] amid larger moves needs more problems than there are."""
    before = report(*(valued(f"p{i}", {"E[D_5]": Fraction(3)}) for i in range(4)))
    moved = [Fraction(4), Fraction(2), Fraction(4), Fraction(1)]
    after = report(*(valued(f"p{i}", {"E[D_5]": value}) for i, value in enumerate(moved)))
    caution = compare(before, after, PERCENTILE).caution
    assert caution is not None
    # s² = 27/12 and z² = 3.84146, at a delta of 1/4: z²s²/delta² = 138.3
    assert caution.endswith("; about 139 problems would tell a mean E[D_5] delta of -0.25 from 0")


def test_a_change_that_is_plain_already_needs_no_more_problems() -> None:
    """Where fewer problems would do, the caution names no number of them."""
    caution = compare(worked(WORKED_BEFORE), worked(WORKED_AFTER), PERCENTILE).caution
    assert caution is not None
    assert caution.startswith("only 8 problems: ")
    assert "would tell" not in caution


def test_another_environment_is_told() -> None:
    """What differs of where two reports were measured is named, also where it changes nothing."""
    before = report(sized("a", [2]), python="3.11.7")
    assert compare(before, before, PERCENTILE).environment == ()
    elsewhere = report(sized("a", [2]), python="3.11.9", platform="macOS-arm64")
    comparison = compare(before, elsewhere, PERCENTILE)
    assert comparison.environment == (
        "python 3.11.7 -> 3.11.9",
        "platform Linux-x86_64 -> macOS-arm64",
    )
    assert not is_stale(comparison.staleness)
