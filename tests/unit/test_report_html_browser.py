"""The HTML page in a real browser: hostile names and code neither run nor break it."""

from __future__ import annotations

import html
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest
from findings_records import HOSTILE, collapsed, hostile, hostile_tests

from pytest_codecollapse.report import printable, render_html

pytest.importorskip("jinja2")

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')


class Shown(NamedTuple):
    """A page after it was loaded: its elements as markup, and what the console was told."""

    dom: str
    console: list[str]

    @property
    def title(self) -> str:
        """The document's title."""
        found = re.search(r"<title>(.*?)</title>", self.dom, re.DOTALL)
        assert found is not None
        return html.unescape(found[1])


def shown(folder: Path, page: str) -> Shown:
    """Load a page in a headless Chromium."""
    browser = next((found for name in _NAMES if (found := shutil.which(name))), None)
    if browser is None:
        pytest.skip(f"there is no browser on PATH: {', '.join(_NAMES)}")
    path = folder / "page.html"
    path.write_text(page, encoding="utf-8")
    options = [
        *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
        *("--virtual-time-budget=2000", "--enable-logging=stderr", "--dump-dom"),
    ]
    done = subprocess.run(
        [browser, *options, f"--user-data-dir={folder / 'profile'}", path.as_uri()],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=True,
    )
    return Shown(done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line])


def broken(page: str) -> str:
    """Return the page as it would be if nothing hostile were escaped in one problem's name."""
    escaped = str(html.escape(printable(HOSTILE[0]))).replace("&#x27;", "&#39;")
    assert f'<span class="id">{escaped}</span>' in page
    return page.replace(f'<span class="id">{escaped}</span>', f"<b>{HOSTILE[0]}{HOSTILE[1]}</b>")


def test_hostile_text_is_shown_and_nothing_else(tmp_path: Path) -> None:
    """The title stays, nothing is reported, and all problems are there with their code."""
    page = shown(tmp_path, render_html(hostile()))
    assert page.title == f"codecollapse: {HOSTILE[0]}"
    assert page.console == []
    assert page.dom.count('<details class="problem">') == len(HOSTILE)
    assert page.dom.count('<pre class="source">') == 3 * len(HOSTILE)
    assert "<script" not in page.dom
    assert "<img" not in page.dom


def test_hostile_tests_are_shown_and_nothing_else(tmp_path: Path) -> None:
    """Nor does what asserts and code say of themselves."""
    page = shown(tmp_path, render_html(hostile_tests()))
    assert page.title == "codecollapse: a"
    assert page.console == []
    assert "fails first" in page.dom
    assert "<script" not in page.dom
    assert "<img" not in page.dom


def test_the_style_sheet_is_applied(tmp_path: Path) -> None:
    """The policy lets the page's own style through: the browser complains of nothing."""
    page = shown(tmp_path, render_html(collapsed()))
    assert page.title == "codecollapse: after.jsonl"
    assert page.console == []


def test_the_policy_holds_where_escaping_fails(tmp_path: Path) -> None:
    """Were a name set as markup, the browser would refuse to run it, and say so."""
    page = shown(tmp_path, broken(render_html(hostile())))
    assert page.title == f"codecollapse: {HOSTILE[0]}"
    assert any("Content Security Policy" in line for line in page.console)


def test_this_would_show_a_page_that_runs_hostile_text(tmp_path: Path) -> None:
    """Without escaping and policy the title is changed: the tests above can fail."""
    page = shown(tmp_path, _POLICY.sub("", broken(render_html(hostile()))))
    assert page.title == "pwned"
