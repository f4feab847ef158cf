"""The one bisection: where a condition that changes once on the way from one number to another changes.

Examples
--------
>>> holds, fails = boundary(lambda x: x * x <= 2, 0.0, 2.0)
>>> holds * holds <= 2 < fails * fails
True
>>> boundary(lambda x: x * x <= 200, 0, 100, middle=floored)
(14, 15)
"""

from __future__ import annotations

import math
from collections.abc import Callable

Middle = Callable[[float, float], float]


def arithmetic(a: float, b: float) -> float:
    """The mean, which never overflows."""
    return a / 2 + b / 2


def geometric(a: float, b: float) -> float:
    """The mean of two positive numbers that may differ by orders of magnitude."""
    return math.sqrt(a) * math.sqrt(b)


def floored(a: float, b: float) -> float:
    """The whole number in the middle of two, however large: Python's integers stay what they are."""
    return (a + b) // 2


def boundary(
    holds: Callable[[float], bool],
    inside: float,
    outside: float,
    *,
    relative: float = 0.0,
    steps: int = 2200,
    middle: Middle = arithmetic,
) -> tuple[float, float]:
    """Narrow the place where ``holds`` turns false, between a number where it holds and one where it does not.

    Parameters
    ----------
    holds : callable
        Neither end is asked. Where it changes more than once, some change is found.
    inside, outside : float
        In either order.
    relative : float
        Stop when the two are as close, relative to the larger in absolute value; 0 stops at neighbouring numbers.
    steps : int
        At most as many halvings; as given, all that floats allow.
    middle : callable
        `arithmetic`, `geometric` for positive numbers, or `floored` for integers.

    Returns
    -------
    (float, float)
        The last number at which it held, or ``inside``; the last at which it did not, or ``outside``. So a bound
        that is taken from the first is on the safe side, whatever ``relative`` is.
    """
    for _ in range(steps):
        between = middle(inside, outside)
        close = relative > 0 and abs(outside - inside) <= relative * max(abs(inside), abs(outside))
        if close or not min(inside, outside) < between < max(inside, outside):
            break
        if holds(between):
            inside = between
        else:
            outside = between
    return inside, outside
