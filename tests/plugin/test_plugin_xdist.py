from __future__ import annotations

import pytest
from plugin_corpora import problem, write_checkpoints, write_samples
from plugin_runs import printed, run, run_apart, section, usage_error

pytest.importorskip("xdist")

AGAINST = ("--codecollapse-samples=after.jsonl", "--codecollapse-baseline=before.jsonl")


@pytest.fixture(autouse=True)
def checkpoints(pytester: pytest.Pytester) -> None:
    """Write before.jsonl and after.jsonl."""
    write_checkpoints(pytester.path)


def test_two_workers_give_what_a_serial_run_gives(pytester: pytest.Pytester) -> None:
    """Outcomes, exit status, failures, summary and the JSON report are those of a serial run."""
    pytester.makepyfile(
        test_floors="""
        import pytest

        @pytest.mark.diversity_floor("D@3 >= 1", samples="after.jsonl")
        def test_floor(codecollapse):
            assert codecollapse.problem("two").correct == 4
        """
    )
    serial = run(pytester, *AGAINST, "--codecollapse-json=serial.json")
    parallel = run_apart(pytester, *AGAINST, "--codecollapse-json=parallel.json", "-n2")
    for result in (serial, parallel):
        assert result.ret == pytest.ExitCode.TESTS_FAILED
        result.assert_outcomes(passed=3, failed=2)
    assert section(parallel, "FAILURES") == section(serial, "FAILURES")
    shown = [section(result, "codecollapse")[:-1] for result in (parallel, serial)]
    assert shown[0] == shown[1]
    reports = [(pytester.path / name).read_bytes() for name in ("parallel.json", "serial.json")]
    assert reports[0] == reports[1]


def test_a_partial_run_is_partial_with_workers(pytester: pytest.Pytester) -> None:
    """With a faulty problem on some worker the gates are skipped on the controller."""
    faulty = problem("faulty", reference="def f(x): raise OSError")
    write_samples(pytester.path / "after.jsonl", problem("fine"), faulty)
    arguments = ("--codecollapse-samples=after.jsonl", "--codecollapse-gate=hill_q0 >= 1")
    result = run_apart(pytester, *arguments, "-n2")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=1, failed=1, skipped=1)
    result.stdout.fnmatch_lines(["after.jsonl: measured 1 of 2 problems: no gate was judged"])


def test_usage_errors_come_before_any_worker(pytester: pytest.Pytester) -> None:
    """A missing baseline is exit 4, and no worker is started."""
    result = run_apart(pytester, AGAINST[0], "--codecollapse-baseline=nope.json", "-n2")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: nope.json: the file cannot be opened *"])
    result.stdout.no_fnmatch_line("*workers*")


def test_a_wrong_marker_ends_the_run_as_it_does_without_workers(pytester: pytest.Pytester) -> None:
    """The message, its place and exit status 4 are those of a serial run, and no test is run."""
    pytester.makepyfile(
        test_floors="""
        import pytest

        @pytest.mark.diversity_floor("hill_q0 >= 1", samples="nope.jsonl")
        def test_floor(): pass

        def test_other(): open("ran", "w").close()
        """
    )
    result = run_apart(pytester, "-n2")
    message = usage_error(result)
    assert message.startswith("test_floors.py:3: test_floor: diversity_floor: nope.jsonl: the file")
    assert message == usage_error(run(pytester))
    assert "INTERNALERROR" not in printed(result)
    assert not (pytester.path / "ran").exists()
