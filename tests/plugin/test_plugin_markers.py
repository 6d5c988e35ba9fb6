from __future__ import annotations

import pytest
from plugin_corpora import COLLAPSED, DIVERSE, problem, write_checkpoints, write_samples
from plugin_runs import run, section


@pytest.fixture(autouse=True)
def checkpoints(pytester: pytest.Pytester) -> None:
    """Write before.jsonl and after.jsonl; and mixed.jsonl, which is diverse on one problem."""
    write_checkpoints(pytester.path)
    write_samples(
        pytester.path / "mixed.jsonl", problem("one", *DIVERSE), problem("two", *COLLAPSED)
    )


def write_test(pytester: pytest.Pytester, marker: str, body: str = "pass") -> None:
    """Write test_floors.py, whose third line marks a test."""
    (pytester.path / "test_floors.py").write_text(
        f"import pytest\n\n@pytest.mark.diversity_floor({marker})\ndef test_floor():\n    {body}\n"
    )


@pytest.mark.parametrize(
    "marker",
    [
        "'E[D_5] >= 3.5', 'masking_ratio <= 2', samples='mixed.jsonl'",
        "'D@5 >= 5', samples='mixed.jsonl', problem='one'",
        "'every hill_q0 >= 2', 'D@2 >= 1', samples='mixed.jsonl'",
    ],
    ids=["mean", "problem", "every"],
)
def test_a_floor_that_is_kept_lets_the_test_run(pytester: pytest.Pytester, marker: str) -> None:
    """The test passes, its body is run, and the marker is a registered one."""
    write_test(pytester, marker, "open('body', 'w').close()")
    result = run(pytester, "--strict-markers")
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=1)
    assert (pytester.path / "body").exists()


@pytest.mark.parametrize(
    ("marker", "expected"),
    [
        (
            "'E[D_5] >= 4', 'hill_q0 >= 4', 'masking_ratio <= 1', samples='mixed.jsonl'",
            [
                "E[D_5] >= 4: mean 3.5 is below 4 (2 problems)",
                "  lowest E[D_5]:",
                "    2 (two)",
                "    5 (one)",
                "masking_ratio <= 1: mean 1.75 is above 1 (2 problems)",
                "  highest masking_ratio:",
                "    2.5 (two)",
                "    1 (one)",
            ],
        ),
        (
            "'every hill_q0 >= 3', samples='mixed.jsonl'",
            ["every hill_q0 >= 3: 1 of 2 problems breaches it", "  two: hill_q0 2 is below 3"],
        ),
        (
            "'D@3 >= 2', samples='mixed.jsonl', problem='two'",
            ["E[D_3] >= 2: mean 1.8 is below 2 (1 problem)", "  lowest E[D_3]:", "    1.8 (two)"],
        ),
    ],
    ids=["mean", "every", "problem"],
)
def test_a_floor_that_is_breached_fails_the_test(
    pytester: pytest.Pytester, marker: str, expected: list[str]
) -> None:
    """The test fails with every breached rule, without a traceback, and its body is not run."""
    write_test(pytester, marker, "open('body', 'w').close()")
    result = run(pytester)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(failed=1)
    assert section(result, "FAILURES")[1:] == expected
    assert not (pytester.path / "body").exists()


def test_the_samples_of_the_session_are_the_default(pytester: pytest.Pytester) -> None:
    """Without samples=, the rules are about the session's only samples file."""
    write_test(pytester, "'hill_q0 >= 4', problem='two'")
    result = run(pytester, "--codecollapse-samples=mixed.jsonl")
    result.assert_outcomes(passed=2, failed=1)
    assert section(result, "FAILURES")[1] == "hill_q0 >= 4: mean 2 is below 4 (1 problem)"


def test_samples_are_relative_to_the_test(pytester: pytest.Pytester) -> None:
    """A test in a folder names the samples beside it, wherever pytest was called."""
    folder = pytester.mkdir("folder")
    write_samples(folder / "near.jsonl", problem("near", "2 * x", "0"))
    (folder / "test_near.py").write_text(
        "import pytest\n\n"
        "@pytest.mark.diversity_floor('hill_q0 >= 2', samples='near.jsonl')\n"
        "def test_near(): pass\n"
    )
    run(pytester).assert_outcomes(passed=1)


def test_the_closest_marker_counts(pytester: pytest.Pytester) -> None:
    """A module's marker holds for its tests; a class's and a test's own take its place."""
    (pytester.path / "test_levels.py").write_text(
        "import pytest\n\n"
        "def floor(rule):\n"
        "    return pytest.mark.diversity_floor(rule, samples='mixed.jsonl')\n\n"
        "pytestmark = floor('hill_q0 >= 5')\n\n"
        "def test_module(): pass\n\n"
        "@floor('hill_q0 >= 4')\n"
        "class TestClass:\n"
        "    def test_class(self): pass\n\n"
        "    @floor('hill_q0 >= 6')\n"
        "    def test_own(self): pass\n"
    )
    result = run(pytester, "-rA")
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(
        [
            "PASSED test_levels.py::TestClass::test_class",
            "FAILED test_levels.py::test_module - *hill_q0 >= 5: mean 4 is below 5 *",
            "FAILED test_levels.py::TestClass::test_own - *hill_q0 >= 6: mean 4 is *",
        ]
    )


def test_a_marker_can_be_put_on_a_problem(pytester: pytest.Pytester) -> None:
    """Added to the items of samples, the rules are about each problem by itself."""
    pytester.makeconftest(
        """
        import pytest

        def pytest_collection_modifyitems(items):
            for item in items:
                item.add_marker(pytest.mark.diversity_floor("hill_q0 >= 3"))
        """
    )
    result = run(
        pytester, "--codecollapse-samples=mixed.jsonl", "--codecollapse-gate=hill_q0 >= 1", "-v"
    )
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["mixed.jsonl::one PASSED*", "mixed.jsonl::two FAILED*"])
    assert section(result, "FAILURES")[1] == "hill_q0 >= 3: mean 2 is below 3 (1 problem)"


def test_of_markers_on_samples_the_closest_counts(pytester: pytest.Pytester) -> None:
    """A marker of the samples file holds for its problems; a problem's own takes its place."""
    pytester.makeconftest(
        """
        import pytest

        def pytest_collection_modifyitems(items):
            one, two = items
            one.parent.add_marker(pytest.mark.diversity_floor("hill_q0 >= 9"))
            two.add_marker(pytest.mark.diversity_floor("hill_q0 >= 2"))
        """
    )
    result = run(pytester, "--codecollapse-samples=mixed.jsonl")
    result.assert_outcomes(passed=1, failed=1)
    assert section(result, "FAILURES")[1] == "hill_q0 >= 9: mean 6 is below 9 (1 problem)"


def test_the_command_line_names_the_samples_of_markers_before_the_ini_file(
    pytester: pytest.Pytester,
) -> None:
    """Without samples=, a rule is about the option's file, not the ini's; with it about its own."""
    pytester.makeini("[pytest]\ncodecollapse_samples = after.jsonl\n")
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.diversity_floor("hill_q0 >= 6")
        def test_default(): pass

        @pytest.mark.diversity_floor("hill_q0 >= 6", samples="after.jsonl")
        def test_own(): pass
        """
    )
    run(pytester, "-k", "test_").assert_outcomes(failed=2, deselected=2)
    samples = "--codecollapse-samples=before.jsonl"
    result = run(pytester, samples, "-k", "test_", "-rA")
    result.assert_outcomes(passed=1, failed=1, deselected=2)
    result.stdout.fnmatch_lines(["PASSED *::test_default"])


def test_a_change_is_judged_against_the_baseline_of_the_session(pytester: pytest.Pytester) -> None:
    """A rule about a change compares the marker's samples with the session's baseline."""
    write_test(pytester, "'D@2 must not drop', 'pass@1 must not drop', samples='after.jsonl'")
    result = run(
        pytester,
        "--codecollapse-samples=after.jsonl",
        "--codecollapse-baseline=before.jsonl",
        "--codecollapse-gate=pass@1 must not drop",
    )
    result.assert_outcomes(passed=3, failed=1)
    lines = section(result, "FAILURES")
    assert (
        lines[1]
        == "E[D_2] must not drop: 2 -> 1.533, delta -0.4667 [-0.4667, -0.4667] lies below 0"
    )
    assert lines[-1] == "  to accept the change: cp after.jsonl before.jsonl"
    assert not [line for line in lines if line.startswith("pass@1")]


def test_a_problem_that_cannot_be_measured_fails_the_test(pytester: pytest.Pytester) -> None:
    """Rules about a file need all of its problems; the failure says which one is at fault."""
    faulty = problem("faulty", reference="def f(x): raise OSError")
    write_samples(pytester.path / "mixed.jsonl", problem("one", *DIVERSE), faulty)
    write_test(pytester, "'hill_q0 >= 1', samples='mixed.jsonl'")
    result = run(pytester)
    result.assert_outcomes(failed=1)
    assert section(result, "FAILURES")[1:] == [
        "mixed.jsonl:2: problem 'faulty': the reference raises on every input (exc:OSError); check"
        " that the inputs are argument lists for its entry point"
    ]


def test_marked_tests_that_are_deselected_measure_nothing(pytester: pytest.Pytester) -> None:
    """A marker of a test that will not run is not read, not even where it is wrong."""
    write_test(pytester, "'no rule'")
    result = run(pytester, "-k", "nothing")
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    result.assert_outcomes(deselected=1)


def test_draws_of_a_marker_stay_out_of_the_report(pytester: pytest.Pytester) -> None:
    """The number of draws that a marker names does not change the session's JSON report."""
    samples = "--codecollapse-samples=mixed.jsonl"
    run(pytester, samples, "--codecollapse-json=without.json")
    write_test(pytester, "'D@3 >= 1', samples='mixed.jsonl'")
    run(pytester, samples, "--codecollapse-json=with.json").assert_outcomes(passed=3)
    with_marker = (pytester.path / "with.json").read_bytes()
    assert with_marker == (pytester.path / "without.json").read_bytes()
