r"""Laplace noise on numbers and on integers: proofs as of :mod:`.pure`."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import ClassVar, final

import attrs
import numpy as np

from dpframe.proof.losses._numeric import (
    FloatArray,
    U,
    floored,
    nonnegative,
    positive,
    real,
    representable,
    round_up,
    up,
    whole,
)
from dpframe.proof.losses.pure import VANISHING, Bounded, Pure, quantile


@final
@attrs.frozen
class Laplace(Bounded):
    r"""Continuous Laplace noise of scale :math:`\Delta/\varepsilon`, L1 sensitivity :math:`\Delta`.

    :math:`\delta(x) = 1 - e^{(x-\varepsilon)/2}` on :math:`[-\varepsilon, \varepsilon]`. One scalar shift is
    the worst way to spend an L1 sensitivity over several coordinates (docs/theory/losses.md, 2.3), so the
    profile holds for vectors. zCDP :math:`\varepsilon - 1 + e^{-\varepsilon}`, the KL
    divergence, which is exact.

    Parameters
    ----------
    epsilon : float
        Non-negative; ``inf`` is allowed.
    """

    kind: ClassVar[str] = "laplace"
    epsilon: float = attrs.field(converter=real, validator=nonnegative)

    @property
    def rho(self) -> float:
        r"""The zCDP parameter, :math:`\varepsilon - 1 + e^{-\varepsilon}`, rounded up."""
        epsilon = self.epsilon
        if epsilon == 0:
            return 0.0
        if epsilon > 1e-2:
            return up(epsilon + math.expm1(-epsilon), 8) + 4 * U * epsilon
        half = epsilon * epsilon / 2
        return floored(up(half * (1 - epsilon / 3 * (1 - epsilon / 4 * (1 - epsilon / 5 * (1 - epsilon / 6)))), 16))

    @property
    def mu(self) -> float:
        r"""The smallest GDP parameter: :math:`2\Phi^{-1}(1-\frac12 e^{-\varepsilon/2})`."""
        epsilon = self.epsilon
        if epsilon == 0 or math.isinf(epsilon):
            return epsilon
        return floored(2 * quantile(-math.expm1(-epsilon / 2), -epsilon / 2 - math.log(2)))

    def _rdp(self, orders: FloatArray) -> FloatArray:
        r"""ln[(a e^{(a-1)e} + (a-1) e^{-ae}) / (2a-1)] / (a - 1).

        With :math:`s=a-\frac12` and :math:`\mathrm{shc}(x)=\sinh(x)/x` the argument of the logarithm is
        :math:`1 + e^{-\varepsilon/2}\bigl[2\sinh\frac{a\varepsilon}2\sinh\frac{(a-1)\varepsilon}2 +
        \frac\varepsilon2(\mathrm{shc}(s\varepsilon)-\mathrm{shc}(\frac\varepsilon2))\bigr]`, all terms positive.
        """
        epsilon = self.epsilon
        if math.isinf(epsilon) or epsilon < VANISHING:
            return self.capped(np.zeros(orders.shape), orders)
        gap, total = orders - 1, 2 * orders - 1
        e = min(epsilon, 60.0)  # the near form is used below that
        first = -np.expm1(-orders * e) * np.expm1(gap * e)  # 2 sinh sinh exp(-e/2) of the formula, twice
        wide, narrow = (orders - 0.5) * e, e / 2
        u, v = wide * wide, narrow * narrow
        sums, powers, factorial, series = np.ones_like(u), 1.0, 6.0, np.zeros_like(u)
        for k in range(1, 8):  # (u^k - v^k) / (u - v) over (2k + 1)!, enough for sqrt(u) <= 1/2
            series = series + sums / factorial
            powers *= v
            sums, factorial = u * sums + powers, factorial * (2 * k + 2) * (2 * k + 3)
        inner = e * e * orders * gap * series * (1 + 1e-15)
        grown, base = np.sinh(wide) / wide, math.sinh(narrow) / narrow
        outer = grown - base + 8 * U * (grown * (1 + wide / 8) + base)
        second = e / 2 * math.exp(-narrow) * np.where(wide <= 0.5, inner, outer)
        near = np.log1p((first / 2 + second) * (1 + 32 * U * (1 + gap * e))) / gap
        far = epsilon + np.log(orders / total * (1 + gap / orders * np.exp(-total * epsilon))) / gap + 8 * U / gap
        value = np.where((gap * epsilon < 30) & (wide < 60) & (epsilon <= 60), near, far) * (1 + 1e-14)
        return self.capped(value, orders)

    def _inner(self, eps: FloatArray) -> tuple[FloatArray, FloatArray]:
        inner = -np.expm1(np.minimum((eps - self.epsilon) / 2, 0.0))
        return inner, inner


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
