"""Laplace noise on the integers."""

from __future__ import annotations

from dpframe.kernel.noise.parameters import Size, drawn
from dpframe.kernel.noise.rejection import Integers, point_strips
from dpframe.kernel.noise.sources import Source

WIDE_FROM = 2.0**52
"""Scale from which Laplace noise is returned as Python ints."""


def discrete_laplace(source: Source, scale: float, size: Size) -> Integers:
    r"""Draw from the discrete Laplace (two-sided geometric) distribution exactly.

    .. math:: P(Z = z) = \frac{1 - q}{1 + q}\, q^{|z|}, \qquad q = e^{-1/b}

    Parameters
    ----------
    source : Source
        Where the bits come from.
    scale : float
        b in lattice units, in [0, 2^60], as the exact rational number the float is. 0 gives zeros.
    size : int or tuple of int
        How many, or a shape.

    Returns
    -------
    ndarray, shape `size`
        int64 for scale < 2^52, Python ints (dtype object) from there, or if a draw leaves ±2^62 (probability
        below 2^-1470): a sample is never wrapped or clamped.

    Raises
    ------
    SpecError
        If the scale is negative, not finite, above 2^60 or not exactly a float64, or if `size` is no shape.

    Notes
    -----
    Exact given independent fair bits; proof in docs/theory/noise.md.

    Formal guarantees
    -----------------
    For an integer vector q of L1 sensitivity Δ, q + Z with independent coordinates is ε-DP with ε = Δ/b: the
    ratio of two probabilities is at most exp(Δ/b) by the triangle inequality ([1]_). A seeded source gives no
    guarantee.

    References
    ----------
    .. [1] Ghosh, Roughgarden, Sundararajan, "Universally Utility-Maximizing Privacy Mechanisms", STOC 2009.

    Examples
    --------
    >>> from dpframe.kernel.noise import SeededSource
    >>> discrete_laplace(SeededSource(0), 0.001, 4).tolist()
    [0, 0, 0, 0]
    """
    return drawn(source, "scale", scale, size, lambda scale: point_strips(1, scale, wide=scale >= WIDE_FROM))
