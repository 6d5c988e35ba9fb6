"""Updating a baseline: which of its problems a run replaces, and the file's new text.

The file is one that people review and keep in a repository. So what was not measured again stays
as it is, to the byte, and nothing leaves the file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple, Optional

import msgspec

from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.gate import NO_METRICS, Metrics, plural, staleness
from pytest_codecollapse.measure import assemble, restate
from pytest_codecollapse.model import Report
from pytest_codecollapse.report import curve_again, render_report
from pytest_codecollapse.samples import read_added_keys, read_problem_texts, read_saved_report

#: ``missing`` adds what the baseline lacks; ``all`` replaces what was measured again, too.
UpdateMode = Literal["missing", "all"]


class Merged(NamedTuple):
    """A baseline after an update, and what became of its problems, by id.

    ``kept`` are the problems that were not measured again or not to be replaced; ``gone`` are
    those of them that the current samples do not have.
    """

    report: Report
    added: tuple[str, ...]
    replaced: tuple[str, ...]
    kept: tuple[str, ...]
    gone: tuple[str, ...]


def merge(before: Report, after: Report, mode: UpdateMode, metrics: Metrics = NO_METRICS) -> Merged:
    """Put the current problems into a baseline.

    Parameters
    ----------
    before, after
        The baseline and the current report, in which every problem was measured.
    mode
        Whether problems that the baseline has are replaced.
    metrics
        Metrics beside those of the package.

    Returns
    -------
    Merged
        Problems in the baseline's order, new ones behind. Where any is kept, the numbers of draws
        k stay the baseline's, so that every problem has the statistics of the means. The
        environment is that of the problems that were measured last, unless they are only added.

    Raises
    ------
    UsageError
        Where problems would be kept that were measured under other settings, and where there is
        no problem in common.
    """
    old = [problem.problem_id for problem in before.problems]
    new = {problem.problem_id for problem in after.problems}
    if old and new.isdisjoint(old):  # renamed, or another suite: the two would stand side by side
        raise UsageError(
            "it shares no problem with the samples",
            remedy="name another baseline, or delete the file to start over",
        )
    replaced = [each for each in old if each in new] if mode == "all" else []
    kept = [each for each in old if each not in new or mode == "missing"]
    if kept:
        _refuse_other_settings(before, after, kept, mode)
        after = restate(_as_extracted(after, before), before.settings.k, metrics)
    before = restate(before, after.settings.k, metrics)
    current = {problem.problem_id: problem for problem in after.problems}
    problems = [
        current[each.problem_id] if each.problem_id in current and mode == "all" else each
        for each in before.problems
    ]
    added = [problem for problem in after.problems if problem.problem_id not in set(old)]
    unmeasured = [each for each in before.unmeasured if each.problem_id not in new]
    environment = before.environment if kept and mode == "missing" else after.environment
    return Merged(
        report=assemble([*problems, *added, *unmeasured], after.settings, environment, metrics),
        added=tuple(problem.problem_id for problem in added),
        replaced=tuple(replaced),
        kept=tuple(kept),
        gone=tuple(each for each in old if each not in new),
    )


def _as_extracted(after: Report, before: Report) -> Report:
    """Keep it said how what a baseline holds was extracted, where the current samples do not."""
    extract = after.settings.extract or before.settings.extract
    settings = msgspec.structs.replace(after.settings, extract=extract)
    return msgspec.structs.replace(after, settings=settings)


def _refuse_other_settings(
    before: Report, after: Report, kept: list[str], mode: UpdateMode
) -> None:
    settings = staleness(before, after).settings
    if settings:
        others = f"{plural(len(kept), 'problem')} of it would stay as measured before"
        raise UsageError(
            f"it was measured under other settings ({'; '.join(settings)}), and {others}",
            remedy="update it with all its problems at once"
            if mode == "missing"
            else "delete the file, and write it anew with --codecollapse-update-baseline=missing",
        )


class Update(NamedTuple):
    """A baseline file to be written: its text now, and where it was there before, the merge."""

    text: str
    merged: Optional[Merged]
    is_changed: bool


def plan_update(
    path: Path,
    after: Report,
    mode: UpdateMode,
    *,
    shown_as: str,
    metrics: Metrics = NO_METRICS,
) -> Update:
    """Say what a baseline file becomes; nothing is written.

    Parameters
    ----------
    path
        The baseline, a saved report; where there is none yet, it becomes the current report.
    after, mode, metrics
        As for ``merge``.
    shown_as
        The path as messages name it.

    Raises
    ------
    UsageError
        As ``merge`` does, and where the file cannot be read.
    """
    if not path.exists():
        return Update(render_report(after), None, is_changed=True)
    merged = merge(read_saved_report(path, shown_as=shown_as), after, mode, metrics)
    texts = read_problem_texts(path)
    verbatim = {each: texts[each] for each in merged.kept if each in texts}
    added = read_added_keys(path)
    if "curve" in added:  # it is over all problems, so that it would not be that of these
        added["curve"] = curve_again(added["curve"], merged.report)
    text = render_report(merged.report, verbatim, added)
    is_changed = bool(merged.added or merged.replaced) and text.encode() != path.read_bytes()
    return Update(text, merged, is_changed)
