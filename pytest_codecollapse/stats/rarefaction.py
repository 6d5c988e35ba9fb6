"""E[D_k]: the expected number of distinct classes among k drawn candidates."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

from pytest_codecollapse.stats.sizes import count_candidates


def expected_distinct(sizes: Sequence[int], k: int, *, n: int | None = None) -> Fraction | None:
    """Return the expected number of these classes met by k draws without replacement.

    E[D_k] = Σ_i 1 − C(n−n_i, k) / C(n, k), Hurlbert's rarefaction [1]_.

    Parameters
    ----------
    sizes
        Number of candidates n_i per class, in any order. All classes for E[D_k]; the incorrect
        ones, with `n`, for E[W_k]; the AST classes of the correct candidates for E[A_k].
    k
        Number of candidates drawn.
    n
        Number of candidates drawn from, where some of them are in none of the classes. Default:
        the sum of the sizes.

    Returns
    -------
    Fraction or None
        In [0, min(k, number of classes)], and at least 1 where the classes hold every candidate;
        None where it is not defined, n = 0 or k > n.

    Raises
    ------
    ValueError
        If a size or k is below 1, or if `n` is less than the sum of the sizes.

    References
    ----------
    .. [1] Hurlbert, S. H. (1971). The nonconcept of species diversity: a critique and
       alternative parameters. Ecology 52(4), 577-586.

    Examples
    --------
    >>> expected_distinct([5, 3, 2, 1, 1], 2)
    Fraction(59, 33)
    >>> expected_distinct([3, 2, 1, 1], 2, n=12)
    Fraction(73, 66)
    """
    in_classes = count_candidates(sizes)
    n = in_classes if n is None else n
    if n < in_classes:
        raise ValueError(f"expected n >= the sum of the sizes (got n={n}, sizes={list(sizes)})")
    if k < 1:
        raise ValueError(f"expected k >= 1 (got k={k})")
    if k > n:
        return None
    subsets = comb(n, k)
    missed = sum(comb(n - size, k) for size in sizes)
    return Fraction(len(sizes) * subsets - missed, subsets)
