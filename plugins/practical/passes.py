"""One private EM pass: from noisy soft moments of whitened, clipped rows to the next mixture."""

from __future__ import annotations

import math
from collections.abc import Sequence

import attrs
import numpy as np

from .clipping import ANCHOR, clip_radius
from .local import Local, apply, invert, shrink
from .matching import match
from .records import Floats, Mixture, Moments, as_floats
from .truncation import response

__all__ = ["average", "clip_radius", "split_augmented", "update"]


def split_augmented(grams: Floats, clip: float, gram_std: float, anchor: float | None = None) -> Moments:
    """Read counts, sums and Grams off noisy augmented Grams ``sum g y y^T``, ``y = (a, z)``.

    Parameters
    ----------
    grams : array of shape (k, d + 1, d + 1)
        Symmetric; entry (0, 0) is ``a^2 sum g``, the rest of row 0 ``a sum g z``.
    clip : float
    gram_std : float
        Noise of a diagonal entry (off-diagonal entries, in isometric coordinates: divided by sqrt 2).
    anchor : float
        The ``a``; by default `ANCHOR` times the clip.
    """
    a = ANCHOR * clip if anchor is None else anchor
    return Moments(
        clip=clip,
        counts=grams[:, 0, 0] / (a * a),
        sums=grams[:, 0, 1:] / a,
        grams=grams[:, 1:, 1:],
        count_std=gram_std / (a * a),
        sum_std=gram_std / math.sqrt(2.0) / a,
        gram_std=gram_std,
    )


def update(model: Mixture, moments: Moments, seed: int) -> Mixture:
    """The next mixture from one pass.

    Parameters
    ----------
    model : Mixture
        The mixture the pass was taken with.
    moments : Moments
    seed : int
        Public.

    Notes
    -----
    A component whose noisy count is not three noise deviations above 0 stays where it is.
    """
    least = max(1.0, 3.0 * moments.count_std)
    alive = moments.counts >= least
    noise, of_means = relative_noise(moments), mean_noise(moments)
    if not alive.any():
        return attrs.evolve(model, noise=noise, mean_noise=of_means)
    counts = np.maximum(moments.counts, least)
    seen = invert(counts, moments.sums, moments.grams, moments.clip, model.laws)
    observed = shrink(seen, moments, laws=model.laws)
    here = Local.identity(observed.weights, model.means.shape[1])
    observed = Local(
        observed.weights,
        np.where(alive[:, None], observed.means, here.means),
        np.where(alive[:, None, None], observed.covariances, here.covariances),
    ).repaired()
    found = match(model, observed, moments.clip, seed)
    return attrs.evolve(apply(model, found), noise=noise, mean_noise=of_means, laws=model.laws)


def relative_noise(moments: Moments) -> Floats:
    """Spectral norm of the noise in each component's covariance, in coordinates where that is about I."""
    d = moments.sums.shape[1]
    factor = response(d, moments.clip).shape
    return as_floats(moments.gram_std * math.sqrt(2.0 * d) / (np.maximum(moments.counts, 1.0) * factor))


def mean_noise(moments: Moments) -> Floats:
    """Standard deviation of the noise in a coordinate of each component's mean, in the same coordinates."""
    factor = response(moments.sums.shape[1], moments.clip).mean
    return as_floats(moments.sum_std / (np.maximum(moments.counts, 1.0) * factor))


def average(models: Sequence[Mixture], shares: Sequence[float]) -> Mixture:
    """Average of weights, means and covariances, weighted by the passes' shares."""
    share = as_floats(shares) / float(np.sum(shares))
    weights = sum(s * m.weights for s, m in zip(share, models, strict=True))
    means = sum(s * m.means for s, m in zip(share, models, strict=True))
    covariances = sum(s * m.covariances for s, m in zip(share, models, strict=True))
    return Mixture(weights, means, np.linalg.cholesky(covariances))
