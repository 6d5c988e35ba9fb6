"""The suites that users copy do what their README says, and hold what its commands make."""

from __future__ import annotations

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


def test_marked_passes(suites: Path, pytester: pytest.Pytester) -> None:
    """The marked tests and the test with the fixture keep their floors; exit 0."""
    result = run(pytester, str(suites / "marked"), "--strict-markers")
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=3)


def test_the_marked_tests_can_fail(suites: Path, pytester: pytest.Pytester) -> None:
    """On the collapsed samples the same tests on behaviours fail."""
    shutil.copy(suites / "collapsed" / "after.jsonl", suites / "marked" / "samples.jsonl")
    result = run(pytester, str(suites / "marked"))
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=1, failed=2)


def test_the_samples_are_what_the_commands_make(
    suites: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run as the README gives them, the commands write every samples file, byte for byte."""
    written = {path: path.read_bytes() for path in sorted(suites.rglob("*.jsonl"))}
    assert len(written) == len(COMMANDS) == 5
    for path in written:
        path.unlink()
    monkeypatch.chdir(suites)
    for command in COMMANDS:
        assert main(shlex.split(command)[1:]) == 0
    assert {path: path.read_bytes() for path in sorted(suites.rglob("*.jsonl"))} == written
