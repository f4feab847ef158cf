r"""Exact decisions in integers: whether a uniform number is below ``c * exp(-t)``.

The vectorised samplers settle almost every comparison in float64, where a rigorous error bound leaves no
doubt. This module settles the rest, with as many random bits and as much precision as a case needs. Nothing
here uses floating point.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import final

from dpframe.kernel.noise.sources import Source

Bounds = tuple[Fraction, Fraction]
"""Lower and upper bound of a number that is known in part."""

Exponent = Callable[[int], Bounds]
"""Bounds of a number from a number of digits; they tighten to it as the digits grow."""

SLACK = 2.0**-36
"""Distance from which a float64 comparison is believed.

The true error of every float64 comparison in this package is below 2^-39 if `exp` has a relative error of at
most 2^-45 (docs/theory/noise.md, section 3); the tests check 2^-48 against high precision.
"""


@final
class Bits:
    """The bits of a source as Python integers, for decisions made one at a time."""

    __slots__ = ("_left", "_source", "_value")

    def __init__(self, source: Source) -> None:
        self._source = source
        self._value = 0
        self._left = 0

    def take(self, count: int) -> int:
        """Return a uniform integer in [0, 2^count)."""
        missing = count - self._left
        if missing > 0:
            for word in self._source.words(-(-missing // 64)).tolist():
                self._value = self._value << 64 | word
                self._left += 64
        self._left -= count
        head = self._value >> self._left
        self._value &= (1 << self._left) - 1
        return head

    def zeros(self) -> int:
        """Return the number of 0 bits before the next 1: g with probability 2^-(g+1)."""
        count = 0
        while not self.take(1):
            count += 1
        return count


@final
class Uniform:
    """A uniform real number in [0, 1), of which only the bits asked for so far exist.

    Parameters
    ----------
    bits : Bits
        Where further bits come from.
    value, count : int
        The first `count` binary digits, already drawn, as an integer in [0, 2^count).
    """

    __slots__ = ("_bits", "_count", "_value")

    def __init__(self, bits: Bits, value: int = 0, count: int = 0) -> None:
        self._bits = bits
        self._value = value
        self._count = count

    def to(self, count: int) -> int:
        """Return floor(U * 2^count), drawing the digits that are missing."""
        missing = count - self._count
        if missing > 0:
            self._value = self._value << missing | self._bits.take(missing)
            self._count = count
        return self._value >> (self._count - count)


def below_exp(v: Uniform, coefficient: Fraction, exponent: Exponent) -> bool:
    r"""Decide :math:`V < c\,e^{-t}` exactly, for uniform real V.

    With p known digits :math:`V \in [a, a+1]/2^p`, and :math:`c\,e^{-t} \in [c\,l, c\,h]/2^p`. The comparison
    is settled once the intervals do not overlap, and otherwise repeated with 2p digits. It ends with
    probability 1, because :math:`P(V = c e^{-t}) = 0` and both intervals shrink to points.

    Parameters
    ----------
    v : Uniform
        The uniform number, perhaps partly drawn.
    coefficient : Fraction
        c, at least 0.
    exponent : callable
        Non-negative bounds of t.

    Returns
    -------
    bool
        Whether V is below; given t, true with probability min(1, c e^-t) over V.
    """
    digits = 64
    while True:
        low, high = exponent(digits)
        a = v.to(digits)
        if (a + 1) * coefficient.denominator <= coefficient.numerator * exp_bounds(high, digits)[0]:
            return True
        if a * coefficient.denominator >= coefficient.numerator * exp_bounds(low, digits)[1]:
            return False
        digits *= 2


def known(t: Fraction) -> Exponent:
    """Return the bounds of a number that is known exactly."""
    return lambda _: (t, t)


def exp_bounds(t: Fraction, digits: int) -> tuple[int, int]:
    r"""Bound :math:`2^p e^{-t}` between integers.

    Writes :math:`e^t = (e^{t/2^k})^{2^k}` with :math:`t/2^k < 1/8`, sums the Taylor series in fixed point and
    squares k times, once rounding everything down and once everything up.

    Parameters
    ----------
    t : Fraction
        At least 0.
    digits : int
        p, at least 1.

    Returns
    -------
    low, high : int
        With ``low <= 2**p * exp(-t) <= high``; equal if t is 0, and at most 2 apart.

    Examples
    --------
    >>> exp_bounds(Fraction(1), 32)  # 2**32 / e = 1580030168.70...
    (1580030168, 1580030169)
    """
    if t > digits:  # e > 2, so 2^p e^-t < 1
        return 0, 1
    halvings = (t.numerator // t.denominator + 1).bit_length() + 3
    point = digits + halvings + 16
    low, high = growth_bounds(t, halvings, point)
    return (1 << (digits + point)) // high, -(-(1 << (digits + point)) // low)


def growth_bounds(t: Fraction, halvings: int, point: int) -> tuple[int, int]:
    """Bound exp(t) * 2^point between integers, for 0 <= t / 2^halvings < 1/8."""
    scaled = t.numerator << point
    low = _exp_down(scaled // (t.denominator << halvings), point)
    high = _exp_up(-(-scaled // (t.denominator << halvings)), point)
    for _ in range(halvings):
        low = low * low >> point
        high = -(-high * high >> point)
    return low, high


def _exp_down(x: int, point: int) -> int:
    """Bound exp(x / 2^point) * 2^point from below: floored terms, the rest of a positive series left out."""
    total, term, i = 0, 1 << point, 0
    while term:
        total += term
        i += 1
        term = (term * x >> point) // i
    return total


def _exp_up(x: int, point: int) -> int:
    """Bound exp(x / 2^point) * 2^point from above, for x / 2^point <= 1/8.

    Terms are rounded up; once one is at most 2^-point, all later ones together are at most 2 * 2^-point.
    """
    total = term = 1 << point
    if not x:
        return total
    i = 0
    while term > 1:
        i += 1
        term = -(-term * x // (i << point))
        total += term
    return total + 2
