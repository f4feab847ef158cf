"""Outward rounding and the checks that every number of a loss goes through.

Sums of losses are made exactly, with rationals, and rounded towards +infinity once: a total is never below
the true one and is off by at most one unit in the last place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from dpframe.errors import SpecError
from dpframe.proof.spaces.checks import scalar, shown, validator

FloatArray = NDArray[np.float64]
T = TypeVar("T")

U = 2.0**-53
"""Unit round-off of float64."""

FLOOR = 1e-300
"""What a positive loss is at least reported as: below it relative margins of round-off fail."""


class LossError(SpecError, ValueError):
    """A loss, an event or a budget was given a value it cannot have."""


def round_up(value: Fraction) -> float:
    """Smallest float64 that is at least the rational ``value``."""
    return ratio_up(value.numerator, value.denominator)


def ratio_up(numerator: int, denominator: int) -> float:
    """Smallest float64 that is at least the quotient, which need not be in lowest terms."""
    try:
        nearest = numerator / denominator  # Python rounds a quotient of integers correctly
    except OverflowError:
        return math.inf
    n, d = nearest.as_integer_ratio()
    return math.nextafter(nearest, math.inf) if n * denominator < numerator * d else nearest


def half_square_up(value: float) -> float:
    """Smallest float64 that is at least half the square: zCDP of noise whose sensitivity over scale this is."""
    if math.isinf(value):
        return value
    n, d = value.as_integer_ratio()
    return ratio_up(n * n, 2 * d * d)


def sum_up(terms: Iterable[tuple[float, int]]) -> float:
    """Sum of ``value * times`` over non-negative terms, exact and then rounded up.

    Examples
    --------
    >>> sum_up([(0.5, 2), (0.25, 4)])
    2.0
    >>> sum_up([(0.1, 3)]) > 0.1 * 2.9999999999999996
    True
    """
    exact = exact_sum(terms)
    return math.inf if exact is None else ratio_up(*exact)


def exact_sum(terms: Iterable[tuple[float, int]], power: int = 1) -> tuple[int, int] | None:
    """Exact sum of ``value ** power * times`` as a quotient; None where it is infinite.

    Denominators of floats are powers of two, so that numerators of one denominator add as they are and the largest
    denominator is a common one.
    """
    numerators: dict[int, int] = {}
    for value, times in terms:
        if math.isinf(value):
            return None
        n, d = value.as_integer_ratio()
        numerators[d] = numerators.get(d, 0) + n**power * times
    common = max(numerators, default=1)
    return sum(n * (common // d) ** power for d, n in numerators.items()), common**power


def sqrt_up(value: Fraction) -> float:
    """Smallest float64 known to be at least the square root of ``value``; exact for squares of floats.

    Examples
    --------
    >>> sqrt_up(Fraction(25)), sqrt_up(Fraction(2)) >= 2**0.5
    (5.0, True)
    """
    shift = max(0, 64 + (value.denominator.bit_length() - value.numerator.bit_length()) // 2)
    scaled = value * 4**shift
    root = math.isqrt(math.ceil(scaled))
    return round_up(Fraction(root if root * root >= scaled else root + 1, 2**shift))


def up(value: float, ulps: int = 4) -> float:
    """Move a computed non-negative bound up by a few relative units of round-off."""
    return value * (1 + 2 * ulps * U) if math.isfinite(value) else value


LARGEST = 2**1000
"""Largest integer of a loss: it and its products with what is not huge fit a float."""


def floored(value: float) -> float:
    """At least ``FLOOR``: for a positive loss whose computed bound may have underflowed."""
    return max(value, FLOOR)


def real(value: Any) -> float:
    """Convert to float whatever is a real number, NumPy's too; booleans, strings and nan are not."""
    value = scalar(value)
    if isinstance(value, bool) or not isinstance(value, (int, float, np.floating)):
        raise LossError(f"expected a number, got {shown(value)}")
    try:
        converted = float(value)
    except OverflowError:
        raise LossError("expected a number that fits a float") from None
    if math.isnan(converted):
        raise LossError("expected a number, got nan")
    return converted + 0.0  # -0.0 becomes 0.0, so that equal losses are equal in JSON


def power(base: T, times: int, multiply: Callable[[T, T], T]) -> T:
    """Product of ``times >= 1`` equal factors by repeated squaring."""
    result = base
    for bit in bin(times)[3:]:
        result = multiply(result, result)
        if bit == "1":
            result = multiply(result, base)
    return result


def number(value: Any, name: str) -> float:
    """Check that an argument is a non-negative number, possibly infinite, and return it as a float."""
    converted = real(value)
    if converted < 0:
        raise LossError(f"{name} must not be negative, got {converted!r}")
    return converted


nonnegative = validator(lambda v: v >= 0, "0 or more", error=LossError)
finite = validator(lambda v: 0 <= v < math.inf, "non-negative and finite", error=LossError)
spendable = validator(
    lambda v: FLOOR <= v < math.inf, "at least 1e-300 and finite", "give a positive number, as 1.0", LossError
)
probability = validator(
    lambda v: 0 < v < 1, "strictly between 0 and 1", "give one well below 1/n; pure_dp is for 0", LossError
)
"""Attrs validators of numbers that :func:`real` and :func:`whole` have read."""


def whole(value: Any) -> int:
    """Convert to int whatever is a non-negative integer; booleans and integral floats are not."""
    value = scalar(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise LossError(f"expected a non-negative integer, got {shown(value)}")
    return int(value)


def check_orders(orders: object) -> FloatArray:
    """Return Rényi orders as a float array; all must be finite and above 1."""
    array = np.atleast_1d(np.asarray(orders, dtype=np.float64))
    if array.ndim != 1 or not bool(np.all(np.isfinite(array) & (array > 1))):
        raise LossError("Rényi orders must be a vector of finite numbers above 1")
    return array
