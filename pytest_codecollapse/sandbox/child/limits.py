"""How much CPU time an input gets, and less when a program keeps timing out.

An input's full limit is that of the run, or ``FULL_FACTOR`` times what the reference needed for
it where that is more: a program is not late where the right answer takes as long. When a program
has used up its patience, a number of timeouts, its limit is halved with each further one, down to
``LEAST_FACTOR`` times what the reference needed: so fifty endless loops cost little more than
three, and every input is still tried. An input on which the program has timed out before, under
the other seed, is a suspect and gets the lowest limit from the start.
"""

from typing import Iterable, Optional, Sequence

FULL_FACTOR = 4
LEAST_FACTOR = 10
LEAST_S = 0.020


class Limits:
    """The limits of one program, as it times out.

    Parameters
    ----------
    limit_s
        CPU time for loading, and for each input.
    reference_cpu_s
        What the reference needed for each input; None for the reference itself.
    patience
        Number of timeouts under the full limit.
    suspects
        Inputs that have timed out before.
    """

    def __init__(
        self,
        limit_s: float,
        reference_cpu_s: Optional[Sequence[float]],
        patience: int,
        suspects: Iterable[int],
    ) -> None:
        self.load_s = limit_s
        self._reference_cpu_s = reference_cpu_s
        self._patience = patience
        self._suspects = frozenset(suspects)
        self._timeouts = 0

    def full_s(self, index: int) -> float:
        """Return the full limit of an input."""
        return max(self.load_s, FULL_FACTOR * self._needed_s(index))

    def now_s(self, index: int) -> float:
        """Return the limit of an input after the timeouts so far."""
        full = self.full_s(index)
        least = min(full, max(LEAST_S, LEAST_FACTOR * self._needed_s(index)))
        if index in self._suspects:
            return least
        halvings = max(0, self._timeouts - self._patience + 1)
        return max(full * 0.5**halvings, least)

    def count_timeout(self, index: int) -> bool:
        """Take note of a timeout; whether it came under less than the full limit."""
        is_shrunk = self.now_s(index) < self.full_s(index)
        self._timeouts += index not in self._suspects
        return is_shrunk

    def _needed_s(self, index: int) -> float:
        return 0.0 if self._reference_cpu_s is None else self._reference_cpu_s[index]
