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

from dpframe.losses._numeric import FloatArray

_SCALED = math.sqrt(math.pi / 2)
_ROOT = math.sqrt(2)
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


def gaussian_delta(mu: float, epsilon: float) -> float:
    """Upper bound of the profile at one point; 0 for ``mu = 0``, 1 for ``mu = inf``."""
    if mu == 0:
        return max(0.0, -math.expm1(epsilon)) if epsilon < 0 else 0.0
    if math.isinf(mu):
        return 1.0
    return float(gaussian_profile(mu, np.array([epsilon]))[1][0])


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
    while True:
        middle = 0.5 * (low + high)
        if not low < middle < high or high - low <= 1e-15 * high:
            return high
        if gaussian_delta(mu, middle) <= delta:
            high = middle
        else:
            low = middle
