"""Rules and measurements in, verdicts out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Optional

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
        What ``must not`` rules are judged against.
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
    if baseline is None:
        refuse_without_baseline(rules)
    policy = policy or Policy()
    verdicts = []
    for rule in rules:
        if isinstance(rule, BoundRule):
            verdicts.append(judge_bound(rule, after))
        else:
            assert baseline is not None  # refused above
            verdicts.append(judge_change(rule, after, baseline, policy))
    return tuple(verdicts)
