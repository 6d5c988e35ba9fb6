from __future__ import annotations

import pytest
from plugin_corpora import problem, write_checkpoints, write_samples
from plugin_runs import printed, run, run_apart, section, usage_error

pytest.importorskip("xdist")

AGAINST = ("--codecollapse-samples=after.jsonl", "--codecollapse-baseline=before.jsonl")

GATE = "--codecollapse-gate=hill_q0 >= 1"


@pytest.fixture(autouse=True)
def checkpoints(pytester: pytest.Pytester) -> None:
    """Write before.jsonl and after.jsonl."""
    write_checkpoints(pytester.path)


def seen(pytester: pytest.Pytester, result: pytest.RunResult) -> dict[str, object]:
    """Return what a user sees of a run, and the bytes of report.json, which is removed."""
    report = pytester.path / "report.json"
    written = report.read_bytes()
    report.unlink()
    return {
        "exit status": int(result.ret),
        "counts": result.parseoutcomes(),
        "failures": section(result, "FAILURES"),
        "summary": section(result, "codecollapse"),
        "report": written,
    }


def test_two_workers_give_what_a_serial_run_gives(pytester: pytest.Pytester) -> None:
    """However tests are spread, all that is seen and written is what a serial run gives."""
    pytester.makepyfile(
        test_floors="""
        import pytest

        pytestmark = pytest.mark.diversity_floor("hill_q0 >= 9")  # the closer ones are kept

        @pytest.mark.diversity_floor("D@3 >= 1", samples="after.jsonl")
        def test_floor(codecollapse):
            assert codecollapse.problem("two").correct == 4

        @pytest.mark.diversity_floor("hill_q0 >= 2", problem="one")
        class TestFloors:
            def test_class(self): pass
        """
    )
    serial = seen(pytester, run(pytester, *AGAINST, "--codecollapse-json=report.json"))
    assert (serial["exit status"], serial["counts"]) == (1, {"passed": 4, "failed": 2})
    for dist in ("load", "loadscope", "loadfile", "worksteal"):
        arguments = ("--codecollapse-json=report.json", "-n2", f"--dist={dist}", "-W", "error")
        assert seen(pytester, run_apart(pytester, *AGAINST, *arguments)) == serial


def test_each_problem_is_measured_by_one_worker(pytester: pytest.Pytester) -> None:
    """No worker runs ahead with what another one may be given; and all gates come out kept."""
    ids = ["a::b", "HumanEval/1", "größe 日本", "two\nlines"]
    write_samples(pytester.path / "after.jsonl", *map(problem, ids))
    pytester.makeconftest(
        """
        from pytest_codecollapse.sandbox.lane import Lane

        execute = Lane.execute

        def recording(self, problem, *more):
            with open("executed", "a", encoding="utf-8") as file:
                print(repr(problem.problem_id), file=file)
            return execute(self, problem, *more)

        Lane.execute = recording
        """
    )
    gate = "--codecollapse-gate=hill_q0 >= 2"
    result = run_apart(pytester, AGAINST[0], gate, "-n2", "-p", "no:terminal")
    assert result.ret == pytest.ExitCode.OK
    executed = (pytester.path / "executed").read_text(encoding="utf-8").splitlines()
    assert sorted(executed) == sorted(map(repr, ids))


def test_a_crash_beside_the_problems_fails_the_run(pytester: pytest.Pytester) -> None:
    """The other worker, or a new one, measures the problems; the crashed test is what failed."""
    pytester.makepyfile(test_crash="import os\n\ndef test_crash(): os._exit(0)\n")
    result = run_apart(pytester, "test_crash.py", AGAINST[0], GATE, "-n2")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(["PASS hill_q0 >= 1: *", "FAILED test_crash.py::test_crash*"])


@pytest.mark.parametrize("gate", [(GATE,), ()], ids=["gate", "no gate"])
def test_problems_lost_with_a_worker_fail_the_run(
    pytester: pytest.Pytester, gate: tuple[str, ...]
) -> None:
    """Where a plugin forgives a crash and no worker is left, what was not measured is red."""
    pytester.makepyfile(test_crash="import os\n\ndef test_crash(): os._exit(0)\n")
    pytester.makeconftest(
        "def pytest_handlecrashitem(crashitem, report, sched): report.outcome = 'rerun'\n"
    )
    workers = ("-n1", "--max-worker-restart=0")
    result = run_apart(pytester, "test_crash.py", "after.jsonl", AGAINST[0], *gate, *workers)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert result.parseoutcomes()["failed"] == 1
    lost = "measured 0 of 2 problems, 2 lost with a worker"
    title = f"hill_q0 >= 1: not judged: {lost}" if gate else f"every problem is measured: {lost}"
    assert section(result, "FAILURES")[1:] == [
        title,
        "  lost: after.jsonl::one",
        "  lost: after.jsonl::two",
    ]
    result.stdout.fnmatch_lines([f"after.jsonl: {lost}: no gate was judged"])


def test_a_run_that_x_ends_judges_no_gate(pytester: pytest.Pytester) -> None:
    """Under -x a failing problem ends the workers' run, too: no gate is judged, nothing green."""
    rules = ("--codecollapse-gate=every hill_q0 >= 3", GATE)
    result = run_apart(pytester, AGAINST[0], *rules, "-n2", "-x", "--codecollapse-json=r.json")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert section(result, "codecollapse") == ["no gate was judged: not every test has run"]
    assert not (pytester.path / "r.json").exists()


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
    result.stderr.fnmatch_lines(["ERROR: nope.json: there is no such baseline *"])
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
