"""The script on a terminal, and where standard error is none."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from cli_runs import COMMAND, Ran, after_the_rung, environment, run_process
from rich.cells import cell_len

from pytest_codecollapse.synth import make_corpus, render


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    """Write a small corpus."""
    path = tmp_path / "corpus.jsonl"
    path.write_text("".join(f"{render(line)}\n" for line in make_corpus(candidates=3)))
    return path


def read_all(descriptor: int) -> str:
    """Read what is written to a terminal until nobody has it open."""
    chunks = []
    try:
        while chunk := os.read(descriptor, 4096):
            chunks.append(chunk)
    except OSError:  # Linux reports the end as EIO
        pass
    return b"".join(chunks).decode()


def run_on_terminal(*arguments: str | Path, columns: int) -> Ran:
    """Run the script with standard error on a terminal and standard output going to a pipe."""
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=environment(TERM="xterm", COLUMNS=str(columns)),
    ) as process:
        os.close(theirs)
        err = read_all(ours)
        os.close(ours)
        assert process.stdout is not None
        out = process.stdout.read().decode()
    return Ran(process.returncode, out, err)


def test_progress_is_shown_on_a_terminal(samples: Path) -> None:
    """The bar names the file and counts to the last candidate; the results are as without."""
    ran = run_on_terminal("measure", samples, "--inputs", "4", columns=80)
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", ran.err)
    assert "corpus.jsonl" in shown
    assert "12/12 candidates" in shown
    assert ran.err.endswith("\x1b[2K")  # and then it is gone
    plain = after_the_rung(run_process("measure", samples, "--inputs", "4"))
    assert plain == (0, ran.out, "")


@pytest.mark.parametrize("variable", ["FORCE_COLOR", "TTY_COMPATIBLE"])
def test_colours_that_are_asked_for_bring_no_progress(samples: Path, variable: str) -> None:
    """The log of a CI job that sets these has no bar in it, and its tables are no narrower."""
    ran = run_process("measure", samples, "--inputs", "4", **{variable: "1"})
    status, out, err = after_the_rung(ran)
    assert (status, err) == (0, "")
    plain = run_process("measure", samples, "--inputs", "4").out
    assert re.sub(r"\x1b\[[0-9;]*m", "", out) == plain
    assert len(out.splitlines()) == len(plain.splitlines())


def test_a_saved_report_has_no_progress(samples: Path, tmp_path: Path) -> None:
    """Nothing runs, so there is nothing to wait for."""
    report = tmp_path / "a.json"
    run_process("measure", samples, "--inputs", "4", "--json", report)
    assert run_on_terminal("measure", report, columns=80).err == ""


def test_results_on_a_terminal_fit_it(samples: Path) -> None:
    """Tables and messages are as wide as the terminal at most, titles and means are bold."""
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [*COMMAND, "measure", str(samples), "--inputs", "4"],
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env=environment(TERM="xterm", COLUMNS="60"),
    ) as process:
        os.close(theirs)
        out = read_all(ours)
        os.close(ours)
    assert process.returncode == 0
    assert out.startswith("\x1b[1mproblem")
    lines = re.sub(r"\x1b\[[0-9;]*m", "", out).splitlines()
    assert 50 < max(map(cell_len, lines)) <= 60
    assert sum(line.startswith("window_sums ") for line in lines) == 3
