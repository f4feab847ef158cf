r"""Discrete Laplace and discrete Gaussian noise of a known scale: what other tools spend, and no theorem here gives.

Discrete Gaussian noise :math:`P(k)\propto e^{-k^2/2\tau^2}` against its shift by an integer :math:`s` has the losses
:math:`s(s-2k)/2\tau^2`, so with :math:`m` the last integer whose loss exceeds :math:`x`

.. math:: \delta_s(x) = P(Z\le m) - e^x P(Z\le m-s) .

It need not grow with :math:`s`: a sensitivity is the supremum over all integers up to it. Proofs:
``docs/theory/losses.md``, sections 2.3 and 2.8.
"""

from __future__ import annotations

import functools
import math
from fractions import Fraction
from typing import ClassVar, final

import attrs
import numpy as np

from dpframe.proof.losses import Laplace, Pure
from dpframe.proof.losses._numeric import (
    LARGEST,
    FloatArray,
    LossError,
    U,
    floored,
    half_square_up,
    real,
    round_up,
    up,
    whole,
)
from dpframe.proof.losses.event import Event
from dpframe.proof.losses.lattice_gaussian import fine_profile
from dpframe.proof.losses.pure import Bounded, quantile
from dpframe.proof.spaces.checks import validator

MOST_SHIFTS = 64
FINE = 128.0
"""From this scale on the bound for fine lattices is as good as exact."""
STEEPEST = 2.0
"""Largest shift over scale that the bound is proved for on lattices of 32 steps a scale or more."""
positive = validator(lambda v: 0 < v < math.inf, "positive and finite", "give a number above 0", LossError)
representable = validator(lambda v: v <= LARGEST, "at most 2^1000", error=LossError)
"""Attrs validators of numbers that were read."""


@final
@attrs.frozen
class DiscreteLaplace(Bounded):
    r"""Discrete Laplace noise, :math:`P(k)\propto e^{-|k|/b}`, on integers of L1 sensitivity ``shift``.

    With :math:`\varepsilon = s/b`, :math:`w = (\varepsilon-x)/2` and :math:`f` the fractional part of
    :math:`wb`, on :math:`|x|\le\varepsilon`

    .. math:: \delta(x) = 1 - e^{-w}\,\frac{\cosh((\tfrac12-f)/b)}{\cosh(1/(2b))},

    which joins the continuous Laplace profile at the possible losses :math:`(s-2k)/b` by chords in
    :math:`e^x`. The scalar shift is the worst vector of the same L1 norm (docs/theory/losses.md, 2.3).

    Parameters
    ----------
    shift : int
        L1 sensitivity in lattice steps, at least 0; 2**60 is fine.
    scale : float
        Noise scale :math:`b` in lattice steps, positive and finite.
    """

    kind: ClassVar[str] = "discrete_laplace"
    shift: int = attrs.field(converter=whole, validator=representable)
    scale: float = attrs.field(converter=real, validator=positive)

    @property
    def epsilon(self) -> float:
        """The pure DP parameter."""
        return round_up(Fraction(self.shift) / Fraction(self.scale))

    @property
    def envelope(self) -> float:
        """The continuous Laplace event of this ``epsilon`` dominates: epsilon + 2 ln cosh(1/(2b))."""
        half = 1 / (2 * self.scale)
        bend = half * half if half < 1 else 2 * (half + math.log1p(math.exp(-2 * half)) - math.log(2))
        return up(self.epsilon + bend * (1 + 8 * U))

    @property
    def simpler(self) -> Event:
        """The continuous law, where it is hardly worse."""
        return Laplace(self.envelope) if self.envelope <= self.epsilon * (1 + 1e-9) else self

    @property
    def rho(self) -> float:
        r"""The zCDP parameter, :math:`\varepsilon-\frac{1/b}{\sinh(1/b)}(1-e^{-\varepsilon})`."""
        epsilon = self.epsilon
        if epsilon == 0 or math.isinf(epsilon):
            return epsilon
        y = 1 / self.scale
        if y < 1:
            series = 1.0
            for k in range(9, 1, -1):
                series = 1 + y * y / (2 * k * (2 * k + 1)) * series
            bend = y * y / 6 * series
            share = bend / (1 + bend)  # sinh(y) = y (1 + bend)
        else:
            share = 1 - (y / math.sinh(y) if y < 700 else 0.0)
        return min(Laplace(epsilon).rho + up(share * -math.expm1(-epsilon), 32), Pure(epsilon).rho) * (1 + 4 * U)

    @property
    def mu(self) -> float:
        r"""The smallest GDP parameter, from the most central vertex of its trade-off curve.

        :math:`W(\lfloor\frac s2\rfloor+1)+W(\lceil\frac s2\rceil)` with
        :math:`W(z)=\Phi^{-1}\bigl(1-\frac{q^z}{1+q}\bigr)`, :math:`q=e^{-1/b}`.
        """
        epsilon, shift = self.epsilon, self.shift
        if epsilon == 0 or math.isinf(epsilon):
            return epsilon
        y = 1 / self.scale

        def central(z: int) -> float:
            far = min(float(z) * y, 1e300)
            norm = 1 + math.exp(-y)
            centred = (math.exp(-y) * -math.expm1(-max(float(z - 1) * y, 0.0)) - math.expm1(-far)) / norm
            return quantile(centred, -far - math.log(norm))

        if shift % 2:
            return floored(2 * central((shift + 1) // 2))
        return floored(central(shift // 2 + 1) + central(shift // 2))

    def _rdp(self, orders: FloatArray) -> FloatArray:
        if self.shift == 1:
            return Pure(self.epsilon).curve(orders)
        bound = Laplace(self.envelope).curve(orders)
        if self.shift and self.envelope > self.epsilon * (1 + 1e-7):  # which is false for infinity
            bound = np.minimum(bound, self._geometric_rdp(orders))
        return self.capped(bound, orders)

    def _geometric_rdp(self, orders: FloatArray) -> FloatArray:
        """The exact Rényi divergence: two atoms and a geometric sum between them."""
        step, a, s = 1 / self.scale, orders, float(self.shift)
        gap, rate = a - 1, (2 * a - 1) * step
        norm = math.log1p(math.exp(-step))
        ends = np.logaddexp(gap * s * step, -a * s * step) - norm
        middle = gap * s * step - rate + np.log(-np.expm1(-(s - 1) * rate)) - np.log(-np.expm1(-rate))
        total = np.logaddexp(ends, middle + math.log(-math.expm1(-step)) - norm)
        return (total + 64 * U * (4 + a * s * step)) / gap

    def _inner(self, eps: FloatArray) -> tuple[FloatArray, FloatArray]:
        epsilon = self.epsilon
        w = np.maximum((epsilon - eps) / 2, 0.0)
        less = np.maximum((math.nextafter(epsilon, 0.0) - eps) / 2, 0.0)  # the exact epsilon is between the two
        steps = w * self.scale
        slack = 4 * U * (steps + self.shift) + 4 * U  # in the fractional part; half a step is the worst place
        offset = np.minimum(np.abs(0.5 - np.mod(steps, 1.0)), 0.5)
        high = self._bend(np.maximum(offset - slack, 0.0))
        low = self._bend(np.minimum(offset + slack, 0.5))
        return -np.expm1(-(less + low * (1 - 16 * U))), -np.expm1(-(w + high * (1 + 16 * U)))

    def _bend(self, offset: FloatArray) -> FloatArray:
        """Ln cosh(1/(2b)) - ln cosh(offset/b), without cancellation, for offset in [0, 1/2]."""
        total, gap = (0.5 + offset) / self.scale, (0.5 - offset) / self.scale
        ratio = 2 * np.sinh(total / 2) * np.sinh(gap / 2) / np.cosh(offset / self.scale)
        far = (
            (0.5 - offset) / self.scale + np.log1p(np.exp(-1 / self.scale)) - np.log1p(np.exp(-2 * offset / self.scale))
        )
        return np.where(total < 30, np.log1p(ratio), far)

    def atoms(self) -> tuple[FloatArray, FloatArray] | None:
        """The possible losses and their probabilities, where they are few."""
        if self.shift > 256 or math.isinf(self.epsilon) or self.scale < 1e-2:
            return None
        step = 1 / self.scale
        k = np.arange(self.shift + 1)
        weights = np.exp(-k * step) * -math.expm1(-step) / (1 + math.exp(-step))
        weights[0] = 1 / (1 + math.exp(-step)) if self.shift else 1.0
        weights[-1] = math.exp(-self.shift * step) / (1 + math.exp(-step)) if self.shift else 1.0
        weights *= 1 + 4 * U * (4 + k * step)
        return np.nextafter((self.shift - 2 * k) / self.scale, math.inf), weights


@functools.lru_cache(maxsize=16)
def _tails(scale: float) -> FloatArray:
    """P(Z <= −j) for j = 0, 1, .., good to 1e-12 relatively; from where it underflows on it is 0."""
    index = np.arange(int(39 * scale) + 8, dtype=np.float64)
    mass = np.exp(-0.5 * (index / scale) ** 2)
    sums = np.cumsum(mass[::-1])[::-1]
    tails: FloatArray = sums / (2 * sums[0] - 1)
    return tails


def exact_profile(shift: int, scale: float, eps: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Enclose the largest profile over all integer shifts up to ``shift``, by (1) for negative ``eps``."""
    x, tails = np.abs(eps), _tails(scale)
    last, grown = len(tails) - 1, np.exp(np.minimum(x, 709.0))

    def below(m: FloatArray) -> FloatArray:
        """P(Z <= m)."""
        deep = tails[np.clip(-m, 0, last).astype(np.int64)] * (-m <= last)
        return np.where(m < 0, deep, 1 - tails[np.clip(m + 1, 0, last).astype(np.int64)])

    lower, upper = np.zeros_like(x), np.zeros_like(x)
    for s in range(1, shift + 1):
        near = np.ceil(s / 2 - x * scale * scale / s) - 1
        for m in (near - 1, near, near + 1):  # the best m may be off by one through rounding; every m is a lower bound
            one, two = below(m), grown * below(m - s)
            error = 4e-12 * (one + np.where(np.isfinite(two), two, 0.0)) + 1e-300
            gap = np.where(np.isfinite(two), one - two, 0.0)
            lower, upper = np.maximum(lower, gap - error), np.maximum(upper, gap + error)
    factor = np.where(eps < 0, np.exp(-x), 1.0)
    base = np.where(eps < 0, -np.expm1(-x), 0.0)
    return (base + factor * lower) * (1 - 8 * U), np.minimum((base + factor * upper) * (1 + 8 * U), 1.0)


@final
@attrs.frozen
class DiscreteGaussian(Event):
    r"""Discrete Gaussian noise of a known scale on one integer that moves by at most ``shift``.

    The profile is exact for scales below 128 and shifts up to 64, and the supremum over all integer shifts; for
    larger ones it is :math:`\delta_\mu(x)+\kappa\mu\tau^{-2}\varphi(x/\mu-\mu/2)`, which is hardly above. Vectors
    have zCDP only (:class:`~dpframe.proof.losses.Concentrated`).

    Parameters
    ----------
    shift : int
        Sensitivity in lattice steps, at least 0.
    scale : float
        :math:`\tau` in lattice steps, positive and finite.

    Examples
    --------
    >>> import numpy as np
    >>> float(DiscreteGaussian(1, 1.0).profile(np.array([0.0]))[0].round(6))
    0.398942
    """

    kind: ClassVar[str] = "discrete_gaussian"
    shift: int = attrs.field(converter=whole, validator=representable)
    scale: float = attrs.field(converter=real, validator=positive)

    @property
    def span(self) -> float:
        """Shift over scale, rounded up."""
        return round_up(Fraction(self.shift) / Fraction(self.scale))

    @property
    def rho(self) -> float:
        """The zCDP parameter: as of continuous noise (Canonne, Kamath and Steinke, NeurIPS 2020, Theorem 4)."""
        return half_square_up(self.span)

    @property
    def dominated(self) -> bool:
        """Whether the profile is known: for scales below 128 and shifts up to 64, or shifts of two scales."""
        return self._exact or self.span <= STEEPEST

    @property
    def _exact(self) -> bool:
        return self.shift == 0 or (0.05 <= self.scale < FINE and self.shift <= MOST_SHIFTS)

    def _enclosure(self, eps: FloatArray) -> tuple[FloatArray, FloatArray] | None:
        if self._exact:
            return exact_profile(self.shift, self.scale if self.shift else 1.0, eps)
        return fine_profile(self.span, self.scale, eps) if self.dominated else None
