r"""Dominating pairs on a lattice, by connecting the dots of a privacy profile.

A :class:`LatticePLD` is a finite measure of losses on the lattice :math:`h\mathbb Z` with an atom at
:math:`+\infty`, symmetric in the sense :math:`p_{-i} = e^{-ih}p_i`, so only :math:`i \ge 0` is stored. Joining
a convex profile's values at the lattice by chords in :math:`\alpha = e^x` gives a larger convex function, hence
the profile of a dominating pair, whose masses are

.. math:: p_i = \frac{\delta_{i-1}-\delta_i}{1-e^{-h}} - \frac{\delta_i-\delta_{i+1}}{e^h-1},
          \qquad p_\infty = \delta_n

(Doroshenko, Ghazi, Kamath, Kumar and Manurangsi, PETS 2022). Computed masses are rounded *up*, by the
enclosure of the profile, so the float measure is at least the exact one. Proofs: docs/theory/losses.md, section 3.
"""

from __future__ import annotations

import functools
import math
from typing import final

import attrs
import numpy as np

from dpframe.proof.losses._numeric import FloatArray, U

_BLOCK = 16.0
_TINIEST = 5e-324


@final
@attrs.frozen(eq=False)
class LatticePLD:
    """Masses ``half[i]`` of the loss ``i * step`` for ``i >= 0``, and the mass of an infinite loss."""

    step: float
    half: FloatArray
    infinite: float

    @property
    def reach(self) -> int:
        """Index of the largest finite loss."""
        return len(self.half) - 1

    def full(self) -> FloatArray:
        """Masses for ``-reach .. reach``."""
        index = np.arange(self.reach, 0, -1)
        mirrored = self.half[:0:-1] * np.exp(-index * self.step) * (1 + 4 * U * (1 + index * self.step))
        return np.concatenate((mirrored, self.half))

    def profile(self) -> FloatArray:
        """Upper bounds of the profile at ``0 .. reach``, each good to ``8 * reach * u`` relatively."""
        tail = tail_profile(self.step, self.half)
        return (tail + self.infinite) * (1 + 8 * U * (2 + self.reach))


def tail_profile(step: float, masses: FloatArray) -> FloatArray:
    r"""Hockey sticks :math:`\sum_{j>k} m_j (1-e^{-(j-k)h})` at every index, without cancellation.

    The difference of neighbours is :math:`(1-e^{-h})\sum_{j>k} m_j e^{-(j-k-1)h}`: only positive terms are
    summed, in blocks so short that no factor :math:`e^{-(j-k)h}` that matters underflows.
    """
    length = max(1, int(_BLOCK / step))
    index = np.arange(min(length, len(masses)))
    fall, grow = np.exp(-index * step), np.exp(index * step)
    decayed, carry = np.zeros(len(masses) + 1), 0.0  # decayed[k] = sum over j >= k of m_j e^{-(j-k)h}
    for start in range((len(masses) - 1) // length * length, -1, -length):
        block = masses[start : start + length]
        size = len(block)
        inner = np.cumsum((block * fall[:size])[::-1])[::-1] * grow[:size]
        decayed[start : start + size] = inner + carry * np.exp((index[:size] - size) * step)
        carry = float(decayed[start])
    result: FloatArray = np.cumsum((decayed[1:] * -math.expm1(-step))[::-1])[::-1]
    return result


def connect(step: float, lower: FloatArray, upper: FloatArray) -> LatticePLD:
    r"""Measure of the chords through a symmetric profile, given bounds at ``0, 1, .., n``, rounded up.

    Parameters
    ----------
    step : float
        Lattice step :math:`h`.
    lower, upper : ndarray, shape (n + 1,)
        Bounds at ``0, h, .., n h`` of one convex profile with
        :math:`\delta(-x) = 1 - e^{-x} + e^{-x}\delta(x)`. It is cut off after ``n h``: the rest of it becomes
        the mass at infinity.
    """
    fall, rise = -math.expm1(-step), math.expm1(step)
    first = fall + math.exp(-step) * (upper[1] if len(upper) > 1 else upper[0])
    before = np.concatenate(([first * (1 + 8 * U)], upper[:-1]))
    after = np.concatenate((upper[1:], upper[-1:]))
    masses = (before - lower) / fall - np.maximum(lower - after, 0.0) / rise
    masses += 8 * U * before / fall + _TINIEST
    return LatticePLD(step, np.maximum(masses, 0.0), float(upper[-1]))


def spread(step: float, losses: FloatArray, weights: FloatArray) -> LatticePLD:
    """Measure of the chords for a symmetric pair with few possible losses: each goes to its two neighbours.

    A loss between two lattice points is split so that both its mass under P and its mass under Q are kept.
    """
    inside = losses > -step
    x, mass = losses[inside], weights[inside] * (1 + 16 * U)
    left = np.floor(x / step).astype(np.int64)
    offset = x - left * step
    right_share = np.clip(-np.expm1(-offset) / -math.expm1(-step) + 8 * U, 0.0, 1.0)
    left_share = np.clip(1 - right_share + 16 * U, 0.0, 1.0)
    half = np.zeros(int(left.max()) + 2)
    np.add.at(half, left[left >= 0], (mass * left_share)[left >= 0])
    np.add.at(half, left + 1, mass * right_share)
    return LatticePLD(step, half * (1 + 4 * U * len(x)), 0.0)


def convolve(one: LatticePLD, two: LatticePLD, theta: float) -> LatticePLD:
    """Measure of the composed pair; long ones by FFT after tilting, with its error added."""
    a, b = one.full(), two.full()
    reach = one.reach + two.reach
    if min(len(a), len(b)) <= 64 or len(a) * len(b) <= 4_000_000:
        short = min(len(a), len(b))
        half = np.convolve(a, b)[reach:] * (1 + 2 * U * (short + 2)) + short * _TINIEST
    else:
        rates = (0.0, 0.5 * theta * one.step, theta * one.step)  # each is precise somewhere else
        half = functools.reduce(np.minimum, [_fft_convolve(a, b, rate) for rate in rates])
    total = one.infinite * max(float(b.sum()), 1.0) + two.infinite * max(float(a.sum()), 1.0)
    return LatticePLD(one.step, half, (total + one.infinite * two.infinite) * (1 + 4 * U * (len(a) + len(b))))


def truncate(pld: LatticePLD, cut: float) -> LatticePLD:
    """Send the losses beyond which the profile is at most ``cut`` to infinity."""
    if pld.reach < 64:
        return pld
    values = pld.profile()
    last = int(np.searchsorted(-values, -(cut + 2 * pld.infinite)))
    if last < 1 or last >= pld.reach:
        return pld
    half = pld.half[: last + 1].copy()
    half[last] = (values[last - 1] - values[last] * (1 - 16 * U * (pld.reach + 2))) / -math.expm1(-pld.step)
    return LatticePLD(pld.step, half * (1 + 4 * U), float(values[last]))


def _fft_convolve(a: FloatArray, b: FloatArray, rate: float) -> FloatArray:
    """The upper half of the convolution of two arrays of odd length."""
    reach_a, reach_b = (len(a) - 1) // 2, (len(b) - 1) // 2
    log_a, tilted_a = tilt(a, rate, -reach_a)
    log_b, tilted_b = tilt(b, rate, -reach_b)
    length = 1 << (len(a) + len(b) - 2).bit_length()
    product = np.fft.rfft(tilted_a, length) * np.fft.rfft(tilted_b, length)
    sums = np.fft.irfft(product, length)[reach_a + reach_b : len(a) + len(b) - 1]
    exponent = log_a + log_b - rate * np.arange(reach_a + reach_b + 1)
    above = np.maximum(sums, 0.0) + 4 * fft_error(length)
    result: FloatArray = above * np.exp(exponent) * (1 + 8 * U * (8 + np.abs(exponent) + len(a) + len(b)))
    return result + _TINIEST


def tilt(masses: FloatArray, rate: float, first: int) -> tuple[float, FloatArray]:
    """Multiply by ``exp(rate * index)`` and normalise; also the logarithm of the norm.

    What underflows is 1e-300 of the norm at most, which the error of the transform pays.
    """
    weight = rate * np.arange(first, first + len(masses))
    peak = float(np.max(weight[masses > 0] + np.log(masses[masses > 0])))
    root = np.exp(np.minimum((weight - peak) / 2, 400.0))  # where it is cut the mass is 0
    tilted = masses * root * root
    norm = float(tilted.sum())
    return math.log(norm) + peak, tilted / norm


def fft_error(length: int) -> float:
    """Bound of the error of every entry of the transform of a probability vector (docs/theory/losses.md, 3.4)."""
    return 16 * U * (math.log2(length) + 2)


def largest(parts: list[LatticePLD], cut: float) -> LatticePLD:
    """Measure of the chords through the pointwise maximum of several profiles.

    Where one profile is the largest, beyond doubt, at a point and both its neighbours, its mass is taken as
    it is; elsewhere the mass comes from the difference quotients, rounded up. Losses beyond which the maximum
    is below ``cut`` go to infinity.
    """
    step, size = parts[0].step, max(part.reach for part in parts) + 1
    values = np.zeros((len(parts), size))
    masses = np.zeros((len(parts), size))
    for row, part in enumerate(parts):
        values[row, part.reach + 1 :] = part.infinite
        values[row, : part.reach + 1] = part.profile()
        masses[row, : part.reach + 1] = part.half
    error = 16 * U * (size + 2)
    top = values.max(axis=0)
    size = min(max(int(np.searchsorted(-top, -(cut + 2 * top[-1]))) + 1, 2), size)
    top, values, masses = top[:size], values[:, :size], masses[:, :size]
    joined = connect(step, top * (1 - error), top)
    best = values.argmax(axis=0)
    others = np.where(np.arange(len(parts))[:, None] == best, 0.0, values).max(axis=0)
    sure = others < top * (1 - 2 * error)
    inner = np.zeros(size, dtype=bool)
    inner[1:-1] = sure[:-2] & sure[1:-1] & sure[2:] & (best[:-2] == best[1:-1]) & (best[2:] == best[1:-1])
    half = np.where(inner, masses[best, np.arange(size)] * (1 + error), joined.half)
    return LatticePLD(step, half, joined.infinite)
