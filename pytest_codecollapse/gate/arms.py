"""Arms of a repair: each intervention against the same control, a plain retry.

An arm is compared as a checkpoint is with its baseline, over the same problems and by the same
resamples. What differs: the prompt is what an intervention changes, so it makes no problem stale;
and of several interventions one may look like a fix by luck, so the intervals are widened.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, Optional

import msgspec

from pytest_codecollapse.gate.against import Baseline, Policy
from pytest_codecollapse.gate.compare import compare
from pytest_codecollapse.gate.format import percent_text, plural
from pytest_codecollapse.gate.rules import Rule
from pytest_codecollapse.gate.verdict import judge
from pytest_codecollapse.model import (
    CompareSettings,
    Comparison,
    MetricDelta,
    ProblemReport,
    Report,
    Verdict,
)

#: What is done about several interventions, of which each has its chance to signal by luck.
Correction = Literal["bonferroni", "none"]

#: What the interval of a delta shows of an intervention.
Effect = Literal["fixes", "no evidence", "harms"]


class Arm(msgspec.Struct, frozen=True, kw_only=True):
    """One way to try again: its name, and its samples' measurement."""

    name: str
    report: Report


class Intervention(msgspec.Struct, frozen=True, kw_only=True):
    """An arm against the control: the control is ``before``, the arm ``after``.

    ``prompts_differ`` counts the problems that are asked otherwise than in the control.
    """

    name: str
    comparison: Comparison
    verdicts: tuple[Verdict, ...]
    prompts_differ: int


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """All interventions against their control.

    ``settings`` are those that were asked for; the intervals' confidence is in the settings of
    the comparisons. ``ks`` are the numbers of draws.
    """

    control: str
    settings: CompareSettings
    correction: Correction
    ks: tuple[int, ...]
    interventions: tuple[Intervention, ...]
    caution: Optional[str]


def compare_arms(
    control: Arm,
    arms: Sequence[Arm],
    settings: CompareSettings,
    *,
    rules: Sequence[Rule] = (),
    correction: Correction = "bonferroni",
    policy: Optional[Policy] = None,
) -> Trial:
    """Compare each intervention with the control, and judge the rules for each.

    Parameters
    ----------
    control
        The plain retry.
    arms
        The interventions, at least one.
    settings
        How the intervals are made; their confidence is that of one intervention alone.
    rules
        Judged for every intervention, with the control as baseline.
    correction
        ``bonferroni`` gives each of m interventions intervals of confidence 1 − (1 − c)/m. The
        chance that any of them excludes zero by luck, at one k, is then at most 1 − c, as far as
        an interval keeps its confidence, and however the arms depend on one another.
    policy
        What becomes of stale and inconclusive verdicts.

    Returns
    -------
    Trial
        Interventions in their order.
    """
    ks = control.report.settings.k
    each = _corrected(settings, correction, len(arms))
    policy = msgspec.structs.replace(policy or Policy(), against="control", accept_command=None)
    interventions = tuple(_intervention(control.report, arm, each, rules, policy) for arm in arms)
    return Trial(
        control=control.name,
        settings=settings,
        correction=correction,
        ks=ks,
        interventions=interventions,
        caution=_caution(len(arms), _comparisons(interventions), settings, each),
    )


def effect_of(row: MetricDelta) -> Optional[Effect]:
    """Say what an interval shows: a fix only where it lies wholly above zero.

    None where there is no interval, and for a metric of which more is not plainly better.
    """
    if row.interval is None or not row.metric.startswith("pass@"):
        return None
    lower, upper = row.interval
    return "fixes" if lower > 0 else "harms" if upper < 0 else "no evidence"


def _corrected(settings: CompareSettings, correction: Correction, count: int) -> CompareSettings:
    if correction == "none":
        return settings
    confidence = 1 - (1 - settings.confidence) / count
    return msgspec.structs.replace(settings, confidence=confidence)


def _intervention(
    control: Report, arm: Arm, settings: CompareSettings, rules: Sequence[Rule], policy: Policy
) -> Intervention:
    report, prompts_differ = _as_asked(control, arm.report)
    headline = f"pass@{min(control.settings.k)}"
    comparison = compare(control, report, settings, headline=headline)
    baseline = Baseline(report=control, comparison=comparison)
    return Intervention(
        name=arm.name,
        comparison=comparison,
        verdicts=judge(rules, report, baseline=baseline, policy=policy),
        prompts_differ=prompts_differ,
    )


def _as_asked(control: Report, arm: Report) -> tuple[Report, int]:
    """Give problems of which only the prompt differs the control's identity; count them."""
    known = {problem.problem_id: problem for problem in control.problems}
    taken = [_with_identity(problem, known.get(problem.problem_id)) for problem in arm.problems]
    differ = sum(new is not old for new, old in zip(taken, arm.problems))
    return msgspec.structs.replace(arm, problems=tuple(taken)), differ


def _with_identity(problem: ProblemReport, control: Optional[ProblemReport]) -> ProblemReport:
    if control is None:
        return problem
    own, other = problem.identity.parts, control.identity.parts
    differ = {part for part in {*own, *other} if own.get(part) != other.get(part)}
    if differ != {"prompt"}:
        return problem
    return msgspec.structs.replace(problem, identity=control.identity)


def _comparisons(interventions: Sequence[Intervention]) -> int:
    rows = (row for each in interventions for row in each.comparison.metrics)
    return sum(effect_of(row) is not None for row in rows)


def _caution(
    arms: int, comparisons: int, settings: CompareSettings, each: CompareSettings
) -> Optional[str]:
    """Say how many chances there are for luck, and what is done about them."""
    if arms < 2:
        return None
    head = f"{plural(arms, 'intervention')}, {plural(comparisons, 'comparison')} of pass@k"
    asked = 1 - settings.confidence
    luck = f"by luck alone any of the {arms} excludes zero, at one k, in"
    if each.confidence != settings.confidence:
        return (
            f"{head}: each interval is at {percent_text(each.confidence)} (Bonferroni), so that"
            f" {luck} at most {percent_text(asked)} of such trials"
        )
    return (
        f"{head}, each at {percent_text(settings.confidence)}: {luck} up to"
        f" {percent_text(min(arms * asked, Fraction(1)))} of such trials;"
        f" --correction=bonferroni keeps that at {percent_text(asked)}"
    )
