"""The script itself: its options, its errors, and what each way of ending is to the shell."""

from __future__ import annotations

import argparse
import subprocess
import sys
from typing import NoReturn

import pytest
from cli_runs import COMMAND, environment, run_main, run_process

from pytest_codecollapse import __version__
from pytest_codecollapse.cli import measure
from pytest_codecollapse.options import (
    COMPARE_OPTIONS,
    MEASURE_OPTIONS,
    POLICY_OPTIONS,
    READ_OPTIONS,
    SANDBOX_OPTIONS,
    SYNTH_OPTIONS,
)

READING = [option.name for option in READ_OPTIONS]
MEASURING = [*READING, *(option.name for option in (*MEASURE_OPTIONS, *SANDBOX_OPTIONS))]
COMPARING = [option.name for option in (*COMPARE_OPTIONS, *POLICY_OPTIONS)]
OPTIONS = {
    "measure": [
        *MEASURING,
        *(option.name for option in COMPARE_OPTIONS),
        "json",
        "html",
        "markdown",
        "curve",
    ],
    "compare": [*MEASURING, *COMPARING, "json", "html", "markdown", "gate", "arms", "correction"],
    "convert": [*READING, "output"],
    "synth": [*(option.name for option in SYNTH_OPTIONS), "output"],
}


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    """``--version`` names the script and exits 0."""
    assert run_main(capsys, "--version") == (0, f"codecollapse {__version__}\n", "")


def test_the_package_can_be_run_as_a_module() -> None:
    """``python -m pytest_codecollapse`` is the script, under the script's own name."""
    assert run_process("--version") == (0, f"codecollapse {__version__}\n", "")
    assert run_process("--help").out.startswith("usage: codecollapse [-h] [--version] COMMAND ...")


def test_help_lists_the_commands_and_exit_statuses(capsys: pytest.CaptureFixture[str]) -> None:
    """The first help that a user reads says what there is."""
    status, out, err = run_main(capsys, "--help")
    assert (status, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines() if line.startswith("    ")] == [*OPTIONS]
    assert " ".join(out.split()).endswith(
        "exit status: 0 all is well, 1 a gate failed, 2 malformed input or usage, 130 interrupted"
    )


@pytest.mark.parametrize("command", OPTIONS)
def test_help_lists_every_option(capsys: pytest.CaptureFixture[str], command: str) -> None:
    """Each command says what it takes, and what holds where nothing is given."""
    status, out, err = run_main(capsys, command, "--help")
    assert (status, err) == (0, "")
    assert out.startswith(f"usage: codecollapse {command} [-h]")
    for name in OPTIONS[command]:
        assert f"\n  --{name} " in out or f", --{name} " in out
    assert "%(default)s" not in out


def test_help_of_measuring_names_the_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    """A default stands in parentheses after what the option means."""
    out = " ".join(run_main(capsys, "measure", "--help").out.split())
    assert "--inputs N inputs per problem, at most (50)" in out
    assert "--timeout SECONDS time a program may take for one input, kept as work (0.5)" in out
    assert "pass@k, E[D_k], E[W_k], E[A_k] (1,5,10)" in out
    assert "programs that run at a time (default: one per core)" in out
    assert "The candidates' code is executed." in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "codecollapse: error: the following arguments are required: COMMAND"),
        (["measure"], "codecollapse measure: error: the following arguments are required: SAMPLES"),
        (
            ["compare", "a"],
            "codecollapse compare: error: the following arguments are required: AFTER",
        ),
        (["synth"], "codecollapse synth: error: the following arguments are required: -o/--output"),
        (["measure", "a", "b"], "codecollapse: error: unrecognized arguments: b"),
        (["measure", "a", "--gate", "x"], "codecollapse: error: unrecognized arguments: --gate x"),
        (
            ["measure", "a", "--inputs", "0"],
            "codecollapse measure: error: argument --inputs: expected a whole number of at least 1"
            " (got '0')",
        ),
        (
            ["measure", "a", "--timeout", "nan"],
            "codecollapse measure: error: argument --timeout: expected seconds from 0.01 to 3600"
            " (got 'nan')",
        ),
        (
            ["measure", "a", "--k", "1,zwei"],
            "codecollapse measure: error: argument --k: expected numbers of draws such as 1,5,10"
            " (got '1,zwei')",
        ),
        (
            ["compare", "a", "b", "--jobs", "-1"],
            "codecollapse compare: error: argument --jobs: expected a whole number of at least 1"
            " (got '-1')",
        ),
        (
            ["compare", "a", "b", "--confidence", "95"],
            "codecollapse compare: error: argument --confidence: expected a confidence between 0"
            " and 1, such as 0.95 (got '95')",
        ),
        (
            ["compare", "a", "b", "--stale", "ignore"],
            "codecollapse compare: error: argument --stale: expected fail or intersect"
            " (got 'ignore')",
        ),
        (
            ["synth", "-o", "a", "--collapse", "1.5"],
            "codecollapse synth: error: argument --collapse: expected a share from 0 to 1"
            " (got '1.5')",
        ),
    ],
)
def test_bad_arguments_are_usage_errors(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    """They exit 2 before any file is looked at, with nothing on standard output."""
    status, out, err = run_main(capsys, *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("usage: codecollapse ")
    assert err.splitlines()[-1] == message


def test_an_unknown_command_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    """The error lists the commands."""
    status, out, err = run_main(capsys, "extract")
    assert (status, out) == (2, "")
    assert "invalid choice: 'extract'" in err
    assert all(name in err.splitlines()[-1] for name in OPTIONS)


METRICS = (
    "; the metrics are pass@k, E[D_k], E[W_k] and E[A_k] for any k from 1 (D@5 is short for"
    " E[D_5]), hill_q0, hill_q1, hill_q2, chao1, distinct_ast, masking_ratio, stable_at,"
    " nondeterministic and order_dependent\n"
)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("coverage >= 2", "gate 'coverage >= 2' names an unknown metric 'coverage'"),
        (
            "pas@5 must not drop",
            "gate 'pas@5 must not drop' names an unknown metric 'pas@5', did you mean 'pass@5'?",
        ),
        (
            "chao1 >= -1",
            "gate 'chao1 >= -1' has a bad number: got '-1', expected a number of at least 0 such"
            " as 2, 0.3 or 1/3",
        ),
    ],
)
def test_a_bad_gate_is_a_usage_error(
    capsys: pytest.CaptureFixture[str], rule: str, message: str
) -> None:
    """It exits 2 before a file is looked at, and lists the metrics."""
    found = run_main(capsys, "compare", "none.jsonl", "none.jsonl", "--gate", rule)
    assert found == (2, "", f"codecollapse: error: {message}{METRICS}")


@pytest.mark.parametrize("command", [("measure", "a.jsonl"), ("compare", "a.json", "b.json")])
def test_windows_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    """Running programs needs Linux or macOS, and both commands that may run some say so."""
    monkeypatch.setattr(sys, "platform", "win32")
    assert run_main(capsys, *command) == (
        2,
        "",
        "codecollapse: error: programs cannot be run on Windows; use Linux or macOS, WSL or a"
        " container\n",
    )


def test_ctrl_c_is_130(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The shell sees an interrupted command, the user a line."""

    def interrupted(options: argparse.Namespace) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(measure, "run", interrupted)
    assert run_main(capsys, "measure", "a.jsonl") == (130, "", "codecollapse: interrupted\n")


INTERRUPTED_IMPORT = """
import runpy, sys

class Interrupt:
    def find_spec(self, name, *more):
        if name == sys.argv[1]:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupt())
runpy.run_module("pytest_codecollapse", run_name="__main__")
"""


@pytest.mark.parametrize("module", ["cli", "cli.main", "sandbox", "stats"])
def test_an_interrupt_while_it_starts_is_no_traceback(module: str) -> None:
    """Ctrl-C while the script imports what it is made of is told like any other."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_IMPORT, f"pytest_codecollapse.{module}"],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "codecollapse: interrupted\n")


def test_a_fault_of_ours_is_not_hidden(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only errors that a user can act on are shortened to a line."""

    def broken(options: argparse.Namespace) -> NoReturn:
        raise ZeroDivisionError

    monkeypatch.setattr(measure, "run", broken)
    with pytest.raises(ZeroDivisionError):
        run_main(capsys, "measure", "a.jsonl")


def test_nobody_reading_is_no_traceback() -> None:
    """As with ``| head``: the status is that of a command ended by SIGPIPE, nothing is printed."""
    with subprocess.Popen(
        [*COMMAND, "synth", "-o", "/dev/null"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_an_encoding_without_our_signs_is_no_traceback() -> None:
    """What a terminal cannot show is a question mark."""
    status, out, err = run_process("measure", "--help", PYTHONIOENCODING="ascii")
    assert (status, err) == (0, "")
    assert "--k K,K,?" in out
