from __future__ import annotations

import pytest
from plugin_corpora import problem, write_checkpoints, write_samples
from plugin_runs import run

from pytest_codecollapse.model import Executions, Problem
from pytest_codecollapse.sandbox.lane import Lane

SAMPLES = "--codecollapse-samples=after.jsonl"


@pytest.fixture(autouse=True)
def checkpoints(pytester: pytest.Pytester) -> None:
    """Write before.jsonl and after.jsonl."""
    write_checkpoints(pytester.path)


@pytest.fixture
def executed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Give the list of the problems whose programs are run, as they are."""
    problems: list[str] = []
    execute = Lane.execute

    def recording(self: Lane, problem: Problem, *more: object) -> Executions:
        problems.append(problem.problem_id)
        return execute(self, problem, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(Lane, "execute", recording)
    return problems


def test_measure_gives_the_report_of_a_file(pytester: pytest.Pytester) -> None:
    """A path, relative to rootdir, gives a report with exact means; no samples need be named."""
    pytester.makeini("[pytest]\n")
    tests = pytester.mkdir("tests")
    (tests / "test_diversity.py").write_text(
        "from fractions import Fraction\n"
        "from pathlib import Path\n\n"
        "def test_report(codecollapse):\n"
        "    report = codecollapse.measure('after.jsonl')\n"
        "    assert [each.problem_id for each in report.problems] == ['one', 'two']\n"
        "    assert report.mean['pass@1'] == Fraction(2, 3)\n"
        "    assert codecollapse.measure(Path('before.jsonl')).mean['E[D_5]'] == 5\n"
    )
    run(pytester).assert_outcomes(passed=1)


def test_the_session_and_its_tests_share_what_was_measured(
    pytester: pytest.Pytester, executed: list[str]
) -> None:
    """Items, fixture and markers ask for the same problems; the programs of each run once."""
    pytester.makepyfile(
        """
        import pytest

        def test_first(codecollapse):
            assert codecollapse.measure("after.jsonl") == codecollapse.measure("./after.jsonl")

        @pytest.mark.diversity_floor("hill_q0 >= 2", samples="after.jsonl")
        def test_second(codecollapse):
            assert codecollapse.problem("two").correct == 4
        """
    )
    result = run(pytester, SAMPLES, "--codecollapse-gate=hill_q0 >= 1")
    result.assert_outcomes(passed=5)
    assert sorted(executed) == ["one", "two"]


def test_problems_are_measured_once_in_whatever_order(
    pytester: pytest.Pytester, executed: list[str]
) -> None:
    """Where a test asks for a problem before its item runs, the item takes that result."""
    pytester.makepyfile(
        "def test_last_problem(codecollapse): assert codecollapse.problem('two').n == 6\n"
    )
    result = run(
        pytester, "test_problems_are_measured_once_in_whatever_order.py", "after.jsonl", SAMPLES
    )
    result.assert_outcomes(passed=3)
    assert sorted(executed) == ["one", "two"]


def test_the_baseline_is_measured_once(pytester: pytest.Pytester, executed: list[str]) -> None:
    """However many tests and gates compare with it, the baseline's programs run once."""
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.diversity_floor("pass@1 must not drop", "D@2 must not rise")
        def test_first(): pass

        @pytest.mark.diversity_floor("D@3 must not rise")
        def test_second(): pass
        """
    )
    baseline = "--codecollapse-baseline=before.jsonl"
    result = run(pytester, SAMPLES, baseline, "--codecollapse-gate=hill_q0 must not rise")
    result.assert_outcomes(passed=5)
    assert sorted(executed) == ["one", "one", "two", "two"]


def test_nothing_is_measured_that_nobody_asks_for(
    pytester: pytest.Pytester, executed: list[str]
) -> None:
    """Having the fixture runs nothing, and neither does a problem that is deselected."""
    pytester.makepyfile("def test_idle(codecollapse): pass\n")
    run(pytester, SAMPLES, "-k", "test_idle or one").assert_outcomes(passed=2, deselected=1)
    assert executed == ["one"]


def test_faults_are_errors_that_say_so(pytester: pytest.Pytester) -> None:
    """An unknown or faulty problem and a missing file raise errors with a remedy or place."""
    faulty = problem("faulty", reference="def f(x): raise OSError")
    write_samples(pytester.path / "after.jsonl", faulty)
    pytester.makepyfile(
        """
        import pytest
        from pytest_codecollapse.errors import ProblemError, SamplesError, UsageError

        def test_unknown(codecollapse):
            with pytest.raises(UsageError) as caught:
                codecollapse.problem("nope")
            assert str(caught.value) == (
                "no problem 'nope' in the session's samples; name the file with"
                " --codecollapse-samples or codecollapse_samples"
            )

        def test_faulty(codecollapse):
            with pytest.raises(ProblemError) as caught:
                codecollapse.problem("faulty")
            assert str(caught.value) == (
                "after.jsonl:1: problem 'faulty': the reference raises on every input"
                " (exc:OSError); check that the inputs are argument lists for its entry point"
            )

        def test_missing(codecollapse):
            with pytest.raises(SamplesError) as caught:
                codecollapse.measure("nope.jsonl")
            assert str(caught.value).startswith("nope.jsonl: the file cannot be opened (")
        """
    )
    run(pytester, SAMPLES).assert_outcomes(passed=3, failed=1)


def test_an_unmeasured_problem_is_in_the_report(pytester: pytest.Pytester) -> None:
    """``measure`` lists what could not be measured and gives the rest."""
    faulty = problem("faulty", reference="def f(x): raise OSError")
    write_samples(pytester.path / "after.jsonl", faulty, problem("fine"))
    pytester.makepyfile(
        """
        def test_report(codecollapse):
            report = codecollapse.measure("after.jsonl")
            assert [each.problem_id for each in report.unmeasured] == ["faulty"]
            assert [each.problem_id for each in report.problems] == ["fine"]
        """
    )
    run(pytester).assert_outcomes(passed=1)
