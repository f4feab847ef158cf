"""The clip radius of a pass: small where noise counts, large where sampling does."""

from __future__ import annotations

import math
from collections.abc import Sequence

import attrs

from .truncation import chi_quantile, response

ANCHOR = 0.6
QUANTILES = (0.8, 0.85, 0.9, 0.95, 0.98, 0.99)
USUAL = 0.9


@attrs.frozen
class Rule:
    """How the rows of a pass are clipped and augmented.

    Parameters
    ----------
    anchor : float
        The constant first coordinate of an augmented row over the clip radius c: a larger one gives better counts
        (noise ``(1 + a^2) / a^2``) and means (``c (1 + a^2) / a``) and worse covariances (``c^2 (1 + a^2)``).
    quantiles : tuple of float
        Of a unit component's radii: what c is chosen from, beyond two columns.
    """

    anchor: float = ANCHOR
    quantiles: tuple[float, ...] = QUANTILES


PLENTY, SCARCE = Rule(), Rule(0.8, (0.5,))
"""Where rows are scarce noise is all that counts: clipped at the median radius, means carry a tenth less of it and
covariances a fifth. In one or two columns sizes could not be told any more."""
LITTLE = 0.5
"""Noise of a Gram's entry, in sampling errors of the entry, up to which a larger clip is as good as free."""
GROWTH = 1.0 / 3.0
"""The clip radius grows as this power of the squared radius that `LITTLE` allows: the radius grows without end as the
noise vanishes, and the noise in units of the sampling error still goes down as its power 1/3."""


def predicted_variances(
    dimension: int, clip: float, rows: float, gram_std: float, rule: Rule = PLENTY
) -> tuple[float, float]:
    """Variances of a coordinate of a unit component's estimated mean and of an off-diagonal of its covariance.

    Sampling of ``rows`` rows plus the noise of augmented Grams whose diagonal entries carry ``gram_std``:
    with the factors f, g, a of `truncation` and ``h = E min(|u|, c)^4 / (d (d + 2))``

        (f / n + gram_std^2 / (2 n^2 anchor^2)) / g^2,     (h / n + gram_std^2 / (2 n^2)) / a^2.
    """
    from scipy.special import gammainc, gammaincc

    factors = response(dimension, clip)
    d, half = float(dimension), 0.5 * clip * clip
    fourth = float(gammainc(0.5 * d + 2.0, half)) + clip**4 / (d * (d + 2.0)) * float(gammaincc(0.5 * d, half))
    noise = 0.5 * (gram_std / rows) ** 2
    mean = (factors.second / rows + noise / (rule.anchor * clip) ** 2) / factors.mean**2
    return mean, (fourth / rows + noise) / factors.shape**2


def entry_noise(dimension: int, clip: float, rows: float, noise_multiplier: float) -> float:
    """Noise of an off-diagonal entry of a unit component's covariance in a pass to come."""
    std = noise_multiplier * math.sqrt(2.0) * (1.0 + ANCHOR**2) * clip**2
    return std / math.sqrt(2.0) / (max(rows, 1.0) * response(dimension, clip).shape)


def predicted_mean(
    dimension: int, each: float, components: int, noise: Sequence[float], shares: Sequence[float], rule: Rule = PLENTY
) -> float:
    """Root mean square ℓ2 error of a unit component's mean, averaged over passes by their shares.

    The rows of a component are the same in every pass and their sampling does not average out; the noise does.

    Parameters
    ----------
    dimension : int
    each : float
        Rows of a component.
    components : int
    noise : sequence of float
        Standard deviation of a diagonal entry of each pass's released matrix, rows in the unit ball.
    shares : sequence of float
    rule : Rule
    """
    total, sampling, noisy = sum(shares), 0.0, 0.0
    for sigma, share in zip(noise, shares, strict=True):
        clip = clip_radius(dimension, each * components, components, sigma / math.sqrt(2.0), rule)
        std = sigma * (1.0 + rule.anchor**2) * clip**2
        quiet = predicted_variances(dimension, clip, each, 0.0, rule)[0]
        sampling += share / total * math.sqrt(quiet)
        noisy += (share / total) ** 2 * (predicted_variances(dimension, clip, each, std, rule)[0] - quiet)
    return math.sqrt(dimension * (sampling**2 + noisy))


def clip_radius(dimension: int, rows: float, components: int, noise_multiplier: float, rule: Rule = PLENTY) -> float:
    """Clip radius ``c`` for whitened rows.

    Of a few chi-square quantiles, the one with the smallest product of `predicted_variances` for
    ``n = rows / components`` rows, times `grown`.

    Parameters
    ----------
    dimension : int
    rows : float
        Noisy number of valid rows.
    components : int
    noise_multiplier : float
        Noise over sensitivity of this pass, roughly; 0 where it is not known: the 90 % quantile.
    rule : Rule

    Examples
    --------
    >>> clip_radius(10, 1e4, 4, 10.0) < clip_radius(10, 1e6, 4, 1.0)
    True
    """
    if noise_multiplier <= 0.0:
        return chi_quantile(dimension, USUAL)
    least = gaussian_radius(dimension, rows, components, noise_multiplier, rule)
    return least * grown(least, max(rows, 1.0) / components, noise_multiplier)


def gaussian_radius(
    dimension: int, rows: float, components: int, noise_multiplier: float, rule: Rule = PLENTY
) -> float:
    """The clip radius of `clip_radius` before it grows."""
    each = max(rows, 1.0) / components
    quantiles = rule.quantiles if dimension > 2 else QUANTILES

    def badness(clip: float) -> float:
        std = noise_multiplier * math.sqrt(2.0) * (1.0 + rule.anchor**2) * clip**2
        mean, shape = predicted_variances(dimension, clip, each, std, rule)
        return mean * shape

    return min((chi_quantile(dimension, q) for q in quantiles), key=badness)


def grown(clip: float, rows: float, noise_multiplier: float) -> float:
    """Factor by which a clip radius made for Gaussian tails can grow at little cost.

    An entry of an augmented Gram carries noise ``(1 + ANCHOR^2) c^2 m`` for the noise multiplier m, its sampling error
    is about ``sqrt(rows)``. Where ``c^2 = F = LITTLE sqrt(rows) / ((1 + ANCHOR^2) m)`` the noise is `LITTLE` of that;
    with ``c^2 = b^2 max(1, F / b^2)^(2/3)`` from the radius b for Gaussians, the noise is at most `LITTLE` wherever
    the radius grows, vanishes with m, and the bias on heavier tails vanishes too.

    Examples
    --------
    >>> grown(3.0, 1e4, 10.0), round(grown(3.0, 1e4, 1e-3), 1)
    (1.0, 16.0)
    """
    free = LITTLE * math.sqrt(rows) / ((1.0 + ANCHOR**2) * noise_multiplier)
    return float(max(1.0, free / clip**2) ** GROWTH)
