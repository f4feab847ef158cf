"""What no method within a budget can do with so few rows: said beside a poor or failed result."""

from __future__ import annotations

import math


def nearest(dimension: int, rows: float, rho: float) -> float:
    """Least root mean square distance, in deviations, of a component's mean from so many rows.

    Of any ρ-zCDP or √(2ρ)-GDP method under replace-one, on a mean that may be anywhere, even if it is told which rows
    are the component's and their covariance (``docs/theory/least-rows.md``).

    References
    ----------
    Cai, Wang, Zhang (2021): the score attack.

    Examples
    --------
    >>> [round(nearest(d, 300, 0.028), 3) for d in (1, 10, 64)]
    [0.058, 0.183, 0.889]
    >>> nearest(10, 1e9, 0.028) == (10 / 1e9) ** 0.5
    True
    """
    rows = max(rows, 1.0)
    private = dimension / (rows * math.sqrt(math.expm1(min(2.0 * rho, 700.0))))
    return max(private, math.sqrt(dimension / rows))


def words(nearest_mean: float) -> str:
    """The bound in words, nothing where there is none.

    Examples
    --------
    >>> words(0.0)
    ''
    >>> words(1.25)[:74]
    '; with so few rows a component no method within this budget has its mean w'
    """
    if not nearest_mean > 0.0:
        return ""
    if nearest_mean < 1.0:
        return f"; no method within this budget has means of so few rows nearer than {nearest_mean:.2g} deviations"
    return (
        "; with so few rows a component no method within this budget has its mean within one deviation: its error is "
        f"at least {nearest_mean:.2g} (score attack, docs/theory/least-rows.md)"
    )
