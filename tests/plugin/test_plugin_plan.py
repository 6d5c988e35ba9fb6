"""Which problems are given to the sandbox ahead of who waits for them, and in what order."""

from __future__ import annotations

import pytest
from plugin_corpora import problem, write_samples
from plugin_runs import run

from pytest_codecollapse.measure import Pipeline
from pytest_codecollapse.sandbox import LocalEngine


@pytest.fixture
def submitted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Give the list of what happens: problems as they are submitted, and "waits for" one."""
    events: list[str] = []
    submit, outcome = LocalEngine.submit, Pipeline.outcome

    def recording(self: LocalEngine, problem: object, *more: object) -> object:
        events.append(problem.problem_id)  # type: ignore[attr-defined]
        return submit(self, problem, *more)  # type: ignore[arg-type]

    def waiting(self: Pipeline, planned: tuple[object, object]) -> object:
        result = outcome(self, planned)  # type: ignore[arg-type]
        events.append(f"got {planned[1].problem_id}")  # type: ignore[attr-defined]
        return result

    monkeypatch.setattr(LocalEngine, "submit", recording)
    monkeypatch.setattr(Pipeline, "outcome", waiting)
    return events


@pytest.fixture(autouse=True)
def samples(pytester: pytest.Pytester) -> None:
    """Write after.jsonl with the problems one, two, three; and other.jsonl with four and five."""
    write_samples(pytester.path / "after.jsonl", *map(problem, ("one", "two", "three")))
    write_samples(pytester.path / "other.jsonl", *map(problem, ("four", "five")))


def test_what_markers_ask_for_is_planned(pytester: pytest.Pytester, submitted: list[str]) -> None:
    """Files and single problems of markers are all under way before the first is waited for."""
    pytester.makepyfile(
        """
        import pytest
        floor = pytest.mark.diversity_floor

        @floor("hill_q0 >= 2", samples="after.jsonl", problem="two")
        def test_first(): pass

        @floor("hill_q0 >= 2", samples="other.jsonl")
        def test_second(): pass

        @floor("hill_q0 >= 2", samples="after.jsonl", problem="three")
        @pytest.mark.skip
        def test_third(): pass
        """
    )
    run(pytester).assert_outcomes(passed=2, skipped=1)
    assert submitted == ["two", "four", "five", "got two", "got four", "got five"]


def test_what_the_fixture_asks_for_comes_first(
    pytester: pytest.Pytester, submitted: list[str]
) -> None:
    """A whole file that a test asks for is put before what the session has planned."""
    pytester.makepyfile(
        test_other="def test_it(codecollapse): assert codecollapse.measure('other.jsonl').mean\n"
    )
    files = ("test_other.py", "after.jsonl", "--codecollapse-samples=after.jsonl")
    run(pytester, *files).assert_outcomes(passed=4)
    assert submitted[:5] == ["four", "five", "one", "two", "three"]
    assert submitted[5:] == ["got four", "got five", "got one", "got two", "got three"]
