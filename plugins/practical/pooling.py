"""Covariances of a result pulled towards a shape that all components share, as far as their noise explains the rest.

What components' shapes differ by drowns in noise before what they have together does: of k components that has a k-th
of the variance. Clusters that differ in size and place alone are common, since columns have units and correlations of
their own. Post-processing of released values.
"""

from __future__ import annotations

import math
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from .local import SMALLEST, believed
from .records import Floats, Mixture, as_floats, conditioned

LEAST = 5
"""Columns from which on shapes are pulled. In fewer nothing is won on R's tables, whose clusters share no shape.
Numbers: RECIPE.md, "Covariances are pulled towards a shape that components share"."""
ROUNDS, NARROW = 4, 0.05
"""Steps to the common shape, and the least that its eigenvalues may be in the metric of the step before."""


@attrs.frozen(eq=False)
class Pooled:
    """What `pooled` finds.

    Parameters
    ----------
    covariances : array of shape (k, d, d)
    kept : array of shape (k,)
        Share of what each differs by from the common shape that is kept.
    noise : array of shape (k,)
        Share of the energy of the noise that is left.
    """

    covariances: Floats
    kept: Floats
    noise: Floats


def pooled(seen: Floats, roots: Floats, variances: Floats, known: NDArray[np.bool_]) -> Pooled:
    """Pull covariances towards multiples of a common shape, and that towards a sphere.

    Parameters
    ----------
    seen : array of shape (k, d, d)
        With noise: they need not be positive definite, nor need the result.
    roots : array of shape (k, d, d)
        ``inv(roots[j])`` makes the noise of entries independent.
    variances : array of shape (k,)
        In those coordinates, of a diagonal entry; others have half of it.
    known : boolean array of shape (k,)
        Others are left as they are, and tell nothing.

    Examples
    --------
    >>> seen = np.array([np.diag([5.0, 3.0, 1.0, 1.0]), np.diag([3.0, 5.0, 1.0, 1.0])])
    >>> for variance in (0.001, 3.0):  # nearly no noise, and so much that spheres are all that is known
    ...     found = pooled(seen, np.array([np.eye(4)] * 2), np.full(2, variance), np.full(2, True))
    ...     found.covariances[0].diagonal().round(1).tolist()
    [5.0, 3.0, 1.0, 1.0]
    [2.5, 2.5, 2.5, 2.5]
    """
    k, d = roots.shape[:2]
    if not known.any():
        return Pooled(seen, np.ones(k), np.ones(k))
    at, free = np.flatnonzero(known), 0.5 * d * (d + 1.0) - 1.0
    inverses = np.linalg.inv(roots)
    local = _between(inverses, seen)
    least = 1e-6 * d * (roots**2).mean(axis=(1, 2))
    shape, precision = np.eye(d), np.zeros(k)
    for _ in range(ROUNDS):
        lower = np.linalg.cholesky(shape)
        inverse = np.linalg.inv(lower)
        sizes = _sizes(local, _between(inverses, shape), least)
        scaled = inverse @ roots / np.sqrt(sizes)[:, None, None]
        scaled = np.swapaxes(scaled, 1, 2) @ scaled
        spread = (np.trace(scaled, axis1=1, axis2=2) ** 2 + (scaled**2).sum(axis=(1, 2))) / (d * (d + 1.0))
        precision[at] = 1.0 / np.maximum(variances * spread, 1e-300)[at]
        mean = ((precision / sizes)[at, None, None] * seen[at]).sum(axis=0) / precision.sum()
        values, vectors = np.linalg.eigh(_between(inverse, mean))
        shape = _between(lower, (vectors * np.maximum(values, NARROW)) @ vectors.T)
        shape *= d / np.trace(shape)
    total, lower = float(precision.sum()), np.linalg.cholesky(shape)
    sphere = _between(np.linalg.inv(lower), np.eye(d))
    sphere *= np.trace(sphere) / (sphere**2).sum()
    off = np.eye(d) - sphere
    part = believed(float((off**2).sum()), free / total, math.sqrt(2.0 * d / total))
    levels = _between(inverses, _between(lower, sphere + part * off))
    levels *= _sizes(local, levels, least)[:, None, None]
    found, kept, noise = seen.copy(), np.ones(k), np.ones(k)
    for j in at:
        share, off = float(precision[j]) / total, local[j] - levels[j]
        expected = free * float(variances[j]) * ((1.0 - part * share) ** 2 + part**2 * share * (1.0 - share))
        own = believed(float((off**2).sum()), expected) if at.size > 1 else 0.0  # of one its level has all
        kept[j] = own if at.size > 1 else part
        noise[j] = kept[j] + (1.0 - kept[j]) * share
        found[j] = _between(roots[j], levels[j] + own * off)
    return Pooled(as_floats(found), as_floats(kept), as_floats(noise))


def _between(roots: NDArray[np.floating[Any]], matrices: NDArray[np.floating[Any]]) -> Floats:
    """R M Rᵀ."""
    return as_floats(roots @ matrices @ np.swapaxes(roots, -1, -2))


def shared(model: Mixture, noise: Floats, known: NDArray[np.bool_]) -> tuple[Mixture, Floats]:
    """A mixture with covariances pulled towards a common shape, and what factor of its noise each has left.

    Parameters
    ----------
    model : Mixture
    noise : array of shape (k,)
        Standard deviation of an entry beside the diagonal, in coordinates where its component is a unit one.
    known : boolean array of shape (k,)
        Which covariances are more than noise.
    """
    k, d = model.means.shape
    if d < LEAST:
        return model, np.ones(k)
    found, lower = pooled(model.covariances, model.cholesky, 2.0 * noise**2, known), model.cholesky.copy()
    for j in np.flatnonzero(known):
        values, vectors = np.linalg.eigh(_between(np.linalg.inv(lower[j]), found.covariances[j]))
        root = lower[j] @ vectors
        lower[j] = np.linalg.cholesky((root * np.maximum(values, SMALLEST)) @ root.T)
    return attrs.evolve(model, cholesky=conditioned(lower)), np.sqrt(found.noise)


def _sizes(local: Floats, targets: Floats, least: Floats) -> Floats:
    """What multiple of its target is nearest to each; noise alone may have none."""
    return as_floats(np.maximum((local * targets).sum(axis=(1, 2)) / (targets**2).sum(axis=(1, 2)), least))
