"""Agreement of two ways to group the same candidates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from math import comb


def adjusted_rand_index(
    labels_a: Sequence[Hashable], labels_b: Sequence[Hashable]
) -> Fraction | None:
    """Return the adjusted Rand index of two groupings.

    (s − ab/N) / ((a+b)/2 − ab/N), where N is the number of pairs of candidates, and a, b and s
    those of pairs put together by the first grouping, by the second, and by both [1]_.

    Parameters
    ----------
    labels_a, labels_b
        One label per candidate, in the same order. Only their equality counts.

    Returns
    -------
    Fraction or None
        1 where the groupings are the same, 0 expected by chance, negative where they agree less
        than that. 1 too where the formula is 0/0: both are one class, or both put every
        candidate by itself. None where there is no candidate.

    Raises
    ------
    ValueError
        If the lengths differ.

    References
    ----------
    .. [1] Hubert, L. and Arabie, P. (1985). Comparing partitions. Journal of Classification 2,
       193-218.

    Examples
    --------
    >>> adjusted_rand_index("aabb", "xxyy")
    Fraction(1, 1)
    >>> adjusted_rand_index("aabb", "xxyz")
    Fraction(4, 7)
    """
    n = len(labels_a)
    if n != len(labels_b):
        raise ValueError(f"expected as many labels in both (got {n} and {len(labels_b)})")
    if n == 0:
        return None
    pairs = comb(n, 2)
    in_a, in_b = _pairs_together(labels_a), _pairs_together(labels_b)
    in_both = _pairs_together(list(zip(labels_a, labels_b)))
    by_chance = 2 * in_a * in_b
    most = (in_a + in_b) * pairs
    if most == by_chance:
        return Fraction(1)
    return Fraction(2 * in_both * pairs - by_chance, most - by_chance)


def _pairs_together(labels: Sequence[Hashable]) -> int:
    return sum(comb(size, 2) for size in Counter(labels).values())
