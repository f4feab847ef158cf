r"""The exact privacy profile of a Gaussian mechanism and its inverse, safely rounded.

With :math:`a = \varepsilon/\mu - \mu/2`, :math:`b = \varepsilon/\mu + \mu/2`, the Gaussian density
:math:`\varphi` and Mills' ratio :math:`R(t) = (1-\Phi(t))/\varphi(t)`,

.. math:: \delta(\varepsilon) = \Phi(-a) - e^{\varepsilon}\Phi(-b) = \varphi(a)\,[R(a) - R(b)],

because :math:`e^{\varepsilon}\varphi(b) = \varphi(a)`. The right side does not cancel where :math:`\delta`
is tiny. Source: Balle and Wang, *Improving the Gaussian mechanism* (ICML 2018), Theorem 8; Dong, Roth and Su,
*Gaussian differential privacy* (JRSS B 2022), Corollary 2.13.
"""

from __future__ import annotations

import math

import numpy as np

from dpframe.proof.losses._numeric import FloatArray
from dpframe.proof.roots import boundary

_SCALED = math.sqrt(math.pi / 2)
_ROOT = math.sqrt(2)
_SQRT_PI = math.sqrt(math.pi)
_SPLITTER = 2.0**27 + 1
_DENSITY = 1 / math.sqrt(2 * math.pi)
_THIN = 1e-4
_CENTRE = -4.0  # below it Mills' ratio grows like exp(a^2/2); the plain difference is accurate there


def gaussian_profile(mu: float, eps: FloatArray) -> tuple[FloatArray, FloatArray]:
    r"""Lower and upper bounds of the profile of a :math:`\mu`-GDP mechanism at every ``eps``.

    Parameters
    ----------
    mu : float
        Positive finite GDP parameter.
    eps : ndarray
        Any real numbers.

    Returns
    -------
    (ndarray, ndarray)
        Bounds around the exact value, for floats ``mu`` and ``eps`` taken as exact.

    Notes
    -----
    Error budget: ``a`` and ``b`` are off by at most ``4u(|eps|/mu + mu)``; that moves
    :math:`\ln\varphi(a)` by at most ``|a|`` times as much, :math:`\ln R` by at most
    ``(1 + |a|)`` times as much. ``erfcx`` and ``ndtr`` are taken to be good to ``1e-14``. Negative ``eps`` are
    reflected; where ``a`` exceeds 1e4 the value there stands for all larger ones.

    For ``mu`` below 1e-4 the difference is :math:`\int_a^b -R'`, :math:`-R'(t)=1-tR(t)=\int_0^\infty
    se^{-ts-s^2/2}ds`, convex, by the midpoint rule: below the truth by at most :math:`\mu^2/24` times the
    ratio of third to first moment at ``a``, which decreases and is below 2.01 for :math:`a\ge-\mu/2`; so by
    less than :math:`\mu^2/8`, relatively.
    """
    from scipy.special import erfcx, ndtr

    x = np.minimum(np.abs(np.asarray(eps, dtype=np.float64)), mu * (1e4 + mu / 2))
    with np.errstate(all="ignore"):
        ratio = x / mu
        a, b = ratio - mu / 2, ratio + mu / 2
        relative = 1e-14 + 8e-16 * (ratio + mu) * (2 + np.abs(a))
        safe = np.maximum(a, _CENTRE)
        density = _DENSITY * np.exp(-0.5 * safe * safe)
        near, far = density * _SCALED * erfcx(safe / _ROOT), density * _SCALED * erfcx(b / _ROOT)
        left = ndtr(-a)
        right = _DENSITY * np.exp(-0.5 * a * a) * _SCALED * erfcx(b / _ROOT)
        tail = a > _CENTRE
        value = np.where(tail, near - far, left - right)
        error = np.where(tail, near + far, left + right) * relative
        if mu < _THIN:
            value = density * mu * np.maximum(1 - ratio * _SCALED * erfcx(ratio / _ROOT), 0.0)
            error = value * (relative + mu * mu / 8) + 4e-14 * density * mu
        lower, upper = np.maximum(value - error, 0.0), np.minimum(value + error, 1.0)
        lower = np.where(np.abs(eps) > x, 0.0, lower)
        below, factor = -np.expm1(np.minimum(eps, 0.0)), np.exp(np.minimum(eps, 0.0))
    lower, upper = np.where(np.isnan(lower), 0.0, lower), np.where(np.isnan(upper), 1.0, upper)
    upper = np.minimum((below + factor * upper) * (1 + 1e-15) + 5e-324, 1.0)
    return np.maximum((below + factor * lower) * (1 - 1e-15), 0.0), upper


def scaled_tail(t: float) -> float:
    r"""``erfcx(t)``, that is :math:`e^{t^2}\mathrm{erfc}(t)`, for any ``t >= -4``, to 3e-15, relatively.

    Up to 10 as written: the square is split into a float and its exact remainder, and the C library's ``erfc`` and
    ``exp`` are good to a few units. From there on by the asymptotic series, whose error is below the first term left
    out, :math:`27!!/200^{14} < 10^{-16}`.

    Examples
    --------
    >>> scaled_tail(0.0), round(scaled_tail(1e6) * 1e6, 6)
    (1.0, 0.56419)
    """
    if t < 10:
        square, scaled = t * t, _SPLITTER * t
        high = scaled - (scaled - t)
        low = t - high
        rest = high * high - square + 2 * high * low + low * low  # exact: Dekker 1971
        return math.exp(square) * (1 + rest) * math.erfc(t)
    value, step = 1.0, 0.5 / (t * t)
    for k in range(25, 0, -2):
        value = 1 - k * step * value
    return value / (t * _SQRT_PI)


def gaussian_delta(mu: float, epsilon: float) -> float:
    """Upper bound of the profile at one point; 0 for ``mu = 0``, 1 for ``mu = inf``.

    The number is that of :func:`gaussian_profile`, within the error it allows for, without SciPy: two fifths of
    what importing everything takes is SciPy's special functions.
    """
    if mu == 0:
        return max(0.0, -math.expm1(epsilon)) if epsilon < 0 else 0.0
    if math.isinf(mu):
        return 1.0
    x = min(abs(epsilon), mu * (1e4 + mu / 2))
    ratio = x / mu
    if not (math.isfinite(x) and math.isfinite(ratio)):
        return float(gaussian_profile(mu, np.array([epsilon]))[1][0])
    a, b = ratio - mu / 2, ratio + mu / 2
    relative = 1e-14 + 8e-16 * (ratio + mu) * (2 + abs(a))
    if mu < _THIN:
        density = _DENSITY * math.exp(-0.5 * a * a)
        value = density * mu * max(1 - ratio * _SCALED * scaled_tail(ratio / _ROOT), 0.0)
        error = value * (relative + mu * mu / 8) + 4e-14 * density * mu
    else:
        factor = _DENSITY * math.exp(-0.5 * a * a) * _SCALED
        first = factor * scaled_tail(a / _ROOT) if a > _CENTRE else 0.5 * math.erfc(a / _ROOT)
        second = factor * scaled_tail(b / _ROOT)
        value, error = first - second, (first + second) * relative
    upper, under = value + error, min(epsilon, 0.0)
    upper = 1.0 if math.isnan(upper) else min(upper, 1.0)
    return min((-math.expm1(under) + math.exp(under) * upper) * (1 + 1e-15) + 5e-324, 1.0)


def gaussian_epsilon(mu: float, delta: float) -> float:
    r"""Smallest :math:`\varepsilon\ge 0` with :math:`\delta_\mu(\varepsilon)\le\delta`, rounded up.

    Bisection on the *upper* bound of the profile, so the answer is never below the true one.

    Examples
    --------
    >>> round(gaussian_epsilon(1.0, 1e-6), 4)
    4.8866
    """
    if mu == 0:
        return 0.0
    if math.isinf(mu) or delta <= 0:
        return math.inf
    if gaussian_delta(mu, 0.0) <= delta:
        return 0.0
    low, high = 0.0, max(mu, mu * mu)
    while gaussian_delta(mu, high) > delta:
        low, high = high, 2 * high
        if math.isinf(high):
            return math.inf
    return boundary(lambda epsilon: gaussian_delta(mu, epsilon) <= delta, high, low, relative=1e-15)[0]
