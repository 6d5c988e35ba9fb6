"""Ways of running a part, and of running again: what they run, judge and exit with."""

from __future__ import annotations

from pathlib import Path

import pytest
from plugin_corpora import COLLAPSED, DIVERSE, problem, write_samples
from plugin_runs import printed, run, section

SAMPLES = "--codecollapse-samples=after.jsonl"
RULES = (SAMPLES, "--codecollapse-gate=every hill_q0 >= 3", "--codecollapse-gate=hill_q0 >= 1")


@pytest.fixture(autouse=True)
def samples(pytester: pytest.Pytester) -> None:
    """Write after.jsonl: the problem one is diverse, two has two behaviours."""
    write_samples(
        pytester.path / "after.jsonl", problem("one", *DIVERSE), problem("two", *COLLAPSED)
    )


def run_cached(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """Run pytest with its cache, which ``run`` does without."""
    cached = ("-p", "cacheprovider", "-p", "stepwise")
    return run(pytester, *cached, *RULES, *arguments, "-v")


def fix(folder: Path) -> None:
    """Let the problem two be as diverse as one."""
    write_samples(folder / "after.jsonl", problem("one", *DIVERSE), problem("two", *DIVERSE))


def test_what_failed_last_is_run_alone(pytester: pytest.Pytester) -> None:
    """--lf runs the problem that failed; its gates are skipped until all problems are run."""
    run_cached(pytester).assert_outcomes(passed=2, failed=1)
    fix(pytester.path)
    again = run_cached(pytester, "--lf")
    assert again.ret == pytest.ExitCode.OK
    again.stdout.fnmatch_lines(["after.jsonl::two PASSED*", "*measured 1 of 2 problems: no gate*"])
    again.assert_outcomes(passed=1, skipped=1)
    run_cached(pytester, "--lf").assert_outcomes(passed=3)


def test_a_gate_that_failed_last_is_judged_again_over_all_problems(
    pytester: pytest.Pytester,
) -> None:
    """A gate cannot be run by itself: --lf runs every problem, and judges it."""
    gate = ("-p", "cacheprovider", SAMPLES, "--codecollapse-gate=hill_q0 >= 5")
    run(pytester, *gate).assert_outcomes(passed=2, failed=1)
    run(pytester, *gate, "--lf").assert_outcomes(passed=2, failed=1)
    fix(pytester.path)
    run(pytester, *gate, "--lf").assert_outcomes(passed=3)


def test_what_failed_comes_first_and_all_is_judged(pytester: pytest.Pytester) -> None:
    """--ff changes the order of the problems, not the report or the verdicts."""
    run_cached(pytester, "--codecollapse-json=first.json")
    result = run_cached(pytester, "--ff", "--codecollapse-json=second.json")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["after.jsonl::two FAILED*", "after.jsonl::one PASSED*"])
    first, second = [(pytester.path / f"{name}.json").read_bytes() for name in ("first", "second")]
    assert first == second


def test_stepwise_stops_and_goes_on(pytester: pytest.Pytester) -> None:
    """--sw stops at a failing problem without judging; then it starts there, a partial run."""
    stopped = run_cached(pytester, "--sw")
    assert stopped.ret == pytest.ExitCode.INTERRUPTED
    assert section(stopped, "codecollapse") == ["no gate was judged: not every test has run"]
    fix(pytester.path)
    result = run_cached(pytester, "--sw")
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=1, skipped=1, deselected=1)


def test_maxfail_ends_the_run_without_a_verdict(pytester: pytest.Pytester) -> None:
    """The second failure is the last test; what was to be judged is not."""
    write_samples(
        pytester.path / "after.jsonl", *(problem(name, *COLLAPSED) for name in ("a", "b", "c"))
    )
    result = run(pytester, *RULES, "--maxfail=2")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(failed=2)
    assert section(result, "codecollapse") == ["no gate was judged: not every test has run"]


def test_reruns_of_a_problem_count_once(pytester: pytest.Pytester) -> None:
    """With pytest-rerunfailures a problem that fails again is one failure, and gates are judged."""
    pytest.importorskip("pytest_rerunfailures")
    result = run(pytester, *RULES, "--reruns=1")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    outcomes = result.parseoutcomes()
    assert outcomes == {"passed": 2, "failed": 1, "rerun": 1}
    result.stdout.fnmatch_lines(["PASS hill_q0 >= 1: *"])


@pytest.mark.parametrize("selection", [("-m", "not slow"), ("after.jsonl::one",)], ids=["m", "id"])
def test_a_part_is_chosen_by_mark_or_node_id(
    pytester: pytest.Pytester, selection: tuple[str, ...]
) -> None:
    """A mark put on a problem, and its node id beside the option, select as for any test."""
    pytester.makeini("[pytest]\nmarkers = slow\n")
    pytester.makeconftest(
        "def pytest_collection_modifyitems(items):\n"
        "    [item.add_marker('slow') for item in items if item.name == 'two']\n"
    )
    result = run(pytester, *RULES, *selection, "--strict-markers", "-v")
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=1, skipped=1, deselected=int(selection[0] == "-m"))
    result.stdout.fnmatch_lines(["after.jsonl::one PASSED*", "*measured 1 of 2 problems: no gate*"])


def test_a_problem_outside_rootdir_is_run_by_its_node_id(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The node id that pytest shows, a whole path and the problem, selects it."""
    root = pytester.mkdir("root")
    (root / "pytest.ini").write_text("[pytest]\ncodecollapse_samples = ../after.jsonl\n")
    monkeypatch.chdir(root)
    node_id = f"{pytester.path / 'after.jsonl'}::one"
    result = run(pytester, "-c", str(root / "pytest.ini"), f"--rootdir={root}", node_id, "-v")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines([f"*{node_id} PASSED*"])


def test_every_ini_key_is_known(pytester: pytest.Pytester) -> None:
    """An ini file with all keys is fine with --strict-config, warnings being errors."""
    pytester.makeini(
        """
        [pytest]
        codecollapse_samples = after.jsonl
        codecollapse_baseline = after.jsonl
        codecollapse_gates = hill_q0 must not drop
        codecollapse_inputs = 50
        codecollapse_timeout = 0.5
        codecollapse_memory_mb = 512
        codecollapse_k = 1,2
        codecollapse_input_seed = 0
        codecollapse_site_packages = false
        codecollapse_isolation = auto
        codecollapse_resamples = 100
        codecollapse_confidence = 0.95
        codecollapse_seed = 0
        codecollapse_interval = expanded
        codecollapse_stale = fail
        codecollapse_partial = fail
        codecollapse_inconclusive = fail
        codecollapse_show = gates
        """
    )
    strict = ("--strict-config", "--strict-markers", "-W", "error", "--import-mode=importlib")
    result = run(pytester, *strict)
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=3)


def test_without_the_plugin_its_ini_keys_are_unknown(pytester: pytest.Pytester) -> None:
    """With -p no:codecollapse pytest warns of the keys, and refuses them if told to be strict."""
    pytester.makeini("[pytest]\ncodecollapse_samples = after.jsonl\n")
    pytester.makepyfile("def test_pass(): pass\n")
    off = ("-p", "no:codecollapse")
    result = pytester.runpytest_inprocess(*off)
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=1, warnings=1)
    result.stdout.fnmatch_lines(["*PytestConfigWarning: Unknown config option: codecollapse_samp*"])
    strict = pytester.runpytest_inprocess(*off, "--strict-config")
    assert strict.ret == pytest.ExitCode.USAGE_ERROR
    assert "Unknown config option: codecollapse_samples" in printed(strict)
    option = pytester.runpytest_inprocess(*off, SAMPLES)
    assert option.ret == pytest.ExitCode.USAGE_ERROR
    assert f"unrecognized arguments: {SAMPLES}" in printed(option)
