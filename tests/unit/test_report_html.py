"""The HTML page, read with a parser as a browser would."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

import msgspec
import pytest
from checked_records import checked
from findings_records import (
    HOSTILE,
    collapsed,
    compared,
    hostile,
    hostile_tests,
    with_tests,
    witnessed,
)
from report_records import measured, report_of

from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.model import Unmeasured
from pytest_codecollapse.report import Findings, printable, render_html, require_html

pytest.importorskip("jinja2")

_VOID = {"meta", "br", "img", "link"}


class Page(HTMLParser):
    """Elements with their attributes, and the text in each element of a kind."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[tuple[str, str]] = []
        self.unclosed: list[str] = []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in _VOID:
            self.unclosed.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element without content."""
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        """Expect the end of the element that is open."""
        assert self.unclosed.pop() == tag

    def handle_data(self, data: str) -> None:
        """Note text and where it stands."""
        if data.strip() and self.unclosed:
            self.texts.append((self.unclosed[-1], data))

    def attributes(self, tag: str, name: str) -> list[str]:
        """Return the values of an attribute of the elements of a kind."""
        return [given[name] for each, given in self.elements if each == tag and name in given]

    def text(self) -> str:
        """Return everything that is shown."""
        return " ".join(" ".join(text.split()) for _, text in self.texts)


def with_class(page: Page, name: str) -> int:
    """Count the elements of a class."""
    return sum(name in given.get("class", "").split() for _, given in page.elements)


def test_verdicts_come_first() -> None:
    """The page opens with how many gates failed and why, the failed ones before the others."""
    text = Page(render_html(collapsed())).text()
    order = [
        "after.jsonl",
        "1 of 2 gates failed",
        "E[D_5] must not drop: 3.184 -> 1.694",
        "dropped most:",
        "pass@1 >= 0.1",
        "Over all problems",
        "Metrics",
        "Problems Those that lost the most E[D_5] come first",
    ]
    places = [text.index(each) for each in order]
    assert places == sorted(places)


def test_the_worst_problem_comes_first() -> None:
    """Problems are ranked by what they lost; each tells what moved, and which behaviours left."""
    source = render_html(collapsed())
    assert re.findall(r'<span class="id">(\w+)</span>', source) == ["one", "two", "three"]
    text = Page(source).text()
    one = text[text.index("one behind a failed gate") : text.index("two behind a failed gate")]
    assert "E[D_5] 4.091 → 1.417 6 → 2 behaviours 3 ASTs 2/12 → 11/12 correct" in one
    assert "11 ✓ correct was 2 value on 8 inputs 1 ✗ wrong was 2 value on 8 inputs" in one
    assert "Gone since the baseline" in one
    assert one.count("✗ wrong") == 1 + 4


def test_strips_show_every_class_to_scale() -> None:
    """Classes lie side by side in thousandths of the candidates, a correct one first."""
    source = render_html(Findings(name="a", after=report_of(measured("p", [6, 3, 3], correct=1))))
    strip = source[source.index('aria-label="3 behaviours"') : source.index('class="body"')]
    found = re.findall(r'<rect class="(\w+)" x="([0-9.]+)" width="([0-9.]+)"', strip)
    assert found == [
        ("correct", "0.0", "250.0"),
        ("wrong", "250.0", "500.0"),
        ("wrong", "750.0", "250.0"),
    ]


def test_the_charts_hold_exact_figures() -> None:
    """Under a curve its figures stand: E[D_k], and pass@k beside the naive estimate."""
    text = Page(render_html(Findings(name="a", after=report_of(measured("p", [6, 3, 3]))))).text()
    assert "k now 1 1 2 1.682 3 2.145" in text  # 1, 111/66, 472/220
    assert "k now now, naive 1 0.5 0.5 2 0.7727 0.75 3 0.9091 0.875" in text


def test_curves_have_intervals_where_there_are_two_problems() -> None:
    """The figures of each side carry the interval of their mean."""
    source = render_html(collapsed())
    assert len(re.findall('class="band-before"', source)) == 2
    text = Page(source).text()
    assert re.search(r"k before after 1 1 \[1, 1\] 1 \[1, 1\] 2 1\.\d+ \[1\.\d+, 1\.\d+\]", text)


def test_hovering_names_the_problems() -> None:
    """The scatter has a dot for each place, which names its problems and links to the first."""
    same = report_of(measured("one", [6, 6]), measured("two", [6, 6]), measured("other", [12]))
    source = render_html(Findings(name="a", after=same))
    titles = [text for tag, text in Page(source).texts if tag == "title"]
    assert "one, two\nnow: 3 distinct ASTs, 2 behaviours" in titles
    assert "other\nnow: 3 distinct ASTs, 1 behaviour" in titles
    assert Page(source).attributes("a", "href") == ["#p2", "#p0"]
    assert {"p0", "p1", "p2"} <= set(Page(source).attributes("div", "id"))


def test_sides_of_unequal_size_are_told_of() -> None:
    """More candidates have more behaviours to count, which is not more diversity."""
    note = "The sides differ in candidates"
    assert note not in render_html(collapsed())
    assert note in render_html(compared([measured("p", [20, 20])], [measured("p", [5, 5])]))


def test_one_is_singular() -> None:
    """A problem with one behaviour in one way of writing says so."""
    findings = Findings(name="a", after=report_of(measured("p", [6], written=1)))
    assert "E[D_5] 1 1 behaviour 1 AST 6/6 correct" in Page(render_html(findings)).text()


def test_code_is_shown_where_there_is_any() -> None:
    """The first member of a class stands for it, coloured; a saved report has no code."""
    findings = Findings(name="a", after=report_of(measured("p", [2, 1])))
    assert with_class(Page(render_html(findings)), "source") == 0
    sources = ["def f(x):\n    return 1  # one", "unused", "def f(x): return 'two'"]
    source = render_html(findings._replace(sources=lambda problem_id: sources))
    page = Page(source)
    assert with_class(page, "source") == 2
    assert '<span class="c"># one</span>' in source
    assert "def f (x): return 'two'" in re.sub(r"\s+", " ", page.text())
    assert "unused" not in source


def test_what_is_left_out_is_said() -> None:
    """Of many classes the largest are shown, of fewer the code; a small correct one is, too."""
    findings = Findings(
        name="a", after=report_of(measured("p", [2] + [1] * 19, correct=19, inputs=20))
    )
    source = render_html(findings._replace(sources=lambda problem_id: ["pass\n" * 100] * 21))
    page = Page(source)
    assert with_class(page, "source") == 6
    assert with_class(page, "size") == 13
    text = page.text()
    assert "7 smaller classes with 7 candidates left out; code of the 6 largest" in text
    assert "candidate 0, its first 60 lines of 100" in text


def test_a_witness_is_shown() -> None:
    """An input, counted from 1, with what the class did and what was expected."""
    problem = witnessed(
        measured("p", [2, 1]), arguments="(4, [1])", output="TIMEOUT", expected="[]"
    )
    text = Page(render_html(Findings(name="a", after=report_of(problem)))).text()
    assert "input 3 (4, [1]) gives TIMEOUT expected []" in text


def test_a_run_without_gates_or_problems_is_a_page() -> None:
    """Nothing measured, and why, is told without charts."""
    failed = Unmeasured(problem_id="q", message="a.jsonl:1: problem 'q': it hangs; wait")
    findings = Findings(name="a", after=report_of(unmeasured=[failed]), partial="measured 0 of 1")
    text = Page(render_html(findings)).text()
    assert "No gate was judged: measured 0 of 1" in text
    assert "problem 'q': it hangs" in text
    assert "Over all problems" not in text
    assert "No gate was asked for." in Page(render_html(findings._replace(partial=None))).text()


def test_a_stale_baseline_is_said() -> None:
    """What keeps the sides from being compared is told, and the current side is drawn alone."""
    findings = compared([measured("gone", [3, 3])], [measured("new", [3, 3])])
    text = Page(render_html(findings)).text()
    assert "stale E[D_5] must not drop: not comparable" in text
    assert "new behind a failed gate E[D_5] 2 2 behaviours 3 ASTs 3/6 correct" in text
    assert "Gone since" not in text


def test_nothing_hostile_is_markup() -> None:
    """The page has its own elements alone, all closed, no handler, no link out, nothing to load."""
    source = render_html(hostile())
    page = Page(source)
    assert page.unclosed == []
    tame = {"html", "head", "meta", "title", "style", "body", "header", "section", "details"}
    tame |= {"h1", "h2", "h3", "p", "div", "span", "small", "pre", "code", "summary", "ul", "li"}
    tame |= {"figure", "figcaption", "table", "tr", "th", "td", "dl", "dt", "dd"}
    tame |= {"svg", "path", "rect", "circle", "text", "a"}
    assert {tag for tag, _ in page.elements} == tame
    names = {name for _, given in page.elements for name in given}
    assert not {name for name in names if name.startswith("on")}
    assert names.isdisjoint({"src", "style", "autofocus", "action"})
    assert all(re.fullmatch(r"#p\d+", href) for href in page.attributes("a", "href"))


def test_everything_hostile_is_shown() -> None:
    """Ids are there to be read, what is invisible in them spelt out; no template is run in them."""
    source = render_html(hostile())
    ids = [
        text
        for tag, text in Page(source).texts
        if tag == "span" and text in set(map(printable, HOSTILE))
    ]
    assert sorted(ids) == sorted(map(printable, HOSTILE))
    assert "49" not in [text.strip() for _, text in Page(source).texts]
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u200b\u202e\u2028\ud800]", source)
    source.encode("utf-8")


def test_the_policy_allows_the_style_sheet_alone() -> None:
    """A browser runs nothing and loads nothing: the digest is that of the one style element."""
    source = render_html(hostile())
    (style,) = re.findall("<style>(.*?)</style>", source, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    (policy,) = [
        given["content"]
        for _, given in Page(source).elements
        if given.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    assert "<script" not in source
    assert "http://" not in source
    assert "https://" not in source


def test_the_same_findings_are_the_same_page() -> None:
    """There is no date and no chance in it."""
    assert render_html(collapsed()) == render_html(collapsed())


def test_a_large_run_is_a_page_of_sane_size() -> None:
    """164 problems of 100 candidates in 40 classes, with code of 20 lines, stay under 6 MB."""
    problem = measured("p", [61] + [1] * 39, inputs=50)
    problems = [msgspec.structs.replace(problem, problem_id=f"p/{index}") for index in range(164)]
    source = "def f(x):\n" + "    y = x + 1  # add\n" * 19
    findings = Findings(name="a", after=report_of(*problems), sources=lambda _: [source] * 100)
    assert len(render_html(findings).encode()) < 6_000_000


def test_a_missing_extra_is_a_usage_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message is the command that helps."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"; pip install 'pytest-codecollapse\[html\]'$"):
        require_html()


def test_why_candidates_fail_is_told_of_the_suite() -> None:
    """A table of causes, what was repaired, where inputs come from, and the disagreements."""
    text = Page(render_html(with_tests())).text()
    start = text.index("Why candidates fail")
    suite = text[start : text.index("Problems Those whose text")]
    assert "cause candidates share wrong output 4 22% no code 2 11%" in suite
    assert "differently named: count_vowel 2" in suite
    assert "extraction: 20 as they were, prompt 3, fence 2 (1 had several)" in suite
    assert "inputs by origin: tests 4" in suite
    assert "one, candidate 3: right by the tests, not by the reference: ('3') -> 1," in suite
    assert "one: assert count_vowels('a') == 1 -> 2" in suite
    assert "warning 6 of 18 candidates that are not correct fail for" in text[:start]


def test_a_problem_tells_of_its_tests() -> None:
    """Which oracle decides, the causes of a class, how many asserts, and the first that fails."""
    source = render_html(with_tests())
    text = Page(source).text()
    one = text[text.index("one E[D_5]") : text.index("two E[D_5]")]
    assert "why candidates fail: wrong output 2, no code 1" in one
    assert "Tests and reference disagree:" in one
    assert "the reference fails its own tests: assert count_vowels('a') == 1 -> 2" in one
    assert "value on 4 inputs · 2 to 3 of 3 asserts passed" in one  # the correct class
    assert "TIMEOUT on 1 input · timeout 1 · 2 of 3 asserts passed" in one
    assert "fails first assert count_vowels('a') == 1 outcome raises TypeError" in one
    two = text[text.index("two E[D_5]") :]
    assert "there is no reference: the tests decide what is correct" in two
    assert "Tests and reference disagree" not in two


def test_asserts_that_are_left_out_are_told() -> None:
    """Of the suite, and of the problem, with the first and the reason."""
    problem = checked("one", left_out=2)
    text = Page(render_html(Findings(name="a.jsonl", after=report_of(problem)))).text()
    first = "assert f(iter([1])) == 1: an argument is no built-in value"
    head = "2 asserts are left out, which call the function with what no program can be given:"
    assert f"{head} one: {first}" in text
    assert f"{head} {first}" in text


def test_hostile_text_of_tests_is_text() -> None:
    """Asserts, what code returned, and names of repairs make no element and no attribute."""
    page = Page(render_html(hostile_tests()))
    assert page.unclosed == []
    assert {tag for tag, _ in page.elements}.isdisjoint({"script", "img", "b", "iframe"})
    names = {name for _, given in page.elements for name in given}
    assert not [name for name in names if name.startswith("on")]
    for text in HOSTILE:
        assert " ".join(f"fails first {printable(text)}".split()) in page.text()
