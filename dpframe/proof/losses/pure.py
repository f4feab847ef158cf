r"""Events with pure differential privacy: what they share, randomised response and bounded range.

The proofs of every profile, Rényi curve and zCDP constant here and in :mod:`.laplace` are in ``docs/theory/losses.md``,
section 2. All four dominating pairs are *symmetric*, so :math:`\delta(-x) = 1 - e^{-x} + e^{-x}\delta(x)`. Closed
forms are without cancellation: every value is at least the true one and, unless said otherwise, at most 1e-7 above
it, relatively, for :math:`\varepsilon` from 1e-12 to 700 and orders from 1 + 1e-6 to 1e18. A positive loss is never
reported below ``FLOOR``, so that relative margins hold: nothing is computed among the subnormal numbers.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import ClassVar, final

import attrs
import numpy as np

from dpframe.proof.losses._numeric import FLOOR, FloatArray, U, floored, nonnegative, real, up
from dpframe.proof.losses.event import Event

_RELATIVE = 32 * U  # more than the round-off of any closed form below
_BERNOULLI = (
    1 / 6,
    -1 / 30,
    1 / 42,
    -1 / 30,
    5 / 66,
    -691 / 2730,
    7 / 6,
    -3617 / 510,
    43867 / 798,
    -174611 / 330,
    854513 / 138,
)
_SERIES = tuple(number / (2 * k * math.factorial(2 * k)) for k, number in enumerate(_BERNOULLI, start=1))
"""Of ``ln(sinh(x/2) / (x/2))`` in powers of ``x^2``; they alternate and the last is positive, so sums are above."""
_THIN = 1e-4
VANISHING = 1e-140


class Bounded(Event):
    """An event whose pair is symmetric and has no loss beyond epsilon; an infinite one publishes the data."""

    __slots__ = ()

    @abstractmethod
    def _inner(self, eps: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Bounds, below and above, of the profile on [-epsilon, epsilon], each good to a few units of round-off."""

    def _enclosure(self, eps: FloatArray) -> tuple[FloatArray, FloatArray]:
        if math.isinf(self.epsilon):
            return np.ones_like(eps), np.ones_like(eps)
        low, high = self._inner(eps)
        lower = self._outside(eps, low)
        upper = lower if high is low else self._outside(eps, high)
        above = upper * (1 + _RELATIVE) + np.where(upper > 0, 5e-324, 0.0)
        return np.maximum(lower * (1 - _RELATIVE) - 5e-324, 0.0), np.minimum(above, 1.0)

    def _outside(self, eps: FloatArray, inner: FloatArray) -> FloatArray:
        """Continue a profile given on [-epsilon, epsilon]: 0 above, 1 - e^x below."""
        below = -np.expm1(np.minimum(eps, 0.0))
        return np.where(eps >= self.epsilon, 0.0, np.where(eps <= -self.epsilon, below, inner))

    def capped(self, value: FloatArray, orders: FloatArray) -> FloatArray:
        """The computed curve, never above what zCDP and pure DP allow, and these alone where it underflows."""
        cap = np.minimum(orders * self.rho * (1 + 4 * U), self.epsilon)
        return np.where(np.isfinite(value) & (value > FLOOR), np.minimum(value, cap), cap)


def quantile(centred: float, log_tail: float) -> float:
    """Upper bound of the normal quantile at ``1 - p``, given ``1 - 2p`` and ``ln p``, both to 16 units."""
    from scipy.special import erfinv, ndtri_exp

    if centred < 0.5:
        return up(math.sqrt(2) * float(erfinv(centred)), 64)
    return up(-float(ndtri_exp(log_tail)), 256)


@final
@attrs.frozen
class Pure(Bounded):
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
        r"""The zCDP parameter, :math:`\varepsilon\tanh(\varepsilon/2)`."""
        return floored(up(self.epsilon * math.tanh(self.epsilon / 2), 8)) if self.epsilon else 0.0

    @property
    def mu(self) -> float:
        r"""The smallest GDP parameter: :math:`2\Phi^{-1}(e^\varepsilon/(1+e^\varepsilon))`."""
        epsilon = self.epsilon
        if epsilon == 0 or math.isinf(epsilon):
            return epsilon
        return floored(2 * quantile(math.tanh(epsilon / 2), -epsilon - math.log1p(math.exp(-epsilon))))

    def _rdp(self, orders: FloatArray) -> FloatArray:
        """ln[cosh((a - 1/2)e) / cosh(e/2)] / (a - 1), with the difference of cosines taken out."""
        epsilon = self.epsilon
        if math.isinf(epsilon):
            return np.full(orders.shape, math.inf)
        gap, small = orders - 1, orders * epsilon < 30
        e = min(epsilon, 30.0)
        ratio = 2 * np.sinh(orders * e / 2) * np.sinh(gap * e / 2) / math.cosh(e / 2)
        far = epsilon - (math.log1p(math.exp(-epsilon)) - np.log1p(np.exp(-(2 * orders - 1) * epsilon))) / gap
        value = np.where(small, np.log1p(ratio) / gap, far)
        return self.capped(value * (1 + 1e-14) + np.where(small, 0.0, 4 * U / gap), orders)

    def _inner(self, eps: FloatArray) -> tuple[FloatArray, FloatArray]:
        inner = -np.expm1(np.minimum(eps - self.epsilon, 0.0)) / (1 + math.exp(-self.epsilon))
        return inner, inner

    def atoms(self) -> tuple[FloatArray, FloatArray] | None:
        """The possible losses and their probabilities, where they are few."""
        if math.isinf(self.epsilon):
            return None
        small = 1 / (1 + math.exp(self.epsilon)) if self.epsilon < 700 else math.exp(-self.epsilon)
        return np.array([self.epsilon, -self.epsilon]), np.array([1 - small, small])


@final
@attrs.frozen
class BoundedRange(Bounded):
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
        r"""The zCDP parameter, at most :math:`\varepsilon^2/8` and close to it where that is small.

        .. math:: \ln\frac{e^\varepsilon-1}\varepsilon-1+\frac\varepsilon{e^\varepsilon-1}.
        """
        epsilon = self.epsilon
        if epsilon == 0 or math.isinf(epsilon):
            return epsilon
        plain = up(epsilon * epsilon / 8)
        if epsilon < 1e-2:  # 1 - epsilon^2/72 + 0.0003 epsilon^4 - ..., times epsilon^2/8
            return floored(up(plain * (1 - epsilon * epsilon / 72 * (1 - epsilon * epsilon)), 8))
        value = epsilon + math.log(-math.expm1(-epsilon) / epsilon) - 1
        value += epsilon / math.expm1(epsilon) if epsilon < 700 else epsilon * math.exp(-epsilon) * (1 + 1e-15)
        return min(value + 8 * U * (2 + epsilon + abs(math.log(epsilon))), plain)

    @property
    def mu(self) -> float:
        """The GDP parameter."""
        return Pure(self.epsilon / 2).mu

    def _rdp(self, orders: FloatArray) -> FloatArray:
        r"""The largest Rényi divergence over the two-point laws of a bounded range.

        With :math:`f(x)=x\ln\frac{\sinh(x/2)}{x/2}` it is
        :math:`\frac{f(a\varepsilon)-f((a-1)\varepsilon)-f(\varepsilon)}{(a-1)\varepsilon}`: a power series of
        positive products for :math:`a\varepsilon\le1`; for tiny :math:`\varepsilon` the midpoint rule for
        :math:`\int f'`, below by at most :math:`\varepsilon^3/96`; else the closed form with its round-off added.
        """
        epsilon = self.epsilon
        if math.isinf(epsilon) or epsilon < VANISHING:
            return self.capped(np.zeros(orders.shape), orders)
        gap = orders - 1
        top, low = orders * epsilon, gap * epsilon
        value = _range_series(epsilon, np.minimum(low, 1.0), np.minimum(top, 1.0))
        if epsilon < _THIN:
            middle = low + epsilon / 2
            ends = middle + np.log(-np.expm1(-middle)) - np.log(middle) - 1 + middle / np.expm1(middle)
            ends += epsilon * epsilon / 96 + 16 * U * (2 + middle + np.abs(np.log(middle)))
            wide = ends / gap * (1 + 8 * U)
        else:
            at_top, at_low, at_one = _log_share(top), _log_share(low), _log_share(np.array([epsilon]))
            log_a, ratio = np.log(orders), np.log(gap / orders)
            wide = epsilon + ratio + at_top - at_low + (at_top - at_one - log_a) / gap
            sizes = epsilon + np.abs(ratio) + np.abs(at_top) + np.abs(at_low) + 4
            ends = np.abs(at_top) * (1 + top) + np.abs(at_one) * (1 + epsilon) + log_a
            wide += 8 * U * (sizes + np.where(top < 700, ends, log_a) / gap)
        return self.capped(np.where(top <= 1, value, wide), orders)

    def _inner(self, eps: FloatArray) -> tuple[FloatArray, FloatArray]:
        root = -np.expm1(np.minimum((eps - self.epsilon) / 2, 0.0))
        inner = root * (root / -math.expm1(-self.epsilon)) if self.epsilon else np.zeros_like(eps)
        return inner, inner


def _log_share(x: FloatArray) -> FloatArray:
    """ln(1 - e^-x), good to 4(1 + x) units relatively, for an ``x`` that is good to one."""
    return np.where(x > 0.7, np.log1p(-np.exp(-x)), np.log(-np.expm1(-x)))


def _range_series(epsilon: float, low: FloatArray, top: FloatArray) -> FloatArray:
    """Sum of c_k [(x + y)^n - x^n - y^n] / x, n = 2k + 1, by the recurrence of the power sums of x + y, -x, -y."""
    q, r = low * low + low * epsilon + epsilon * epsilon, low * epsilon * top
    even, odd, before = 2 * q, np.full_like(q, 3.0), np.zeros_like(q)  # power sums 2, and 3 and 1 over r
    value = np.zeros_like(q)
    for c in _SERIES:
        value = value + c * odd
        even, odd, before = q * even + r * r * before, q * odd + even, odd
    return epsilon * top * value * (1 + 1e-14)
