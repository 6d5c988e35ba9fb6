"""Whatever is updated with whatever: nothing is lost, and the file agrees with itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_records import measured, report_of

from pytest_codecollapse.measure import restate
from pytest_codecollapse.report import render_report
from pytest_codecollapse.samples import read_problem_texts, read_saved_report
from pytest_codecollapse.update import UpdateMode, plan_update

SIZES = st.lists(st.integers(1, 4), min_size=1, max_size=4).map(lambda each: sorted(each)[::-1])
PROBLEMS = st.dictionaries(st.sampled_from(["a", "b\n", 'c"', "é", "\\"]), SIZES, min_size=1)
DRAWS = st.sets(st.integers(1, 5), min_size=1).map(sorted)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Name a file for the baselines."""
    return tmp_path_factory.mktemp("baseline") / "before.json"


@given(
    before=PROBLEMS,
    after=PROBLEMS,
    ks=st.tuples(DRAWS, DRAWS),
    mode=st.sampled_from(["missing", "all"]),
)
def test_an_update_keeps_what_it_does_not_replace(
    path: Path,
    before: dict[str, list[int]],
    after: dict[str, list[int]],
    ks: tuple[list[int], list[int]],
    mode: UpdateMode,
) -> None:
    """No id is lost, what is kept is kept to the byte, and the means are those of the problems."""
    after |= {next(iter(before)): [1, 1]}  # a baseline of other problems alone is refused
    old, new = (
        report_of(*(measured(name, sizes, ks=k) for name, sizes in problems.items()), ks=tuple(k))
        for problems, k in zip((before, after), ks)
    )
    path.write_text(render_report(old), "utf-8")
    texts = read_problem_texts(path)
    update = plan_update(path, new, mode, shown_as="before.json")
    assert update.merged is not None
    path.write_text(update.text, "utf-8")
    assert read_problem_texts(path).keys() == before.keys() | after.keys()
    kept = before.keys() if mode == "missing" else before.keys() - after.keys()
    assert set(update.merged.kept) == kept
    for name, text in read_problem_texts(path).items():
        assert (
            (text == texts.get(name)) if name in kept else json.loads(text)["n"] == sum(after[name])
        )
    read = read_saved_report(path)
    mean = restate(read, read.settings.k).mean
    shown = json.loads(update.text)["mean"]
    assert {name: each["value"] for name, each in shown.items()} == {
        name: None if value is None else float(value) for name, value in mean.items()
    }
