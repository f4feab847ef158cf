"""Gaussian noise on the integers: rounded and discrete."""

from __future__ import annotations

from dpframe.kernel.noise.parameters import Size, drawn
from dpframe.kernel.noise.rejection import Integers, point_strips, rounded_strips
from dpframe.kernel.noise.sources import Source

WIDE_FROM = 2.0**56
"""Scale from which Gaussian noise is returned as Python ints."""


def rounded_gaussian(source: Source, sigma: float, size: Size) -> Integers:
    r"""Draw round(σN) exactly, N a standard normal real number.

    .. math:: P(Z = z) = \Phi((z + 1/2)/\sigma) - \Phi((z - 1/2)/\sigma)

    Parameters
    ----------
    source : Source
        Where the bits come from.
    sigma : float
        Standard deviation of the real number in lattice units, in [0, 2^60]; it counts as the exact rational
        number the float is. 0 gives zeros.
    size : int or tuple of int
        How many, or a shape.

    Returns
    -------
    ndarray, shape `size`
        int64 for sigma < 2^56, Python ints (dtype object) from there, or if a draw leaves ±2^62 (probability
        below 2^-2900): a sample is never wrapped or clamped.

    Raises
    ------
    SpecError
        If sigma is negative, not finite, above 2^60 or not exactly a float64, or if `size` is no shape.

    Notes
    -----
    Given independent fair bits from the source the distribution is exact: no float gaps, every integer can
    occur. Proof in docs/theory/noise.md. Running time depends on the draws, as in any rejection sampler.

    Formal guarantees
    -----------------
    For an integer vector q of L2 sensitivity Δ under the adjacency at hand, q + Z = floor(q + σN + 1/2)
    coordinate by coordinate, because q is an integer. It is a function of the continuous Gaussian mechanism's
    output, so it satisfies μ-GDP with μ = Δ/σ, and with it ρ = Δ²/2σ² zCDP and the continuous mechanism's
    (ε, δ), RDP and PLD, for every σ > 0 and without slack. A seeded source gives no guarantee.

    Examples
    --------
    >>> from dpframe.kernel.noise import SeededSource
    >>> rounded_gaussian(SeededSource(0), 2.0**20, 3).dtype
    dtype('int64')
    >>> rounded_gaussian(SeededSource(0), 0.0, (2, 2)).tolist()
    [[0, 0], [0, 0]]
    """
    return drawn(source, "sigma", sigma, size, lambda sigma: rounded_strips(sigma, wide=sigma >= WIDE_FROM))


def discrete_gaussian(source: Source, sigma: float, size: Size) -> Integers:
    r"""Draw from the discrete Gaussian exactly.

    .. math:: P(Z = z) = e^{-z^2/2\sigma^2} \Big/ \sum_{k \in \mathbb{Z}} e^{-k^2/2\sigma^2}

    Parameters
    ----------
    source : Source
        Where the bits come from.
    sigma : float
        Scale in lattice units, in [0, 2^60], as the exact rational number the float is. 0 gives zeros.
    size : int or tuple of int
        How many, or a shape.

    Returns
    -------
    ndarray, shape `size`
        int64 for sigma < 2^56, Python ints (dtype object) from there or if a draw leaves ±2^62.

    Raises
    ------
    SpecError
        If sigma is negative, not finite, above 2^60 or not exactly a float64, or if `size` is no shape.

    Notes
    -----
    The distribution is that of Canonne, Kamath and Steinke's algorithm [1]_, drawn by this package's strips
    instead of by rejection from a discrete Laplace. Proof in docs/theory/noise.md.

    Formal guarantees
    -----------------
    For an integer vector q of L2 sensitivity Δ, q + Z with independent coordinates satisfies ρ-zCDP with
    ρ = Δ²/2σ², hence (α, αρ)-RDP for every α > 1 ([1]_, Theorem 4 for one coordinate; Rényi divergences of
    independent coordinates add). It does **not** satisfy Δ/σ-GDP exactly and must not be charged the
    continuous Gaussian's (ε, δ) or PLD. A seeded source gives no guarantee.

    References
    ----------
    .. [1] Canonne, Kamath, Steinke, "The Discrete Gaussian for Differential Privacy", NeurIPS 2020.

    Examples
    --------
    >>> from dpframe.kernel.noise import SeededSource
    >>> discrete_gaussian(SeededSource(0), 0.01, 4).tolist()
    [0, 0, 0, 0]
    """
    return drawn(source, "sigma", sigma, size, lambda sigma: point_strips(2, sigma, wide=sigma >= WIDE_FROM))
