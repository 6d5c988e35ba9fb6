from __future__ import annotations

import pytest
from arms_false_signals import false_signals

TRIALS = 200


@pytest.mark.slow
def test_the_correction_keeps_luck_at_its_level() -> None:
    """Of five arms without an effect, one signals in far more than 5% of trials, unless corrected.

    The error of 200 trials is three points at 5%.
    """
    plain = false_signals(20, 5, TRIALS, seed=0, correct=False)
    corrected = false_signals(20, 5, TRIALS, seed=0, correct=True)
    assert plain.excludes > 0.09
    assert corrected.excludes <= 0.08
    assert corrected.fixes <= plain.fixes


def test_one_arm_needs_no_correction() -> None:
    """Alone, an arm has the same intervals either way."""
    plain, corrected = (false_signals(8, 1, 10, seed=0, correct=each) for each in (False, True))
    assert plain == corrected
