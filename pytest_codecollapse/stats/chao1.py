"""Chao1: how many classes there are, those not yet seen included."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pytest_codecollapse.stats.sizes import count_candidates


def chao1(sizes: Sequence[int]) -> Fraction | None:
    """Return the bias-corrected Chao1 estimate of the number of classes.

    S + (n−1)/n · f1(f1−1) / (2(f2+1)), with S the number of classes seen, f1 of those with one
    candidate and f2 of those with two [1]_.

    Parameters
    ----------
    sizes
        Number of candidates per class, in any order.

    Returns
    -------
    Fraction or None
        At least the number of classes seen; None where there is none.

    Raises
    ------
    ValueError
        If a size is below 1.

    References
    ----------
    .. [1] Chao, A. (2005). Species estimation and applications. In Encyclopedia of Statistical
       Sciences, 2nd ed., vol. 12, 7907-7916. Wiley.

    Examples
    --------
    >>> chao1([5, 3, 2, 1, 1])
    Fraction(131, 24)
    """
    n = count_candidates(sizes)
    if n == 0:
        return None
    singletons = sum(size == 1 for size in sizes)
    doubletons = sum(size == 2 for size in sizes)
    unseen = Fraction((n - 1) * singletons * (singletons - 1), n * 2 * (doubletons + 1))
    return len(sizes) + unseen
