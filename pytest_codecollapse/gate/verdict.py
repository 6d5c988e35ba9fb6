"""Rules and measurements in, verdicts out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Optional

import msgspec

from pytest_codecollapse.gate.against import Baseline, Policy, judge_change
from pytest_codecollapse.gate.bounds import judge_bound
from pytest_codecollapse.gate.rules import BoundRule, Rule, refuse_without_baseline
from pytest_codecollapse.model import Report, Verdict


def judge(
    rules: Iterable[Rule],
    after: Report,
    *,
    baseline: Optional[Baseline] = None,
    policy: Optional[Policy] = None,
) -> tuple[Verdict, ...]:
    """Judge every rule, in order.

    Parameters
    ----------
    rules
        Parsed rules.
    after
        The current report. Its unmeasured problems are not looked at: whoever asks for verdicts
        over a part of the problems has to say so.
    baseline
        What rules on a change are judged against.
    policy
        By default everything that is not plainly a pass fails.

    Returns
    -------
    tuple of Verdict
        One a rule.

    Raises
    ------
    UsageError
        A rule needs a baseline and there is none.
    """
    rules = tuple(rules)
    policy = policy or Policy()
    if baseline is None and policy.no_baseline is None:
        refuse_without_baseline(rules)
    verdicts = []
    for rule in rules:
        if isinstance(rule, BoundRule):
            verdicts.append(judge_bound(rule, after))
        elif baseline is None:
            verdicts.append(_not_judged(rule, str(policy.no_baseline)))
        else:
            verdicts.append(judge_change(rule, after, baseline, policy))
    return tuple(verdicts)


def _not_judged(rule: Rule, why: str) -> Verdict:
    """Skip a rule that cannot be judged."""
    return Verdict(rule=str(rule), status="skipped", summary=f"{rule}: not judged: {why}")


def accept_changes(
    rules: Iterable[Rule], verdicts: Iterable[Verdict], by: str
) -> tuple[Verdict, ...]:
    """Skip what fails only because of a change that the user accepts, and say what did.

    A change that was asked for and did not come is none to accept: such a rule is only where the
    sides could not be compared.

    Parameters
    ----------
    rules, verdicts
        What was judged, and how.
    by
        What the change was accepted by.
    """
    changes = [rule for rule in rules if not isinstance(rule, BoundRule)]
    wanted = {str(rule) for rule in changes if rule.wanted}
    forbidden = {str(rule) for rule in changes} - wanted
    return tuple(
        msgspec.structs.replace(
            verdict, status="skipped", summary=f"{verdict.summary}; accepted by {by}"
        )
        if verdict.failed
        and (verdict.rule in forbidden or (verdict.rule in wanted and verdict.status == "stale"))
        else verdict
        for verdict in verdicts
    )
