"""Where programs run: the rung, the interpreter and its packages, as the plugin's options say."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from other_pythons import another_python
from plugin_corpora import problem, write_samples
from plugin_runs import run, section, usage_error

from pytest_codecollapse.sandbox.interpreter import probe
from pytest_codecollapse.sandbox.lane import Lane
from pytest_codecollapse.sandbox.messages import Hello

SAMPLES = "--codecollapse-samples=after.jsonl"
REMEDY = "name CPython 3.8 or newer by --python, --codecollapse-python or codecollapse_python"
NO_RUNG = Hello(rung="", missing={"confined": "no Landlock"}, python="3.11.7", platform="Linux")
REFUSAL = (
    "isolation confined is not to be had here: no Landlock;"
    " ask for a lower rung, or for auto, which takes the highest that is"
)


@pytest.fixture(autouse=True)
def samples(pytester: pytest.Pytester) -> None:
    """Write after.jsonl."""
    write_samples(pytester.path / "after.jsonl", problem("one"))


@pytest.fixture
def no_rung(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the rung confined away from this machine."""
    monkeypatch.setattr(Lane, "settle", lambda lane: NO_RUNG)


def environment(pytester: pytest.Pytester, *arguments: str) -> dict[str, str]:
    """Measure, and return the environment that the report is of."""
    assert run(pytester, SAMPLES, "--codecollapse-json=a.json", *arguments).ret == 0
    found: dict[str, str] = json.loads((pytester.path / "a.json").read_text())["environment"]
    return found


def write_test(pytester: pytest.Pytester) -> None:
    """Write a test that leaves a file when it has run."""
    pytester.makepyfile("def test_it(): open('has_run', 'w').close()")


@pytest.mark.usefixtures("no_rung")
@pytest.mark.parametrize("more", [(), ("-p", "no:terminal"), ("-n1",)], ids=" ".join)
def test_a_rung_that_is_not_to_be_had_ends_the_session(
    pytester: pytest.Pytester, more: tuple[str, ...]
) -> None:
    """Asked for by name, it is a usage error that says what is missing; no test runs."""
    write_test(pytester)
    result = run(pytester, SAMPLES, "--codecollapse-isolation=confined", *more)
    assert usage_error(result) == REFUSAL
    assert not (pytester.path / "has_run").exists()


@pytest.mark.usefixtures("no_rung")
def test_a_rung_that_is_not_to_be_had_ends_the_session_of_a_marker(
    pytester: pytest.Pytester,
) -> None:
    """No test runs where samples are named by a marker alone, either."""
    pytester.makepyfile(
        """
        import pytest

        def test_other(): open('has_run', 'w').close()

        @pytest.mark.diversity_floor("hill_q0 >= 1", samples="after.jsonl")
        def test_floor(): pass
        """
    )
    result = run(pytester, "--codecollapse-isolation=confined")
    assert usage_error(result) == REFUSAL
    assert not (pytester.path / "has_run").exists()
    assert run(pytester, "--codecollapse-isolation=confined", "--collect-only").ret == 0


@pytest.mark.usefixtures("no_rung")
def test_a_session_without_samples_asks_for_no_rung(pytester: pytest.Pytester) -> None:
    """The ini file may ask for one that another machine has."""
    write_test(pytester)
    pytester.makeini("[pytest]\ncodecollapse_isolation = confined\n")
    assert run(pytester).ret == 0


def test_a_marker_says_how_far_its_programs_are_isolated(pytester: pytest.Pytester) -> None:
    """The header is written before markers are read, so the line comes after the collection."""
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.diversity_floor("hill_q0 >= 1", samples="after.jsonl")
        def test_floor(): pass
        """
    )
    result = run(pytester, "--codecollapse-isolation=process")
    result.stdout.fnmatch_lines(["collected 1 item", "codecollapse: isolation process, *, jobs 1"])
    both = run(pytester, SAMPLES, "--codecollapse-isolation=process")
    lines = [line for line in both.outlines if line.startswith("codecollapse: isolation")]
    assert len(lines) == 1


def test_the_report_says_the_rung(pytester: pytest.Pytester) -> None:
    """The ini file asks for one, the command line for another, which counts."""
    pytester.makeini("[pytest]\ncodecollapse_isolation = auto\n")
    found = environment(pytester, "--codecollapse-isolation=process")
    assert found["isolation"] == "process"


def test_a_path_on_the_command_line_is_from_where_pytest_was_called(
    pytester: pytest.Pytester,
) -> None:
    """A link to an interpreter is followed by nobody but the system."""
    python = another_python()
    (pytester.path / "mine").symlink_to(python.path)
    found = environment(pytester, "--codecollapse-python=./mine")
    assert found["python"] == "{}.{}.{}".format(*python.version)


def test_a_path_in_the_ini_file_is_from_its_folder(pytester: pytest.Pytester) -> None:
    """It does not matter where pytest is called."""
    python = another_python()
    (pytester.path / "mine").symlink_to(python.path)
    pytester.makeini("[pytest]\ncodecollapse_python = ./mine\n")
    folder = pytester.mkdir("elsewhere")
    os.chdir(folder)
    result = run(
        pytester,
        f"--rootdir={pytester.path}",
        "-c",
        "../tox.ini",
        "--codecollapse-samples=../after.jsonl",
    )
    result.stdout.fnmatch_lines(["codecollapse: *, python {}.{}.{}, *".format(*python.version)])
    assert result.ret == 0


def test_a_bare_name_is_looked_up(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is a command of the PATH, and not a file of the current folder."""
    python = another_python()
    (pytester.mkdir("bin") / "python-of-mine").symlink_to(python.path)
    monkeypatch.setenv("PATH", f"{pytester.path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    found = environment(pytester, "--codecollapse-python=python-of-mine")
    assert found["python"] == "{}.{}.{}".format(*python.version)
    (pytester.path / "python9").symlink_to(python.path)
    assert usage_error(run(pytester, SAMPLES, "--codecollapse-python=python9")) == (
        f"python9 cannot run the programs: there is no such command on the PATH; {REMEDY}"
    )


def test_what_is_no_interpreter_ends_the_session(pytester: pytest.Pytester) -> None:
    """The message names its path, what it said and the remedy; no test runs."""
    write_test(pytester)
    path = pytester.path / "mine"
    path.write_text("#!/bin/sh\necho no\n")
    path.chmod(0o755)
    assert usage_error(run(pytester, SAMPLES, f"--codecollapse-python={path}")) == (
        f"{path} cannot run the programs: it does not say what it is (exit status 0: no); {REMEDY}"
    )
    assert not (pytester.path / "has_run").exists()


def test_an_image_goes_with_docker(pytester: pytest.Pytester) -> None:
    """At any other rung it is refused."""
    assert usage_error(run(pytester, SAMPLES, "--codecollapse-image=python:3.12")) == (
        "isolation auto takes no image; ask for isolation docker as well"
    )


def gate(*arguments: str) -> tuple[str, ...]:
    """Return the arguments that hold after.jsonl against a.json."""
    rule = "--codecollapse-gate=hill_q0 must not drop"
    return (SAMPLES, "--codecollapse-baseline=a.json", rule, *arguments)


def test_a_baseline_of_another_minor_version_is_stale(pytester: pytest.Pytester) -> None:
    """It is the candidates' interpreter that counts, and an update takes it over."""
    python = another_python()
    option = f"--codecollapse-python={python.path}"
    environment(pytester)
    result = run(pytester, *gate(option))
    result.assert_outcomes(passed=1, failed=1)
    old, new = sys.version_info[:2], python.version[:2]
    assert section(result, "FAILURES")[1:] == [
        "hill_q0 must not drop: not comparable: python {}.{} -> {}.{}".format(*old, *new),
        "  python {}.{} -> {}.{}".format(*old, *new),
        "  to accept the change: pytest ... --codecollapse-update-baseline=all",
    ]
    updated = run(pytester, *gate(option), "--codecollapse-update-baseline=all")
    updated.assert_outcomes(passed=1, skipped=1)
    same = section(run(pytester, *gate(option)), "codecollapse")
    assert not any("not comparable" in line for line in same)


def test_site_packages_are_part_of_what_is_measured(pytester: pytest.Pytester) -> None:
    """Programs may import what is beside their interpreter; a baseline without it is stale."""
    venv = pytester.path / "venv"
    assert pytester.run(sys.executable, "-m", "venv", "--without-pip", venv).ret == 0
    python = f"--codecollapse-python={venv / 'bin/python'}"
    (packages,) = probe(str(venv / "bin/python")).site_packages
    (Path(packages) / "installed.py").write_text("def double(x): return 2 * x\n")
    imports = "import installed\ndef f(x): return installed.double(x)\n"
    write_samples(pytester.path / "after.jsonl", problem("one", candidates=[imports, imports]))
    environment(pytester, python)
    result = run(pytester, *gate(python, "--codecollapse-site-packages=true"))
    result.assert_outcomes(passed=1, failed=1)
    assert "  site_packages false -> true" in section(result, "FAILURES")
    pytester.makeini("[pytest]\ncodecollapse_site_packages = true\n")
    environment(pytester, python)
    report = json.loads((pytester.path / "a.json").read_text())
    assert report["settings"]["site_packages"] is True
    assert report["problems"][0]["correct"] == 2
