"""The suites that users copy do what their README says, and hold what its commands make."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path

import pytest
from plugin_runs import run, section

from pytest_codecollapse.cli import main

SUITES = Path(__file__).parents[2] / "example_suites"

COMMANDS = [
    line.strip()
    for line in (SUITES / "README.md").read_text(encoding="utf-8").splitlines()
    if line.strip().startswith("codecollapse synth")
]


@pytest.fixture
def suites(pytester: pytest.Pytester) -> Path:
    """Copy the suites to the test's folder."""
    return Path(shutil.copytree(SUITES, pytester.path / "example_suites"))


def test_collapsed_is_caught_by_two_gates(suites: Path, pytester: pytest.Pytester) -> None:
    """pass@1 rises, so its gate passes; those on behaviours and masking fail; exit 1."""
    result = run(pytester, str(suites / "collapsed"), "-v")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=5, failed=2)
    gates = [line.partition(": ")[0] for line in section(result, "codecollapse")[-6:]]
    assert [gate for gate in gates if gate.startswith(("PASS", "FAIL"))] == [
        "PASS pass@1 must not drop",
        "FAIL E[D_5] must not drop by 10%",
        "FAIL masking_ratio must not rise",
    ]
    result.stdout.fnmatch_lines(
        ["PASS pass@1 must not drop: 0.3333 -> 0.8333, delta 0.5 [[]0.5, 0.5] does not lie*"]
    )


def test_the_readme_shows_what_collapsed_says(suites: Path, pytester: pytest.Pytester) -> None:
    """Its excerpt of a failure is made of lines of the output, in their order."""
    readme = (SUITES.parent / "README.md").read_text(encoding="utf-8")
    excerpt = readme.partition("its gates catch it:\n\n```\n")[2].partition("```")[0].splitlines()
    said = iter(run(pytester, str(suites / "collapsed")).outlines)
    assert len(excerpt) == 8
    assert [line for line in excerpt[1:] if line not in said] == []


def test_healthy_passes(suites: Path, pytester: pytest.Pytester) -> None:
    """A checkpoint that is better and as diverse keeps its gates and floors; exit 0."""
    result = run(pytester, str(suites / "healthy"))
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=6)


def test_harness_shows_why_candidates_fail_and_which_tests_are_weak(
    suites: Path, pytester: pytest.Pytester
) -> None:
    """Three texts are no bare completions; three candidates pass tests that see too little."""
    result = run(pytester, str(suites / "harness"), "--codecollapse-show=all")
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=5)
    said = [line for line in section(result, "codecollapse") if line]
    assert "why candidates fail: wrong output 9 (90%), no code 1 (10%)" in said
    assert "extraction: 0 as they were, prompt 17, fence 1, preamble 1, reindent 1, tail 1" in said
    right = [line.partition(":")[0].strip() for line in said if "right by the tests" in line]
    assert right == ["Shop/0, candidate 1", "Shop/0, candidate 4", "Shop/2, candidate 2"]


def test_repository_runs_its_samples_beside_testpaths(
    suites: Path, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without arguments, from its own folder: ``testpaths`` first, then the samples, then gates."""
    monkeypatch.chdir(suites / "repository")
    result = run(pytester, "-v")
    assert result.ret == pytest.ExitCode.OK
    names = [line.partition(" ")[0] for line in result.outlines if " PASSED " in line]
    assert names == [
        "tests/test_samples.py::test_both_checkpoints_answered_the_same_prompts",
        "samples/after.jsonl::positive_squares",
        "samples/after.jsonl::window_sums",
        "samples/after.jsonl::count_in_range",
        "samples/after.jsonl::safe_ratio",
        "samples/after.jsonl::gate[pass@1",
        "samples/after.jsonl::gate[E[D_5]",
    ]


def test_repository_catches_a_collapse(suites: Path, pytester: pytest.Pytester) -> None:
    """On the collapsed samples its gate on E[D_5] and its floors fail."""
    shutil.copy(suites / "collapsed" / "after.jsonl", suites / "repository" / "samples")
    result = run(pytester, str(suites / "repository"))
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["FAIL E[[]D_5] must not drop by 20%: *", "*"])


def test_marked_passes(suites: Path, pytester: pytest.Pytester) -> None:
    """The marked tests and the test with the fixture keep their floors; exit 0."""
    result = run(pytester, str(suites / "marked"), "--strict-markers")
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=5)


def test_the_marked_tests_can_fail(suites: Path, pytester: pytest.Pytester) -> None:
    """On the collapsed samples the same tests on behaviours fail."""
    shutil.copy(suites / "collapsed" / "after.jsonl", suites / "marked" / "samples.jsonl")
    result = run(pytester, str(suites / "marked"))
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=2, failed=3)


def test_hooks_passes(suites: Path, pytester: pytest.Pytester) -> None:
    """The five hooks are called: a format, a metric, a type, a gate, and a key in the report."""
    result = run(pytester, str(suites / "hooks"), "--codecollapse-json=report.json")
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=5)
    verdicts = [line for line in section(result, "codecollapse") if line.startswith("PASS ")]
    assert verdicts == [
        "PASS largest_share <= 0.75: mean 0.5 (2 problems)",
        "PASS largest_share must not rise by 0.25: 0.375 -> 0.5, delta 0.125 [0, 0.25]",
        "PASS every problem is solved: all 2 are",
    ]
    whole = json.loads((pytester.path / "report.json").read_text())
    assert whole["extra"] == {"checkpoint": "step-2000"}
    total = whole["problems"][0]
    assert total["problem_id"] == "shop/total"
    assert [each["members"] for each in total["classes"]] == [[0, 1], [2], [3]]  # by currency, too


def test_hooks_do_the_same_in_workers(suites: Path, pytester: pytest.Pytester) -> None:
    """The workers read the other format and the types, the controller judges: the same report."""
    pytest.importorskip("xdist")
    arguments = ("-p", "no:cacheprovider", str(suites / "hooks"))
    for name, more in (("serial", ()), ("parallel", ("-n2",))):
        result = pytester.runpytest_subprocess(
            *arguments, *more, f"--codecollapse-json={name}.json"
        )
        assert result.ret == pytest.ExitCode.OK
        result.assert_outcomes(passed=5)
    reports = [(pytester.path / f"{name}.json").read_bytes() for name in ("serial", "parallel")]
    assert reports[0] == reports[1]


def test_hooks_is_quiet_without_the_plugin(suites: Path, pytester: pytest.Pytester) -> None:
    """The hooks are optional: the conftest loads, and nothing is collected."""
    result = pytester.runpytest_subprocess(
        "-p", "no:cacheprovider", "-p", "no:codecollapse", str(suites / "hooks")
    )
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_the_gate_of_hooks_can_fail(suites: Path, pytester: pytest.Pytester) -> None:
    """With no right answer left the gate of the conftest fails, and names the problem."""
    after = suites / "hooks" / "after.completions"
    total, evens = map(json.loads, after.read_text().splitlines())
    evens["completions"] = [f"def evens(numbers): return {each}" for each in (None, 0, 1, 2)]
    after.write_text(f"{json.dumps(total)}\n{json.dumps(evens)}\n")
    result = run(pytester, str(suites / "hooks"))
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=4, failed=1)
    result.stdout.fnmatch_lines(["every problem is solved: no sample is right for lists/evens"])


def test_the_samples_are_what_the_commands_make(
    suites: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run as the README gives them, the commands write every other file, byte for byte."""
    shutil.rmtree(suites / "harness")
    written = {path: path.read_bytes() for path in sorted(suites.rglob("*.jsonl"))}
    assert len(written) == len(COMMANDS) == 7
    for path in written:
        path.unlink()
    monkeypatch.chdir(suites)
    for command in COMMANDS:
        assert main(shlex.split(command)[1:]) == 0
    assert {path: path.read_bytes() for path in sorted(suites.rglob("*.jsonl"))} == written
