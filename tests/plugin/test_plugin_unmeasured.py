from __future__ import annotations

from typing import Any

import pytest
from plugin_corpora import problem, program, write_samples
from plugin_runs import run, section

SAMPLES = "--codecollapse-samples=after.jsonl"
GATE = "--codecollapse-gate=hill_q0 >= 1"


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (
            {"reference": program("x.missing")},
            "the reference raises on every input (exc:AttributeError); check that the inputs are"
            " argument lists for its entry point",
        ),
        (
            {"reference": "def g(x): return x\n"},
            "the reference does not load (load:NameError); it must compile, run and define f",
        ),
        (
            {"reference": program("__import__('random').SystemRandom().random()")},
            "the reference is nondeterministic: its results differ from run to run; remove what is"
            " random, or depends on time, addresses or the order of a set",
        ),
        (
            {"inputs": None, "input_gen": "def generate(rng, m):\n    return 1 / 0\n"},
            "input_gen failed: ZeroDivisionError: division by zero; it must define generate(rng,"
            " m) and return m tuples of positional arguments",
        ),
    ],
    ids=["raises", "does-not-load", "nondeterministic", "input-gen"],
)
def test_a_problem_that_cannot_be_measured_fails_alone(
    pytester: pytest.Pytester, fault: dict[str, Any], message: str
) -> None:
    """Its test fails with path, line and remedy, the others pass, and the gates are skipped."""
    write_samples(pytester.path / "after.jsonl", problem("faulty", **fault), problem("fine"))
    result = run(pytester, SAMPLES, GATE, "-rs")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=1, failed=1, skipped=1)
    assert section(result, "FAILURES") == [
        "____________________________________ faulty ____________________________________",
        f"after.jsonl:1: problem 'faulty': {message}",
    ]
    result.stdout.fnmatch_lines(
        [
            "1 problem of 2 could not be measured:",
            "  after.jsonl:1: problem 'faulty': *",
            "after.jsonl: measured 1 of 2 problems: no gate was judged",
            "SKIPPED *after.jsonl*: hill_q0 >= 1: not judged: measured 1 of 2 problems",
        ]
    )


def test_where_no_problem_can_be_measured_there_is_no_table(pytester: pytest.Pytester) -> None:
    """Every problem fails, no gate is judged, and the summary has no row."""
    faulty = [problem(name, reference="def f(x): raise OSError") for name in ("one", "two")]
    write_samples(pytester.path / "after.jsonl", *faulty)
    result = run(pytester, SAMPLES, GATE)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(failed=2, skipped=1)
    lines = section(result, "codecollapse")
    assert lines[0] == "2 problems of 2 could not be measured:"
    assert lines[-1] == "after.jsonl: measured 0 of 2 problems: no gate was judged"
    assert not [line for line in lines if "MEAN" in line]


def test_a_problem_that_the_baseline_could_not_measure_is_named(
    pytester: pytest.Pytester,
) -> None:
    """The gate is stale, and the summary says why the baseline lacks the problem."""
    faulty = problem("faulty", reference="def f(x): raise OSError")
    write_samples(pytester.path / "before.jsonl", problem("fine"), faulty)
    write_samples(pytester.path / "after.jsonl", problem("fine"), problem("faulty"))
    gates = ("--codecollapse-baseline=before.jsonl", "--codecollapse-gate=hill_q0 must not drop")
    result = run(pytester, SAMPLES, *gates, "--codecollapse-show=gates")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        [
            "hill_q0 must not drop: not comparable: 1 problem is new",
            "1 problem of 2 could not be measured:",
            "  before.jsonl:2: problem 'faulty': *",
        ]
    )


def test_candidates_at_fault_are_measured(pytester: pytest.Pytester) -> None:
    """Candidates that do not compile, raise, exit or loop are behaviours, and the test passes."""
    faults = ("2 * x", "(", "1 / 0", "exit(3)", "__import__('os')._exit(0)", "any(iter(int, 1))")
    write_samples(pytester.path / "after.jsonl", problem("one", *faults, inputs=[[1]]))
    result = run(
        pytester, SAMPLES, "--codecollapse-gate=hill_q0 >= 6", "--codecollapse-timeout=0.2"
    )
    result.assert_outcomes(passed=2)
