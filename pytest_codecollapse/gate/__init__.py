"""Rules over statistics, baselines and whether they still fit, paired comparison, verdicts."""

from __future__ import annotations

from pytest_codecollapse.gate.against import Baseline, Policy, fails_as_stale
from pytest_codecollapse.gate.arms import (
    Arm,
    Correction,
    Effect,
    Intervention,
    Trial,
    compare_arms,
    effect_of,
)
from pytest_codecollapse.gate.baseline import (
    describe_allowed,
    describe_staleness,
    identity_of,
    is_stale,
    staleness,
    staleness_details,
)
from pytest_codecollapse.gate.bounds import breaches
from pytest_codecollapse.gate.changes import describe_change, moved_most
from pytest_codecollapse.gate.compare import (
    compare,
    pair_problems,
    without_new,
)
from pytest_codecollapse.gate.figures import gate_figures
from pytest_codecollapse.gate.format import (
    exact_text,
    format_interval,
    format_number,
    name_some,
    percent_text,
    plural,
)
from pytest_codecollapse.gate.further import (
    NO_METRICS,
    Metric,
    Metrics,
    checked_metrics,
    with_metrics,
)
from pytest_codecollapse.gate.metrics import metric_names
from pytest_codecollapse.gate.rules import (
    DEFAULT_ARMS_RULES,
    DEFAULT_COMPARE_RULES,
    BoundRule,
    CompareRule,
    Margin,
    Rule,
    parse_rule,
    refuse_without_baseline,
    rule_ks,
)
from pytest_codecollapse.gate.verdict import accept_changes, judge

__all__ = [
    "DEFAULT_ARMS_RULES",
    "DEFAULT_COMPARE_RULES",
    "NO_METRICS",
    "Arm",
    "Baseline",
    "BoundRule",
    "CompareRule",
    "Correction",
    "Effect",
    "Intervention",
    "Margin",
    "Metric",
    "Metrics",
    "Policy",
    "Rule",
    "Trial",
    "accept_changes",
    "breaches",
    "checked_metrics",
    "compare",
    "compare_arms",
    "describe_allowed",
    "describe_change",
    "describe_staleness",
    "effect_of",
    "exact_text",
    "fails_as_stale",
    "format_interval",
    "format_number",
    "gate_figures",
    "identity_of",
    "is_stale",
    "judge",
    "metric_names",
    "moved_most",
    "name_some",
    "pair_problems",
    "parse_rule",
    "percent_text",
    "plural",
    "refuse_without_baseline",
    "rule_ks",
    "staleness",
    "staleness_details",
    "with_metrics",
    "without_new",
]
