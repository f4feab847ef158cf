"""What clipping to a ball does to the moments of a Gaussian, and how to undo it.

Let ``z ~ N(m, s I + E)`` in ``d`` dimensions and ``clip(z) = z min(1, c/|z|)``. To first order in ``m``
and in the traceless part of ``E``

    E clip(z)           = g m
    E clip(z) clip(z)^T = s f I + a E          (traceless E)

with, writing ``F_v`` for the distribution function of chi-square with ``v`` degrees of freedom and
``b = c / sqrt(s)``,

    f = F_{d+2}(b^2) + (b^2/d) (1 - F_d(b^2))
    g = F_d(b^2) + (1 - 1/d) b E[1/|u| ; |u| > b]                   (u ~ N(0, I), Stein's identity)
    a = F_{d+4}(b^2) + b^2/(d+2) (1 - F_{d+2}(b^2))                 (score of a Gaussian, E u1^2 u2^2)

At a fixed point of soft EM (the model holds, ``m = 0``, ``s = 1``, ``E = 0``) the correction is exact,
because ``g_j p = w_j N_j``: soft responsibilities cut nothing off.
"""

from __future__ import annotations

import math

import attrs


@attrs.frozen
class Response:
    """Factors by which clipping shrinks a unit Gaussian's moments: see the module."""

    second: float
    mean: float
    shape: float


def response(dimension: int, radius: float) -> Response:
    """Factors ``f``, ``g``, ``a`` for ``N(0, I)`` clipped to ``radius``.

    Parameters
    ----------
    dimension : int
    radius : float
        Clip radius in units of the Gaussian's standard deviation.

    Examples
    --------
    >>> response(3, 1e9)
    Response(second=1.0, mean=1.0, shape=1.0)
    >>> round(response(1, 1.0).second, 4)  # E min(z^2, 1) = 0.1987 + 0.3173
    0.5161
    """
    from scipy.special import gammainc, gammaincc, gammaln

    d, half = float(dimension), 0.5 * radius * radius
    inside, outside = float(gammainc(0.5 * d, half)), float(gammaincc(0.5 * d, half))
    second = float(gammainc(0.5 * d + 1.0, half)) + 2.0 * half / d * outside
    mean = inside
    if dimension > 1:
        tail = float(gammaincc(0.5 * (d - 1.0), half))
        inverse_norm = math.exp(float(gammaln(0.5 * (d - 1.0)) - gammaln(0.5 * d))) / math.sqrt(2.0) * tail
        mean += (1.0 - 1.0 / d) * radius * inverse_norm
    shape = float(gammainc(0.5 * d + 2.0, half))
    shape += 2.0 * half / (d + 2.0) * float(gammaincc(0.5 * d + 1.0, half))
    return Response(second, mean, shape)


def chi_quantile(dimension: int, probability: float) -> float:
    """Radius of the ball that holds ``probability`` of ``N(0, I)``."""
    from scipy.special import gammaincinv

    return math.sqrt(2.0 * float(gammaincinv(0.5 * dimension, probability)))


def undo_scale(dimension: int, clip: float, observed: float) -> float:
    """Solve ``s f(clip / sqrt(s)) = observed`` for the isotropic variance ``s``.

    The left side grows from 0 to ``clip^2 / d``; observations are cut to between 1e-6 and 0.97 of that. It is
    ``E min(s u^2, clip^2) / d`` of a chi-distributed u, concave with slope ``F_{d+2}(clip^2 / s)`` and at most s, so
    Newton's steps from what is observed grow, and never pass the solution.

    Examples
    --------
    >>> s = 1.7
    >>> round(undo_scale(4, 3.0, s * response(4, 3.0 / s**0.5).second), 6)
    1.7
    """
    from scipy.special import gammainc, gammaincc

    top = clip * clip / dimension
    target = min(max(observed, 1e-6 * top), 0.97 * top)

    scale = target
    for _ in range(60):
        half = 0.5 * clip * clip / scale
        slope = float(gammainc(0.5 * dimension + 1.0, half))
        step = (target - scale * slope - top * float(gammaincc(0.5 * dimension, half))) / slope
        if not step > 2.0**-52 * scale:
            break
        scale += step
    return scale
