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
    JOBS_OPTION,
    MEASURE_OPTIONS,
    POLICY_OPTIONS,
    SYNTH_OPTIONS,
    Option,
    accept_command,
    compare_settings_from,
    settings_from,
)

OPTIONS = {
    option.name: option
    for option in (*MEASURE_OPTIONS, JOBS_OPTION, *COMPARE_OPTIONS, *POLICY_OPTIONS)
}
OPTIONS |= {f"synth {option.name}": option for option in SYNTH_OPTIONS}


def defaults(options: tuple[Option, ...]) -> dict[str, Any]:
    """Parse the defaults of a group."""
    return {option.key: option.parse(option.default or "") for option in options}


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("inputs", "50", 50),
        ("timeout", "0.5", 0.5),
        ("timeout", "3600", 3600.0),
        ("memory-mb", "16", 16),
        ("k", "10,1,5,5", (1, 5, 10)),
        ("k", "3", (3,)),
        ("input-seed", "0", 0),
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
    assert compare_settings_from(defaults(COMPARE_OPTIONS)) == CompareSettings()


def test_the_draws_that_rules_name_are_added() -> None:
    """A rule on E[D_7] has 7 measured, too."""
    assert settings_from(defaults(MEASURE_OPTIONS), frozenset({7, 5})).k == (1, 5, 7, 10)


@pytest.mark.parametrize(
    ("is_report", "settings", "command"),
    [
        (True, Settings(), "codecollapse measure 'my after.jsonl' --json before.json"),
        (
            True,
            Settings(inputs=20, timeout_s=1.0, k=(1,), input_seed=3),
            "codecollapse measure 'my after.jsonl' --json before.json"
            " --inputs 20 --timeout 1 --input-seed 3",
        ),
        (False, Settings(inputs=20), "cp 'my after.jsonl' before.json"),
    ],
)
def test_the_command_that_accepts_a_change(
    is_report: bool, settings: Settings, command: str
) -> None:
    """It measures as this run did, and never writes a report over a samples file."""
    found = accept_command(
        Path("my after.jsonl"), Path("before.json"), is_report=is_report, settings=settings
    )
    assert found == command
