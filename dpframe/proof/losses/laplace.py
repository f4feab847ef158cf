r"""Laplace noise on numbers: proofs as of :mod:`.pure`."""

from __future__ import annotations

import math
from typing import ClassVar, final

import attrs
import numpy as np

from dpframe.proof.losses._numeric import FloatArray, U, floored, nonnegative, real, up
from dpframe.proof.losses.pure import VANISHING, Bounded, quantile


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
