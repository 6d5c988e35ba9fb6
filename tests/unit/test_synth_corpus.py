from __future__ import annotations

import ast
import hashlib
import json
from collections import Counter
from fractions import Fraction
from typing import Union

import pytest

from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.synth import REFERENCE_LABEL, make_corpus, render


def test_bytes_are_the_same_everywhere() -> None:
    """The default corpus has the digest written here, on every Python."""
    text = "".join(f"{render(line)}\n" for line in make_corpus())
    assert (
        hashlib.sha256(text.encode()).hexdigest()
        == "c4ff75cbb115f72487a7ef0d5d81e1c5371e1bf3e38a70ea8cebbfa64fad77c1"
    )


def test_a_rendered_line_is_one_json_object() -> None:
    """A rendered line is ASCII, has no newline in it and reads back as it was."""
    (line, *_) = make_corpus(candidates=3)
    text = render(line)
    assert text.isascii()
    assert "\n" not in text
    assert json.loads(text) == line


def test_lines_are_the_four_problems() -> None:
    """A corpus has a line a problem, named after its entry point, with as many labels as asked."""
    lines = make_corpus(candidates=5)
    names = ["positive_squares", "window_sums", "count_in_range", "safe_ratio"]
    assert [line["problem_id"] for line in lines] == names
    assert [line["entry_point"] for line in lines] == names
    assert [(len(line["candidates"]), len(line["labels"])) for line in lines] == [(5, 5)] * 4


@pytest.mark.parametrize(
    ("candidates", "collapse", "expected"),
    [
        (10, 0.6, 6),
        (10, 0.0, 0),
        (10, 1, 10),
        (12, 0.6, 7),
        (2, 0.25, 1),
        (10, 0.35, 4),
        (10, 0.349, 3),
        (3, Fraction(1, 2), 2),
        (1, 0.4, 0),
    ],
)
def test_share_of_rewrites_is_rounded_halves_up(
    candidates: int, collapse: Union[Fraction, float], expected: int
) -> None:
    """The nearest whole number to collapse * candidates is labelled reference, halves go up."""
    for line in make_corpus(candidates=candidates, collapse=collapse):
        assert line["labels"].count(REFERENCE_LABEL) == expected


def test_the_rest_is_spread_evenly_over_the_mutations() -> None:
    """No mutation has two candidates more than another, and all are planted if there is room."""
    for line in make_corpus(candidates=20, collapse=0.1):
        counts = Counter(line["labels"])
        assert counts.pop(REFERENCE_LABEL) == 2
        assert len(counts) >= 7
        assert max(counts.values()) - min(counts.values()) <= 1


def test_seeds_give_other_candidates_and_other_orders_of_the_same_problems() -> None:
    """Of two seeds and shares only candidates and labels differ; rewrites do not come first."""
    one, other = make_corpus(seed=0, collapse=0.5), make_corpus(seed=1, collapse=0.6)
    for before, after in zip(one, other):
        later = dict(after)
        differing = [key for key, value in before.items() if value != later[key]]
        assert differing == ["candidates", "labels"]
        assert set(before["labels"][:6]) != {REFERENCE_LABEL}


def test_candidates_look_sampled() -> None:
    """Of 48 candidates all are written differently, for each of three seeds."""
    for seed in (0, 1, 2):
        lines = make_corpus(seed=seed)
        assert len({source for line in lines for source in line["candidates"]}) == 48


def test_candidates_are_python_3_8() -> None:
    """Every candidate parses under the syntax of Python 3.8."""
    for line in make_corpus(candidates=30, collapse=0.3):
        for source in line["candidates"]:
            ast.parse(source, feature_version=(3, 8))


@pytest.mark.parametrize("candidates", [0, -3])
def test_no_candidates_is_a_usage_error(candidates: int) -> None:
    """Fewer than one candidate is refused with what was got, what is expected and a remedy."""
    with pytest.raises(UsageError) as caught:
        make_corpus(candidates=candidates)
    assert str(caught.value) == (
        f"a corpus needs candidates (got {candidates} a problem, expected at least 1); "
        "ask for one candidate or more"
    )


@pytest.mark.parametrize(
    "collapse", [-0.1, 1.01, Fraction(3, 2), float("nan"), float("inf"), float("-inf")]
)
def test_a_collapse_that_is_no_share_is_a_usage_error(collapse: Union[Fraction, float]) -> None:
    """A collapse outside [0, 1] is refused, nan and infinities as well."""
    with pytest.raises(UsageError) as caught:
        make_corpus(collapse=collapse)
    assert str(caught.value) == (
        f"collapse is a share of the candidates (got {collapse}, expected 0 to 1); "
        "0 plants mutations only, 1 plants rewrites of the reference only"
    )
