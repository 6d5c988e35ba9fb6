"""The plugin's options and ini keys, and what is in force of them: command line, ini, default."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

import pytest

from pytest_codecollapse.options import (
    ALLOW_REMOVED_HELP,
    COMPARE_OPTIONS,
    MEASURE_OPTIONS,
    POLICY_OPTIONS,
    READ_OPTIONS,
    SANDBOX_OPTIONS,
    Option,
    choice,
    default_of,
    true_or_false,
)

if TYPE_CHECKING:
    from pytest_codecollapse.update import UpdateMode

SHOW_OPTION = Option(
    "show",
    "{gates,worst,all}",
    choice("gates", "worst", "all"),
    "worst",
    "what the summary shows: the gates, the problems behind failed gates, or everything",
)

UPDATE_OPTION = Option(
    "update-baseline",
    "{missing,all}",
    choice("missing", "all"),
    None,
    "write the baseline, a report: what it lacks, or all that was measured; only problems that were"
    " measured are touched, and only where every one was and nothing failed",
)

PARTIAL_OPTION = Option(
    "partial",
    "{skip,fail}",
    choice("skip", "fail"),
    "skip",
    "what becomes of the gates when not every problem was measured",
)

GITHUB_OPTION = Option(
    "github",
    "{true,false}",
    true_or_false,
    "false",
    "whether to append the markdown to GitHub's step summary and annotate failed gates",
)

#: Files that reports are written to, and with what they are filled.
REPORT_FILES = {
    "json": "write the report to a file",
    "markdown": "write verdicts and tables to a file as GitHub-flavoured markdown",
    "html": "write one page with charts and code to a file; needs pytest-codecollapse[html]",
}

_VALUE_OPTIONS = (
    *READ_OPTIONS,
    *MEASURE_OPTIONS,
    *SANDBOX_OPTIONS,
    *COMPARE_OPTIONS,
    *POLICY_OPTIONS,
    PARTIAL_OPTION,
    SHOW_OPTION,
    GITHUB_OPTION,
)


class Given(NamedTuple):
    """What is in force; ``values`` are by the options' keys. Paths are absolute.

    ``reports`` are the files to write, by the names of ``REPORT_FILES`` and in their order.
    """

    samples: tuple[Path, ...]
    baseline: Optional[Path]
    reports: dict[str, Path]
    rules: tuple[tuple[str, str], ...]
    values: dict[str, Any]
    update: Optional[UpdateMode] = None


def add_options(parser: pytest.Parser) -> None:
    """Add the options and the ini keys."""
    group = parser.getgroup("codecollapse", "diversity of code samples (pytest-codecollapse)")
    group.addoption(
        "--codecollapse-samples",
        metavar="PATH",
        action="append",
        help="samples to measure, a file or a directory; each problem is a test (repeatable)",
    )
    parser.addini("codecollapse_samples", "samples to measure", type="paths", default=[])
    group.addoption(
        "--codecollapse-baseline",
        metavar="PATH",
        help="report or samples that the samples are compared with",
    )
    parser.addini("codecollapse_baseline", "report or samples to compare with", default="")
    group.addoption(
        "--codecollapse-gate",
        metavar="RULE",
        action="append",
        help="a rule that fails the run, such as 'E[D_5] must not drop by 5%%' (repeatable); "
        "with a baseline and no rules: E[D_5] must not drop, masking_ratio must not rise",
    )
    parser.addini("codecollapse_gates", "rules that fail the run", type="linelist", default=[])
    group.addoption(
        "--codecollapse-allow-removed", metavar="ID", action="append", help=ALLOW_REMOVED_HELP
    )
    parser.addini("codecollapse_allow_removed", ALLOW_REMOVED_HELP, type="linelist", default=[])
    group.addoption(
        f"--codecollapse-{UPDATE_OPTION.name}",
        metavar=UPDATE_OPTION.metavar,
        help=UPDATE_OPTION.help,
    )
    for name, what in REPORT_FILES.items():
        group.addoption(f"--codecollapse-{name}", metavar="PATH", help=what)
        if name != "json":
            parser.addini(f"codecollapse_{name}", what, default="")
    for option in _VALUE_OPTIONS:
        default = "" if option.default is None else f" (default: {option.default})"
        group.addoption(
            f"--codecollapse-{option.name}",
            metavar=option.metavar,
            help=f"{option.help}{default}",
        )
        parser.addini(f"codecollapse_{option.key}", option.help, default="")


def read_config(config: pytest.Config) -> Given:
    """Return what is in force.

    Raises
    ------
    pytest.UsageError
        Where a value is not of its kind, or is about samples and there are none; it names the
        option or the ini key.
    """
    samples = _samples(config)
    for name in ("gate", *REPORT_FILES, UPDATE_OPTION.name):
        key = f"codecollapse_{name.replace('-', '_')}"
        if not samples and config.getoption(key) is not None:
            raise pytest.UsageError(
                f"--codecollapse-{name} needs samples (got none); name them with "
                "--codecollapse-samples or codecollapse_samples"
            )
    return Given(
        samples=samples,
        baseline=_path(config, "baseline"),
        reports=_reports(config),
        rules=_rules(config),
        values={
            **{option.key: _value(config, option) for option in _VALUE_OPTIONS},
            "allow_removed": _allow_removed(config),
        },
        update=_update(config),
    )


def _samples(config: pytest.Config) -> tuple[Path, ...]:
    given = config.getoption("codecollapse_samples")
    if given is None:
        paths: list[Path] = config.getini("codecollapse_samples")
    else:
        paths = [config.invocation_params.dir / path for path in given]
    return tuple(dict.fromkeys(_real(path) for path in paths))


def _reports(config: pytest.Config) -> dict[str, Path]:
    json = _command_line_path(config, config.getoption("codecollapse_json"))
    paths = {"json": json, **{name: _path(config, name) for name in ("markdown", "html")}}
    return {name: path for name, path in paths.items() if path is not None}


def _path(config: pytest.Config, name: str) -> Optional[Path]:
    given = _command_line_path(config, config.getoption(f"codecollapse_{name}"))
    written = config.getini(f"codecollapse_{name}")
    if given is not None or not written:
        return given
    return _real(_ini_folder(config) / written)


def _ini_folder(config: pytest.Config) -> Path:
    return config.rootpath if config.inipath is None else config.inipath.parent


def _command_line_path(config: pytest.Config, given: Optional[str]) -> Optional[Path]:
    return None if given is None else _real(config.invocation_params.dir / given)


def _real(path: Path) -> Path:
    """Return a path without links, as ``samples.real_path``, which would load all of samples."""
    return Path(os.path.realpath(path))


def _rules(config: pytest.Config) -> tuple[tuple[str, str], ...]:
    """Return (where it was written, rule)."""
    given = config.getoption("codecollapse_gate")
    if given is not None:
        return tuple(("--codecollapse-gate", rule) for rule in given)
    source = _ini_source(config, "codecollapse_gates")
    return tuple((source, rule) for rule in config.getini("codecollapse_gates"))


def _update(config: pytest.Config) -> Optional[UpdateMode]:
    given = config.getoption(f"codecollapse_{UPDATE_OPTION.key}")
    if given is None:
        return None
    source = f"--codecollapse-{UPDATE_OPTION.name}"
    mode: UpdateMode = _parsed(UPDATE_OPTION, given, source, config.invocation_params.dir)
    return mode


def _allow_removed(config: pytest.Config) -> tuple[str, ...]:
    given: Optional[list[str]] = config.getoption("codecollapse_allow_removed")
    return tuple(config.getini("codecollapse_allow_removed") if given is None else given)


def _ini_source(config: pytest.Config, key: str) -> str:
    """Name an ini key, and its file where there is one: ``-o`` needs none."""
    return key if config.inipath is None else f"{config.inipath}: {key}"


def _value(config: pytest.Config, option: Option) -> Any:
    given = config.getoption(f"codecollapse_{option.key}")
    if given is not None:
        source = f"--codecollapse-{option.name}"
        return _parsed(option, given, source, config.invocation_params.dir)
    key = f"codecollapse_{option.key}"
    written = config.getini(key)
    if written:
        return _parsed(option, written, _ini_source(config, key), _ini_folder(config))
    return default_of(option)


def _parsed(option: Option, text: str, source: str, folder: Path) -> Any:
    try:
        value = option.parse(text)
    except ValueError as error:
        raise pytest.UsageError(f"{source}: {error}") from error
    return value if option.locate is None else option.locate(value, folder)
