"""The limits of a program that keeps timing out."""

from __future__ import annotations

import pytest

from pytest_codecollapse.sandbox.child.limits import (
    C_FACTOR,
    EVENTS_PER_S,
    LEAST_PART_S,
    LEAST_S,
    PARTS,
    Allowance,
    Limits,
    most_cpu_s,
)


def needs(*needed_s: float) -> dict[str, list[int]]:
    """Make what the reference needed, of work alone."""
    return {
        "events": [round(each * EVENTS_PER_S) for each in needed_s],
        "cpu_ns": [0] * len(needed_s),
    }


def spent_on_timeouts(limits: Limits, indices: list[int]) -> list[float]:
    """Time out on every input; return what each cost."""
    costs = []
    for index in indices:
        costs.append(limits.now_s(index))
        limits.count_timeout(index)
    return costs


def test_fifty_hanging_inputs_cost_less_than_four_seconds_a_seed() -> None:
    """At 0.5 s the limit is full three times, then halves down to the least one."""
    costs = spent_on_timeouts(Limits(0.5, needs(*[0.0] * 50), 3, ()), list(range(50)))
    assert costs[:8] == [0.5, 0.5, 0.5, 0.25, 0.125, 0.0625, 0.03125, LEAST_S]
    assert set(costs[8:]) == {LEAST_S}
    assert 1.5 < sum(costs) < 3.0
    again = spent_on_timeouts(Limits(0.5, needs(*[0.0] * 50), 1, (0, 1, 2)), list(range(50))[::-1])
    assert sum(again) < 2.0


def test_no_limit_is_below_a_multiple_of_what_the_reference_needed() -> None:
    """An input that takes the reference 40 ms keeps 400 ms, and never more than its full limit."""
    limits = Limits(0.5, needs(0.04, 0.1, 0.0), 0, ())
    for _ in range(20):
        limits.count_timeout(2)
    assert limits.now_s(0) == 0.4
    assert limits.now_s(1) == 0.5
    assert limits.now_s(2) == LEAST_S


def test_an_input_that_takes_the_reference_long_has_a_longer_limit() -> None:
    """Four times what the reference needed, where that is more than the limit of the run."""
    limits = Limits(0.5, needs(0.45, 0.1), 3, ())
    assert (limits.now_s(0), limits.now_s(1)) == (1.8, 0.5)
    assert [each.events for each in limits.calls([0, 1], traced=True)] == [
        18_000_000 // PARTS,
        5_000_000 // PARTS,
    ]


def test_c_code_has_the_cpu_time_of_the_reference() -> None:
    """Four times what it needed, too; the work of a call does not depend on that clock."""
    limits = Limits(0.5, {"events": [10], "cpu_ns": [400_000_000]}, 3, ())
    (call,) = limits.calls([0], traced=True)
    assert call == Allowance(C_FACTOR * 1.6, PARTS * C_FACTOR * 1.6, 5.0, 5_000_000 // PARTS)


def test_lines_may_cost_ten_times_what_they_are_expected_to() -> None:
    """Their number decides, on slow machines too; all parts have the CPU time of each."""
    (call,) = Limits(0.5, needs(0.0), 3, ()).calls([0], traced=True)
    assert call.cpu_s > 10 * call.events / EVENTS_PER_S
    assert call.whole_cpu_s > 10 * call.work_s


def test_a_timer_is_not_set_to_a_few_ticks_until_a_program_keeps_timing_out() -> None:
    """Ticks are a coarse sample of CPU time; the whole step is judged by a finer clock."""
    limits = Limits(0.04, needs(0.0), 1, ())
    assert limits.load(traced=True).cpu_s == C_FACTOR * 0.08
    (call,) = limits.calls([0], traced=True)
    assert (call.cpu_s, call.whole_cpu_s) == (LEAST_PART_S, PARTS * C_FACTOR * 0.04)
    limits.count_timeout(0)
    (call,) = limits.calls([0], traced=True)
    assert (call.cpu_s, call.whole_cpu_s) == (C_FACTOR * 0.02, PARTS * C_FACTOR * 0.02)


def test_the_reference_has_the_limit_of_the_run() -> None:
    """There is nothing to measure it by."""
    assert Limits(5.0, None, 3, ()).now_s(7) == 5.0


def test_what_is_not_traced_has_a_fiftieth_of_the_limit() -> None:
    """And as much blocked time as if it were; which shrinks, the CPU time does not."""
    limits = Limits(0.5, needs(0.0, 0.0), 1, ())
    assert limits.load(traced=False) == Allowance(0.02, 0.02, 10.0, 0)
    assert limits.calls([0, 1], traced=False) == [Allowance(0.01, 0.01, 5.0, 0)] * 2
    limits.count_timeout(0)
    assert limits.calls([1], traced=False) == [Allowance(0.01, 0.01, 2.5, 0)]


@pytest.mark.parametrize(("limit_s", "expected"), [(0.5, False), (0.499, True), (0.01, True)])
def test_a_short_limit_is_too_coarse_to_be_quick(limit_s: float, expected: bool) -> None:
    """A tick of the kernel's timer, up to 10 ms, must not outlast the work of the limit."""
    assert Limits(limit_s, needs(0.0), 3, ()).too_short_to_be_quick is expected


def test_the_backstop_is_beyond_all_that_a_process_may_take() -> None:
    """Its sum over loading and every input, each at four times the reference's limit."""
    limits = Limits(0.5, needs(*[0.5] * 50), 3, ())
    steps = [limits.load(traced=True), *limits.calls(range(50), traced=True)]
    assert sum(step.whole_cpu_s for step in steps) == pytest.approx(most_cpu_s(0.5, 50))


def test_a_suspect_gets_the_least_limit_and_costs_no_patience() -> None:
    """What has timed out before is only confirmed; that says nothing about the others."""
    limits = Limits(0.5, needs(0.0, 0.03, 0.0), 1, (0, 1))
    assert (limits.now_s(0), limits.now_s(1), limits.now_s(2)) == (LEAST_S, 0.3, 0.5)
    assert limits.count_timeout(0)
    assert limits.now_s(2) == 0.5
    assert not limits.count_timeout(2)
    assert limits.now_s(2) == 0.25
    assert limits.count_timeout(2)
