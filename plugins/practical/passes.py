"""One private EM pass: from noisy soft moments of whitened, clipped rows to the next mixture."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from .records import Floats, Mixture, Moments, as_floats
from .truncation import chi_quantile, response, undo_scale

ANCHOR = 0.6
CLIP_QUANTILE = 0.9


def clip_radius(dimension: int, rows: float, components: int, noise_multiplier: float) -> float:
    """Clip radius ``c`` for whitened rows.

    Parameters
    ----------
    dimension : int
    rows : float
        Noisy number of live rows.
    components : int
    noise_multiplier : float
        Noise over sensitivity of this pass.
    """
    return chi_quantile(dimension, CLIP_QUANTILE)


def anchor(clip: float) -> float:
    """The constant first coordinate ``a`` of an augmented row ``y = (a, z)``: `ANCHOR` times the clip radius."""
    return ANCHOR * clip


def split_augmented(grams: Floats, clip: float, gram_std: float) -> Moments:
    """Read counts, sums and Grams off noisy augmented Grams ``sum g y y^T``, ``y = (a, z)``, ``a = anchor(clip)``.

    Parameters
    ----------
    grams : array of shape (k, d + 1, d + 1)
        Symmetric; entry (0, 0) is ``a^2 sum g``, the rest of row 0 ``a sum g z``.
    clip : float
    gram_std : float
        Noise of a diagonal entry (off-diagonal entries, in isometric coordinates: divided by sqrt 2).
    """
    a = anchor(clip)
    return Moments(
        clip=clip,
        counts=grams[:, 0, 0] / (a * a),
        sums=grams[:, 0, 1:] / a,
        grams=grams[:, 1:, 1:],
        count_std=gram_std / (a * a),
        sum_std=gram_std / math.sqrt(2.0) / a,
        gram_std=gram_std,
    )


def whitened_estimate(
    count: float, total: Floats, gram: Floats, moments: Moments
) -> tuple[Floats, Floats]:
    """Mean and covariance of one component in its whitened coordinates, truncation undone, noise shrunk."""
    d = total.size
    c = moments.clip
    second = gram / count
    level = float(np.trace(second)) / d
    scale = undo_scale(d, c, level)
    factors = response(d, c / math.sqrt(scale))
    mean = total / (count * factors.mean)
    length = float(np.linalg.norm(mean))
    if length > c:
        mean = mean * (c / length)
    noise = moments.gram_std / (count * factors.shape)
    traceless = (second - level * np.eye(d)) / factors.shape
    outer = np.outer(mean, mean)
    shift = float(np.trace(outer)) / d - (moments.sum_std / (count * factors.mean)) ** 2
    scale = max(scale - max(shift, 0.0), 0.1 * scale)
    shape = traceless - (outer - float(np.trace(outer)) / d * np.eye(d))
    energy = float((shape**2).sum())
    expected = noise * noise * (0.5 * d * (d + 1.0) - 1.0)
    shape *= max(0.0, 1.0 - expected / energy) if energy > 0.0 else 0.0
    values, vectors = np.linalg.eigh(scale * np.eye(d) + 0.5 * (shape + shape.T))
    values = np.clip(values, 0.05 * scale, 20.0 * scale)
    return mean, (vectors * values) @ vectors.T


def update(model: Mixture, moments: Moments) -> Mixture:
    """The next mixture from one pass."""
    k = model.weights.size
    least = max(1.0, 3.0 * moments.count_std)
    counts = np.maximum(moments.counts, 0.0)
    means, factors = model.means.copy(), model.cholesky.copy()
    for j in range(k):
        if counts[j] < least:
            continue
        mean, covariance = whitened_estimate(float(counts[j]), moments.sums[j], moments.grams[j], moments)
        means[j] = model.means[j] + model.cholesky[j] @ mean
        factors[j] = np.linalg.cholesky(model.cholesky[j] @ covariance @ model.cholesky[j].T)
    total = float(counts.sum())
    weights = counts / total if total > 0.0 else model.weights
    weights = np.maximum(weights, 1e-3 / k)
    return Mixture(weights / weights.sum(), means, factors)


def average(models: Sequence[Mixture], shares: Sequence[float]) -> Mixture:
    """Average of weights, means and covariances, weighted by the passes' shares."""
    share = as_floats(shares) / float(np.sum(shares))
    weights = sum(s * m.weights for s, m in zip(share, models, strict=True))
    means = sum(s * m.means for s, m in zip(share, models, strict=True))
    covariances = sum(s * m.covariances for s, m in zip(share, models, strict=True))
    return Mixture(weights, means, np.linalg.cholesky(covariances))
