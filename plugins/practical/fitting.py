"""One step of EM with full covariances on weighted points that stand for cells."""

from __future__ import annotations

import math

import attrs
import numpy as np

from .cells import Points
from .records import Floats, as_floats
from .regions import Regions, seen
from .seeding import background

PRIOR, BOXED_PRIOR = 3.0, 15.0
"""Weight of the prior towards a sphere, in smallest cell weights: less than a cell's worth can't turn a component."""
FLOOR = 1.0 / 12.0
"""Least eigenvalue of a component, in the smallest cell variance: below that cells say nothing."""
TINY = 1e-12
"""Least eigenvalue over the largest, so that factors exist in floating point."""


@attrs.frozen(eq=False)
class Full:
    """A batch of mixtures: weights (r, k), means (r, k, p), covariances (r, k, p, p)."""

    weights: Floats = attrs.field(converter=as_floats)
    means: Floats = attrs.field(converter=as_floats)
    covariances: Floats = attrs.field(converter=as_floats)

    def take(self, rows: list[int]) -> Full:
        """The batch's members ``rows``."""
        return Full(self.weights[rows], self.means[rows], self.covariances[rows])

    @classmethod
    def joined(cls, parts: list[Full]) -> Full:
        """One batch of several."""
        return cls(*(np.concatenate([getattr(p, f.name) for p in parts]) for f in attrs.fields(cls)))


def step(
    data: Points, model: Full, *, spheres: bool = False, floor: tuple[float, float] | None = None
) -> tuple[Full, Floats]:
    """One step for every member of the batch, and the penalised log-likelihoods a row before it.

    ``spheres`` keeps covariances multiples of I. ``floor`` is the smallest weight of a cell and the log density of
    stray rows, where they are not those of the points.
    """
    floor = floor or floors(data)
    found = [
        (_boxed(data, *parts, *floor, spheres=spheres) if isinstance(data, Regions) else _step(data, *parts, *floor))
        for parts in zip(model.weights, model.means, model.covariances, strict=True)
    ]
    moved = Full(*(np.array([f[i] for f in found]) for i in range(3)))
    if spheres:
        p = model.means.shape[2]
        sizes = np.trace(moved.covariances, axis1=2, axis2=3) / p
        moved = attrs.evolve(moved, covariances=sizes[:, :, None, None] * np.eye(p))
    return moved, np.array([f[3] for f in found])


def floors(data: Points) -> tuple[float, float]:
    """The smallest weight of a cell, and the log density of stray rows."""
    return float(data.weights.min()), background(data)


def log_joint(data: Points, weights: Floats, means: Floats, covariances: Floats) -> Floats:
    """Log of weight times density of each component (k, m) at the points, as their cells see it."""
    if isinstance(data, Regions):
        return as_floats(seen(data, means, covariances).densities + np.log(np.maximum(weights, 1e-300))[:, None])
    values, vectors = np.linalg.eigh(covariances)
    return _joint(weights, _along(data, means, vectors), values[:, :, None] + data.variances)


def _along(data: Points, means: Floats, vectors: Floats) -> Floats:
    """Points (k, p, m) about each component's mean, along its axes; points lie in a row, for long inner loops."""
    return as_floats(np.swapaxes(vectors, 1, 2) @ (data.positions.T - means[:, :, None]))


def _joint(weights: Floats, along: Floats, seen: Floats) -> Floats:
    p = along.shape[1]
    joint = -0.5 * (along**2 / seen + np.log(seen)).sum(axis=1) - 0.5 * p * math.log(2.0 * math.pi)
    return as_floats(joint + np.log(np.maximum(weights, 1e-300))[:, None])


def _step(
    data: Points, weights: Floats, means: Floats, covariances: Floats, least: float, stray: float
) -> tuple[Floats, Floats, Floats, float]:
    p = means.shape[1]
    values, vectors = np.linalg.eigh(covariances)
    wide = values[:, :, None] + data.variances
    along = _along(data, means, vectors)
    share, score = _shared(data, _joint(weights, along, wide), stray)
    total = float(data.weights.sum())
    score += (p + 1.0) * least * float(np.log(np.maximum(weights, 1e-300)).sum())
    mass = share.sum(axis=1) + 1e-12 * total
    kept = values[:, :, None] / wide
    rows = along * kept
    shift = (rows @ share[:, :, None])[:, :, 0] / mass[:, None]
    rows -= shift[:, :, None]
    spread = (rows * share[:, None]) @ np.swapaxes(rows, 1, 2)
    width = ((kept * data.variances) @ share[:, :, None])[:, :, 0]
    spread[:, np.arange(p), np.arange(p)] += width
    prior = PRIOR * least
    sphere = np.trace(spread, axis1=1, axis2=2) / (p * mass)
    spread[:, np.arange(p), np.arange(p)] += prior * sphere[:, None]
    spread /= (mass + prior)[:, None, None]
    spread = vectors @ spread @ np.swapaxes(vectors, 1, 2)
    spread = lifted(spread, FLOOR * float(data.variances.min()))
    moved = means + (vectors @ shift[:, :, None])[:, :, 0]
    return mass / mass.sum(), moved, spread, score / total


def _boxed(
    data: Regions, weights: Floats, means: Floats, covariances: Floats, least: float, stray: float, *, spheres: bool
) -> tuple[Floats, Floats, Floats, float]:
    """As `_step`, by the mass of a component in each region."""
    p = means.shape[1]
    found = seen(data, means, covariances, spheres=spheres)
    share, score = _shared(data, found.densities + np.log(np.maximum(weights, 1e-300))[:, None], stray)
    score += (p + 1.0) * least * float(np.log(np.maximum(weights, 1e-300)).sum())
    total = float(data.weights.sum())
    mass = share.sum(axis=1) + 1e-12 * total
    first, spread = found.moments(share)
    shift = first / mass[:, None]
    spread -= mass[:, None, None] * shift[:, :, None] * shift[:, None, :]
    prior = BOXED_PRIOR * least
    sphere = np.maximum(np.trace(spread, axis1=1, axis2=2) / (p * mass), 0.0)
    spread += (prior * sphere)[:, None, None] * np.eye(p)
    spread = lifted(spread / (mass + prior)[:, None, None], FLOOR * float(data.variances.min()))
    return mass / mass.sum(), means + shift, spread, score / total


def _shared(data: Points, joint: Floats, stray: float) -> tuple[Floats, float]:
    """Weight of each point that each component takes (k, m), and the log likelihood, with a background."""
    top = np.maximum(joint.max(axis=0), stray)
    joint = np.exp(joint - top)
    norm = joint.sum(axis=0) + np.exp(stray - top)
    return as_floats(joint / norm * data.weights), float(((top + np.log(norm)) * data.weights).sum())


def lifted(covariances: Floats, least: float) -> Floats:
    """Symmetric matrices with eigenvalues of at least ``least``, and of `TINY` times each matrix's largest."""
    values, vectors = np.linalg.eigh(0.5 * (covariances + np.swapaxes(covariances, -1, -2)))
    values = np.maximum(values, np.maximum(least, TINY * values[..., -1:]))
    return as_floats((vectors * values[..., None, :]) @ np.swapaxes(vectors, -1, -2))
