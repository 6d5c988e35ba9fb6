"""The one check that every statistic over class sizes makes of its input."""

from __future__ import annotations

from collections.abc import Sequence


def count_candidates(sizes: Sequence[int]) -> int:
    """Return n, the number of candidates in classes of these sizes.

    Parameters
    ----------
    sizes
        Number of candidates per class, in any order.

    Returns
    -------
    int
        The sum of the sizes; 0 where there is no class.

    Raises
    ------
    ValueError
        If a size is below 1: an empty class would count as one more behaviour.

    Examples
    --------
    >>> count_candidates([5, 3, 2, 1, 1])
    12
    """
    if any(size < 1 for size in sizes):
        raise ValueError(f"class sizes must be at least 1 (got {list(sizes)})")
    return sum(sizes)
