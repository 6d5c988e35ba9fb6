"""pass@k: the chance that at least one of k drawn candidates is correct."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb, fsum, prod


def _check_counts(n: int, c: int, k: int) -> None:
    if not 0 <= c <= n:
        raise ValueError(f"expected 0 <= c <= n (got n={n}, c={c})")
    if k < 1:
        raise ValueError(f"expected k >= 1 (got k={k})")


def _check_defined(n: int, c: int, k: int) -> None:
    _check_counts(n, c, k)
    if k > n:
        raise ValueError(f"pass@k is not defined for k > n (got n={n}, c={c}, k={k})")


def pass_at_k_exact(n: int, c: int, k: int) -> Fraction | None:
    """Return pass@k as an exact fraction.

    pass@k = 1 − C(n−c, k) / C(n, k), the share of the k-subsets of the candidates that hold a
    correct one: the unbiased estimator of [1]_.

    Parameters
    ----------
    n
        Number of candidates.
    c
        Number of correct candidates.
    k
        Number of candidates drawn, without replacement.

    Returns
    -------
    Fraction or None
        In [0, 1]; None where it is not defined, k > n.

    Raises
    ------
    ValueError
        If not 0 <= c <= n, or k < 1.

    References
    ----------
    .. [1] Chen, M. et al. (2021). Evaluating large language models trained on code.
       arXiv:2107.03374.

    Examples
    --------
    >>> pass_at_k_exact(12, 5, 2)
    Fraction(15, 22)
    """
    _check_counts(n, c, k)
    if k > n:
        return None
    return 1 - Fraction(comb(n - c, k), comb(n, k))


def pass_at_k(n: int, c: int, k: int) -> float:
    """Return pass@k as a float, by the product form, which neither overflows nor cancels.

    pass@k = 1 − ∏ (1 − k/i) over i from n−c+1 to n, and 1 where fewer than k candidates are
    incorrect [1]_.

    Parameters
    ----------
    n
        Number of candidates.
    c
        Number of correct candidates.
    k
        Number of candidates drawn, without replacement.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    ValueError
        If not 0 <= c <= n, k < 1, or k > n.

    References
    ----------
    .. [1] Chen, M. et al. (2021). Evaluating large language models trained on code.
       arXiv:2107.03374.

    Examples
    --------
    >>> round(pass_at_k(12, 1, 5), 12)
    0.416666666667
    """
    _check_defined(n, c, k)
    if n - c < k:
        return 1.0
    return 1.0 - prod(1.0 - k / i for i in range(n - c + 1, n + 1))


def mean_pass_at_k(ns: Sequence[int], cs: Sequence[int], k: int) -> float:
    """Return the mean of pass@k over problems, as a float.

    Parameters
    ----------
    ns
        Number of candidates per problem.
    cs
        Number of correct candidates per problem, in the same order.
    k
        Number of candidates drawn, without replacement.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    ValueError
        If there is no problem, if the lengths differ, or as `pass_at_k` for any problem.

    Examples
    --------
    >>> mean_pass_at_k([4, 4], [4, 0], 2)
    0.5
    """
    if len(ns) != len(cs):
        raise ValueError(f"expected as many ns as cs (got {len(ns)} ns, {len(cs)} cs)")
    if not ns:
        raise ValueError("expected at least one problem (got 0)")
    return fsum(pass_at_k(n, c, k) for n, c in zip(ns, cs)) / len(ns)


def naive_pass_at_k(n: int, c: int, k: int) -> float:
    """Return 1 − (1 − c/n)^k, the biased shortcut to pass@k, for comparison.

    It draws with replacement, so it never exceeds pass@k: it underestimates [1]_.

    Parameters
    ----------
    n
        Number of candidates.
    c
        Number of correct candidates.
    k
        Number of candidates drawn, with replacement.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    ValueError
        If not 0 <= c <= n, k < 1, or k > n, where it would give a figure that pass@k does not.

    References
    ----------
    .. [1] Chen, M. et al. (2021). Evaluating large language models trained on code.
       arXiv:2107.03374, appendix A.

    Examples
    --------
    >>> naive_pass_at_k(4, 2, 2)
    0.75
    """
    _check_defined(n, c, k)
    return 1.0 - (1.0 - c / n) ** k


def naive_pass_at_k_exact(n: int, c: int, k: int) -> Fraction | None:
    """Return 1 − (1 − c/n)^k as an exact fraction; see `naive_pass_at_k`.

    Parameters
    ----------
    n
        Number of candidates.
    c
        Number of correct candidates.
    k
        Number of candidates drawn, with replacement.

    Returns
    -------
    Fraction or None
        In [0, 1]; None for k > n, where pass@k is not defined, and for no candidate.

    Raises
    ------
    ValueError
        If not 0 <= c <= n, or k < 1.

    Examples
    --------
    >>> naive_pass_at_k_exact(4, 2, 2)
    Fraction(3, 4)
    """
    _check_counts(n, c, k)
    if k > n:
        return None
    return 1 - Fraction(n - c, n) ** k
