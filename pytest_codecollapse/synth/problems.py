"""The reference problems that corpora are planted in, written by hand.

Each ``input_gen`` starts with the inputs that tell the problem's mutations apart, so that a handful
of inputs is enough to see every one of them.
"""

from __future__ import annotations

import msgspec

from pytest_codecollapse.synth.mutate import Mutation


class ReferenceProblem(msgspec.Struct, frozen=True, kw_only=True):
    """A problem with a known answer and known ways to get it wrong.

    ``name`` is problem id and entry point. ``summary`` is one line on what is asked for.
    """

    name: str
    summary: str
    reference: str
    input_gen: str
    mutations: tuple[Mutation, ...]

    @property
    def prompt(self) -> str:
        """What a model would be asked to complete: the signature and a docstring."""
        signature = self.reference.partition("\n")[0]
        return f'{signature}\n    """{self.summary}"""\n'


POSITIVE_SQUARES = ReferenceProblem(
    name="positive_squares",
    summary="Return the squares of the positive numbers, in order; no numbers (None) give [].",
    reference="""\
def positive_squares(numbers):
    if numbers is None:
        return []
    return [number ** 2 for number in numbers if number > 0]
""",
    input_gen="""\
def generate(rng, m):
    edges = [([-2, 0, 1, 3],), (None,), ([],), ([0],), ([1],), ([-1, -1],)]
    drawn = [([rng.randint(-9, 9) for _ in range(rng.randint(0, 8))],) for _ in range(m)]
    return (edges + drawn)[:m]
""",
    mutations=(
        Mutation("off_by_one", "number > 0", "number > 1"),
        Mutation("off_by_one", "number > 0", "number >= 0"),
        Mutation("off_by_one", "number ** 2", "number ** 3"),
        Mutation("flipped_comparator", "number > 0", "number < 0"),
        Mutation("flipped_comparator", "number > 0", "number <= 0"),
        Mutation("dropped_guard", "number > 0"),
        Mutation("dropped_guard", "numbers is None"),
    ),
)

WINDOW_SUMS = ReferenceProblem(
    name="window_sums",
    summary="Return the sum of every run of size neighbours; a size below 1 has no runs.",
    reference="""\
def window_sums(numbers, size):
    if size < 1:
        return []
    sums = []
    for start in range(len(numbers) - size + 1):
        total = 0
        for number in numbers[start:start + size]:
            total += number
        sums.append(total)
    return sums
""",
    input_gen="""\
def generate(rng, m):
    edges = [([1, 2, 4, 8], 2), ([3, 5], 1), ([3, 5], 0), ([], 1), ([2, 7], 3), ([1, 2, 3], -1)]
    drawn = [
        ([rng.randint(-9, 9) for _ in range(rng.randint(0, 8))], rng.randint(-1, 5))
        for _ in range(m)
    ]
    return (edges + drawn)[:m]
""",
    mutations=(
        Mutation("off_by_one", "len(numbers) - size + 1", "len(numbers) - size"),
        Mutation("off_by_one", "len(numbers) - size + 1", "len(numbers) - size + 2"),
        Mutation("off_by_one", "start + size", "start + size - 1"),
        Mutation("off_by_one", "start + size", "start + size + 1"),
        Mutation("off_by_one", "size < 1", "size <= 1"),
        Mutation("flipped_comparator", "size < 1", "size > 1"),
        Mutation("flipped_comparator", "size < 1", "size >= 1"),
        Mutation("dropped_guard", "size < 1"),
    ),
)

COUNT_IN_RANGE = ReferenceProblem(
    name="count_in_range",
    summary="Count the values from low to high, both included; ValueError if low is above high.",
    reference="""\
def count_in_range(values, low, high):
    if low > high:
        raise ValueError('low is above high')
    count = 0
    for value in values:
        if low <= value <= high:
            count += 1
    return count
""",
    input_gen="""\
def generate(rng, m):
    edges = [
        ([1, 2, 2, 3, 5, 5, 5, 6, 6, 9], 2, 5),
        ([4, 4], 5, 3),
        ([4, 4, 7], 4, 4),
        ([], 0, 1),
        ([3], 1, 5),
    ]
    drawn = [
        (
            [rng.randint(-9, 9) for _ in range(rng.randint(0, 12))],
            rng.randint(-9, 3),
            rng.randint(-3, 9),
        )
        for _ in range(m)
    ]
    return (edges + drawn)[:m]
""",
    mutations=(
        Mutation("off_by_one", "low <= value <= high", "low <= value <= high + 1"),
        Mutation("off_by_one", "low <= value <= high", "low - 1 <= value <= high"),
        Mutation("off_by_one", "low <= value <= high", "low < value <= high"),
        Mutation("off_by_one", "low <= value <= high", "low <= value < high"),
        Mutation("flipped_comparator", "low <= value <= high", "low >= value >= high"),
        Mutation("flipped_comparator", "low > high", "low < high"),
        Mutation("dropped_guard", "low <= value <= high"),
        Mutation("dropped_guard", "low > high"),
    ),
)

SAFE_RATIO = ReferenceProblem(
    name="safe_ratio",
    summary="Return part / whole, at most cap; 0.0 where whole is not positive.",
    reference="""\
def safe_ratio(part, whole, cap):
    if whole <= 0:
        return 0.0
    ratio = part / whole
    if ratio > cap:
        return cap
    return ratio
""",
    input_gen="""\
def generate(rng, m):
    edges = [(3, 4, 1), (3, 0, 1), (3, -4, 1), (9, 4, 1), (1, 1, 2), (0, 5, 1)]
    drawn = [(rng.randint(-9, 9), rng.randint(-2, 6), rng.randint(0, 3)) for _ in range(m)]
    return (edges + drawn)[:m]
""",
    mutations=(
        Mutation("off_by_one", "whole <= 0", "whole <= 1"),
        Mutation("off_by_one", "part / whole", "part / (whole + 1)"),
        Mutation("off_by_one", "whole <= 0", "whole < 0"),
        Mutation("flipped_comparator", "whole <= 0", "whole >= 0"),
        Mutation("flipped_comparator", "ratio > cap", "ratio < cap"),
        Mutation("dropped_guard", "whole <= 0"),
        Mutation("dropped_guard", "ratio > cap"),
    ),
)

#: The reference problems, in the order of a corpus.
PROBLEMS = (POSITIVE_SQUARES, WINDOW_SUMS, COUNT_IN_RANGE, SAFE_RATIO)
