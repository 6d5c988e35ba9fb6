from __future__ import annotations

import pytest
from rich.cells import cell_len

from pytest_codecollapse.report import Screen, printable, wrapped
from pytest_codecollapse.report.text import Column, styled, table

NUMBERS = [
    Column("n", ["100", "7"], "53.5"),
    Column("pass@1", ["0.123", "-"], "0.123"),
    Column("E[D_10]", ["123456.789", "0.000"], "61728.394"),
    Column("stable@", ["50/50", "1/50"]),
    Column("behaviours", ["9", "10"], "9.5"),
]


def rows_of(text: str) -> list[list[str]]:
    """Split a text of tables into the words of each line, rulers and blank lines left out."""
    return [line.split() for line in text.splitlines() if line and line[0] != "─"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain [red]text[/red] é 问 🐍", "plain [red]text[/red] é 问 🐍"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("two\nlines\r\tand a tab", "two\\nlines\\r\\tand a tab"),
        ("bell\x07 null\x00 del\x7f", "bell\\x07 null\\x00 del\\x7f"),
        ("right\u202eto left, zero\u200bwidth", "right\\u202eto left, zero\\u200bwidth"),
        ("c1\x9b31m line\u2028separator", "c1\\x9b31m line\\u2028separator"),
        ("half a pair \ud83d", "half a pair \\ud83d"),
        ("", ""),
    ],
)
def test_what_acts_on_a_terminal_is_escaped(text: str, shown: str) -> None:
    """Control characters of any kind are written out, everything visible is left as it is."""
    assert printable(text) == shown


def test_text_is_styled_only_where_there_are_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    """A screen without colours gets the text alone."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert styled("FAIL", "bold red", Screen(80)) == "FAIL"
    assert styled("FAIL", "bold red", Screen(80, color=True)) == "\x1b[1;31mFAIL\x1b[0m"


@pytest.mark.parametrize("text", ["问题" * 30, "[red]not[/red] markup", "word " * 50, "a:smile:b"])
def test_styling_changes_no_character(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Wide, long and markup-like text is neither cropped nor read as markup."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert styled(text, "green", Screen(10, color=True)) == f"\x1b[32m{text}\x1b[0m"


def test_long_lines_break_at_words() -> None:
    """What follows the first line is indented further, and no word is broken."""
    text = "the reference takes more than 0.5 s of CPU-time for input 3 of problem " + "x" * 50
    assert wrapped(text, Screen(40), "  ").splitlines() == [
        "  the reference takes more than 0.5 s of",
        "      CPU-time for input 3 of problem",
        f"      {'x' * 50}",
    ]


def test_wide_characters_count_twice() -> None:
    """Prose in wide characters is broken by the columns that it takes, between any two of them."""
    prose = "参照实现没有回答 任何一个输入，所以" + "这个问题无法测量" * 4
    assert wrapped(prose, Screen(40), "  ").splitlines() == [
        "  参照实现没有回答 任何一个输入，所以这",
        "      个问题无法测量这个问题无法测量这个",
        "      问题无法测量这个问题无法测量",
    ]


def test_a_path_in_wide_characters_is_whole() -> None:
    """A word that fits on a line is not broken, and neither is one without wide characters."""
    path = "/数据/检查点/样本.jsonl:12:"
    assert wrapped(f"the file is {path} {'x' * 50}", Screen(40)).splitlines() == [
        "the file is /数据/检查点/样本.jsonl:12:",
        f"    {'x' * 50}",
    ]
    assert wrapped(f"the samples file is {path}", Screen(40)).splitlines() == [
        "the samples file is",
        f"    {path}",
    ]


def test_a_narrow_screen_is_taken_for_one_of_40_columns() -> None:
    """Text is not stacked word by word on a terminal that says it is tiny."""
    assert wrapped("one two three four five six seven", Screen(5)) == (
        "one two three four five six seven"
    )


def test_a_table_that_fits_is_one_table() -> None:
    """Numbers are right-aligned under their titles, totals stand under a second ruler."""
    names = Column("problem", ["first", "second"], "MEAN")
    assert table(names, NUMBERS, Screen(80)).splitlines() == [
        "problem     n  pass@1     E[D_10]  stable@  behaviours",
        "──────────────────────────────────────────────────────",
        "first     100   0.123  123456.789    50/50           9",
        "second      7       -       0.000     1/50          10",
        "──────────────────────────────────────────────────────",
        "MEAN     53.5   0.123   61728.394                  9.5",
    ]


def test_a_table_without_totals_ends_with_its_rows() -> None:
    """There is no second ruler where nothing stands under it."""
    text = table(Column("metric", ["a"]), [Column("delta", ["-1"])], Screen(80))
    assert text.splitlines() == ["metric  delta", "─────────────", "a          -1"]


def test_a_table_without_rows_has_one_ruler() -> None:
    """Totals over nothing stand directly under the titles."""
    text = table(Column("problem", [], "MEAN"), [Column("n", [], "-")], Screen(80))
    assert text.splitlines() == ["problem  n", "──────────", "MEAN     -"]


@pytest.mark.parametrize("width", [24, 30, 40, 50, 60, 80, 120])
def test_a_table_shrinks_without_cutting_a_number(width: int) -> None:
    """Whatever the width, no line is wider, and each row has all of its numbers whole."""
    names = Column("problem", ["a" * 70, "b"], "MEAN")
    text = table(names, NUMBERS, Screen(width))
    assert max(map(cell_len, text.splitlines())) <= width
    shown: dict[str, list[str]] = {}
    for name, *cells in rows_of(text):
        shown.setdefault(name[0], []).extend(cells)
    assert shown == {
        "p": ["n", "pass@1", "E[D_10]", "stable@", "behaviours"],
        "a": ["100", "0.123", "123456.789", "50/50", "9"],
        "b": ["7", "-", "0.000", "1/50", "10"],
        "M": ["53.5", "0.123", "61728.394", "9.5"],
    }


def test_a_number_wider_than_the_screen_is_whole() -> None:
    """A screen too narrow for one column overflows rather than show a wrong number."""
    text = table(Column("problem", ["a" * 30]), [Column("n", ["1234567890123"])], Screen(16))
    assert text.splitlines()[2] == f"{'a' * 11}…  1234567890123"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a" * 40, "a" * 21 + "…"),
        ("问题" * 20, "问题问题问题问题问题 …"),  # a wide character does not fit half
        ("x" + "问题" * 20, "x问题问题问题问题问题…"),
        ("é" * 22, "é" * 22),
    ],
)
def test_a_long_name_is_cut_with_an_ellipsis(name: str, shown: str) -> None:
    """Names are cut by the columns that they take, so that the numbers stay aligned."""
    text = table(Column("problem", [name, "b"]), [Column("number", ["1", "2"])], Screen(30))
    lines = text.splitlines()
    assert lines[2] == f"{shown}       1"
    assert {cell_len(line) for line in lines} == {30}


def test_titles_and_totals_are_bold_where_there_are_colours() -> None:
    """Rows and rulers are plain."""
    names = Column("problem", ["first"], "MEAN")
    text = table(names, [Column("n", ["1"], "1")], Screen(80, color=True))
    assert text.splitlines() == [
        "\x1b[1mproblem  n\x1b[0m",
        "──────────",
        "first    1",
        "──────────",
        "\x1b[1mMEAN     1\x1b[0m",
    ]
