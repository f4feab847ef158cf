r"""Events with pure differential privacy: randomised response, Laplace, bounded range, discrete Laplace.

The proofs of every profile, Rényi curve and zCDP constant here are in ``docs/theory/losses.md``, section 2.
All four dominating pairs are *symmetric*, so :math:`\delta(-x) = 1 - e^{-x} + e^{-x}\delta(x)`.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import ClassVar, final

import attrs
import numpy as np

from dpframe.proof.losses._numeric import (
    LARGEST,
    FloatArray,
    LossError,
    U,
    nonnegative,
    positive,
    real,
    round_up,
    up,
    whole,
)
from dpframe.proof.losses.curves import (
    capped,
    discrete_mu,
    discrete_rho,
    laplace_mu,
    laplace_rdp,
    laplace_rho,
    range_rdp,
    range_rho,
    response_mu,
    response_rdp,
    response_rho,
)
from dpframe.proof.losses.event import Event

_RELATIVE = 32 * U  # more than the round-off of any closed form below


def _around(value: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Enclose computed profile values, each good to a few relative units of round-off."""
    upper = value * (1 + _RELATIVE) + np.where(value > 0, 5e-324, 0.0)
    return np.maximum(value * (1 - _RELATIVE) - 5e-324, 0.0), np.minimum(upper, 1.0)


def _outside(eps: FloatArray, inner: FloatArray, epsilon: float) -> FloatArray:
    """Continue a profile given on [-epsilon, epsilon]: 0 above, 1 - e^x below."""
    below = -np.expm1(np.minimum(eps, 0.0))
    return np.where(eps >= epsilon, 0.0, np.where(eps <= -epsilon, below, inner))


def _representable(_: object, attribute: attrs.Attribute[int], value: int) -> None:
    if value > LARGEST:
        raise LossError(f"{attribute.name} must be at most 2^1000")


@final
@attrs.frozen
class Pure(Event):
    r"""Any :math:`\varepsilon`-DP mechanism; randomised response is the worst of them.

    :math:`\delta(x) = (e^\varepsilon - e^x)/(1 + e^\varepsilon)` on :math:`[-\varepsilon, \varepsilon]`
    (Kairouz, Oh and Viswanath, ICML 2015, Theorem 2.5); zCDP
    :math:`\varepsilon\tanh(\varepsilon/2) \le \varepsilon^2/2`, which is exact.

    Parameters
    ----------
    epsilon : float
        Non-negative; ``inf`` is allowed and stands for "no privacy".

    Examples
    --------
    >>> import numpy as np
    >>> float(Pure(1.0).profile(np.array([0.0]))[0].round(6))
    0.462117
    """

    kind: ClassVar[str] = "pure"
    epsilon: float = attrs.field(converter=real, validator=nonnegative)

    @property
    def rho(self) -> float:
        """The zCDP parameter."""
        return response_rho(self.epsilon)

    @property
    def mu(self) -> float:
        """The GDP parameter."""
        return response_mu(self.epsilon)

    def _rdp(self, orders: FloatArray) -> FloatArray:
        return response_rdp(self.epsilon, orders)

    def _enclosure(self, eps: FloatArray) -> tuple[FloatArray, FloatArray]:
        if math.isinf(self.epsilon):
            return np.ones_like(eps), np.ones_like(eps)
        inner = -np.expm1(np.minimum(eps - self.epsilon, 0.0)) / (1 + math.exp(-self.epsilon))
        return _around(_outside(eps, inner, self.epsilon))

    def atoms(self) -> tuple[FloatArray, FloatArray] | None:
        """The possible losses and their probabilities, where they are few."""
        if math.isinf(self.epsilon):
            return None
        small = 1 / (1 + math.exp(self.epsilon)) if self.epsilon < 700 else math.exp(-self.epsilon)
        return np.array([self.epsilon, -self.epsilon]), np.array([1 - small, small])


@final
@attrs.frozen
class Laplace(Event):
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
        """The zCDP parameter."""
        return laplace_rho(self.epsilon)

    @property
    def mu(self) -> float:
        """The GDP parameter."""
        return laplace_mu(self.epsilon)

    def _rdp(self, orders: FloatArray) -> FloatArray:
        return laplace_rdp(self.epsilon, orders)

    def _enclosure(self, eps: FloatArray) -> tuple[FloatArray, FloatArray]:
        if math.isinf(self.epsilon):
            return np.ones_like(eps), np.ones_like(eps)
        inner = -np.expm1(np.minimum((eps - self.epsilon) / 2, 0.0))
        return _around(_outside(eps, inner, self.epsilon))


@final
@attrs.frozen
class BoundedRange(Event):
    r"""A log-likelihood ratio of range at most :math:`\varepsilon`: the exponential mechanism.

    The ratio lies in :math:`[t-\varepsilon, t]` for some unknown :math:`t\in[0,\varepsilon]`. Hence
    :math:`\varepsilon`-DP, :math:`\varepsilon^2/8`-zCDP (Cesar and Rogers, ALT 2021),
    :math:`2\Phi^{-1}(1/(1+e^{-\varepsilon/2}))`-GDP and

    .. math:: \delta(x) = \frac{(e^{\varepsilon/2} - e^{x/2})^2}{e^\varepsilon - 1},\quad |x|\le\varepsilon,

    the maximum over :math:`t` of the two-point profiles (Dong, Durfee and Rogers, ICML 2020), which dominates
    adaptive compositions although each step may have its own :math:`t`.

    Parameters
    ----------
    epsilon : float
        Range of the loss; for ``exp(eps * score / (2 * sensitivity))`` it is ``eps``. ``inf`` is allowed.
    """

    kind: ClassVar[str] = "bounded_range"
    epsilon: float = attrs.field(converter=real, validator=nonnegative)

    @property
    def rho(self) -> float:
        """The zCDP parameter."""
        return range_rho(self.epsilon)

    @property
    def mu(self) -> float:
        """The GDP parameter."""
        return response_mu(self.epsilon / 2)

    def _rdp(self, orders: FloatArray) -> FloatArray:
        return range_rdp(self.epsilon, orders)

    def _enclosure(self, eps: FloatArray) -> tuple[FloatArray, FloatArray]:
        if math.isinf(self.epsilon):
            return np.ones_like(eps), np.ones_like(eps)
        if self.epsilon == 0:
            return _around(_outside(eps, np.zeros_like(eps), 0.0))
        root = -np.expm1(np.minimum((eps - self.epsilon) / 2, 0.0))
        return _around(_outside(eps, root * (root / -math.expm1(-self.epsilon)), self.epsilon))


@final
@attrs.frozen
class DiscreteLaplace(Event):
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
    shift: int = attrs.field(converter=whole, validator=_representable)
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
        """The zCDP parameter."""
        return discrete_rho(self.epsilon, self.scale)

    @property
    def mu(self) -> float:
        """The GDP parameter."""
        return discrete_mu(self.shift, self.scale, self.epsilon)

    def _rdp(self, orders: FloatArray) -> FloatArray:
        if self.shift == 1:
            return response_rdp(self.epsilon, orders)
        bound = laplace_rdp(self.envelope, orders)
        if self.shift and self.envelope > self.epsilon * (1 + 1e-7):  # which is false for infinity
            bound = np.minimum(bound, self._geometric_rdp(orders))
        return capped(bound, orders, self.rho, self.epsilon)

    def _geometric_rdp(self, orders: FloatArray) -> FloatArray:
        """The exact Rényi divergence: two atoms and a geometric sum between them."""
        step, a, s = 1 / self.scale, orders, float(self.shift)
        gap, rate = a - 1, (2 * a - 1) * step
        norm = math.log1p(math.exp(-step))
        ends = np.logaddexp(gap * s * step, -a * s * step) - norm
        middle = gap * s * step - rate + np.log(-np.expm1(-(s - 1) * rate)) - np.log(-np.expm1(-rate))
        total = np.logaddexp(ends, middle + math.log(-math.expm1(-step)) - norm)
        return (total + 64 * U * (4 + a * s * step)) / gap

    def _enclosure(self, eps: FloatArray) -> tuple[FloatArray, FloatArray]:
        epsilon = self.epsilon
        if math.isinf(epsilon):
            return np.ones_like(eps), np.ones_like(eps)
        w = np.maximum((epsilon - eps) / 2, 0.0)
        less = np.maximum((math.nextafter(epsilon, 0.0) - eps) / 2, 0.0)  # the exact epsilon is between the two
        steps = w * self.scale
        slack = 4 * U * (steps + self.shift) + 4 * U  # in the fractional part; half a step is the worst place
        offset = np.minimum(np.abs(0.5 - np.mod(steps, 1.0)), 0.5)
        high = self._bend(np.maximum(offset - slack, 0.0))
        low = self._bend(np.minimum(offset + slack, 0.5))
        lower, upper = -np.expm1(-(less + low * (1 - 16 * U))), -np.expm1(-(w + high * (1 + 16 * U)))
        return _around(_outside(eps, lower, epsilon))[0], _around(_outside(eps, upper, epsilon))[1]

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
