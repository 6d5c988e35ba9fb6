"""Candidates under another Python than the host's: the same tokens, and its own version."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from cli_runs import run_main
from other_pythons import Version, another_python, python_of
from sandbox_problems import make_problem

from pytest_codecollapse.model import Checked, Checks, FailedAssert, Settings
from pytest_codecollapse.sandbox import Interpreter, LocalEngine

VERSIONS = [(3, minor) for minor in range(8, 16)]

PROGRAMS = {
    "value": "def f(x): return x",
    "version": "import sys\ndef f(x): return list(sys.version_info[:2])",
    "exception": "def f(x): return x // 0",
    "endless": "def f(x):\n    while True: pass",
    "ends": "import os\ndef f(x): os._exit(0)",
    "greedy": "def f(x): return len(bytes(1 << 31))",
    "unloadable": "def f(x) return x",
    "stateful": "seen = []\ndef f(x):\n    seen.append(x)\n    return len(seen)",
    "recursive": "def f(x): return f(x)",
    "objects": """
import collections, dataclasses, datetime, decimal, fractions
@dataclasses.dataclass
class Box:
    content: int
def f(x):
    return (
        collections.Counter('abca'), collections.OrderedDict(a=1), {1, 2, x}, b'x', 2.5, None,
        datetime.date(2020, 1, 2), decimal.Decimal('1.0'), fractions.Fraction(1, 3), range(x),
        (number for number in range(3)), 10 ** 300,
    )
""",
}


def run(interpreter: Interpreter, *sources: str) -> list[tuple[str, ...]]:
    """Return the tokens of programs on the numbers 1 and 2."""
    with LocalEngine(1, interpreter=interpreter) as engine:
        problem = make_problem(*sources, inputs=([1], [2]))
        settings = Settings(timeout_s=0.2)
        done = engine.submit(problem, settings, lambda count: None).result()
    return [each.tokens for each in done.candidates]


@pytest.fixture(scope="module")
def here() -> dict[str, tuple[str, ...]]:
    """Run the programs under this Python."""
    return dict(zip(PROGRAMS, run(Interpreter(sys.executable), *PROGRAMS.values())))


@pytest.mark.parametrize("version", VERSIONS, ids="{0[0]}.{0[1]}".format)
def test_candidates_run_under_another_python(
    version: Version, here: dict[str, tuple[str, ...]]
) -> None:
    """Every kind of token is what it is under the host's; programs see their own version."""
    python = Interpreter(python_of(version).path)
    there = dict(zip(PROGRAMS, run(python, *PROGRAMS.values())))
    assert there.pop("version") == run(python, f"def f(x): return {list(version)}")[0]
    assert there == {name: tokens for name, tokens in here.items() if name != "version"}


@pytest.mark.parametrize("version", VERSIONS, ids="{0[0]}.{0[1]}".format)
def test_tests_are_run_by_the_candidates_python(version: Version) -> None:
    """They are recorded, and judge, as the version that they are written for."""
    check = Checks(
        source="def check(f):\n    for x in (1, 2):\n        assert f(x) == x + 1, 'off'\n"
    )
    problem = make_problem(
        *("def f(x): return x + 1", "def f(x): return 2"),
        reference="def f(x): return x + 1",
        inputs=None,
        tests=check,
    )
    with LocalEngine(1, interpreter=Interpreter(python_of(version).path)) as engine:
        settings = Settings(inputs=2)
        done = engine.submit(problem, settings, lambda count: None).result()
    assert done.origins == {"tests": 2}
    failure = FailedAssert(assertion="assert f(x) == x + 1", got="returned 2", kind="value")
    assert done.checked == (
        Checked(passed=2, asserts=2),
        Checked(passed=1, asserts=2, failure=failure),
    )


def test_the_environment_is_the_candidates() -> None:
    """Version and rung are what the zygote says of itself."""
    python = another_python()
    with LocalEngine(1, interpreter=Interpreter(python.path)) as engine:
        assert engine.environment.python == "{}.{}.{}".format(*python.version)


def samples(path: Path) -> Path:
    """Write a problem with two candidates."""
    problem = {
        "problem_id": "p",
        "entry_point": "f",
        "reference": "def f(x): return x",
        "candidates": ["def f(x): return x", "def f(x): return -x"],
        "inputs": [[1], [2]],
    }
    path.write_text(f"{json.dumps(problem)}\n")
    return path


def test_another_minor_version_is_stale_for_the_script(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """It is the candidates' version that counts, and the report has it; other settings, too."""
    python, a = another_python(), samples(tmp_path / "a.jsonl")
    report, version = tmp_path / "a.json", "{}.{}.{}".format(*python.version)
    status, _, err = run_main(capsys, "measure", a, "--python", python.path, "--json", report)
    assert status == 0
    assert f", python {version}, jobs " in err
    assert json.loads(report.read_text())["environment"]["python"] == version
    status, out, _ = run_main(capsys, "compare", report, a, "--python", python.path)
    assert status == 0
    assert "not comparable" not in out
    status, out, _ = run_main(capsys, "compare", report, a)
    assert status == 1
    assert out.splitlines()[-1] == (
        "not comparable: python {}.{} -> {}.{}".format(*python.version[:2], *sys.version_info[:2])
    )
