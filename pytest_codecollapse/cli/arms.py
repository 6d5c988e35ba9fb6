"""``codecollapse compare --arms``: a plain retry, and what is tried instead of it."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from pytest_codecollapse.cli.output import print_doubts, print_unmeasured, screen_of
from pytest_codecollapse.cli.progress import progress_on
from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.gate import (
    DEFAULT_ARMS_RULES,
    Arm,
    Intervention,
    Policy,
    Rule,
    Trial,
    compare_arms,
    fails_as_stale,
    parse_rule,
    rule_ks,
)
from pytest_codecollapse.measure import check_file, load_report
from pytest_codecollapse.model import Settings, Verdict
from pytest_codecollapse.options import compare_settings_from, settings_from
from pytest_codecollapse.report import arms_tables, render_arms, verdict_lines, write_atomically
from pytest_codecollapse.samples import SamplesFiles, real_path
from pytest_codecollapse.sandbox import open_engine

_ENDINGS = (".gz", ".jsonl", ".json")


def run_arms(options: argparse.Namespace, files: SamplesFiles) -> int:
    """Compare, judge and show; 1 where a gate failed, 2 where a problem was not measured."""
    _refuse_what_does_not_go_together(options)
    rules = [parse_rule(text) for text in options.rules] or list(DEFAULT_ARMS_RULES)
    settings = settings_from(vars(options), rule_ks(rules))
    control, *arms = _measured(options, settings, files)
    policy = Policy(stale=options.stale, inconclusive=options.inconclusive)
    trial = _trial(control, arms, rules, policy, options)
    verdicts = [verdict for each in trial.interventions for verdict in _named(each)]
    screen = screen_of()
    print_doubts(*zip(options.arms, (arm.report for arm in (control, *arms))))
    print(arms_tables(trial, screen))
    print()
    print(verdict_lines(verdicts, screen))
    if options.json is not None:
        write_atomically(options.json, render_arms(trial))
    if print_unmeasured(control.report, *(arm.report for arm in arms)):
        return 2
    stale = any(fails_as_stale(each.comparison, policy) for each in trial.interventions)
    return 1 if stale or any(verdict.failed for verdict in verdicts) else 0


def _refuse_what_does_not_go_together(options: argparse.Namespace) -> None:
    paths = options.arms
    if options.before is not None:
        raise UsageError(
            f"compare takes BEFORE and AFTER, or --arms (got both: {options.before} and --arms)",
            remedy="write compare --arms CONTROL ARM, or compare BEFORE AFTER",
        )
    if len(paths) < 2:
        raise UsageError(
            f"--arms takes a control and at least one intervention (got {paths[0]} alone)",
            remedy="name the plain retry first, then what is compared with it",
        )
    files = Counter(map(real_path, paths))
    twice = [str(path) for path in paths if files[real_path(path)] > 1]
    if twice:
        raise UsageError(f"--arms names {twice[-1]} twice", remedy="name each arm once")
    for name in ("html", "markdown"):
        if getattr(options, name) is not None:
            raise UsageError(
                f"--{name} does not go with --arms",
                remedy="write --json, or compare two of the arms",
            )


def _measured(options: argparse.Namespace, settings: Settings, files: SamplesFiles) -> list[Arm]:
    names = _names(options.arms)
    with open_engine(vars(options)) as engine:
        progress = progress_on(engine)
        for path in options.arms[1:]:  # a mistake in one must not cost what was measured before it
            check_file(path, files.open)
        return [
            Arm(
                name=name,
                report=load_report(path, settings, engine, progress=progress, open_with=files.open),
            )
            for name, path in zip(names, options.arms)
        ]


def _names(paths: Sequence[Path]) -> list[str]:
    """Name arms by their files, or by their whole paths where files have the same name."""
    short = [_without_endings(path.name) for path in paths]
    return short if len(set(short)) == len(short) else [str(path) for path in paths]


def _without_endings(name: str) -> str:
    for ending in _ENDINGS:
        if name.endswith(ending) and name != ending:
            name = name[: -len(ending)]
    return name


def _trial(
    control: Arm,
    arms: Sequence[Arm],
    rules: Sequence[Rule],
    policy: Policy,
    options: argparse.Namespace,
) -> Trial:
    return compare_arms(
        control,
        arms,
        compare_settings_from(vars(options)),
        rules=rules,
        correction=options.correction or "bonferroni",
        policy=policy,
    )


def _named(each: Intervention) -> list[Verdict]:
    """Return the verdicts on an intervention, each with its name before it."""
    return [
        msgspec.structs.replace(verdict, summary=f"{each.name}: {verdict.summary}")
        for verdict in each.verdicts
    ]
