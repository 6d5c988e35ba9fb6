"""The reports that a run writes: HTML, markdown, and what GitHub takes."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from plugin_corpora import problem, write_checkpoints, write_samples
from plugin_runs import printed, run, run_apart, usage_error

from pytest_codecollapse.cli import main

SAMPLES = "--codecollapse-samples=after.jsonl"
AGAINST = (
    SAMPLES,
    "--codecollapse-baseline=before.jsonl",
    "--codecollapse-gate=E[D_5] must not drop by 10%",
    "--codecollapse-gate=pass@1 must not drop",
)
FAILED = "❌ fail | <code>E&#91;D&#95;5&#93; must not drop by 10%"
ANNOTATION = "::error title=codecollapse%3A E[D_5] must not drop by 10%25::E[D_5] must not drop by"

needs_jinja2 = pytest.mark.skipif(
    importlib.util.find_spec("jinja2") is None, reason="the page is made with jinja2"
)


@pytest.fixture(autouse=True)
def checkpoints(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write before.jsonl and after.jsonl; this is no job of GitHub's."""
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    write_checkpoints(pytester.path)


@pytest.fixture
def summary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Be a step of a job that has written a line to its summary."""
    path = tmp_path / "summary.md"
    path.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    return path


def written(pytester: pytest.Pytester) -> set[str]:
    """Return the files that are in the test's folder beside the samples."""
    names = {path.name for path in pytester.path.iterdir() if path.is_file()}
    return names - {"before.jsonl", "after.jsonl", "tox.ini"}


@needs_jinja2
def test_every_report_is_written(pytester: pytest.Pytester) -> None:
    """Several are written in one run, and each is told of; gates that fail do not hinder it."""
    names = {"report.json", "report.md", "report.html"}
    options = [
        "--codecollapse-json=report.json",
        "--codecollapse-html=report.html",
        "--codecollapse-markdown=report.md",
    ]
    result = run(pytester, *AGAINST, *options)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert written(pytester) == names
    assert {line[18:] for line in result.outlines if line.startswith("report written to ")} == names
    page = (pytester.path / "report.html").read_text(encoding="utf-8")
    assert "1 of 2 gates failed" in page
    assert "Gone since the baseline" in page
    assert page.count('<pre class="source">') == 2 * (2 + 4)
    markdown = (pytester.path / "report.md").read_text(encoding="utf-8")
    assert FAILED in markdown


@needs_jinja2
def test_the_ini_file_names_reports(pytester: pytest.Pytester) -> None:
    """A path there is relative to the file, and the command line comes first."""
    pytester.makeini(
        """
        [pytest]
        codecollapse_samples = after.jsonl
        codecollapse_html = out/report.html
        codecollapse_markdown = out/report.md
        """
    )
    run(pytester, "--codecollapse-markdown=other.md")
    assert written(pytester) == {"other.md"}
    assert [path.name for path in (pytester.path / "out").iterdir()] == ["report.html"]


@needs_jinja2
def test_workers_write_what_a_serial_run_writes(pytester: pytest.Pytester, summary: Path) -> None:
    """The files are the same byte for byte; the summary and the annotation come once."""
    pytest.importorskip("xdist")
    run(pytester, *AGAINST, "--codecollapse-html=a.html", "--codecollapse-markdown=a.md")
    files = ("--codecollapse-html=b.html", "--codecollapse-markdown=b.md")
    result = run_apart(pytester, *AGAINST, *files, "--codecollapse-github=true", "-n2")
    for kind in ("html", "md"):
        serial, parallel = ((pytester.path / f"{each}.{kind}").read_bytes() for each in "ab")
        assert serial == parallel
    assert summary.read_bytes() == b"before\n" + (pytester.path / "a.md").read_bytes()
    assert len([line for line in result.outlines if line.startswith("::")]) == 1


def test_github_gets_a_summary_and_annotations(pytester: pytest.Pytester, summary: Path) -> None:
    """The summary is the markdown, appended; each failed gate is one line for the runner."""
    result = run(pytester, *AGAINST, "--codecollapse-github=true", "--codecollapse-markdown=a.md")
    markdown = (pytester.path / "a.md").read_text(encoding="utf-8")
    assert summary.read_text(encoding="utf-8") == f"before\n{markdown}"
    (line,) = [line for line in result.outlines if line.startswith("::")]
    assert line.startswith(ANNOTATION)
    assert "%0Adropped most:%0A" in line


def test_github_is_asked_for(pytester: pytest.Pytester, summary: Path) -> None:
    """Without the option nothing is appended; the ini file can ask, the command line overrule."""
    result = run(pytester, *AGAINST)
    pytester.makeini("[pytest]\ncodecollapse_github = true\n")
    overruled = run(pytester, *AGAINST, "--codecollapse-github=false")
    assert summary.read_text() == "before\n"
    assert "::error" not in printed(result) + printed(overruled)
    assert "::error" in printed(run(pytester, *AGAINST))
    assert FAILED in summary.read_text(encoding="utf-8")


def test_github_elsewhere_has_annotations_alone(pytester: pytest.Pytester) -> None:
    """Where there is no summary to append to, none is missed."""
    result = run(pytester, *AGAINST, "--codecollapse-github=true")
    assert len([line for line in result.outlines if line.startswith("::error")]) == 1
    assert written(pytester) == set()


@pytest.mark.parametrize("options", [("-p", "no:terminal"), ("--no-summary", "-q"), ("-rN",)])
def test_github_has_annotations_whatever_is_shown(
    pytester: pytest.Pytester, options: tuple[str, ...]
) -> None:
    """They are lines of their own where there is no terminal report, or no summary."""
    result = pytester.runpytest_subprocess(*AGAINST, "--codecollapse-github=true", *options)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    (line,) = [line for line in result.outlines if "::error" in line]
    assert line.startswith(ANNOTATION)


def test_a_partial_run_says_so(pytester: pytest.Pytester, summary: Path) -> None:
    """Reports of a part of the problems say which part, and have no verdict that is green."""
    options = ("--codecollapse-markdown=a.md", "--codecollapse-github=true")
    result = run(pytester, *AGAINST, *options, "-k", "one")
    markdown = (pytester.path / "a.md").read_text(encoding="utf-8")
    assert "**No gate was judged: measured 1 of 2 problems**" in markdown
    assert "✅" not in markdown
    assert summary.read_text(encoding="utf-8").endswith(markdown)
    assert "report written to a.md (measured 1 of 2 problems)" in result.outlines


@pytest.mark.parametrize("option", ["--collect-only", "--exitfirst"])
def test_nothing_is_written_where_nothing_was_judged(
    pytester: pytest.Pytester, summary: Path, option: str
) -> None:
    """Neither when tests are only listed nor when the run ended at a failure."""
    pytester.makepyfile(test_a="def test_fails(): assert False")
    run(pytester, *AGAINST, "--codecollapse-markdown=a.md", "--codecollapse-github=true", option)
    assert written(pytester) == {"test_a.py"}
    assert summary.read_text() == "before\n"


def test_a_missing_extra_is_said_before_anything_runs(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message is the command that helps, from the plugin and from the script."""
    find = importlib.util.find_spec

    def without_jinja2(name: str, package: str | None = None) -> object:
        return None if name == "jinja2" else find(name, package)

    monkeypatch.setattr("importlib.util.find_spec", without_jinja2)
    result = run(pytester, SAMPLES, "--codecollapse-html=a.html")
    assert usage_error(result).endswith("; pip install 'pytest-codecollapse[html]'")
    assert result.outlines == []
    assert main(["measure", "after.jsonl", "--html", "a.html"]) == 2
    assert written(pytester) == set()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["markdown=."], "--codecollapse-markdown: {path} is a directory, not a file"),
        (
            ["markdown=after.jsonl/a.md"],
            "--codecollapse-markdown: {path}/after.jsonl/a.md cannot be written:"
            " {path}/after.jsonl is no directory",
        ),
        (
            ["markdown=after.jsonl"],
            "--codecollapse-markdown: {path}/after.jsonl is that of --codecollapse-samples; name"
            " another",
        ),
        (
            ["baseline=before.jsonl", "markdown=before.jsonl"],
            "--codecollapse-markdown: {path}/before.jsonl is that of --codecollapse-baseline; name"
            " another",
        ),
        (
            ["json=a", "markdown=a"],
            "--codecollapse-markdown: {path}/a is that of --codecollapse-json; name another",
        ),
        (["github=yes"], "--codecollapse-github: expected true or false (got 'yes')"),
    ],
)
def test_mistakes_are_said_before_anything_runs(
    pytester: pytest.Pytester, options: list[str], message: str
) -> None:
    """A file that cannot be written, or that is one of the others, is a usage error."""
    result = run(pytester, SAMPLES, *(f"--codecollapse-{option}" for option in options))
    assert usage_error(result) == message.format(path=pytester.path)
    assert result.outlines == []


@needs_jinja2
def test_the_script_writes_the_page_of_the_plugin(pytester: pytest.Pytester) -> None:
    """``compare --html`` has the same page for the same gates, and ``measure`` one of its own."""
    run(pytester, *AGAINST, "--codecollapse-html=plugin.html")
    gates = ["--gate", "E[D_5] must not drop by 10%", "--gate", "pass@1 must not drop"]
    assert main(["compare", "before.jsonl", "after.jsonl", *gates, "--html", "script.html"]) == 1
    pages = [(pytester.path / f"{each}.html").read_text() for each in ("plugin", "script")]
    assert pages[0] == pages[1]
    assert main(["measure", "after.jsonl", "--html", "measured.html", "--json", "a.json"]) == 0
    assert main(["measure", "a.json", "--html", "saved.html"]) == 0
    counts = [
        (pytester.path / f"{each}.html").read_text().count('<pre class="source">')
        for each in ("measured", "saved")
    ]
    assert counts == [4, 0]


@needs_jinja2
def test_the_script_refuses_a_page_it_cannot_write(
    pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before a program is run: exit 2, and no table."""
    capsys.readouterr()
    assert main(["measure", "after.jsonl", "--html", "."]) == 2
    expected = "codecollapse: error: --html: . is a directory, not a file; choose another place\n"
    assert capsys.readouterr() == ("", expected)


@needs_jinja2
def test_hostile_samples_are_shown(pytester: pytest.Pytester) -> None:
    """From a samples file to the page: an id and code that would end a script are text."""
    name = "</script><script>alert(1)</script>"
    write_samples(pytester.path / "after.jsonl", problem(name, f"'{name}'", "2 * x"))
    assert run(pytester, SAMPLES, "--codecollapse-html=a.html").ret == pytest.ExitCode.OK
    page = (pytester.path / "a.html").read_text(encoding="utf-8")
    assert "<script" not in page
    # hovered in two charts, named in its row, in the code of a class and in what that returns
    assert page.count("&lt;/script&gt;&lt;script&gt;alert(1)") == 5
