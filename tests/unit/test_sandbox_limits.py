"""The limits of a program that keeps timing out."""

from __future__ import annotations

from pytest_codecollapse.sandbox.child.limits import LEAST_S, Limits


def spent_on_timeouts(limits: Limits, indices: list[int]) -> list[float]:
    """Time out on every input; return what each cost."""
    costs = []
    for index in indices:
        costs.append(limits.now_s(index))
        limits.count_timeout(index)
    return costs


def test_fifty_hanging_inputs_cost_less_than_four_seconds_a_seed() -> None:
    """At 0.5 s the limit is full three times, then halves down to the least one."""
    costs = spent_on_timeouts(Limits(0.5, [0.0] * 50, 3, ()), list(range(50)))
    assert costs[:8] == [0.5, 0.5, 0.5, 0.25, 0.125, 0.0625, 0.03125, LEAST_S]
    assert set(costs[8:]) == {LEAST_S}
    assert 1.5 < sum(costs) < 3.0
    again = spent_on_timeouts(Limits(0.5, [0.0] * 50, 1, (0, 1, 2)), list(range(50))[::-1])
    assert sum(again) < 2.0


def test_no_limit_is_below_a_multiple_of_what_the_reference_needed() -> None:
    """An input that takes the reference 40 ms keeps 400 ms, and never more than its full limit."""
    limits = Limits(0.5, [0.04, 0.1, 0.0], 0, ())
    for _ in range(20):
        limits.count_timeout(2)
    assert limits.now_s(0) == 0.4
    assert limits.now_s(1) == 0.5
    assert limits.now_s(2) == LEAST_S


def test_an_input_that_takes_the_reference_long_has_a_longer_limit() -> None:
    """Four times what the reference needed, where that is more than the limit of the run."""
    limits = Limits(0.5, [0.45, 0.1], 3, ())
    assert limits.full_s(0) == limits.now_s(0) == 1.8
    assert limits.full_s(1) == 0.5
    assert limits.load_s == 0.5


def test_the_reference_has_the_limit_of_the_run() -> None:
    """There is nothing to measure it by."""
    assert Limits(5.0, None, 3, ()).full_s(7) == 5.0


def test_a_suspect_gets_the_least_limit_and_costs_no_patience() -> None:
    """What has timed out before is only confirmed; that says nothing about the others."""
    limits = Limits(0.5, [0.0, 0.03, 0.0], 1, (0, 1))
    assert (limits.now_s(0), limits.now_s(1), limits.now_s(2)) == (LEAST_S, 0.3, 0.5)
    assert limits.count_timeout(0)
    assert limits.now_s(2) == 0.5
    assert not limits.count_timeout(2)
    assert limits.now_s(2) == 0.25
    assert limits.count_timeout(2)
