"""The GitHub workflows, ours and the one to copy: valid, and the commands in it work."""

from __future__ import annotations

import html
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
REPOSITORY = ROOT / "example_suites" / "repository"
EXAMPLE = REPOSITORY / ".github" / "workflows" / "diversity.yml"
WORKFLOWS = [*sorted((ROOT / ".github" / "workflows").glob("*.yml")), EXAMPLE]


def check(path: Path) -> subprocess.CompletedProcess[str]:
    """Check a workflow against the schema that check-jsonschema ships."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema"]
    return subprocess.run(
        [*command, "vendor.github-workflows", str(path)],
        capture_output=True,
        text=True,
        check=False,
    )


def jobs() -> dict[str, Any]:
    """Return the jobs of the workflow to copy."""
    workflow: dict[str, Any] = YAML(typ="safe").load(EXAMPLE)
    return dict(workflow["jobs"])


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_keeps_to_the_schema(path: Path) -> None:
    """GitHub would take it."""
    done = check(path)
    assert done.returncode == 0, done.stdout


def test_a_misspelt_workflow_does_not(tmp_path: Path) -> None:
    """The check can fail: a job without ``runs-on`` is refused."""
    path = tmp_path / "diversity.yml"
    path.write_text(EXAMPLE.read_text().replace("runs-on", "runs_on"))
    done = check(path)
    assert done.returncode == 1
    assert "$.jobs.gate" in done.stdout


def test_no_token_may_write_where_samples_run() -> None:
    """The job that runs candidates reads alone, and leaves no credentials in the checkout."""
    gate, comment = jobs()["gate"], jobs()["comment"]
    assert gate["permissions"] == {"contents": "read"}
    assert gate["steps"][0]["with"] == {"persist-credentials": False}
    assert comment["permissions"] == {"pull-requests": "write"}
    assert not any("pytest" in step.get("run", "") for step in comment["steps"])


def test_the_report_goes_from_job_to_comment() -> None:
    """What the first job keeps, also of a run that failed, is what the second one comments."""
    keep = jobs()["gate"]["steps"][-1]
    take, say = jobs()["comment"]["steps"]
    assert keep["if"] == "always()"
    assert keep["with"]["name"] == take["with"]["name"]
    assert keep["with"]["path"].split() == ["diversity.md", "diversity.xml"]
    assert "--body-file diversity.md" in say["run"]


def test_the_command_of_the_workflow_writes_what_is_commented(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run in a copy of the repository, it passes; Markdown and JUnit XML name the gates."""
    shutil.copytree(REPOSITORY, pytester.path, dirs_exist_ok=True)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(pytester.path / "summary.md"))
    (command,) = [step["run"] for step in jobs()["gate"]["steps"] if "-m pytest" in str(step)]
    python, dash_m, program, *arguments = shlex.split(command)
    assert (python, dash_m, program) == ("python", "-m", "pytest")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", *arguments)
    assert result.ret == pytest.ExitCode.OK
    for name in ("diversity.md", "summary.md", "diversity.xml"):
        text = (pytester.path / name).read_text(encoding="utf-8")
        assert "pass@1 must not drop" in html.unescape(text)
