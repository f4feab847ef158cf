"""Arithmetic of exact integers: int64 where that provably suffices, Python integers in an object array elsewhere.

Noise is added here and nowhere else. An exact value may reach any size, and so may a draw; which of the two types holds
a sum is decided by the sizes at hand, private ones included, so it must not show: every function gives the same
integers in both types, and :func:`to_floats` the same floats, correctly rounded.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[Any]
"""Integers exactly: int64, or Python integers in an object array."""

ROOM = 2**63 - 1
_POWERS = 900
"""Steps 2^e with ``|e|`` up to this scale an int64 without a second rounding."""


def whole(values: Any) -> Integers:
    """Integers of any type as int64, or as Python integers where int64 may not hold them."""
    if not isinstance(values, (np.ndarray, np.generic)):  # NumPy would make floats of 2^63 beside −1
        found = wide(np.asarray(values, dtype=object))
        return found.astype(np.int64) if all(-ROOM <= v <= ROOM for v in found.flat) else found
    array = np.asarray(values)
    if array.dtype == np.int64:
        return array
    narrow = array.dtype.kind in "bi" or (array.dtype.kind == "u" and array.dtype.itemsize < 8)
    return array.astype(np.int64) if narrow else wide(array)


def wide(values: Any) -> Integers:
    """Python integers in an object array; NumPy's own scalars inside one would wrap."""
    array = np.asarray(values)
    out = np.empty(array.size, dtype=object)
    out[:] = [int(v) for v in array.ravel().tolist()]
    return out.reshape(array.shape)


def reach(values: Integers) -> int:
    """The largest magnitude in an int64 array."""
    if not values.size:
        return 0
    return max(int(np.maximum.reduce(values, axis=None)), -int(np.minimum.reduce(values, axis=None)))


def add(values: Any, noise: Any) -> Integers:
    """The exact sum of integers, broadcast.

    Notes
    -----
    In int64 only if the largest magnitudes of both sides add up to at most 2^63 − 1: then no entry can wrap.

    Formal guarantees
    -----------------
    ``add(q, z) − add(q', z) = q − q'`` in integers, for all q, q', z of any size: for the same noise, what neighbours
    release differs by their distance and no more. That is what the theorems on added noise presuppose.

    Examples
    --------
    >>> add(np.array([2**63 - 1]), np.array([1]))
    array([9223372036854775808], dtype=object)
    >>> add(np.array([2**62]), np.array([-1]))
    array([4611686018427387903])
    """
    a, b = whole(values), whole(noise)
    if object not in {a.dtype, b.dtype} and reach(a) + reach(b) <= ROOM:
        return np.asarray(a + b)
    return np.asarray(wide(a) + wide(b), dtype=object)


def times(values: Any, factor: int) -> Integers:
    """The exact product of integers with one."""
    array = whole(values)
    if array.dtype != object and reach(array) * abs(factor) <= ROOM and abs(factor) <= ROOM:
        return np.asarray(array * factor)
    return np.asarray(wide(array) * factor, dtype=object)


def at_most(values: Any, bound: int) -> Integers:
    """min(value, bound), entry by entry, for a bound of any size.

    Examples
    --------
    >>> at_most(np.array([3, -7]), 2**80)
    array([ 3, -7])
    """
    array = whole(values)
    if array.dtype != object and bound >= reach(array):
        return array.copy()
    if array.dtype != object and abs(bound) <= ROOM:
        return np.minimum(array, bound)
    return np.asarray(np.minimum(wide(array), bound), dtype=object)


def to_floats(integers: Any, step: Fraction) -> npt.NDArray[np.float64]:
    """``integers``·``step`` rounded to float64 once; what is beyond is held at the largest float64.

    Only for integers that are released: then rounding is free. The same bits for int64 and Python integers, so that
    the type, which depends on the exact value, is not released with them.

    Examples
    --------
    >>> to_floats(np.array([3, -(2**2000)], dtype=object), Fraction(1, 3))
    array([ 1.00000000e+000, -1.79769313e+308])
    """
    array = whole(integers)
    top, bottom = step.numerator, step.denominator
    dyadic = top & (top - 1) == 0 and bottom & (bottom - 1) == 0
    if array.dtype != object and dyadic and max(top, bottom).bit_length() <= _POWERS:
        return np.asarray(array.astype(np.float64) * float(step))
    flat = [_quotient(v * top, bottom) for v in array.ravel().tolist()]
    return np.array(flat, dtype=np.float64).reshape(array.shape)


def _quotient(top: int, bottom: int) -> float:
    """The nearest float64: Python divides integers with one rounding."""
    try:
        return top / bottom
    except OverflowError:
        return sys.float_info.max if top > 0 else -sys.float_info.max
