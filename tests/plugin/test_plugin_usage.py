from __future__ import annotations

from types import SimpleNamespace

import pytest
from plugin_corpora import problem, write_checkpoints, write_samples
from plugin_runs import run, usage_error

SAMPLES = "--codecollapse-samples=after.jsonl"

METRICS = (
    "the metrics are pass@k, E[D_k], E[W_k] and E[A_k] for any k from 1 (D@5 is short for"
    " E[D_5]), hill_q0, hill_q1, hill_q2, chao1, distinct_ast, masking_ratio, stable_at,"
    " nondeterministic and order_dependent"
)


@pytest.fixture(autouse=True)
def checkpoints(pytester: pytest.Pytester) -> None:
    """Write before.jsonl and after.jsonl."""
    write_checkpoints(pytester.path)


def test_a_missing_baseline_ends_the_run_before_anything_runs(pytester: pytest.Pytester) -> None:
    """With a baseline that does not exist, no test module is even imported."""
    pytester.makepyfile(test_marker="open('imported', 'w').close()\n\ndef test_pass(): pass\n")
    assert usage_error(run(pytester, SAMPLES, "--codecollapse-baseline=nope.json")) == (
        "nope.json: there is no such baseline (got no file, expected a report or a samples file);"
        " check its path, or write it with --codecollapse-update-baseline=missing"
    )
    assert not (pytester.path / "imported").exists()
    run(pytester, SAMPLES, "--codecollapse-baseline=before.jsonl")
    assert (pytester.path / "imported").exists()


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("old.json", '{"schema":2}', "old.json: is not a report of schema 1 (*); *--json"),
        ("cut.json", '{"schema":1,', "cut.json: is not a report of schema 1 (*); *--json"),
        ("text.jsonl", "hello\n", "text.jsonl:1: the line is not JSON (got 'hello': *); *"),
        ("empty.jsonl", "", "empty.jsonl:1: the file is empty (got 0 lines, *); check what wrote*"),
    ],
)
def test_a_malformed_baseline_is_refused(
    pytester: pytest.Pytester, name: str, content: str, expected: str
) -> None:
    """A baseline that is no report and no samples file is named, with what is wrong with it."""
    (pytester.path / name).write_text(content)
    result = run(pytester, SAMPLES, f"--codecollapse-baseline={name}")
    pytest.LineMatcher([usage_error(result)]).fnmatch_lines([expected.replace("[", "[[]")])


def test_a_missing_samples_file_is_refused(pytester: pytest.Pytester) -> None:
    """A samples file that does not exist is named by its whole path."""
    message = usage_error(run(pytester, "--codecollapse-samples=nope.jsonl"))
    assert message == (
        f"{pytester.path / 'nope.jsonl'}: no such samples file (got nothing there, expected a file"
        " or a directory); check the path, and quote it in an ini file where it has spaces"
    )


@pytest.mark.parametrize("name", ["a" * 5_000, "loop"])
def test_no_path_that_could_be(pytester: pytest.Pytester, name: str) -> None:
    """A name that is too long and a loop of links are refused as what is not there."""
    (pytester.path / "loop").symlink_to("loop")
    message = usage_error(run(pytester, f"--codecollapse-samples={name}"))
    assert message.startswith(f"{pytester.path / name}: no such samples file (got nothing there,")
    message = usage_error(run(pytester, SAMPLES, f"--codecollapse-baseline={name}"))
    assert message.startswith(f"{name}: there is no such baseline (got no file,")
    pytester.makepyfile(f"""
        import pytest
        @pytest.mark.diversity_floor("hill_q0 >= 1", samples={name!r})
        def test_floor(): pass
    """)
    assert ": the file cannot be opened (got " in usage_error(run(pytester))


def test_a_compare_rule_without_a_baseline_is_refused(pytester: pytest.Pytester) -> None:
    """A rule about a change needs a baseline, and the message says how to give one."""
    assert usage_error(run(pytester, SAMPLES, "--codecollapse-gate=D@5 must not drop")) == (
        "gate 'E[D_5] must not drop' compares with a baseline, and there is none; give one with"
        " --codecollapse-baseline=PATH (a report or a samples file) or write the gate as"
        " 'METRIC >= NUMBER'"
    )


@pytest.mark.parametrize("option", ["gate=hill_q0 >= 1", "json=report.json"])
def test_what_is_about_samples_is_refused_without(pytester: pytest.Pytester, option: str) -> None:
    """A gate or a report that is asked for on the command line is not passed over in silence."""
    assert usage_error(run(pytester, f"--codecollapse-{option}")) == (
        f"--codecollapse-{option.partition('=')[0]} needs samples (got none); name them with"
        " --codecollapse-samples or codecollapse_samples"
    )


@pytest.mark.parametrize("option", ["baseline", "json"])
def test_what_is_about_one_file_is_refused_with_two(pytester: pytest.Pytester, option: str) -> None:
    """A baseline and a report go with one samples file."""
    two = (SAMPLES, "--codecollapse-samples=before.jsonl")
    assert usage_error(run(pytester, *two, f"--codecollapse-{option}=before.jsonl")) == (
        f"--codecollapse-{option} goes with one samples file (got 2); run pytest once for each"
    )


def test_a_bad_rule_on_the_command_line_names_the_option(pytester: pytest.Pytester) -> None:
    """An unknown metric is refused with the nearest one and the list of all."""
    assert usage_error(run(pytester, SAMPLES, "--codecollapse-gate=pss@1 >= 2")) == (
        "--codecollapse-gate: gate 'pss@1 >= 2' names an unknown metric 'pss@1', did you mean"
        f" 'pass@1'?; {METRICS}"
    )


def test_a_bad_rule_in_the_ini_file_names_the_key(pytester: pytest.Pytester) -> None:
    """A line of the ini file that is no rule is refused with the file, the key and the forms."""
    ini = pytester.makeini("[pytest]\ncodecollapse_gates =\n    hill_q0 >= 1\n    more variety\n")
    assert usage_error(run(pytester, SAMPLES)) == (
        f"{ini}: codecollapse_gates: gate 'more variety' is not a rule: expected 'METRIC >="
        " NUMBER', 'METRIC <= NUMBER', either of them after 'every', or 'METRIC must not drop',"
        " 'METRIC must rise' or the other way, alone or with 'by NUMBER' or 'by NUMBER%';"
        f" {METRICS}"
    )


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("inputs", "0", "expected a whole number of at least 1 (got '0')"),
        ("timeout", "fast", "expected seconds from 0.01 to 3600 (got 'fast')"),
        ("memory-mb", "1", "expected a whole number of at least 16 (got '1')"),
        ("k", "1,x", "expected numbers of draws such as 1,5,10 (got '1,x')"),
        ("input-seed", "-1", "expected a whole number of at least 0 (got '-1')"),
        ("resamples", "many", "expected a whole number of at least 1 (got 'many')"),
        ("confidence", "95", "expected a confidence between 0 and 1, such as 0.95 (got '95')"),
        ("seed", "1.5", "expected a whole number of at least 0 (got '1.5')"),
        ("interval", "exact", "expected expanded or percentile (got 'exact')"),
        ("stale", "ignore", "expected fail or intersect (got 'ignore')"),
        ("inconclusive", "pass", "expected fail or skip (got 'pass')"),
        ("partial", "ignore", "expected skip or fail (got 'ignore')"),
        ("show", "none", "expected gates or worst or all (got 'none')"),
    ],
)
def test_a_bad_value_names_the_option_or_the_ini_key(
    pytester: pytest.Pytester, name: str, value: str, expected: str
) -> None:
    """A value that is not of its option's kind is refused, even where nothing is measured."""
    option = f"--codecollapse-{name}"
    assert usage_error(run(pytester, f"{option}={value}")) == f"{option}: {expected}"
    key = f"codecollapse_{name.replace('-', '_')}"
    assert usage_error(run(pytester, "-o", f"{key}={value}")) == f"{key}: {expected}"
    ini = pytester.makeini(f"[pytest]\n{key} = {value}\n")
    assert usage_error(run(pytester)) == f"{ini}: {key}: {expected}"


def test_a_bad_number_of_jobs_names_the_option(pytester: pytest.Pytester) -> None:
    """At least one program has to run at a time."""
    result = pytester.runpytest_inprocess("--codecollapse-jobs=0")
    expected = "--codecollapse-jobs: expected a whole number of at least 1 (got '0')"
    assert usage_error(result) == expected


def test_windows_is_refused_where_samples_are_named(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Windows samples are a usage error that names the way out; pytest itself still runs."""
    windows = SimpleNamespace(platform="win32")
    monkeypatch.setattr("pytest_codecollapse.sandbox.engine.sys", windows)
    assert usage_error(run(pytester, SAMPLES)) == (
        "programs cannot be run on Windows; use Linux or macOS, WSL or a container"
    )
    assert run(pytester).ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_a_malformed_line_is_a_collection_error(pytester: pytest.Pytester) -> None:
    """The error names path and line, what is wrong and the remedy, and nothing runs; exit 2."""
    write_samples(pytester.path / "bad.jsonl", problem("one"), problem("two", candidates=3))
    pytester.makepyfile(test_other="def test_pass(): pass\n")
    result = run(pytester, "--codecollapse-samples=bad.jsonl", "--codecollapse-gate=hill_q0 >= 1")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        [
            "_* ERROR collecting bad.jsonl _*",
            "bad.jsonl:2: problem 'two': candidates is of the wrong type (got a number, expected a"
            " list); give the sampled programs as a list of sources",
            "=* codecollapse =*",
            "no gate was judged: not every test has run",
        ]
    )
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*.py:*")


def test_a_malformed_file_fails_the_run_that_continues(pytester: pytest.Pytester) -> None:
    """With --continue-on-collection-errors the other tests run, and the file still fails."""
    write_samples(pytester.path / "bad.jsonl", problem("one", entry_point=3))
    pytester.makepyfile(test_other="def test_pass(): pass\n")
    result = run(pytester, "--codecollapse-samples=bad.jsonl", "--continue-on-collection-errors")
    result.assert_outcomes(passed=1, errors=1)
    assert usage_error(result).startswith(
        "bad.jsonl:1: problem 'one': entry_point is of the wrong type (got a number, expected a"
        " string); "
    )
