"""What an update does to a baseline, problem by problem and byte by byte."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Literal, Optional

import msgspec
import pytest
from report_records import measured, report_of

from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.model import CompareSettings, Report, Unmeasured
from pytest_codecollapse.report import curve_object, pass_curve, render_report
from pytest_codecollapse.samples import read_problem_texts, read_saved_report
from pytest_codecollapse.update import UpdateMode, merge, plan_update

Extract = Optional[Literal["auto", "none"]]

BEFORE = report_of(
    measured("b", [6, 6], labels=("x",) * 6 + ("y",) * 6),
    measured("a", [4, 4, 4]),
    measured("c", [12]),
    unmeasured=[Unmeasured(problem_id="d", message="no"), Unmeasured(problem_id="e", message="no")],
)
#: a and b are measured again, c is not in the samples, d could be measured now, f is new.
AFTER = report_of(
    measured("d", [12]), measured("a", [11, 1]), measured("f", [6, 6]), measured("b", [12])
)


def elsewhere(report: Report) -> Report:
    """Return a report as measured in another environment, which changes no result."""
    place = msgspec.structs.replace(report.environment, python="3.11.99", isolation="confined")
    return msgspec.structs.replace(report, environment=place)


@pytest.mark.parametrize(
    ("mode", "behaviours", "replaced", "kept"),
    [("missing", [2, 3, 1, 1, 2], (), ("b", "a", "c")), ("all", [1, 2, 1, 1, 2], ("b", "a"), "c")],
)
def test_problems_are_replaced_or_kept_and_new_ones_added(
    mode: UpdateMode, behaviours: list[int], replaced: tuple[str, ...], kept: tuple[str, ...]
) -> None:
    """The order is the baseline's, new problems come behind; the means are over what is there."""
    merged = merge(BEFORE, AFTER, mode)
    assert [each.problem_id for each in merged.report.problems] == ["b", "a", "c", "d", "f"]
    assert [len(each.partition.classes) for each in merged.report.problems] == behaviours
    assert (merged.replaced, merged.kept) == (replaced, tuple(kept))
    assert (merged.added, merged.gone) == (("d", "f"), ("c",))
    assert merged.report.mean["hill_q0"] == Fraction(sum(behaviours), 5)
    assert merged.report.ari == (1 if mode == "missing" else None)
    assert [each.problem_id for each in merged.report.unmeasured] == ["e"]


@pytest.mark.parametrize(("mode", "python"), [("missing", "3.11.7"), ("all", "3.11.99")])
def test_the_environment_is_that_of_what_was_replaced(mode: UpdateMode, python: str) -> None:
    """An update that only adds leaves the environment of the others."""
    assert merge(BEFORE, elsewhere(AFTER), mode).report.environment.python == python


@pytest.mark.parametrize(
    ("after", "ks"), [(["a"], (1, 2)), (["a", "b", "c"], (5,))], ids=["some", "every"]
)
def test_the_draws_stay_the_baselines_while_a_problem_does(
    after: list[str], ks: tuple[int, ...]
) -> None:
    """Every problem of the file has the statistics that the means are of."""
    before = report_of(*(measured(each, [6, 6], ks=(1, 2)) for each in "abc"), ks=(1, 2))
    current = report_of(*(measured(each, [12], ks=(5,)) for each in after), ks=(5,))
    merged = merge(before, current, "all").report
    assert merged.settings.k == ks
    for each in (merged.mean, *(problem.statistics for problem in merged.problems)):
        assert {name for name in each if name.startswith("pass@")} == {f"pass@{k}" for k in ks}


@pytest.mark.parametrize(
    ("mode", "after", "remedy"),
    [
        ("all", ["a", "b"], "delete the file, and write it anew with"),
        ("missing", ["a", "b", "c", "d"], "update it with all its problems at once"),
    ],
)
def test_other_settings_are_refused_while_a_problem_is_kept(
    mode: UpdateMode, after: list[str], remedy: str
) -> None:
    """A file has one set of settings, so it cannot hold problems of two."""
    current = report_of(*(measured(each) for each in after))
    settings = msgspec.structs.replace(current.settings, timeout_s=2.0)
    current = msgspec.structs.replace(current, settings=settings)
    with pytest.raises(UsageError, match=r"timeout_s 0\.5 -> 2\.0") as caught:
        merge(BEFORE, current, mode)
    assert str(caught.value.remedy).startswith(remedy)


@pytest.mark.parametrize(
    ("was", "now", "kept"),
    [("auto", None, "auto"), (None, "none", "none"), ("auto", "auto", "auto"), (None, None, None)],
)
def test_how_programs_were_extracted_stays_said(was: Extract, now: Extract, kept: Extract) -> None:
    """Programs that came as such can be added to a baseline of texts, which it still says it is."""
    before, after = (
        msgspec.structs.replace(each, settings=msgspec.structs.replace(each.settings, extract=how))
        for each, how in ((BEFORE, was), (report_of(*map(measured, "abcd")), now))
    )
    assert merge(before, after, "missing").report.settings.extract == kept


@pytest.mark.parametrize("mode", ["missing", "all"])
def test_a_baseline_of_other_problems_is_refused(mode: UpdateMode) -> None:
    """With no problem in common one of the two files is the wrong one."""
    with pytest.raises(UsageError, match="it shares no problem with the samples"):
        merge(BEFORE, report_of(measured("x")), mode)


def test_other_settings_are_taken_where_every_problem_is_replaced() -> None:
    """Where nothing of the old settings is left, the file has the new ones."""
    current = report_of(*(measured(each) for each in "abc"))
    settings = msgspec.structs.replace(current.settings, timeout_s=2.0)
    current = msgspec.structs.replace(current, settings=settings)
    assert merge(BEFORE, current, "all").report.settings.timeout_s == 2.0


@pytest.mark.parametrize("mode", ["missing", "all"])
def test_what_is_kept_is_kept_to_the_byte(tmp_path: Path, mode: UpdateMode) -> None:
    """Even a line that another version wrote otherwise stays as it stands, in its place."""
    path = tmp_path / "before.json"
    text = render_report(BEFORE).replace('"problem_id":"c",', '"problem_id": "c",  "old":1.50,')
    path.write_text(text)
    found = plan_update(path, AFTER, mode, shown_as="before.json").text
    old, new = text.splitlines(), found.splitlines()
    assert new[3] == f"{old[3]},"
    assert '"old":1.50' in new[3]
    assert (new[1:3] == old[1:3]) == (mode == "missing")
    path.write_text(found)
    again = read_saved_report(path)
    assert [each.problem_id for each in again.problems] == ["b", "a", "c", "d", "f"]


@pytest.mark.parametrize("mode", ["missing", "all"])
def test_what_was_added_to_the_file_stays(tmp_path: Path, mode: UpdateMode) -> None:
    """A key of the user's own, such as a hook adds, is no part of a measurement, and is kept."""
    path = tmp_path / "before.json"
    path.write_text(render_report(BEFORE, added={"extra": {"step": 2000}, "commit": "abc"}))
    planned = plan_update(path, AFTER, mode, shown_as="before.json")
    found = json.loads(planned.text)
    assert (found["extra"], found["commit"]) == ({"step": 2000}, "abc")
    assert list(found)[-1] == "problems"
    path.write_text(planned.text)
    assert len(read_saved_report(path).problems) == 5


def with_curve(report: Report, settings: CompareSettings) -> str:
    """Return the text of a report that ``measure --curve`` wrote."""
    curve = curve_object(pass_curve(report, settings), settings)
    return render_report(report, added={"curve": curve})


@pytest.mark.parametrize("mode", ["missing", "all"])
def test_a_curve_is_made_again_for_what_the_file_becomes(tmp_path: Path, mode: UpdateMode) -> None:
    """It is over all problems, so what it was would be wrong now; its settings are the file's."""
    settings = CompareSettings(resamples=50, seed=3, interval="percentile")
    path = tmp_path / "before.json"
    path.write_text(with_curve(BEFORE, settings))
    update = plan_update(path, AFTER, mode, shown_as="before.json")
    assert update.merged is not None
    found = json.loads(update.text)["curve"]
    assert found == json.loads(with_curve(update.merged.report, settings))["curve"]
    assert found != json.loads(path.read_text())["curve"]
    path.write_text(update.text)
    assert not plan_update(path, AFTER, mode, shown_as="before.json").is_changed


def test_what_a_hook_calls_a_curve_is_the_hooks(tmp_path: Path) -> None:
    """An added key that is no curve of ours stays as it is."""
    path = tmp_path / "before.json"
    path.write_text(render_report(BEFORE, added={"curve": [1, 2]}))
    update = plan_update(path, AFTER, "all", shown_as="before.json")
    assert json.loads(update.text)["curve"] == [1, 2]


def test_an_update_that_changes_nothing_is_told(tmp_path: Path) -> None:
    """The same problems again, or none that is missing, leave the file as it is."""
    path = tmp_path / "before.json"
    path.write_text(render_report(BEFORE))
    same = report_of(*BEFORE.problems)
    assert plan_update(path, same, "all", shown_as="before.json").text == path.read_text()
    modes: tuple[UpdateMode, ...] = ("all", "missing")
    for mode in modes:
        assert not plan_update(path, same, mode, shown_as="before.json").is_changed
    assert plan_update(path, AFTER, "all", shown_as="before.json").is_changed


def test_a_baseline_that_is_missing_becomes_the_report(tmp_path: Path) -> None:
    """There is nothing to merge with."""
    found = plan_update(tmp_path / "new.json", AFTER, "missing", shown_as="new.json")
    assert (found.text, found.merged, found.is_changed) == (render_report(AFTER), None, True)


def test_the_texts_of_problems_are_those_of_the_file(tmp_path: Path) -> None:
    """However a file is laid out, each problem's text is the one between its neighbours."""
    path = tmp_path / "report.json"
    problems = '{\n  "problem_id": "é\\n",\n  "n": 1e0 }', '{"n":{"a":[]},"problem_id":"b"}'
    path.write_text(f'{{"schema":1, "problems" : [ {problems[0]} ,{problems[1]}]}}', "utf-8")
    assert read_problem_texts(path) == {"é\n": problems[0], "b": problems[1]}
    assert json.loads(problems[0])["problem_id"] == "é\n"
