"""How much work an input gets, and less when a program keeps timing out.

Theory of operation
-------------------
A limit is written in seconds and kept in *work*, because a clock gives other verdicts on a busy
machine: ten million lines of Python, as trace events count them, are a second of work, which is
about what they take. Tracing is slow, so a program runs untraced first; ``QUICK_SHARE`` of its
limit in CPU time is so little that nothing which ends within it can have used up the work. What
does not end in it is *slow*, and starts again, traced, at the input that was. So whether a Python
loop is in time does not depend on how fast the machine is at that moment. Under limits below
``LEAST_QUICK_S``, where a tick of the kernel's timer is too coarse for that, all is traced.

What no event counts, a call of C code, has only CPU time to be judged by: the work is divided into
``PARTS``, and each has ``C_FACTOR`` times the limit, so all of it has ten times what its lines are
expected to take, and lines are judged by their number on a slow machine, too. Timers count ticks of
up to 10 ms, and whoever runs at a tick is charged all of it: of a very short limit a part has
``LEAST_PART_S``, which is many ticks.

An input's full limit is that of the run, or ``FULL_FACTOR`` times what the reference needed for
it where that is more: a program is not late where the right answer takes as long. When a program
has used up its patience, a number of timeouts, its limit is halved with each further one, down to
``LEAST_FACTOR`` times what the reference needed: so fifty endless loops cost little more than
three, and every input is still tried. An input on which the program has timed out before, under
the other seed, is a suspect and gets the lowest limit from the start.
"""

from typing import Dict, List, NamedTuple, Optional, Sequence

EVENTS_PER_S = 10_000_000
QUICK_SHARE = 0.02
LEAST_QUICK_S = 0.5
PARTS = 8
C_FACTOR = 1.5
LEAST_PART_S = 0.1
BLOCKED_FACTOR = 10
LOAD_FACTOR = 2
FULL_FACTOR = 4
LEAST_FACTOR = 10
LEAST_S = 0.020


class Allowance(NamedTuple):
    """What one step of a program, its loading or one call, may take.

    ``blocked_s`` is time spent neither running nor waiting for a processor. ``events`` are trace
    events in each of ``PARTS`` parts, which have ``cpu_s`` of CPU time each, and ``whole_cpu_s``
    together; or 0 for no tracing, and ``cpu_s`` is for the whole step.
    """

    cpu_s: float
    whole_cpu_s: float
    blocked_s: float
    events: int

    @property
    def work_s(self) -> float:
        """The step's limit as work; what reaches it has used CPU time in proportion."""
        return PARTS * self.events / EVENTS_PER_S if self.events else self.cpu_s


class Limits:
    """The limits of one program, as it times out.

    Parameters
    ----------
    limit_s
        Limit of each input, as work and in blocked time.
    needed
        What the reference needed, by input: ``events`` and ``cpu_ns``; None for itself.
    patience
        Number of timeouts under the full limit.
    suspects
        Indices of inputs that have timed out before.
    """

    def __init__(
        self,
        limit_s: float,
        needed: Optional[Dict[str, List[int]]],
        patience: int,
        suspects: Sequence[int],
    ) -> None:
        self._limit_s = limit_s
        self._needed = needed
        self._patience = patience
        self._suspects = frozenset(suspects)
        self._timeouts = 0

    @property
    def too_short_to_be_quick(self) -> bool:
        """Whether a program is to be traced from the start."""
        return self._limit_s < LEAST_QUICK_S

    def load(self, traced: bool) -> Allowance:
        """Return what the program may take to load."""
        limit_s = LOAD_FACTOR * self._limit_s
        return _traced(limit_s, limit_s, LEAST_PART_S) if traced else _quick(limit_s, limit_s)

    def calls(self, indices: Sequence[int], traced: bool) -> List[Allowance]:
        """Return what the call on each input may take, after the timeouts so far."""
        if traced:
            return [self._traced_call(index) for index in indices]
        if self._timeouts or self._suspects:
            return [_quick(self._limit_s, self.now_s(index)) for index in indices]
        return [_quick(self._limit_s, self._limit_s)] * len(indices)

    def _traced_call(self, index: int) -> Allowance:
        now_s = self.now_s(index)
        needed_s = 0.0 if self._needed is None else self._needed["cpu_ns"][index] / 1e9
        least_s = LEAST_PART_S if now_s == self._full_s(index) else 0.0
        return _traced(now_s, max(now_s, FULL_FACTOR * needed_s), least_s)

    def now_s(self, index: int) -> float:
        """Return the limit of an input, after the timeouts so far."""
        full_s = self._full_s(index)
        least_s = min(full_s, max(LEAST_S, LEAST_FACTOR * self._needed_work_s(index)))
        if index in self._suspects:
            return least_s
        halvings = max(0, self._timeouts - self._patience + 1)
        return max(full_s * 0.5**halvings, least_s)

    def count_timeout(self, index: int) -> bool:
        """Take note of a timeout; whether it came under less than the full limit."""
        is_shrunk = self.now_s(index) < self._full_s(index)
        self._timeouts += index not in self._suspects
        return is_shrunk

    def _full_s(self, index: int) -> float:
        return max(self._limit_s, FULL_FACTOR * self._needed_work_s(index))

    def _needed_work_s(self, index: int) -> float:
        return 0.0 if self._needed is None else self._needed["events"][index] / EVENTS_PER_S


def most_cpu_s(limit_s: float, inputs: int) -> float:
    """Return the CPU time of a process that takes all it may for loading and on each input."""
    return PARTS * C_FACTOR * limit_s * (LOAD_FACTOR + FULL_FACTOR * inputs)


def _quick(limit_s: float, blocked_s: float) -> Allowance:
    cpu_s = QUICK_SHARE * limit_s
    return Allowance(cpu_s, cpu_s, BLOCKED_FACTOR * blocked_s, 0)


def _traced(limit_s: float, cpu_limit_s: float, least_part_s: float) -> Allowance:
    part_s = C_FACTOR * cpu_limit_s
    events = int(EVENTS_PER_S * limit_s) // PARTS
    return Allowance(max(part_s, least_part_s), PARTS * part_s, BLOCKED_FACTOR * limit_s, events)
