from __future__ import annotations

import pytest
from plugin_corpora import problem, write_samples
from plugin_runs import run, usage_error

IDS = ("one", "two", "three", "four", "five", "six")
METRICS = "the metrics are pass@k, E[D_k], E[W_k] and E[A_k] for any k from 1 (D@5 is short for"


@pytest.fixture(autouse=True)
def samples(pytester: pytest.Pytester) -> None:
    """Write samples.jsonl with six problems, two.jsonl with two, and a malformed bad.jsonl."""
    write_samples(pytester.path / "samples.jsonl", *map(problem, IDS))
    write_samples(pytester.path / "two.jsonl")
    write_samples(pytester.path / "bad.jsonl", problem("one", labels=[1]))


def write_test(pytester: pytest.Pytester, marker: str) -> None:
    """Write test_floors.py, whose third line marks a test; importing it leaves no trace."""
    (pytester.path / "test_floors.py").write_text(
        f"import pytest\n\n@pytest.mark.diversity_floor({marker})\ndef test_floor(): pass\n"
    )


@pytest.mark.parametrize(
    ("marker", "expected"),
    [
        (
            "'hill_q0 >= 1', sample='samples.jsonl'",
            "unknown argument 'sample'; it takes rules, samples= and problem=",
        ),
        (
            "samples='samples.jsonl'",
            "expected one or more rules as text (got none); write diversity_floor('E[D_5] >= 2',"
            " samples='after.jsonl')",
        ),
        (
            "'hill_q0 >= 1', 2, samples='samples.jsonl'",
            "expected one or more rules as text (got 'hill_q0 >= 1', 2); write"
            " diversity_floor('E[D_5] >= 2', samples='after.jsonl')",
        ),
        (
            "'variety >= 1', samples='samples.jsonl'",
            f"gate 'variety >= 1' names an unknown metric 'variety'; {METRICS}*",
        ),
        (
            "'hill_q0 >= 1'",
            "samples= is missing, and the session has 0 samples files; name the file:"
            " samples='after.jsonl', relative to the test's folder",
        ),
        (
            "'hill_q0 >= 1', samples=3",
            "expected samples= to be a path (got 3)",
        ),
        (
            "'hill_q0 >= 1', samples='nope.jsonl'",
            "nope.jsonl: the file cannot be opened (*); check its path and permissions",
        ),
        (
            "'hill_q0 >= 1', samples='bad.jsonl'",
            "bad.jsonl:1: problem 'one': labels *",
        ),
        (
            "'hill_q0 >= 1', samples='samples.jsonl', problem='seven'",
            "no problem 'seven' in its samples (expected one of one, two, three, four, five, …)",
        ),
        (
            "'hill_q0 >= 1', samples='two.jsonl', problem='seven'",
            "no problem 'seven' in its samples (expected one of one, two)",
        ),
        (
            "'hill_q0 must not drop', samples='samples.jsonl'",
            "gate 'hill_q0 must not drop' compares with a baseline, and there is none; give one"
            " with --codecollapse-baseline=PATH (a report or a samples file) or write the gate as"
            " 'METRIC >= NUMBER'",
        ),
    ],
)
def test_a_wrong_marker_ends_the_run_before_anything_runs(
    pytester: pytest.Pytester, marker: str, expected: str
) -> None:
    """The message names the test's file and line, what is wrong and what the marker takes."""
    write_test(pytester, marker)
    pytester.makepyfile(test_aaa="def test_pass(): open('ran', 'w').close()\n")
    message = usage_error(run(pytester))
    pattern = f"test_floors.py:3: test_floor: diversity_floor: {expected}"
    pytest.LineMatcher([message]).fnmatch_lines([pattern.replace("[", "[[]")])
    assert not (pytester.path / "ran").exists()


def test_several_samples_files_give_no_default(pytester: pytest.Pytester) -> None:
    """With two samples files in the session a marker has to name one."""
    write_test(pytester, "'hill_q0 >= 1'")
    files = ("--codecollapse-samples=samples.jsonl", "--codecollapse-samples=two.jsonl")
    assert usage_error(run(pytester, *files)) == (
        "test_floors.py:3: test_floor: diversity_floor: samples= is missing, and the session has 2"
        " samples files; name the file: samples='after.jsonl', relative to the test's folder"
    )


def test_one_problem_has_no_change_to_judge(pytester: pytest.Pytester) -> None:
    """A rule about a change does not go with problem=, which leaves no interval."""
    write_test(pytester, "'hill_q0 must not drop', problem='one'")
    against = ("--codecollapse-samples=two.jsonl", "--codecollapse-baseline=two.jsonl")
    assert usage_error(run(pytester, *against)) == (
        "test_floors.py:3: test_floor: diversity_floor: one problem cannot be judged against a"
        " baseline: it has no interval; leave problem= out, or use METRIC >= NUMBER"
    )


def test_a_missing_baseline_ends_the_run_before_a_marked_test(pytester: pytest.Pytester) -> None:
    """A session without samples of its own reads the baseline that its markers need, too."""
    write_test(pytester, "'hill_q0 must not drop', samples='two.jsonl'")
    message = usage_error(run(pytester, "--codecollapse-baseline=nope.json"))
    assert message.startswith("nope.json: there is no such baseline (")


def test_gates_of_the_ini_file_do_not_ask_for_a_baseline_without_samples(
    pytester: pytest.Pytester,
) -> None:
    """Where only markers measure, the ini file's gates have nothing to judge."""
    pytester.makeini("[pytest]\ncodecollapse_gates = hill_q0 must not drop\n")
    write_test(pytester, "'hill_q0 >= 1', samples='two.jsonl'")
    run(pytester).assert_outcomes(passed=1)


def test_a_wrong_marker_is_found_by_collect_only(pytester: pytest.Pytester) -> None:
    """Collecting alone reads the markers."""
    write_test(pytester, "'hill_q0 >= 1', samples='nope.jsonl'")
    message = usage_error(run(pytester, "--collect-only"))
    assert message.startswith("test_floors.py:3: test_floor: diversity_floor: nope.jsonl: ")


def test_a_problem_has_its_samples(pytester: pytest.Pytester) -> None:
    """A marker put on a problem of a samples file cannot name other samples; the line is said."""
    pytester.makeconftest(
        """
        import pytest

        def pytest_collection_modifyitems(items):
            items[1].add_marker(pytest.mark.diversity_floor("hill_q0 >= 1", samples="bad.jsonl"))
        """
    )
    assert usage_error(run(pytester, "--codecollapse-samples=two.jsonl")) == (
        "two.jsonl:2: two: diversity_floor: samples= does not go with a problem of a samples file,"
        " which has its own; leave samples= and problem= out"
    )
