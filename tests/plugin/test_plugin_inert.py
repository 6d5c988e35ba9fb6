from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from plugin_corpora import write_samples

_LOADED = """
import json, sys
import pytest

status = int(pytest.main(sys.argv[1:]))
heavy = ("msgspec", "rich", "plotly", "jinja2", "pytest_codecollapse")
loaded = [name for name in sys.modules if name.startswith(heavy)]
print()
print(json.dumps([status, sorted(loaded)]))
"""

#: What pytest's start imports of this package.
AT_START = [
    "pytest_codecollapse",
    "pytest_codecollapse.options",
    "pytest_codecollapse.plugin",
    "pytest_codecollapse.plugin.hooks",
    "pytest_codecollapse.plugin.options",
]


def modules_after(folder: Path, *arguments: str) -> tuple[int, list[str]]:
    """Run pytest alone in a process; return its exit status and what it imported of ours."""
    done = subprocess.run(
        [sys.executable, "-c", _LOADED, "-p", "codecollapse", "-p", "no:cacheprovider", *arguments],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # others import what they like
        },
        capture_output=True,
        text=True,
        check=True,
    )
    status, loaded = json.loads(done.stdout.splitlines()[-1])
    return status, loaded


def test_pytest_starts_without_the_stages(tmp_path: Path) -> None:
    """In an empty folder the plugin imports its options alone, and writes no file."""
    status, loaded = modules_after(tmp_path, "--collect-only")
    assert status == pytest.ExitCode.NO_TESTS_COLLECTED
    assert loaded == AT_START
    assert list(tmp_path.iterdir()) == []


def test_other_tests_run_without_the_stages(tmp_path: Path) -> None:
    """A suite without samples and markers imports nothing more, and gets no file of ours."""
    (tmp_path / "test_other.py").write_text("def test_pass(): pass\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\ncodecollapse_gates = hill_q0 >= 2\n")
    status, loaded = modules_after(tmp_path)
    assert status == pytest.ExitCode.OK
    assert loaded == AT_START
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pytest.ini", "test_other.py"]


def test_it_says_nothing_where_it_does_nothing(pytester: pytest.Pytester) -> None:
    """Without samples there is no header line and no summary."""
    pytester.makepyfile("def test_pass(): pass\n")
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*codecollapse:*")
    result.stdout.no_fnmatch_line("*= codecollapse =*")


def test_the_marker_is_declared(pytester: pytest.Pytester) -> None:
    """``pytest --markers`` lists the marker with what it takes."""
    pytester.runpytest_inprocess("--markers").stdout.fnmatch_lines(
        ["@pytest.mark.diversity_floor(rule, ..., samples=PATH, problem=ID): fail the test *"]
    )


def test_warnings_as_errors_do_not_stop_it(pytester: pytest.Pytester) -> None:
    """Configuring, measuring and ending warn of nothing."""
    write_samples(pytester.path / "after.jsonl")
    gate = "--codecollapse-gate=hill_q0 >= 1"
    result = pytester.runpytest_subprocess(
        "-W", "error", "--strict-config", "--codecollapse-samples=after.jsonl", gate
    )
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=3)
