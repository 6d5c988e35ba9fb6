"""Hill numbers: the effective number of classes, by how much rare classes weigh."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from pytest_codecollapse.stats.sizes import count_candidates


def hill_number(sizes: Sequence[int], q: int) -> Fraction | float | None:
    """Return the Hill number of order q: how many equally large classes would be as diverse.

    With p_i = n_i/n: the number of classes for q = 0, exp(−Σ p_i ln p_i) for q = 1 (exponential
    of Shannon's entropy), 1 / Σ p_i² for q = 2 (inverse Simpson) [1]_.

    Parameters
    ----------
    sizes
        Number of candidates n_i per class, in any order.
    q
        The order: 0, 1 or 2. The higher, the less a rare class counts.

    Returns
    -------
    Fraction, float or None
        In [1, number of classes], not rising with q; None where there is no class. A Fraction
        for q = 0 and 2; for q = 1, which is irrational, the nearest float.

    Raises
    ------
    ValueError
        If a size is below 1, or q is not 0, 1 or 2.

    References
    ----------
    .. [1] Hill, M. O. (1973). Diversity and evenness: a unifying notation and its consequences.
       Ecology 54(2), 427-432.

    Examples
    --------
    >>> hill_number([4, 4, 4], 1)
    3.0
    >>> hill_number([5, 3, 2, 1, 1], 2)
    Fraction(18, 5)
    """
    n = count_candidates(sizes)
    if q not in (0, 1, 2):
        raise ValueError(f"expected q to be 0, 1 or 2 (got q={q})")
    if n == 0:
        return None
    if q == 0:
        return Fraction(len(sizes))
    if q == 1:
        return _exp_shannon(sizes, n)
    return Fraction(n * n, sum(size * size for size in sizes))


def _exp_shannon(sizes: Sequence[int], n: int) -> float:
    # −Σ p ln p = ln n − Σ n_i ln n_i / n. Fifty digits leave the float correctly rounded, and so
    # the same on every platform, which the C library's log and exp do not promise.
    context = Context(prec=50, rounding=ROUND_HALF_EVEN)
    weighted = Decimal(0)
    for size in sorted(sizes):
        weighted = context.fma(Decimal(size), context.ln(Decimal(size)), weighted)
    entropy = context.subtract(context.ln(Decimal(n)), context.divide(weighted, Decimal(n)))
    return float(context.exp(entropy))
