from __future__ import annotations

import html
import re

import pytest
from findings_records import HOSTILE, collapsed, compared, hostile, hostile_tests, with_tests
from report_records import measured, report_of

from pytest_codecollapse.model import Unmeasured, Verdict
from pytest_codecollapse.report import Findings, printable, render_markdown
from pytest_codecollapse.report.markdown import MOST_BYTES, code, fitted


def shown(markdown: str) -> str:
    """Return what is read once entities are resolved."""
    return html.unescape(markdown)


def test_the_whole_report() -> None:
    """Verdicts, details of what failed, caution, metrics, and the problems by what they lost."""
    lines = shown(render_markdown(collapsed())).splitlines()
    assert lines[:7] == [
        "## codecollapse: <code>after.jsonl</code> against <code>before.jsonl</code>",
        "",
        "**1 of 2 gates failed**",
        "",
        "|  | gate |",
        "| -- | -- |",
        "| ❌ fail | <code>E[D_5] must not drop: 3.184 -> 1.694, delta -1.490 [-2.674, -0.6894]"
        " lies below 0</code> |",
    ]
    assert "<details><summary><code>E[D_5] must not drop</code></summary>" in lines
    assert "### Metrics" in lines
    start = lines.index("### Problems, those that lost most `E[D_5]` first")
    assert lines[start + 2 :] == [
        "| problem | `E[D_5]` | behaviours | ASTs | correct | main cause |",
        "| -- | -: | -: | -: | -: | -: |",
        "| <code>one</code> | 4.091 → 1.417 | 6 → 2 | 3 | 2/12 → 11/12 | wrong output 1 |",
        "| <code>two</code> | 2.788 → 1.682 | 3 → 2 | 3 | 4/12 → 10/12 | wrong output 2 |",
        "| <code>three</code> | 2.674 → 1.985 | 3 → 2 | 3 | 6/12 | wrong output 6 |",
    ]


def test_without_a_baseline_means_are_shown() -> None:
    """And the problems with the most ways of writing per behaviour come first."""
    report = report_of(measured("few", [4, 4, 4]), measured("one", [12]))
    lines = render_markdown(Findings(name="a", after=report)).splitlines()
    assert lines[2] == "No gate was asked for."
    assert "| `E[D_5]` | 1.894 |" in lines
    assert [line for line in lines if line.startswith("| <code>")] == [
        "| <code>one</code> | 1 | 1 | 3 | 12/12 | - |",
        "| <code>few</code> | 2.788 | 3 | 3 | 4/12 | wrong output 8 |",
    ]


def test_hostile_text_is_no_markup() -> None:
    """Outside of ``pre`` there is no sign of it that markdown, HTML or GitHub would act on."""
    findings = hostile()
    fault = Unmeasured(problem_id="x", message="</pre><script>alert(1)</script>\n\n@team")
    after = report_of(*findings.after.problems, unmeasured=[fault])
    markdown = render_markdown(findings._replace(after=after))
    outside = re.sub("<pre>.*?</pre>", "", markdown, flags=re.DOTALL)
    tags = set(re.findall("<[^>]*>", outside))
    assert tags == {"<code>", "</code>", "<details>", "</details>", "<summary>", "</summary>"}
    for cell in re.findall("<code>(.*?)</code>", outside, re.DOTALL):
        assert not re.search(r"[^\w &#;,.+/()%=-]", cell)
    within = "".join(re.findall("<pre>(.*?)</pre>", markdown, flags=re.DOTALL))
    assert not re.search("[<>]", within)
    assert "\n\n" not in within


def test_hostile_text_is_all_shown() -> None:
    """Each id can be read in its row, and a row stays a row."""
    lines = render_markdown(hostile()).splitlines()
    cells = [line.split(" | ")[0] for line in lines if line.startswith("| <code>")]
    named = {shown(cell)[len("| <code>") : -len("</code>")] for cell in cells}
    assert len(named) == 10  # the worst ten of eleven
    assert named < set(map(printable, HOSTILE))
    assert len({line.count("|") for line in lines if line.startswith("| <code>")}) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a|b", "a&#124;b"),
        ("`x`", "&#96;x&#96;"),
        ("@octocat", "&#64;octocat"),
        ("www.example.org", "www&#46;example.org"),
        ("https://x", "https&#58;//x"),
        ("&lt;", "&#38;lt&#59;"),
        ("a\nb", "a&#92;nb"),
        ("HumanEval/1", "HumanEval/1"),
    ],
)
def test_signs_become_entities(text: str, expected: str) -> None:
    """All that could be markup; letters, digits and harmless signs stay."""
    assert code(text) == f"<code>{expected}</code>"


def test_a_stale_baseline_and_a_partial_run_are_said() -> None:
    """What cannot be compared is named, and what was not judged."""
    stale = shown(render_markdown(compared([measured("old")], [measured("new")])))
    assert "**Not comparable:** <code>" in stale
    assert "| ❌ stale |" in stale
    partial = Findings(name="a", after=report_of(measured()), partial="measured 1 of 2 problems")
    assert "**No gate was judged: measured 1 of 2 problems**" in render_markdown(partial)


def test_a_report_stays_under_a_mebibyte() -> None:
    """Faults and details of any length are cut at the end of a line, with a note."""
    verdict = Verdict(rule="r", status="fail", summary="s", details=("€" * 500_000, "x" * 900_000))
    markdown = render_markdown(Findings(name="a", after=report_of(measured()), verdicts=(verdict,)))
    assert len(markdown.encode()) <= MOST_BYTES < 1024 * 1024
    assert markdown.endswith("\n\n… cut here: the report is longer than GitHub takes.\n")


def test_a_text_is_cut_at_the_end_of_a_line() -> None:
    """What fits is kept as it is; where there is no room at all nothing is left."""
    assert fitted("one\ntwo\n", 8) == "one\ntwo\n"
    long = "line\n" * 40
    cut = fitted(long, 150)
    assert len(cut.encode()) <= 150
    assert set(cut.partition("\n\n…")[0].split("\n")) == {"line"}
    assert fitted(long, 10) == fitted(long, -5) == ""


def test_the_same_findings_are_the_same_text() -> None:
    """There is no date and no chance in it."""
    assert render_markdown(collapsed()) == render_markdown(collapsed())


def test_causes_and_disagreements_are_shown() -> None:
    """Causes with shares, what was repaired, disagreements, and the first failing asserts."""
    text = shown(render_markdown(with_tests()))
    start = text.index("### Why candidates fail")
    assert start < text.index("### Problems, those that hide most behind their text first")
    for line in (
        "| wrong output | 4 | 22% |",
        "<code>extraction: 20 as they were, prompt 3, fence 2 (1 had several)</code>",
        "<code>inputs by origin: tests 4</code>",
        "  one, candidate 3: right by the tests, not by the reference: ('3') -> 1, expected 0",
        "  one: assert count_vowels('a') == 1 -> 2",
        "<details><summary><code>one</code>: failed asserts</summary>",
        "2 candidates fail assert count_vowels('a') == 1 -> 2 (2 of 3 asserts passed)",
    ):
        assert line in text
    assert "**Warning:**" in text  # a quarter of all is no code, syntax or name


def test_hostile_text_of_tests_is_no_markup() -> None:
    """Asserts, what code returned and the names of repairs stand in elements that show them."""
    markdown = render_markdown(hostile_tests())
    outside = re.sub("<pre>.*?</pre>", "", markdown, flags=re.DOTALL)
    tags = set(re.findall("<[^>]*>", outside))
    assert tags == {"<code>", "</code>", "<details>", "</details>", "<summary>", "</summary>"}
    within = "".join(re.findall("<pre>(.*?)</pre>", markdown, flags=re.DOTALL))
    assert not re.search("[<>]", within)
