"""The settings as users write them: one table for the script, the plugin and the ini file.

pytest imports this at every start, so the records are imported only where they are made.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional

if TYPE_CHECKING:
    from pytest_codecollapse.model import CompareSettings, Settings


class Option(NamedTuple):
    """One setting: ``--name`` of the script, ``--codecollapse-name`` and ``codecollapse_name``.

    ``parse`` turns what the user wrote into a value and raises ValueError with what it expected.
    ``default`` is written as a user would, None where it depends on the machine.
    """

    name: str
    metavar: str
    parse: Callable[[str], Any]
    default: Optional[str]
    help: str

    @property
    def key(self) -> str:
        """The name as an identifier."""
        return self.name.replace("-", "_")


def _whole_number(least: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least:
            raise ValueError(f"expected a whole number of at least {least} (got {text!r})")
        return value

    return parse


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.01 <= value <= 3600:
        raise ValueError(f"expected seconds from 0.01 to 3600 (got {text!r})")
    return value


def _draws(text: str) -> tuple[int, ...]:
    try:
        values = sorted({int(part) for part in text.split(",")})
    except ValueError:
        values = [0]
    if values[0] < 1:
        raise ValueError(f"expected numbers of draws such as 1,5,10 (got {text!r})")
    return tuple(values)


def _confidence(text: str) -> Fraction:
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        value = Fraction(0)
    if not 0 < value < 1:
        raise ValueError(f"expected a confidence between 0 and 1, such as 0.95 (got {text!r})")
    return value


def _share(text: str) -> Fraction:
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        value = Fraction(-1)
    if not 0 <= value <= 1:
        raise ValueError(f"expected a share from 0 to 1 (got {text!r})")
    return value


def choice(*words: str) -> Callable[[str], str]:
    """Make a parser that takes one of some words."""

    def parse(text: str) -> str:
        if text not in words:
            raise ValueError(f"expected {' or '.join(words)} (got {text!r})")
        return text

    return parse


MEASURE_OPTIONS = (
    Option("inputs", "N", _whole_number(1), "50", "inputs per problem, at most"),
    Option("timeout", "SECONDS", _seconds, "0.5", "CPU time a program may take for one input"),
    Option("memory-mb", "MB", _whole_number(16), "512", "memory a program may take"),
    Option("k", "K,K,…", _draws, "1,5,10", "numbers of draws for pass@k, E[D_k], E[W_k], E[A_k]"),
    Option("input-seed", "N", _whole_number(0), "0", "seed of the generated inputs"),
)

JOBS_OPTION = Option(
    "jobs", "N", _whole_number(1), None, "programs that run at a time (default: one per core)"
)

COMPARE_OPTIONS = (
    Option("resamples", "N", _whole_number(1), "2000", "bootstrap resamples of an interval"),
    Option("confidence", "P", _confidence, "0.95", "nominal coverage of an interval"),
    Option("seed", "N", _whole_number(0), "0", "seed of the resamples"),
    Option(
        "interval",
        "{expanded,percentile}",
        choice("expanded", "percentile"),
        "expanded",
        "bootstrap interval: corrected for few problems, or plain",
    ),
)

POLICY_OPTIONS = (
    Option(
        "stale",
        "{fail,intersect}",
        choice("fail", "intersect"),
        "fail",
        "where the baseline is not comparable: fail, or compare the problems that still are",
    ),
    Option(
        "inconclusive",
        "{fail,skip}",
        choice("fail", "skip"),
        "fail",
        "what becomes of a gate whose interval lies on both sides of its margin",
    ),
)

SYNTH_OPTIONS = (
    Option("candidates", "N", _whole_number(1), "12", "candidates per problem"),
    Option("collapse", "SHARE", _share, "0.6", "share of them that do what the reference does"),
    Option("seed", "N", _whole_number(0), "0", "which corpus"),
)


def settings_from(values: Mapping[str, Any], rule_ks: frozenset[int] = frozenset()) -> Settings:
    """Make the measuring settings from parsed values by key; rules may name further draws k."""
    from pytest_codecollapse.model import Settings

    return Settings(
        inputs=values["inputs"],
        timeout_s=values["timeout"],
        memory_mb=values["memory_mb"],
        input_seed=values["input_seed"],
        k=tuple(sorted({*values["k"], *rule_ks})),
    )


def compare_settings_from(values: Mapping[str, Any]) -> CompareSettings:
    """Make the settings of a comparison from parsed values by key."""
    from pytest_codecollapse.model import CompareSettings

    return CompareSettings(
        resamples=values["resamples"],
        confidence=values["confidence"],
        seed=values["seed"],
        interval=values["interval"],
    )


def accept_command(after: Path, baseline: Path, *, is_report: bool, settings: Settings) -> str:
    """Return the shell command that makes a samples file the new baseline.

    Parameters
    ----------
    after, baseline
        The samples file, and the file that it was compared with.
    is_report
        Whether the baseline is a saved report, and not a samples file that would be lost.
    settings
        How the samples were measured; the report has to be written in the same way.
    """
    new, old = shlex.quote(str(after)), shlex.quote(str(baseline))
    if not is_report:
        return f"cp {new} {old}"
    values = {
        "inputs": str(settings.inputs),
        "timeout": f"{settings.timeout_s:g}",
        "memory-mb": str(settings.memory_mb),
        "input-seed": str(settings.input_seed),
    }
    defaults = {option.name: option.default for option in MEASURE_OPTIONS}
    flags = [f" --{name} {value}" for name, value in values.items() if value != defaults[name]]
    return f"codecollapse measure {new} --json {old}{''.join(flags)}"
