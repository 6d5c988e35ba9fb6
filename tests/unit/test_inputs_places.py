from __future__ import annotations

import math

from pytest_codecollapse.inputs.places import place_of


def test_numbers() -> None:
    """The range is that of finite numbers, the decimals those of the floats."""
    place = place_of([3, -1, 2.25, math.inf, math.nan, True, "9"])
    assert (place.low, place.high, place.decimals) == (-1, 3, 2)
    assert place.seen[0] == 3
    assert len(place.seen) == 7


def test_distinct_values_are_by_type() -> None:
    """1, 1.0 and True are three values, nan is one."""
    assert len(place_of([1, 1.0, True, 1, math.nan, math.nan]).seen) == 4


def test_lists() -> None:
    """What all of three lists have in common is seen, and what one has not is not."""
    place = place_of([[1, 2], [3, 5], [4, 6]])
    assert place.one_length
    assert place.sorted
    assert place.unique
    assert not place.empty
    assert place.members is not None
    assert (place.members.low, place.members.high) == (1, 6)
    other = place_of([[1, 2], [3, 3], [4, 2, 1], []])
    assert (other.one_length, other.sorted, other.unique, other.even) == (False,) * 4
    assert (other.longest, other.empty) == (3, True)


def test_two_lists_are_too_few_for_a_rule() -> None:
    """Nothing is taken for a rule that two lists have in common."""
    place = place_of([[1, 2], [3, 5]])
    assert (place.one_length, place.sorted, place.unique) == (False,) * 3


def test_tuples_of_one_length_have_positions() -> None:
    """Each position is a place of its own; of tuples of two lengths the members are one."""
    place = place_of([(1, "a"), (2, "b")])
    assert [each.seen for each in place.positions] == [(1, 2), ("a", "b")]
    other = place_of([(1, "a"), (2,)])
    assert other.positions == ()
    assert other.members is not None
    assert other.members.seen == (1, "a", 2)


def test_dicts() -> None:
    """Three dicts with the same keys have fields, others have keys and values."""
    fields = place_of([{"x": 1, "y": 2}, {"y": 3, "x": 4}, {"x": 5, "y": 6}]).fields
    assert [(key, place.seen) for key, place in fields] == [("x", (1, 4, 5)), ("y", (2, 3, 6))]
    place = place_of([{"x": 1}, {"y": 2}])
    assert place.fields == ()
    assert place.keys is not None
    assert place.keys.seen == ("x", "y")
    assert place.values is not None
    assert place.values.seen == (1, 2)


def test_matrices_are_even() -> None:
    """Lists of rows of one length each, and not where one has rows of two lengths."""
    assert place_of([[[1], [2]], [[1, 2], [3, 4]], [[5, 6], [7, 8]]]).even
    assert not place_of([[[1], [2, 3]], [[1, 2], [3, 4]], [[5, 6], [7, 8]]]).even


def test_few_values() -> None:
    """Strings that are repeated, and two numbers that are there a dozen times."""
    assert place_of(["N", "S", "N", "E", "S", "N"]).few
    assert not place_of(["N", "S", "E", "W", "X", "N"]).few
    assert place_of([0, 1] * 6).few
    assert not place_of([0, 1] * 5).few
