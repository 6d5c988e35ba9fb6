from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from gate_records import identity_with, report, sized, valued

from pytest_codecollapse.gate import (
    DEFAULT_ARMS_RULES,
    Arm,
    Correction,
    Effect,
    Policy,
    Trial,
    compare,
    compare_arms,
    effect_of,
    parse_rule,
)
from pytest_codecollapse.model import CompareSettings, MetricDelta, Report

SETTINGS = CompareSettings(resamples=400, interval="percentile")

#: Of 12 candidates of 4 problems, so many are correct.
CONTROL = (3, 6, 2, 9)
BETTER = (6, 8, 5, 12)
MIXED = (6, 4, 2, 9)
WORSE = (1, 5, 1, 4)


def correct(*counts: int) -> Report:
    """Build a report of problems p0, p1, … with so many of 12 candidates correct."""
    return report(
        *(sized(f"p{index}", [count, 12 - count][: 2 - (count == 12)]) for index, count in
          enumerate(counts))
    )  # fmt: skip


def trial_of(
    *arms: Sequence[int],
    control: Sequence[int] = CONTROL,
    settings: CompareSettings = SETTINGS,
    rules: Sequence[str] = ("pass@1 must rise",),
    correction: Correction = "bonferroni",
) -> Trial:
    """Compare arms, which are called a, b, …, with the control."""
    return compare_arms(
        Arm(name="retry", report=correct(*control)),
        [Arm(name=chr(ord("a") + index), report=correct(*arm)) for index, arm in enumerate(arms)],
        settings,
        rules=[parse_rule(rule) for rule in rules],
        correction=correction,
    )


@pytest.mark.parametrize(
    ("interval", "effect"),
    [
        ((1, 2), "fixes"),
        ((0, 2), "no evidence"),
        ((-1, 2), "no evidence"),
        ((0, 0), "no evidence"),
        ((-1, 0), "no evidence"),
        ((-2, -1), "harms"),
        (None, None),
    ],
)
def test_an_effect_excludes_zero(interval: tuple[int, int] | None, effect: Effect | None) -> None:
    """An interval that only touches zero is no evidence, and without one nothing is said."""
    ends = None if interval is None else (Fraction(interval[0]), Fraction(interval[1]))
    row = MetricDelta(metric="pass@1", pairs=2, before=None, after=None, delta=None, interval=ends)
    assert effect_of(row) == effect


def test_only_pass_at_k_has_an_effect() -> None:
    """More distinct behaviours are neither a fix nor harm."""
    ends = (Fraction(1), Fraction(2))
    row = MetricDelta(metric="E[D_5]", pairs=2, before=None, after=None, delta=None, interval=ends)
    assert effect_of(row) is None


def test_each_arm_is_compared_with_the_control() -> None:
    """Better in each problem fixes, better in one and worse in another is no evidence."""
    trial = trial_of(BETTER, MIXED, WORSE)
    rows = [each.comparison.metrics[0] for each in trial.interventions]
    assert [row.metric for row in rows] == ["pass@1"] * 3
    assert [row.before for row in rows] == [Fraction(20, 48)] * 3
    assert [row.delta for row in rows] == [Fraction(11, 48), Fraction(1, 48), Fraction(-9, 48)]
    assert [effect_of(row) for row in rows] == ["fixes", "no evidence", "harms"]
    verdicts = [verdict for each in trial.interventions for verdict in each.verdicts]
    assert [verdict.status for verdict in verdicts] == ["pass", "inconclusive", "fail"]
    assert [each.comparison.paired for each in trial.interventions] == [
        ("p0", "p1", "p2", "p3")
    ] * 3


def test_one_arm_is_compared_as_two_checkpoints_are() -> None:
    """Alone, or without correction, an arm has the deltas and intervals of ``compare``."""
    alone = trial_of(BETTER).interventions[0].comparison
    among = trial_of(BETTER, WORSE, correction="none").interventions[0].comparison
    found = compare(correct(*CONTROL), correct(*BETTER), SETTINGS)
    assert alone.metrics == among.metrics == found.metrics
    assert alone.settings == found.settings


@pytest.mark.parametrize(("arms", "confidence"), [(1, "19/20"), (2, "39/40"), (5, "99/100")])
def test_several_arms_share_the_chance_of_luck(arms: int, confidence: str) -> None:
    """Each of m intervals is at 1 − (1 − c)/m, exactly, and nothing else of it changes."""
    trial = trial_of(*[BETTER] * arms)
    assert {each.comparison.settings.confidence for each in trial.interventions} == {
        Fraction(confidence)
    }
    assert trial.settings == SETTINGS
    wider = CompareSettings(resamples=400, interval="percentile", confidence=Fraction(confidence))
    found = compare(correct(*CONTROL), correct(*BETTER), wider)
    assert trial.interventions[0].comparison.metrics == found.metrics


@pytest.mark.parametrize(
    ("arms", "correction", "caution"),
    [
        (1, "bonferroni", None),
        (1, "none", None),
        (
            3,
            "bonferroni",
            "3 interventions, 9 comparisons of pass@k: each interval is at 98.33% (Bonferroni), so"
            " that by luck alone any of the 3 excludes zero, at one k, in at most 5% of such"
            " trials",
        ),
        (
            3,
            "none",
            "3 interventions, 9 comparisons of pass@k, each at 95%: by luck alone any of the 3"
            " excludes zero, at one k, in up to 15% of such trials; --correction=bonferroni keeps"
            " that at 5%",
        ),
        (
            30,
            "none",
            "30 interventions, 90 comparisons of pass@k, each at 95%: by luck alone any of the 30"
            " excludes zero, at one k, in up to 100% of such trials; --correction=bonferroni keeps"
            " that at 5%",
        ),
    ],
)
def test_the_number_of_comparisons_is_cautioned_of(
    arms: int, correction: Correction, caution: str | None
) -> None:
    """Three k and m arms are 3·m comparisons; the chance is at most m·(1 − c), and never over 1."""
    assert trial_of(*[MIXED] * arms, correction=correction).caution == caution


def test_few_problems_are_cautioned_of_with_pass_at_k() -> None:
    """The example is the change in pass@k, which is what a repair is about."""
    caution = trial_of(MIXED).interventions[0].comparison.caution
    assert caution is not None
    assert caution.startswith("only 4 problems: an interval of nominal 95% (percentile) covers")
    assert caution.endswith("would tell a mean pass@1 delta of 0.02083 from 0")


def test_verdicts_call_the_other_side_a_control() -> None:
    """It is no baseline to be updated, so no verdict says how, or that it is time to."""
    trial = trial_of(WORSE, rules=["pass@1 must not drop by 10%"])
    (verdict,) = trial.interventions[0].verdicts
    assert verdict.details[:2] == (
        "pass@1 over 4 problems: control 0.4167, arm 0.2292, delta -0.1875",
        "95% interval [-0.3542, -0.08333] (percentile, 400 resamples), threshold -0.04167"
        " (10% of the control)",
    )
    assert not any("accept" in line for line in verdict.details)
    (kept,) = trial_of(BETTER, rules=["pass@1 must not drop"]).interventions[0].verdicts
    assert kept.status == "pass"
    assert "baseline" not in kept.summary
    held = report(*(valued(f"p{index}", {"chao1": Fraction(1)}) for index in range(4)))
    (found,) = compare_arms(
        Arm(name="retry", report=report(*(valued(f"p{index}", {}) for index in range(4)))),
        [Arm(name="a", report=held)],
        SETTINGS,
        rules=[parse_rule("chao1 must rise")],
    ).interventions
    assert found.verdicts[0].summary == "chao1 must rise: not measured in the control"


def asked(prompt: str, **parts: str) -> Report:
    """Build a report of two problems that are asked by a prompt."""
    identity = identity_with(prompt=prompt, **parts)
    return report(*(sized(each, [6, 6], identity=identity) for each in ("a", "b")))


def test_the_prompt_is_what_an_intervention_changes() -> None:
    """Problems of which the prompt differs are compared, and counted; two checkpoints' are not."""
    control, arm = Arm(name="retry", report=asked("1")), Arm(name="a", report=asked("2"))
    (found,) = compare_arms(control, [arm], SETTINGS).interventions
    assert (found.comparison.paired, found.prompts_differ) == (("a", "b"), 2)
    assert not found.comparison.staleness.changed
    assert compare(control.report, arm.report, SETTINGS).paired == ()


def test_what_else_differs_is_stale() -> None:
    """Other inputs are another problem, whatever the prompt is; what is gone fails the gate."""
    control = Arm(name="retry", report=asked("1"))
    arms = [
        Arm(name="other", report=asked("2", inputs="9")),
        Arm(name="part", report=report(*asked("2").problems[:1])),
    ]
    policy = Policy(stale="fail")
    other, part = compare_arms(
        control, arms, SETTINGS, rules=DEFAULT_ARMS_RULES, policy=policy
    ).interventions
    assert other.comparison.staleness.changed == dict.fromkeys("ab", ("inputs", "prompt"))
    assert part.comparison.staleness.gone == ("b",)
    assert [each.verdicts[0].status for each in (other, part)] == ["stale", "stale"]
    (left,) = compare_arms(
        control, arms[1:], SETTINGS, rules=DEFAULT_ARMS_RULES, policy=Policy(stale="intersect")
    ).interventions
    assert left.verdicts[0].summary.endswith(
        "has no interval: one problem only; left out: 1 of 2 problems is gone"
    )


def test_clusters_are_drawn_as_one() -> None:
    """Two problems of one cluster give no interval, and so no effect."""
    sides = [
        report(*(valued(each, {"pass@1": Fraction(value)}, "x") for each in ("a", "b")))
        for value in (0, 1)
    ]
    control, arm = (Arm(name=str(index), report=side) for index, side in enumerate(sides))
    (found,) = compare_arms(control, [arm], SETTINGS, rules=DEFAULT_ARMS_RULES).interventions
    assert found.comparison.metrics[0].interval is None
    assert found.verdicts[0].status == "inconclusive"
