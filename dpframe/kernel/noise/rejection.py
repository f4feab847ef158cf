r"""Vectorised exact rejection from strips: the one sampler behind every noise.

A density on the line, :math:`f(y) = e^{-|y|/\rho}` or :math:`e^{-y^2/2\rho^2}`, is covered by unit strips
[j, j+1), -J <= j < J, and a tail. One random word picks a strip (a slot of a table of 2^14) and holds the
first 50 bits of V; a second one is the place U in the strip. The point y = j + U is kept if
:math:`V < S f(y) / n_j`. Since strip j has n_j slots, kept points have density exactly proportional to f.
docs/theory/noise.md has the proofs.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from dpframe.kernel.noise.exact import SLACK, Bits, Bounds, Exponent, Uniform, below_exp, known
from dpframe.kernel.noise.sources import Source, Words

Integers = NDArray[Any]
"""Integers exactly: int64, or Python ints in an object array where int64 may not hold them."""

SLOT_BITS = 14
SLOTS = 1 << SLOT_BITS
V_BITS = 64 - SLOT_BITS
_V_MASK = (1 << V_BITS) - 1
_CHUNK = 1 << 15
_LARGEST = 1 << 62  # int64 results stay below it in magnitude
_TAIL_FLOAT = 64  # tail blocks below this one are decided in float64 first


@attrs.frozen(eq=False)
class Envelope:
    r"""Slots a strip, and the tail beyond, for one density.

    Attributes
    ----------
    power : int
        1 for :math:`e^{-|y|/\rho}`, 2 for :math:`e^{-y^2/2\rho^2}`.
    rho : float
        Scale in strips, at most 32; an exact rational number like every float.
    slack : float
        Distance from which a float64 comparison is believed.
    reach : int
        J: the strips are -J..J-1.
    scale : int
        S: a point y of strip j is kept with probability S f(y) / n_j.
    counts : ndarray of int64, shape (2 J,)
        The slots n_j of the strips, from j = -J.
    strip : ndarray of uint16, shape (2^14,)
        Strip of a slot, counted from 0; 2 J stands for the tail, which has one slot.
    quick : ndarray of uint64, shape (2 J + 1,)
        Every point of a strip is kept if the first bits of V are below this.
    block : int
        T, a power of 2: the tail's steps, geometric with ratio 1/2, are T strips wide.
    """

    power: int
    rho: float
    slack: float
    reach: int
    scale: int
    counts: NDArray[np.int64]
    strip: NDArray[np.uint16]
    quick: Words
    block: int

    def exponent(self, y: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return -ln f(y) in float64; infinite where it overflows."""
        return _exponent(self.power, self.rho, y)

    def exact_exponent(self, y: Fraction) -> Fraction:
        """Return -ln f(y) exactly."""
        ratio = abs(y) / Fraction(self.rho)
        return ratio if self.power == 1 else ratio * ratio / 2


def _exponent(power: int, rho: float, y: NDArray[np.float64]) -> NDArray[np.float64]:
    with np.errstate(over="ignore"):
        ratio = np.abs(y) / rho
        return ratio if power == 1 else 0.5 * ratio * ratio


@lru_cache(maxsize=128)
def envelope(power: int, rho: float, *, points: bool, slack: float = SLACK) -> Envelope:
    """Build the table of strips for a density.

    Parameters
    ----------
    power : int
        1 or 2, see `Envelope`.
    rho : float
        Scale in strips, 0 < rho < 32.
    points : bool
        Whether a strip [j, j+1) stands for the integer j alone.
    slack : float
        Distance from which a float64 comparison is believed; a test makes it large to force exact decisions.
    """
    factor, block = (15.0, 32) if power == 1 else (5.25, 8)
    reach = math.ceil(factor * rho)
    j = np.arange(-reach, reach, dtype=np.float64)
    far = np.maximum(np.abs(j), np.abs(j + 1))
    near, far = (np.abs(j), np.abs(j)) if points else (far - 1, far)
    peak = np.exp(-_exponent(power, rho, near))
    scale = int((SLOTS - 1 - 2 * reach) / peak.sum())
    counts = np.maximum(np.ceil(scale * peak * (1 + 2.0**-30)), 1).astype(np.int64)
    counts[reach] += SLOTS - 1 - counts.sum()  # what rounding left goes to strip 0: any larger count is right
    surely = scale * np.exp(-_exponent(power, rho, far)) / counts - slack
    quick = np.zeros(2 * reach + 1, dtype=np.uint64)
    quick[:-1] = (np.maximum(surely, 0.0) * 2.0**V_BITS).astype(np.uint64)
    strip = np.repeat(np.arange(2 * reach + 1, dtype=np.uint16), np.append(counts, 1))
    return Envelope(power, rho, slack, reach, scale, counts, strip, quick, block)


@attrs.frozen
class Strips:
    r"""A density covered by strips, and the integer each point becomes; a strip is :math:`2^s` integers wide.

    Attributes
    ----------
    envelope : Envelope
        The density in units of strips.
    shift : int
        s, at most 56, and at least 0 unless `rounded`.
    rounded : bool
        If true a point y is a real number and becomes floor(2^s y + 1/2). If false it is a lattice point,
        y = z / 2^s, and becomes z. Both depend on j and on the first 64 bits of U only.
    wide : bool
        Whether results may not fit int64.
    """

    envelope: Envelope
    shift: int
    rounded: bool
    wide: bool

    def head(self, u: Any) -> Any:
        """Return the leading bits of U that the integer depends on, of its first 64 (int or array)."""
        if self.rounded and self.shift >= 0:
            return u >> (63 - self.shift)
        return u >> (64 - self.shift) if self.shift > 0 else 0 * u

    def value(self, j: Any, head: Any) -> Any:
        """Return the integer of a point in strip j (signed ints or arrays of them)."""
        if not self.rounded:
            return (j << self.shift) + head
        if self.shift >= 0:
            return (j << self.shift) + ((head + 1) >> 1)
        return (j + (1 << (-self.shift - 1))) >> -self.shift

    def values(self, j: NDArray[np.int64], u: Words) -> Integers:
        """Return the integers of points in the table's strips, |j| < 2^9."""
        if self.wide:
            return np.asarray(self.value(j.astype(object), self.head(u).astype(object)))
        if self.shift < -40:  # both steps of `value` give 0 already, and int64 cannot shift so far
            return np.zeros(len(j), dtype=np.int64)
        return np.asarray(self.value(j, self.head(u).astype(np.int64)))

    def fraction(self, u: Words) -> NDArray[np.float64]:
        """Return the place in the strip in float64, to 2^-52."""
        if self.rounded:
            return u.astype(np.float64) * 2.0**-64
        return np.asarray(self.head(u).astype(np.float64) * 2.0**-self.shift)

    def exponent(self, bits: Bits, j: int, u: int) -> Exponent:
        """Return bounds of the exponent at a point of which the first 64 bits are known."""
        if not self.rounded:
            return known(self.envelope.exact_exponent(j + Fraction(self.head(u), 1 << self.shift)))
        place = Uniform(bits, u, 64)

        def bounds(digits: int) -> Bounds:
            left = (j << digits) + place.to(digits)
            ends = [self.envelope.exact_exponent(Fraction(end, 1 << digits)) for end in (left, left + 1)]
            return min(ends), max(ends)  # they lie in [j, j + 1], so 0 is at most an end

        return bounds


def rounded_strips(sigma: float, *, wide: bool, slack: float = SLACK) -> Strips:
    """Return the strips of round(sigma N): sigma = rho 2^s exactly, rho in [16, 32)."""
    mantissa, power = math.frexp(sigma)
    density = envelope(2, 32 * mantissa, points=False, slack=slack)
    return Strips(density, shift=power - 5, rounded=True, wide=wide)


def point_strips(power: int, scale: float, *, wide: bool, slack: float = SLACK) -> Strips:
    """Return the strips of a density on the integers: scale = rho 2^s exactly, rho in [16, 32) or s = 0."""
    mantissa, exponent = math.frexp(scale)
    shift, rho = (exponent - 5, 32 * mantissa) if exponent >= 5 else (0, scale)
    density = envelope(power, rho, points=shift == 0, slack=slack)
    return Strips(density, shift=shift, rounded=False, wide=wide)


def sample(source: Source, strips: Strips, count: int) -> Integers:
    """Draw `count` independent integers.

    Parameters
    ----------
    source : Source
        Randomness; about 2.1 words a sample.
    strips : Strips
        The distribution.
    count : int
        How many.

    Returns
    -------
    ndarray of int64 or of Python ints, shape (count,)
        int64 unless `strips.wide`, or unless a draw leaves ±2^62.
    """
    parts: list[Integers] = [np.empty(0, dtype=object if strips.wide else np.int64)]
    missing = count
    while missing > 0:
        kept = _propose(source, strips, min(_CHUNK, missing + missing // 12 + 8))[:missing]
        parts.append(kept)
        missing -= len(kept)
    return np.concatenate(parts)


def _propose(source: Source, strips: Strips, count: int) -> Integers:
    """Return the integers kept of `count` proposals, in their order."""
    words = source.words(2 * count)
    first, u = words[:count], words[count:]
    envelope = strips.envelope
    strip = envelope.strip[first >> V_BITS]
    v = first & _V_MASK
    j = strip.astype(np.int64) - envelope.reach
    keep = v < envelope.quick[strip]
    values = strips.values(j, u)
    slow = np.flatnonzero(~keep)
    in_tail = strip[slow] == 2 * envelope.reach
    tail, slow = slow[in_tail], slow[~in_tail]
    keep[slow] = _accept(source, strips, j[slow], u[slow], v[slow])
    for position in tail.tolist():
        drawn = draw_tail(source, strips)
        if drawn is not None:
            if abs(drawn) >= _LARGEST:
                values = values.astype(object)
            values[position] = drawn
            keep[position] = True
    return np.asarray(values[keep])


def _accept(source: Source, strips: Strips, j: NDArray[np.int64], u: Words, v: Words) -> NDArray[np.bool_]:
    """Decide V < S f(y) / n_j, in float64 where that leaves no doubt."""
    envelope = strips.envelope
    counts = envelope.counts[j + envelope.reach]
    above = v * 2.0**-V_BITS - envelope.scale * np.exp(-envelope.exponent(j + strips.fraction(u))) / counts
    keep = above < -envelope.slack
    for i in np.flatnonzero(np.abs(above) <= envelope.slack).tolist():
        bits = Bits(source)
        exponent = strips.exponent(bits, int(j[i]), int(u[i]))
        coefficient = Fraction(envelope.scale, int(counts[i]))
        keep[i] = below_exp(Uniform(bits, int(v[i]), V_BITS), coefficient, exponent)
    return keep


def draw_tail(source: Source, strips: Strips) -> int | None:
    """Propose one point beyond the strips; return its integer if it is kept, else None.

    Side by a fair coin, block g with probability 2^-(g+1), strip and place in the block uniform: the point
    has density 2^-(g+2) / T, and is kept with probability 2^(g+2) T S f(y), which never exceeds 1.
    """
    envelope, bits = strips.envelope, Bits(source)
    negative, g = bits.take(1), bits.zeros()
    j = envelope.reach + envelope.block * g + bits.take(envelope.block.bit_length() - 1)
    j = -1 - j if negative else j
    u, v = bits.take(64), bits.take(64)
    coefficient = envelope.scale * envelope.block << (g + 2)
    if g < _TAIL_FLOAT:
        y = j + strips.fraction(np.array([u], dtype=np.uint64))
        above = v * 2.0**-64 - coefficient * float(np.exp(-envelope.exponent(y))[0])
        if above > envelope.slack:
            return None
    exponent = strips.exponent(bits, j, u)
    if not below_exp(Uniform(bits, v, 64), Fraction(coefficient), exponent):
        return None
    return int(strips.value(j, strips.head(u)))
