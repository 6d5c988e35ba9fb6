from __future__ import annotations

import pytest

from pytest_codecollapse.inputs.text_rules import form_of, is_balanced, texts_of


@pytest.mark.parametrize(
    ("texts", "allowed", "refused"),
    [
        (["1/2", "10/3", "5/17"], ["7/7", "100/1"], ["7", "7//1", "a/7", ""]),
        (["2021-01-31", "1999-12-01", "2000-02-29"], ["2024-10-10"], ["2024-10", "x-1-1"]),
        (["3 apples", "10 apples", "5 apples"], ["77 apples"], ["3 pears", "apples"]),
        (["abc", "Xy", "z"], ["longer"], ["a1", "a b", ""]),
        (["()", "([])", "()[]()"], ["", "[[]]", "a"], ["(", ")(", "(]"]),
        (["10", "-3", "2.5"], ["7", "+0.1"], ["", "1.2.3", ".5", "x", "1e5"]),
        (["abc", "a1"], ["", "a-b", "1"], []),
        (["abc", "a1", "-"], ["", "a-b", "1"], []),
    ],
)
def test_what_strings_have_in_common(
    texts: list[str], allowed: list[str], refused: list[str]
) -> None:
    """Three or more different strings make a rule, which the others are held against."""
    rules = texts_of(texts)
    assert [text for text in (*texts, *allowed, *refused) if rules.allow(text)] == [
        *texts,
        *allowed,
    ]


def test_what_strings_are_made_of() -> None:
    """Characters and words are listed once, in the order in which they are seen."""
    rules = texts_of(["one two", "two", "one two two"])
    assert rules.alphabet == "one tw"
    assert rules.words == ("one", "two")
    assert rules.vocabulary
    assert not texts_of(["one two three", "four five six"]).vocabulary
    assert texts_of(["onetwo"]).words == ()


def test_few_characters_are_closed() -> None:
    """Two characters that are there often are all that there are; letters of a word are not."""
    assert texts_of(["0110", "1010"]).closed
    assert not texts_of(["ab"]).closed
    assert not texts_of(["abcdefg" * 9]).closed


def test_forms_and_brackets() -> None:
    """A run of digits or letters is one; brackets close in order."""
    assert form_of("a1-b22 cc") == "a0-a0 a"
    assert form_of("a1-b22 cc", spelled=True) == "a0-b0 cc"
    assert is_balanced("f(x)[{<>}]")
    assert not is_balanced("([)]")
    assert not is_balanced("(")
