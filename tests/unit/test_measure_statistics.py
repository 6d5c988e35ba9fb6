"""The statistics of a problem and of a file, against values computed by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from report_records import ENVIRONMENT, measured, problem_of, report_of, value_token

from pytest_codecollapse.gate import identity_of
from pytest_codecollapse.measure import (
    agreement_with,
    assemble,
    report_problem,
    restate,
    restate_problem,
    statistics_of,
)
from pytest_codecollapse.model import (
    BehaviourClass,
    Execution,
    Executions,
    Partition,
    Settings,
    Unmeasured,
)


def behaviour(*members: int, correct: bool = False) -> BehaviourClass:
    """Build a class of these candidates."""
    return BehaviourClass(
        fingerprint=str(members), members=members, correct=correct, outcomes={"value": 4}
    )


#: Seven candidates in classes of 3, 2 (correct), 1 and 1, written in five ways; the correct
#: candidates 1 and 5 are written in two, one of which an incorrect candidate shares.
PARTITION = Partition(
    classes=(behaviour(0, 2, 3), behaviour(1, 5, correct=True), behaviour(4), behaviour(6)),
    ast_classes=((0, 5), (2, 3), (1,), (4,), (6,)),
    nondeterministic=(4, 6),
    order_dependent=(0,),
    stability_curve=(2, 3, 4, 4),
    correct_curve=(5, 3, 2, 2),
)


def test_every_statistic_of_a_small_partition() -> None:
    """Of C(7, 2) = 21 pairs 10 miss the class of two, 6 that of three, 15 one of one."""
    found = statistics_of(PARTITION, (1, 2, 3, 8))
    assert list(found) == [
        *("pass@1", "pass@2", "pass@3", "pass@8"),
        *("E[D_1]", "E[D_2]", "E[D_3]", "E[D_8]"),
        *("E[W_1]", "E[W_2]", "E[W_3]", "E[W_8]"),
        *("E[A_1]", "E[A_2]", "E[A_3]", "E[A_8]"),
        *("hill_q0", "hill_q1", "hill_q2", "chao1", "distinct_ast", "masking_ratio"),
        *("stable_at", "nondeterministic", "order_dependent"),
    ]
    hill_q1 = found.pop("hill_q1")
    assert found == {
        "pass@1": Fraction(2, 7),
        "pass@2": Fraction(11, 21),
        "pass@3": Fraction(25, 35),
        "pass@8": None,
        "E[D_1]": Fraction(1),
        "E[D_2]": Fraction(15 + 11 + 6 + 6, 21),
        "E[D_3]": Fraction(31 + 25 + 15 + 15, 35),
        "E[D_8]": None,
        "E[W_1]": Fraction(5, 7),
        "E[W_2]": Fraction(15 + 6 + 6, 21),
        "E[W_3]": Fraction(31 + 15 + 15, 35),
        "E[W_8]": None,
        "E[A_1]": Fraction(1),
        "E[A_2]": Fraction(2),
        "E[A_3]": None,
        "E[A_8]": None,
        "hill_q0": Fraction(4),
        "hill_q2": Fraction(49, 9 + 4 + 1 + 1),
        "chao1": 4 + Fraction(6, 7) * Fraction(2 * 1, 2 * (1 + 1)),
        "distinct_ast": Fraction(5),
        "masking_ratio": Fraction(5, 4),
        "stable_at": Fraction(3),
        "nondeterministic": Fraction(2),
        "order_dependent": Fraction(1),
    }
    # exp(-Σ p ln p) = 7 / (3^(3/7) · 2^(2/7))
    assert hill_q1 == pytest.approx(7 / (3 ** (3 / 7) * 2 ** (2 / 7)), rel=1e-14)


def test_exact_statistics_are_fractions() -> None:
    """Only the irrational one is a float."""
    found = statistics_of(PARTITION, (2,))
    kinds = {name: type(value) for name, value in found.items()}
    assert kinds.pop("hill_q1") is float
    assert set(kinds.values()) == {Fraction}


def test_no_correct_candidate_is_no_structural_variety() -> None:
    """pass@k is 0, E[D_k] is E[W_k], and E[A_k] is not defined."""
    found = statistics_of(measured(sizes=[2, 2], correct=None).partition, (1, 2))
    assert found["pass@2"] == 0
    assert found["E[D_2]"] == found["E[W_2]"] == Fraction(5, 3)
    assert found["E[A_1]"] is None


def test_one_candidate_is_one_of_everything() -> None:
    """No statistic divides by zero."""
    found = statistics_of(measured(sizes=[1], written=1).partition, (1, 2))
    assert found["pass@1"] == found["E[D_1]"] == found["E[A_1]"] == 1
    assert found["E[W_1]"] == 0
    assert found["hill_q0"] == found["hill_q1"] == found["hill_q2"] == found["chao1"] == 1
    assert found["pass@2"] is None


@pytest.mark.parametrize(
    ("labels", "ari"),
    [
        (None, None),
        # the classes as they are: 0, 2, 3 together and 1, 5 together
        ("xyxxzyw", Fraction(1)),
        # one label: no pair agrees but by chance
        ("aaaaaaa", Fraction(0)),
        # of 21 pairs 3 + 1 are together by behaviour, 6 + 3 by label, 3 + 1 by both
        ("abaaabb", (4 - Fraction(4 * 9, 21)) / (Fraction(4 + 9, 2) - Fraction(4 * 9, 21))),
    ],
)
def test_agreement_is_by_candidate(labels: str | None, ari: Fraction | None) -> None:
    """Labels are in candidate order, classes are not."""
    given = None if labels is None else tuple(labels)
    assert agreement_with(given, PARTITION) == ari


def test_a_problem_is_classified_and_identified() -> None:
    """Its report holds the partition, its statistics, its identity and its cluster."""
    zero, one = value_token(0), value_token(1)
    problem = problem_of(
        ["def f(x): return x", "def f(y): return y", "no"], "p", cluster="c", labels=("a", "a", "b")
    )
    executions = Executions(
        reference=Execution(tokens=(zero, zero)),
        candidates=(
            Execution(tokens=(zero, zero)),
            Execution(tokens=(zero, one), nondeterministic=True),
            Execution(tokens=("load:SyntaxError",) * 2),
        ),
    )
    report = report_problem(problem, executions, Settings(k=(1,)))
    assert (report.problem_id, report.cluster) == ("p", "c")
    assert report.identity == identity_of(problem)
    assert [each.members for each in report.partition.classes] == [(0,), (1,), (2,)]
    assert report.partition.ast_classes == ((0, 1), (2,))
    assert report.statistics == statistics_of(report.partition, (1,))
    assert report.ari == 0
    assert (report.n, report.correct) == (3, 1)


def test_means_are_exact_over_the_problems_that_define_a_value() -> None:
    """Three candidates have no pass@5: the mean is over the others, and None over none."""
    report = report_of(measured("a"), measured("b", [2, 1]), measured("c", [4, 4, 4], correct=None))
    assert report.mean["pass@1"] == (Fraction(5, 12) + Fraction(2, 3) + 0) / 3
    assert report.mean["pass@5"] == Fraction(257, 264) / 2
    assert report.mean["E[D_10]"] == (Fraction(307, 66) + 3) / 2
    assert report.mean["stable_at"] == Fraction(5 + 2 + 3, 3)
    ones = [measured(name, [1], written=1) for name in "ab"]
    assert report_of(*ones).mean["pass@5"] is None


def test_unmeasured_problems_enter_no_mean() -> None:
    """They are listed in file order, and change nothing else."""
    failed = [Unmeasured(problem_id=name, message="no") for name in "zy"]
    report = assemble([failed[0], measured("a"), failed[1]], Settings(), ENVIRONMENT)
    assert report.unmeasured == tuple(failed)
    assert report.problems == (measured("a"),)
    assert report.mean == report_of(measured("a")).mean


def test_nothing_measured_has_no_mean() -> None:
    """Every mean is there, and None."""
    report = assemble([Unmeasured(problem_id="a", message="no")], Settings(k=(1,)), ENVIRONMENT)
    assert set(report.mean) == {*measured(ks=(1,)).statistics}
    assert set(report.mean.values()) == {None}
    assert report.ari is None


def test_agreement_is_the_mean_over_labelled_problems() -> None:
    """Problems without labels have no part in it."""
    report = report_of(
        measured("a", [2, 1], labels=("x", "x", "y")),
        measured("b", [2, 1], labels=("x", "x", "x")),
        measured("c"),
    )
    assert report.ari == Fraction(1, 2)


def test_a_report_is_restated_for_other_draws() -> None:
    """Classes, flags and agreement stay; statistics and means are those of the new k."""
    labels = ("x",) * 5 + ("y",) * 7
    before = report_of(measured("a", labels=labels), measured("b", [2, 1]))
    after = report_of(
        measured("a", labels=labels, ks=(3,)), measured("b", [2, 1], ks=(3,)), ks=(3,)
    )
    assert restate(before, (3,)) == after
    assert restate_problem(before.problems[0], (3,)) == after.problems[0]
