r"""Rényi curves, zCDP and GDP parameters of the events with pure DP, in closed form and without cancellation.

Every value is at least the true one and, unless said otherwise, at most 1e-7 above it, relatively, for
:math:`\varepsilon` from 1e-12 to 700 and orders from 1 + 1e-6 to 1e18. A positive loss is never reported below
``FLOOR``, so that relative margins hold: nothing is computed among the subnormal numbers. Proofs:
``docs/theory/losses.md``, section 2.
"""

from __future__ import annotations

import math

import numpy as np

from dpframe.proof.losses._numeric import FLOOR, FloatArray, U, floored, up

_SERIES = tuple(
    bernoulli / (2 * k * math.factorial(2 * k))
    for k, bernoulli in enumerate(
        (
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
        ),
        start=1,
    )
)
"""Of ``ln(sinh(x/2) / (x/2))`` in powers of ``x^2``; they alternate and the last is positive, so sums are above."""
_THIN = 1e-4
_VANISHING = 1e-140


def capped(value: FloatArray, orders: FloatArray, rho: float, epsilon: float) -> FloatArray:
    """The computed curve, never above what zCDP and pure DP allow, and these alone where it underflows."""
    cap = np.minimum(orders * rho * (1 + 4 * U), epsilon)
    return np.where(np.isfinite(value) & (value > FLOOR), np.minimum(value, cap), cap)


# ----------------------------------------------------------------------------- randomised response


def response_rho(epsilon: float) -> float:
    r"""The zCDP parameter of randomised response, :math:`\varepsilon\tanh(\varepsilon/2)`."""
    return floored(up(epsilon * math.tanh(epsilon / 2), 8)) if epsilon else 0.0


def response_mu(epsilon: float) -> float:
    r"""Smallest GDP parameter of randomised response: :math:`2\Phi^{-1}(e^\varepsilon/(1+e^\varepsilon))`."""
    if epsilon == 0 or math.isinf(epsilon):
        return epsilon
    return floored(2 * _quantile(math.tanh(epsilon / 2), -epsilon - math.log1p(math.exp(-epsilon))))


def response_rdp(epsilon: float, orders: FloatArray) -> FloatArray:
    """ln[cosh((a - 1/2)e) / cosh(e/2)] / (a - 1), with the difference of cosines taken out."""
    if math.isinf(epsilon):
        return np.full(orders.shape, math.inf)
    gap, small = orders - 1, orders * epsilon < 30
    e = min(epsilon, 30.0)
    ratio = 2 * np.sinh(orders * e / 2) * np.sinh(gap * e / 2) / math.cosh(e / 2)
    far = epsilon - (math.log1p(math.exp(-epsilon)) - np.log1p(np.exp(-(2 * orders - 1) * epsilon))) / gap
    value = np.where(small, np.log1p(ratio) / gap, far)
    return capped(value * (1 + 1e-14) + np.where(small, 0.0, 4 * U / gap), orders, response_rho(epsilon), epsilon)


# ----------------------------------------------------------------------------- Laplace


def laplace_rho(epsilon: float) -> float:
    r"""The zCDP parameter of Laplace noise, :math:`\varepsilon - 1 + e^{-\varepsilon}`, rounded up."""
    if epsilon == 0:
        return 0.0
    if epsilon > 1e-2:
        return up(epsilon + math.expm1(-epsilon), 8) + 4 * U * epsilon
    half = epsilon * epsilon / 2
    return floored(up(half * (1 - epsilon / 3 * (1 - epsilon / 4 * (1 - epsilon / 5 * (1 - epsilon / 6)))), 16))


def laplace_mu(epsilon: float) -> float:
    r"""Smallest GDP parameter of Laplace noise: :math:`2\Phi^{-1}(1-\frac12 e^{-\varepsilon/2})`."""
    if epsilon == 0 or math.isinf(epsilon):
        return epsilon
    return floored(2 * _quantile(-math.expm1(-epsilon / 2), -epsilon / 2 - math.log(2)))


def laplace_rdp(epsilon: float, orders: FloatArray) -> FloatArray:
    r"""ln[(a e^{(a-1)e} + (a-1) e^{-ae}) / (2a-1)] / (a - 1).

    With :math:`s=a-\frac12` and :math:`\mathrm{shc}(x)=\sinh(x)/x` the argument of the logarithm is
    :math:`1 + e^{-\varepsilon/2}\bigl[2\sinh\frac{a\varepsilon}2\sinh\frac{(a-1)\varepsilon}2 +
    \frac\varepsilon2(\mathrm{shc}(s\varepsilon)-\mathrm{shc}(\frac\varepsilon2))\bigr]`, all terms positive.
    """
    if math.isinf(epsilon) or epsilon < _VANISHING:
        return capped(np.zeros(orders.shape), orders, laplace_rho(epsilon), epsilon)
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
    return capped(value, orders, laplace_rho(epsilon), epsilon)


# ----------------------------------------------------------------------------- bounded range


def range_rho(epsilon: float) -> float:
    r"""The zCDP parameter of a bounded range, at most :math:`\varepsilon^2/8` and close to it where that is small.

    .. math:: \ln\frac{e^\varepsilon-1}\varepsilon-1+\frac\varepsilon{e^\varepsilon-1}.
    """
    if epsilon == 0 or math.isinf(epsilon):
        return epsilon
    plain = up(epsilon * epsilon / 8)
    if epsilon < 1e-2:  # 1 - epsilon^2/72 + 0.0003 epsilon^4 - ..., times epsilon^2/8
        return floored(up(plain * (1 - epsilon * epsilon / 72 * (1 - epsilon * epsilon)), 8))
    value = epsilon + math.log(-math.expm1(-epsilon) / epsilon) - 1
    value += epsilon / math.expm1(epsilon) if epsilon < 700 else epsilon * math.exp(-epsilon) * (1 + 1e-15)
    return min(value + 8 * U * (2 + epsilon + abs(math.log(epsilon))), plain)


def range_rdp(epsilon: float, orders: FloatArray) -> FloatArray:
    r"""The largest Rényi divergence over the two-point laws of a bounded range.

    With :math:`f(x)=x\ln\frac{\sinh(x/2)}{x/2}` it is
    :math:`\frac{f(a\varepsilon)-f((a-1)\varepsilon)-f(\varepsilon)}{(a-1)\varepsilon}`: a power series of
    positive products for :math:`a\varepsilon\le1`; for tiny :math:`\varepsilon` the midpoint rule for
    :math:`\int f'`, below by at most :math:`\varepsilon^3/96`; else the closed form with its round-off added.
    """
    if math.isinf(epsilon) or epsilon < _VANISHING:
        return capped(np.zeros(orders.shape), orders, range_rho(epsilon), epsilon)
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
    return capped(np.where(top <= 1, value, wide), orders, range_rho(epsilon), epsilon)


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


# ----------------------------------------------------------------------------- discrete Laplace


def discrete_rho(epsilon: float, scale: float) -> float:
    r"""The zCDP parameter of discrete Laplace noise, :math:`\varepsilon-\frac{1/b}{\sinh(1/b)}(1-e^{-\varepsilon})`."""
    if epsilon == 0 or math.isinf(epsilon):
        return epsilon
    y = 1 / scale
    if y < 1:
        series = 1.0
        for k in range(9, 1, -1):
            series = 1 + y * y / (2 * k * (2 * k + 1)) * series
        bend = y * y / 6 * series
        share = bend / (1 + bend)  # sinh(y) = y (1 + bend)
    else:
        share = 1 - (y / math.sinh(y) if y < 700 else 0.0)
    return min(laplace_rho(epsilon) + up(share * -math.expm1(-epsilon), 32), response_rho(epsilon)) * (1 + 4 * U)


def discrete_mu(shift: int, scale: float, epsilon: float) -> float:
    r"""Smallest GDP parameter of discrete Laplace noise: from the most central vertex of its trade-off curve.

    :math:`W(\lfloor\frac s2\rfloor+1)+W(\lceil\frac s2\rceil)` with
    :math:`W(z)=\Phi^{-1}\bigl(1-\frac{q^z}{1+q}\bigr)`, :math:`q=e^{-1/b}`.
    """
    if epsilon == 0 or math.isinf(epsilon):
        return epsilon
    y = 1 / scale

    def quantile(z: int) -> float:
        far = min(float(z) * y, 1e300)
        norm = 1 + math.exp(-y)
        centred = (math.exp(-y) * -math.expm1(-max(float(z - 1) * y, 0.0)) - math.expm1(-far)) / norm
        return _quantile(centred, -far - math.log(norm))

    if shift % 2:
        return floored(2 * quantile((shift + 1) // 2))
    return floored(quantile(shift // 2 + 1) + quantile(shift // 2))


def _quantile(centred: float, log_tail: float) -> float:
    """Upper bound of the normal quantile at ``1 - p``, given ``1 - 2p`` and ``ln p``, both to 16 units."""
    from scipy.special import erfinv, ndtri_exp

    if centred < 0.5:
        return up(math.sqrt(2) * float(erfinv(centred)), 64)
    return up(-float(ndtri_exp(log_tail)), 256)
