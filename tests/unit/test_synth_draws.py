from __future__ import annotations

import random
from collections import Counter

from pytest_codecollapse.synth.draws import pick, shuffled


def test_pick_draws_each_option_about_as_often() -> None:
    """Of 3000 draws from three options, each option gets 1000 give or take 100."""
    rng = random.Random(0)
    drawn = Counter(pick(rng, "abc") for _ in range(3000))
    assert sorted(drawn) == ["a", "b", "c"]
    assert all(900 < count < 1100 for count in drawn.values())


def test_shuffled_gives_the_same_order_on_every_python() -> None:
    """Seed 0 puts six items in the one order written here, each item once."""
    assert shuffled(random.Random(0), range(6)) == [3, 5, 2, 4, 1, 0]
