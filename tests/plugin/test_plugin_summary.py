from __future__ import annotations

import platform
import subprocess

import pytest
from plugin_corpora import COLLAPSED, DIVERSE, problem, write_samples
from plugin_runs import run, section
from rich.cells import cell_len

AGAINST = ("--codecollapse-samples=after.jsonl", "--codecollapse-baseline=before.jsonl")
GATES = ("--codecollapse-gate=hill_q0 must not drop by 30%", "--codecollapse-gate=hill_q0 >= 4")

CAUTION = [
    "caution: only 2 problems: an interval of nominal 95% (expanded) covers the true",
    "    change 49% of the time, as measured at 2; about 8 problems would tell a mean",
    "    E[D_5] delta of -1.5 from 0",
]
VERDICTS = [
    "INCONCLUSIVE hill_q0 must not drop by 30%: 6 -> 4, delta -2 [-4, 0] lies on both",
    "    sides of -1.8",
    "PASS hill_q0 >= 4: mean 4 (2 problems)",
]


@pytest.fixture(autouse=True)
def checkpoints(pytester: pytest.Pytester) -> None:
    """Write two checkpoints; the second has collapsed on one of its two problems."""
    kept = problem("keeps", *DIVERSE)
    write_samples(pytester.path / "before.jsonl", kept, problem("collapses", *DIVERSE))
    write_samples(pytester.path / "after.jsonl", kept, problem("collapses", *COLLAPSED))


def cells(lines: list[str]) -> dict[str, list[str]]:
    """Return the cells of each row by the first letter of its name, over all tables."""
    rows: dict[str, list[str]] = {}
    for line in lines:
        name, *rest = line.split() or ["─"]
        if name[0] != "─":
            rows.setdefault(name[0], []).extend(rest)
    return rows


def test_the_header_says_what_is_measured_and_how_far_it_is_isolated(
    pytester: pytest.Pytester,
) -> None:
    """Two lines name samples and baseline, and the rung of isolation with Python and the jobs."""
    rung = ("--codecollapse-isolation=process", "--codecollapse-jobs=3")
    pytester.runpytest_inprocess(*AGAINST, *rung).stdout.fnmatch_lines(
        [
            "codecollapse: after.jsonl against before.jsonl",
            f"codecollapse: isolation process, python {platform.python_version()}, jobs 3",
            "codecollapse: warning: programs are limited but not confined: *",
        ],
        consecutive=True,
    )


def test_the_header_is_as_asked_where_no_program_runs(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With --collect-only no process is started to find out which rung is to be had."""
    monkeypatch.setattr(subprocess, "Popen", None)
    result = pytester.runpytest_inprocess(*AGAINST, "--codecollapse-jobs=3", "--collect-only")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        [
            "codecollapse: after.jsonl against before.jsonl",
            "codecollapse: isolation auto (no program is run), jobs 3",
        ],
        consecutive=True,
    )


def test_the_header_lists_several_files(pytester: pytest.Pytester) -> None:
    """Without a baseline the line is the list of the files."""
    files = ("--codecollapse-samples=after.jsonl", "--codecollapse-samples=before.jsonl")
    run(pytester, *files, "--collect-only").stdout.fnmatch_lines(
        ["codecollapse: after.jsonl, before.jsonl"]
    )


def test_the_problems_behind_failed_gates_are_shown(pytester: pytest.Pytester) -> None:
    """By default the table has the problems that lost most, and the means over all."""
    assert section(run(pytester, *AGAINST, *GATES), "codecollapse") == [
        "problem    n  correct  behav  AST  mask  pass@1  pass@5  pass@10  E[D_1]  E[D_5]",
        "─" * 80,
        "collapses  6        4      2    5  2.50   0.667   1.000        -   1.000   2.000",
        "─" * 80,
        "MEAN                       4  5.5  1.75   0.417   0.917        -   1.000   3.500",
        "",
        "problem    E[D_10]  Hill1  Hill2  Chao1  stable@  nondet",
        "─" * 56,
        "collapses        -   1.89   1.80    2.0      1/3       0",
        "─" * 56,
        "MEAN             -   3.94   3.90   10.2                0",
        "",
        "why candidates fail: wrong output 7 (100%)",
        "",
        *CAUTION,
        "",
        *VERDICTS,
    ]


def test_the_problems_of_a_stale_baseline_are_named_alone(pytester: pytest.Pytester) -> None:
    """Both have fewer candidates than the baseline has, and no row: no figure of theirs is why."""
    names = ("keeps ", "collapses ")
    fewer = [problem(name.strip(), *DIVERSE[:3]) for name in names]
    write_samples(pytester.path / "after.jsonl", *fewer)
    lines = section(run(pytester, *AGAINST, *GATES[:1]), "codecollapse")
    assert any(line.startswith("STALE hill_q0 must not drop by 30%") for line in lines)
    assert any(line.startswith("MEAN ") for line in lines)
    assert not [line for line in lines if line.startswith(names)]


def test_where_no_gate_fails_the_means_are_shown(pytester: pytest.Pytester) -> None:
    """By default a problem that no failed gate names has no row."""
    lines = section(run(pytester, *AGAINST, "--codecollapse-gate=hill_q0 >= 4"), "codecollapse")
    assert list(cells(lines[: lines.index(CAUTION[0])])) == ["p", "M", "w"]


def test_gates_alone_can_be_shown(pytester: pytest.Pytester) -> None:
    """With show=gates there is no table: the caution, and a line a gate."""
    lines = section(run(pytester, *AGAINST, *GATES, "--codecollapse-show=gates"), "codecollapse")
    assert lines == [*CAUTION, "", *VERDICTS]


def test_everything_can_be_shown(pytester: pytest.Pytester) -> None:
    """With show = all there is a row for every problem, and a table of every metric's change."""
    pytester.makeini("[pytest]\ncodecollapse_show = all\n")
    lines = section(run(pytester, *AGAINST, *GATES), "codecollapse")
    assert lines[2:4] == [
        "keeps      6        1      6    6  1.00   0.167   0.833        -   1.000   5.000",
        "collapses  6        4      2    5  2.50   0.667   1.000        -   1.000   2.000",
    ]
    compared = lines[lines.index("─" * 57) - 1 :]
    assert compared[0] == "metric            before   after    delta  95% interval"
    assert compared[2:4] == [
        "pass@1            0.1667  0.4167     0.25      [0, 0.5]",
        "pass@5            0.8333  0.9167  0.08333   [0, 0.1667]",
    ]
    assert compared[23:] == [
        "",
        "2 paired problems, 2000 resamples (expanded); * the interval excludes zero",
        "only 2 problems: an interval of nominal 95% (expanded) covers the true change",
        "    49% of the time, as measured at 2; about 8 problems would tell a mean E[D_5]",
        "    delta of -1.5 from 0",
        "",
        *VERDICTS,
    ]


def test_the_table_fits_the_terminal_and_cuts_no_number(pytester: pytest.Pytester) -> None:
    """At 80 columns a wide table is split and a long name cut; every number is still whole."""
    write_samples(
        pytester.path / "after.jsonl",
        problem("a" * 70, *DIVERSE),
        problem("B" + "本" * 40, *COLLAPSED),
    )
    arguments = ("--codecollapse-samples=after.jsonl", "--codecollapse-show=all")
    ks = "--codecollapse-k=1,2,3,4,5,6"
    narrow = section(run(pytester, *arguments, ks), "codecollapse")
    wide = section(run(pytester, *arguments, ks, columns=400), "codecollapse")
    assert len(wide) == 8
    assert len(narrow) == 22
    assert max(map(cell_len, narrow)) <= 80
    assert cells(narrow) == cells(wide)
    assert [line.split()[0] for line in narrow[2:4]] == ["a" * 25 + "…", "B" + "本" * 12 + "…"]
