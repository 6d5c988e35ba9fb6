from __future__ import annotations

import html
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_codecollapse.report.highlight import highlight, shown_source
from pytest_codecollapse.report.markdown import code
from pytest_codecollapse.report.text import printable

pytest.importorskip("jinja2")

#: Any text, surrogates and control characters too, and text full of what is markup somewhere.
TEXTS = st.one_of(
    st.text(),
    st.text(st.characters(codec=None)),
    st.text(alphabet="<>&\"'`|\\/!-[](){}%#$@*_~:.;=\n\r\t\x00\x0c\x85 wsx"),
)


@given(TEXTS)
@example("</script>")
@example("'''unfinished <b>")
@example("# <!-- \r </pre>")
@settings(max_examples=200)
def test_highlighted_code_is_the_code_and_spans(source: str) -> None:
    """Without the spans of ours, and with entities resolved, it reads as the source does."""
    marked = str(highlight(source))
    bare = re.sub('<span class="[a-z]">|</span>', "", marked)
    assert not re.search("[<>\"']", bare)
    assert html.unescape(bare) == shown_source(source)


@given(TEXTS)
def test_what_is_shown_of_code_is_visible(source: str) -> None:
    """But for line ends every character is one that a person can see, or a space."""
    assert all(line.isprintable() for line in shown_source(source).split("\n"))


@given(TEXTS)
def test_text_in_markdown_is_itself_and_no_markup(text: str) -> None:
    """Letters, entities and harmless signs; read by a browser it is the text again."""
    inner = code(text)[len("<code>") : -len("</code>")]
    assert not re.search(r"[^\w &#;,.+/()%=-]", inner)
    assert not re.search(r"(?i)www\.", inner)
    assert html.unescape(inner) == printable(text)
