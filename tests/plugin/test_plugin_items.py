from __future__ import annotations

import gzip
import xml.etree.ElementTree as ElementTree

import pytest
from plugin_corpora import problem, samples_text, write_samples
from plugin_runs import run


def collected(result: pytest.RunResult) -> list[str]:
    """Return the node ids that ``--collect-only -q`` listed."""
    return [line for line in result.outlines if "::" in line]


@pytest.fixture
def after(pytester: pytest.Pytester) -> None:
    """Write after.jsonl with the problems one and two."""
    write_samples(pytester.path / "after.jsonl")


def test_every_problem_is_a_test_in_file_order(pytester: pytest.Pytester) -> None:
    """A problem is one test, named after the file and its id, in the order of the file."""
    write_samples(pytester.path / "after.jsonl", problem("window_sums"), problem("count"))
    result = run(pytester, "--codecollapse-samples=after.jsonl", "-v")
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        [
            "collect*collected 2 items",
            "after.jsonl::window_sums PASSED *[[] 50%]",
            "after.jsonl::count PASSED *[[]100%]",
        ]
    )


def test_a_gzipped_file_is_the_same(pytester: pytest.Pytester) -> None:
    """A .jsonl.gz file is a file of tests like a plain one."""
    (pytester.path / "after.jsonl.gz").write_bytes(gzip.compress(samples_text().encode()))
    result = run(pytester, "--codecollapse-samples=after.jsonl.gz", "-v")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["after.jsonl.gz::one PASSED*", "after.jsonl.gz::two PASSED*"])


def test_a_problem_stands_at_its_line(pytester: pytest.Pytester) -> None:
    """Reports that place tests, as JUnit's older kind does, place a problem at its line."""
    write_samples(pytester.path / "after.jsonl", problem("window_sums"), problem("count"))
    xunit1 = ("-o", "junit_family=xunit1", "--junitxml=junit.xml")
    run(pytester, "--codecollapse-samples=after.jsonl", *xunit1)
    (suite,) = ElementTree.parse(pytester.path / "junit.xml").getroot()
    places = [(case.get("name"), case.get("file"), case.get("line")) for case in suite]
    assert places == [("window_sums", "after.jsonl", "0"), ("count", "after.jsonl", "1")]


def test_one_problem_is_run_by_its_node_id(pytester: pytest.Pytester) -> None:
    """A node id with a slash in the problem's id selects that problem of the ini's samples."""
    write_samples(pytester.path / "after.jsonl", problem("HumanEval/1"), problem("HumanEval/2"))
    pytester.makeini("[pytest]\ncodecollapse_samples = after.jsonl\n")
    result = run(pytester, "after.jsonl::HumanEval/1", "-v")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["after.jsonl::HumanEval/1 PASSED*"])


@pytest.mark.parametrize(
    ("problem_id", "node_name"),
    [
        ("a::b", r"a:\x3ab"),
        ("::", r":\x3a"),
        ("a b", "a b"),
        ("line\nbreak", r"line\nbreak"),
        ("back\\slash", r"back\\slash"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("größe 日本", "größe 日本"),
        ("x[1]", "x[1]"),
        ("[a::b]", r"[a:\x3ab]"),
        ("/..//a", "/..//a"),
    ],
)
def test_odd_ids_are_escaped_and_can_be_selected(
    pytester: pytest.Pytester, problem_id: str, node_name: str
) -> None:
    """A node id is one printable line, and names the one problem that it was made from."""
    write_samples(pytester.path / "after.jsonl", problem("other"), problem(problem_id))
    samples = "--codecollapse-samples=after.jsonl"
    result = run(pytester, samples, "--collect-only", "-q")
    assert collected(result) == ["after.jsonl::other", f"after.jsonl::{node_name}"]
    result = run(pytester, samples, "--collect-only", "-q", f"after.jsonl::{node_name}")
    assert collected(result) == [f"after.jsonl::{node_name}"]


@pytest.mark.usefixtures("after")
def test_samples_are_collected_whatever_testpaths_says(pytester: pytest.Pytester) -> None:
    """With testpaths, and with a path on the command line, the samples are collected as well."""
    pytester.makeini("[pytest]\ntestpaths = tests\ncodecollapse_samples = after.jsonl\n")
    tests = pytester.mkdir("tests")
    (tests / "test_other.py").write_text("def test_pass(): pass\n")
    expected = ["tests/test_other.py::test_pass", "after.jsonl::one", "after.jsonl::two"]
    assert collected(run(pytester, "--collect-only", "-q")) == expected
    assert collected(run(pytester, "--collect-only", "-q", "tests/test_other.py")) == expected


@pytest.mark.usefixtures("after")
def test_a_file_that_is_named_twice_is_collected_once(pytester: pytest.Pytester) -> None:
    """A file given by the option, again in another spelling, and as an argument is one file."""
    twice = ("--codecollapse-samples=after.jsonl", "--codecollapse-samples=./after.jsonl")
    expected = ["after.jsonl::one", "after.jsonl::two"]
    assert collected(run(pytester, *twice, "--collect-only", "-q")) == expected
    assert collected(run(pytester, *twice, "--collect-only", "-q", "after.jsonl")) == expected
    assert collected(run(pytester, *twice, "--collect-only", "-q", ".")) == expected


def test_samples_are_collected_from_a_folder_that_is_passed_over(
    pytester: pytest.Pytester,
) -> None:
    """Samples in a folder of norecursedirs are collected, and the tests beside them are not."""
    build = pytester.mkdir("build")
    write_samples(build / "after.jsonl")
    (build / "test_copy.py").write_text("def test_pass(): pass\n")
    pytester.makepyfile(test_other="def test_pass(): pass\n")
    result = run(pytester, "--codecollapse-samples=build/after.jsonl", "--collect-only", "-q")
    expected = ["test_other.py::test_pass", "build/after.jsonl::one", "build/after.jsonl::two"]
    assert collected(result) == expected


@pytest.mark.usefixtures("after")
def test_a_link_is_judged_like_the_file(pytester: pytest.Pytester) -> None:
    """Samples named by a symbolic link are measured, and their gates judged over all of them."""
    pytester.mkdir("links").joinpath("latest.jsonl").symlink_to("../after.jsonl")
    arguments = ("--codecollapse-samples=links/latest.jsonl", "--codecollapse-gate=hill_q0 >= 3")
    result = run(pytester, *arguments, "links/latest.jsonl")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=2, failed=1)


def test_problems_of_several_files_may_share_an_id(pytester: pytest.Pytester) -> None:
    """Each file's problems are tests of that file."""
    for name in ("a.jsonl", "b.jsonl"):
        write_samples(pytester.path / name, problem("one"))
    result = run(pytester, "--codecollapse-samples=b.jsonl", "--codecollapse-samples=a.jsonl", "-v")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["a.jsonl::one PASSED*", "b.jsonl::one PASSED*"])


@pytest.mark.usefixtures("after")
def test_an_option_is_relative_to_where_pytest_was_called(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Called from another folder, the option's path starts there and the node id at rootdir."""
    pytester.makeini("[pytest]\n")
    monkeypatch.chdir(pytester.mkdir("elsewhere"))
    result = run(pytester, "--codecollapse-samples=../after.jsonl", "--collect-only", "-q")
    assert collected(result) == ["after.jsonl::one", "after.jsonl::two"]


@pytest.mark.usefixtures("after")
def test_an_ini_path_is_relative_to_the_ini_file(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Called from another folder, the ini's samples and baseline are those beside the ini file."""
    pytester.makeini(
        """
        [pytest]
        codecollapse_samples = after.jsonl
        codecollapse_baseline = before.jsonl
        codecollapse_gates = hill_q0 must not drop
        """
    )
    write_samples(pytester.path / "before.jsonl")
    monkeypatch.chdir(pytester.mkdir("elsewhere"))
    result = run(pytester)
    result.assert_outcomes(passed=3)
    shown = [str(pytester.path / name) for name in ("after.jsonl", "before.jsonl")]
    result.stdout.fnmatch_lines([f"codecollapse: {shown[0]} against {shown[1]}"])


@pytest.mark.usefixtures("after")
def test_the_command_line_overrides_the_ini(pytester: pytest.Pytester) -> None:
    """Samples given by the option take the place of those of the ini file."""
    pytester.makeini("[pytest]\ncodecollapse_samples = after.jsonl\n")
    write_samples(pytester.path / "other.jsonl", problem("three"))
    result = run(pytester, "--codecollapse-samples=other.jsonl", "--collect-only", "-q")
    assert collected(result) == ["other.jsonl::three"]


@pytest.mark.usefixtures("after")
def test_samples_outside_rootdir_have_their_whole_path(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file outside rootdir is collected, measured and judged under its absolute path."""
    root = pytester.mkdir("root")
    (root / "pytest.ini").write_text("[pytest]\n")
    monkeypatch.chdir(root)
    outside = str(pytester.path / "after.jsonl")
    result = run(
        pytester, f"--codecollapse-samples={outside}", "--codecollapse-gate=hill_q0 >= 1", "-v"
    )
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(
        [f"rootdir: {root}", f"*{outside}::one PASSED*", f"*{outside}::gate[[]hill_q0 >= 1] *"]
    )
