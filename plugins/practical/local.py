"""Mixtures in the whitened coordinates of a current mixture, and how noisy moments become one."""

from __future__ import annotations

import math
from collections.abc import Sequence

import attrs
import numpy as np

from .radii import Law, factors, scale_of
from .records import Floats, Mixture, Moments, as_floats, conditioned

Laws = Sequence[Law | None]

SMALLEST, LARGEST = 0.02, 50.0
FLOOR = 0.25


@attrs.frozen(eq=False)
class Local:
    """Component j in coordinates where the current component j is N(0, I); weights are plain.

    Parameters
    ----------
    weights : array of shape (k,)
    means : array of shape (k, d)
    covariances : array of shape (k, d, d)
    """

    weights: Floats = attrs.field(converter=as_floats)
    means: Floats = attrs.field(converter=as_floats)
    covariances: Floats = attrs.field(converter=as_floats)

    @classmethod
    def identity(cls, weights: Floats, dimension: int) -> Local:
        """The current mixture itself."""
        k = weights.size
        return cls(weights, np.zeros((k, dimension)), np.repeat(np.eye(dimension)[None], k, axis=0))

    def plus(self, other: Local) -> Local:
        """Sum of all parameters."""
        return Local(self.weights + other.weights, self.means + other.means, self.covariances + other.covariances)

    def minus(self, other: Local) -> Local:
        """Difference of all parameters."""
        return Local(self.weights - other.weights, self.means - other.means, self.covariances - other.covariances)

    def size(self) -> float:
        """Largest absolute parameter."""
        return float(max(abs(self.weights).max(), abs(self.means).max(), abs(self.covariances).max()))

    def repaired(self) -> Local:
        """The nearest valid mixture: positive weights that sum to 1, eigenvalues within fixed limits."""
        weights = np.maximum(self.weights, 1e-4 / self.weights.size)
        values, vectors = np.linalg.eigh(0.5 * (self.covariances + np.swapaxes(self.covariances, 1, 2)))
        values = np.clip(values, SMALLEST, LARGEST)
        covariances = (vectors * values[:, None, :]) @ np.swapaxes(vectors, 1, 2)
        return Local(weights / weights.sum(), self.means, covariances)


def law_of(laws: Laws, j: int) -> Law | None:
    """The law of component j, if it is known."""
    return laws[j] if j < len(laws) else None


def invert(counts: Floats, sums: Floats, grams: Floats, clip: float, laws: Laws = ()) -> Local:
    """Weights, means and covariances from clipped moments, as if components did not overlap.

    The clip's effect on the isotropic part is undone exactly, on mean and shape to first order: see
    `truncation`, and `radii` where laws of radii are given. Counts must be positive.
    """
    k, d = sums.shape
    means, covariances = np.empty((k, d)), np.empty((k, d, d))
    for j in range(k):
        second = grams[j] / counts[j]
        level = float(np.trace(second)) / d
        scale = scale_of(d, clip, level, law_of(laws, j))
        seen = factors(d, clip / math.sqrt(scale), law_of(laws, j))
        means[j] = sums[j] / (counts[j] * seen.mean)
        uncentred = scale * np.eye(d) + (second - level * np.eye(d)) / seen.shape
        covariances[j] = uncentred - np.outer(means[j], means[j])
    return Local(counts / counts.sum(), means, covariances)


def shrink(local: Local, moments: Moments, *, laws: Laws = ()) -> Local:
    """Pull every covariance towards the current one by the known level of its noise.

    See `shrink_covariance`. A mean outside the clip ball is pulled back onto it, and the noise that the
    squared mean takes out of the covariance is put back.

    Parameters
    ----------
    local : Local
        What `invert` read off the noisy moments.
    moments : Moments
        Those moments, for their noise.
    laws : sequence of Law or None
        Of radii, where they are known.
    """
    k, d = local.means.shape
    means, covariances = local.means.copy(), local.covariances.copy()
    counts = local.weights * max(float(moments.counts.sum()), 1.0)
    for j in range(k):
        scale = max(float(np.trace(local.covariances[j])) / d, SMALLEST)
        seen = factors(d, moments.clip / math.sqrt(scale), law_of(laws, j))
        mean_noise = moments.sum_std / (counts[j] * seen.mean)
        means[j] *= min(1.0, moments.clip / max(float(np.linalg.norm(means[j])), 1e-300))
        noise = moments.gram_std / (counts[j] * seen.shape)
        covariances[j] += min(mean_noise**2, scale) * np.eye(d)
        covariances[j] = shrink_covariance(covariances[j], noise)
    return Local(local.weights, means, covariances)


def shrink_covariance(covariance: Floats, noise: float, level: Floats | None = None) -> Floats:
    """James-Stein towards the isotropic part, in coordinates where the current covariance is I.

    The traceless part E of an estimate carries noise of known energy ``noise^2 D``, ``D = d(d+1)/2 - 1``, and is
    multiplied by ``max(0, 1 - m noise^2 D / |E|^2)``. The margin m is 1 where the noise is small and 1.5 where its
    spectral norm ``noise sqrt(2 d)`` exceeds 1: there the noise's own spread matters, and covariances would
    collapse. Eigenvalues below a quarter of that norm are lifted to it.

    Parameters
    ----------
    covariance : array of shape (d, d)
    noise : float
        Standard deviation of a diagonal entry (off-diagonal entries: divided by sqrt 2).
    level : array of shape (d, d)
        What it is pulled towards in place of its isotropic part.
    """
    d = covariance.shape[0]
    scale = max(float(np.trace(covariance)) / d, SMALLEST)
    level = scale * np.eye(d) if level is None else level
    shape = covariance - level
    norm = noise * math.sqrt(2.0 * d)
    shape *= believed(float((shape**2).sum()), noise**2 * (0.5 * d * (d + 1.0) - 1.0), norm)
    values, vectors = np.linalg.eigh(level + shape)
    return as_floats((vectors * lifted(values, norm, scale)) @ vectors.T)


def believed(energy: float, expected: float, norm: float = 0.0) -> float:
    """What to keep of a difference with this square, whose noise has so much of it in the mean (James and Stein).

    A noise of spectral ``norm`` above 1 counts up to half as much again.

    Examples
    --------
    >>> believed(4.0, 1.0), believed(1.0, 2.0), believed(4.0, 1.0, 5.0)
    (0.75, 0.0, 0.625)
    """
    margin = 1.0 + 0.5 * min(max(2.0 * norm - 1.5, 0.0), 1.0)
    return max(0.0, 1.0 - margin * expected / energy) if energy > 0.0 else 0.0


def lifted(values: Floats, norm: float, scale: float) -> Floats:
    """Eigenvalues of a covariance of this size, none below a part of its noise's spectral norm."""
    return as_floats(np.maximum(values, max(SMALLEST, min(FLOOR * norm, 0.5 * scale))))


def apply(model: Mixture, local: Local) -> Mixture:
    """Back from the whitened coordinates of ``model``."""
    means = model.means + (model.cholesky @ local.means[:, :, None])[:, :, 0]
    return Mixture(local.weights, means, conditioned(model.cholesky @ np.linalg.cholesky(local.covariances)))
