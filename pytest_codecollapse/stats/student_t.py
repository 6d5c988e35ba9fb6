"""Critical values of Student's t, which the standard library does not have."""

from __future__ import annotations

from math import cos, pi, sin, sqrt, tan


def student_t_critical(confidence: float, df: int) -> float:
    """Return the t with P(|T| <= t) = confidence, the quantile of level (1 + confidence)/2.

    With t = √df·tan θ, the probability is a finite series in sin θ and cos θ [1]_. θ is found by
    bisection down to neighbouring floats, in time proportional to `df`.

    Parameters
    ----------
    confidence
        Two-sided probability, in (0, 1).
    df
        Degrees of freedom, at least 1.

    Returns
    -------
    float
        Positive; falls towards the normal quantile as `df` grows.

    Raises
    ------
    ValueError
        If confidence is not in (0, 1), or df is below 1.

    References
    ----------
    .. [1] Abramowitz, M. and Stegun, I. A. (1972). Handbook of mathematical functions,
       26.7.3 and 26.7.4.

    Examples
    --------
    >>> round(student_t_critical(0.95, 7), 9)
    2.364624252
    """
    if not 0 < confidence < 1:
        raise ValueError(f"expected 0 < confidence < 1 (got {confidence})")
    if df < 1:
        raise ValueError(f"expected df >= 1 (got df={df})")
    low, high = 0.0, pi / 2
    middle = high / 2
    while low < middle < high:
        if _central_probability(middle, df) < confidence:
            low = middle
        else:
            high = middle
        middle = (low + high) / 2
    return sqrt(df) * tan(middle)


def _central_probability(theta: float, df: int) -> float:
    """P(|T| <= √df·tan θ); the series is summed from its last term inwards."""
    if df == 1:
        return 2 / pi * theta
    cos_squared = cos(theta) ** 2
    series = 1.0
    for i in range(df - 2, 1, -2):
        series = 1.0 + (i - 1) / i * cos_squared * series
    if df % 2 == 0:
        return sin(theta) * series
    return 2 / pi * (theta + sin(theta) * cos(theta) * series)
