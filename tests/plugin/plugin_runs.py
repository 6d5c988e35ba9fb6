"""How the tests of the plugin run pytest, and read what it printed."""

from __future__ import annotations

import pytest

# pytester forgets what is imported inside a run; imported here, it is not loaded anew for each
from pytest_codecollapse.plugin import active, facade, markers  # noqa: F401

#: That workers do what a serial run does is tested for each thing; starting them takes long.
SERIAL_AND_WORKERS = pytest.mark.parametrize(
    "workers",
    [
        pytest.param((), id="serial"),
        pytest.param(("-n2",), id="workers", marks=pytest.mark.slow),
    ],
)


def run(pytester: pytest.Pytester, *arguments: str, columns: int = 80) -> pytest.RunResult:
    """Run pytest in this process, in the current folder, with one program at a time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(columns))
        return pytester.runpytest_inprocess(
            "-p", "no:cacheprovider", "--codecollapse-jobs=1", *arguments
        )


def run_apart(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """Run pytest in a process of its own, as workers are processes; hypothesis costs each 1 s."""
    plugins = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "80")
        return pytester.runpytest_subprocess(*plugins, "--codecollapse-jobs=1", *arguments)


def printed(result: pytest.RunResult) -> str:
    """Return what a run wrote to both streams."""
    return f"{result.stdout}\n{result.stderr}"


def section(result: pytest.RunResult, title: str) -> list[str]:
    """Return the lines between the ruler with a title and the next ruler of its kind."""
    lines = result.outlines
    (start,) = [index for index, line in enumerate(lines) if line.strip("= ") == title]
    end = next(
        (index for index in range(start + 1, len(lines)) if lines[index].startswith("=====")),
        len(lines),
    )
    return lines[start + 1 : end]


def usage_error(result: pytest.RunResult) -> str:
    """Return the message of a run that ended with a usage error, and no traceback."""
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "Traceback" not in printed(result)
    (line,) = [line for line in result.errlines if line]
    assert line.startswith("ERROR: ")
    return line[len("ERROR: ") :]
