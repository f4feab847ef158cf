"""One step of EM with full covariances on weighted points that stand for cells."""

from __future__ import annotations

import math

import attrs
import numpy as np
from numpy.typing import NDArray

from .cells import Points
from .records import Floats, as_floats
from .regions import Regions, seen
from .seeding import background

PRIOR, BOXED_PRIOR = 3.0, 15.0
"""Weight of the prior towards a sphere, in smallest cell weights: less than a cell's worth can't turn a component."""
FLOOR = 1.0 / 12.0
"""Least eigenvalue of a component, in the smallest cell variance: below that cells say nothing."""
MOST_NUMBERS = 2**20
"""Numbers of a batch that are worked on at once: calls cost more than few of them, and many leave the cache."""
TINY = 1e-12
"""Least eigenvalue over the largest, so that factors exist in floating point."""
Places = list[int] | NDArray[np.intp]


@attrs.frozen(eq=False)
class Full:
    """A batch of mixtures: weights (r, k), means (r, k, p), covariances (r, k, p, p)."""

    weights: Floats = attrs.field(converter=as_floats)
    means: Floats = attrs.field(converter=as_floats)
    covariances: Floats = attrs.field(converter=as_floats)

    def take(self, rows: Places) -> Full:
        """The batch's members ``rows``."""
        return Full(self.weights[rows], self.means[rows], self.covariances[rows])

    def put(self, rows: Places, others: Full) -> Full:
        """The batch with others in these places."""
        made = Full(*(part.copy() for part in attrs.astuple(self, recurse=False)))
        for own, other in zip(attrs.astuple(made, recurse=False), attrs.astuple(others, recurse=False), strict=True):
            own[rows] = other
        return made

    @classmethod
    def joined(cls, parts: list[Full]) -> Full:
        """Join several batches into one."""
        return cls(*(np.concatenate([getattr(p, f.name) for p in parts]) for f in attrs.fields(cls)))


def step(
    data: Points, model: Full, *, spheres: bool = False, floor: tuple[float, float] | None = None
) -> tuple[Full, Floats]:
    """One step for every member of the batch, and the penalised log-likelihoods a row before it.

    ``spheres`` keeps covariances multiples of I. ``floor`` is the smallest weight of a cell and the log density of
    stray rows, where they are not those of the points.
    """
    floor = floor or floors(data)
    count, k, p = model.means.shape
    seen_at = len(data.weights) + (len(data.owners) if isinstance(data, Regions) else 0)
    numbers = count * k * p * seen_at
    pieces = np.array_split(np.arange(count), min(-(-numbers // MOST_NUMBERS), count))

    found = [
        _boxed(data, some, *floor, spheres=spheres) if isinstance(data, Regions) else _step(data, some, *floor)
        for some in map(model.take, pieces)
    ]
    moved = Full.joined([one for one, _ in found])
    if spheres:
        sizes = np.trace(moved.covariances, axis1=2, axis2=3) / p
        moved = attrs.evolve(moved, covariances=sizes[:, :, None, None] * np.eye(p))
    return moved, as_floats(np.concatenate([scores for _, scores in found]))


def floors(data: Points) -> tuple[float, float]:
    """The smallest weight of a cell, and the log density of stray rows."""
    return float(data.weights.min()), background(data)


def log_joint(data: Points, weights: Floats, means: Floats, covariances: Floats) -> Floats:
    """Log of weight times density of each component (k, m) at the points, as their cells see it."""
    if isinstance(data, Regions):
        return as_floats(seen(data, means, covariances).densities + np.log(np.maximum(weights, 1e-300))[:, None])
    values, vectors = np.linalg.eigh(covariances)
    return _joint(weights, _along(data, means, vectors), values[..., None] + data.variances)


def _along(data: Points, means: Floats, vectors: Floats) -> Floats:
    """Points (..., k, p, m) about each component's mean, along its axes; they lie in a row, for long inner loops."""
    return as_floats(np.swapaxes(vectors, -1, -2) @ (data.positions.T - means[..., None]))


def _joint(weights: Floats, along: Floats, seen: Floats) -> Floats:
    p = along.shape[-2]
    joint = -0.5 * (along**2 / seen + np.log(seen)).sum(axis=-2) - 0.5 * p * math.log(2.0 * math.pi)
    return as_floats(joint + np.log(np.maximum(weights, 1e-300))[..., None])


def _step(data: Points, model: Full, least: float, stray: float) -> tuple[Full, Floats]:
    weights, means, p = model.weights, model.means, model.means.shape[-1]
    values, vectors = np.linalg.eigh(model.covariances)
    wide = values[..., None] + data.variances
    along = _along(data, means, vectors)
    share, score = _shared(data, _joint(weights, along, wide), stray)
    total = float(data.weights.sum())
    score += (p + 1.0) * least * np.log(np.maximum(weights, 1e-300)).sum(axis=-1)
    mass = share.sum(axis=-1) + 1e-12 * total
    kept = values[..., None] / wide
    rows = along * kept
    shift = (rows @ share[..., None])[..., 0] / mass[..., None]
    rows -= shift[..., None]
    spread = (rows * share[..., None, :]) @ np.swapaxes(rows, -1, -2)
    width = ((kept * data.variances) @ share[..., None])[..., 0]
    spread[..., np.arange(p), np.arange(p)] += width
    prior = PRIOR * least
    sphere = np.trace(spread, axis1=-2, axis2=-1) / (p * mass)
    spread[..., np.arange(p), np.arange(p)] += prior * sphere[..., None]
    spread /= (mass + prior)[..., None, None]
    spread = vectors @ spread @ np.swapaxes(vectors, -1, -2)
    spread = lifted(spread, FLOOR * float(data.variances.min()))
    moved = means + (vectors @ shift[..., None])[..., 0]
    return Full(mass / mass.sum(axis=-1, keepdims=True), moved, spread), as_floats(score / total)


def _boxed(data: Regions, model: Full, least: float, stray: float, *, spheres: bool) -> tuple[Full, Floats]:
    """As `_step`, by the mass of a component in each region."""
    weights, means, p = model.weights, model.means, model.means.shape[-1]
    found = seen(data, means, model.covariances, spheres=spheres)
    share, score = _shared(data, found.densities + np.log(np.maximum(weights, 1e-300))[..., None], stray)
    score += (p + 1.0) * least * np.log(np.maximum(weights, 1e-300)).sum(axis=-1)
    total = float(data.weights.sum())
    mass = share.sum(axis=-1) + 1e-12 * total
    first, spread = found.moments(share)
    shift = first / mass[..., None]
    spread -= mass[..., None, None] * shift[..., None] * shift[..., None, :]
    prior = BOXED_PRIOR * least
    sphere = np.maximum(np.trace(spread, axis1=-2, axis2=-1) / (p * mass), 0.0)
    spread += (prior * sphere)[..., None, None] * np.eye(p)
    spread = lifted(spread / (mass + prior)[..., None, None], FLOOR * float(data.variances.min()))
    return Full(mass / mass.sum(axis=-1, keepdims=True), means + shift, spread), as_floats(score / total)


def _shared(data: Points, joint: Floats, stray: float) -> tuple[Floats, Floats]:
    """Weight of each point that each component takes (..., k, m), and the log likelihood, with a background."""
    top = np.maximum(joint.max(axis=-2), stray)
    joint = np.exp(joint - top[..., None, :])
    norm = joint.sum(axis=-2) + np.exp(stray - top)
    return as_floats(joint / norm[..., None, :] * data.weights), ((top + np.log(norm)) * data.weights).sum(axis=-1)


def lifted(covariances: Floats, least: float) -> Floats:
    """Symmetric matrices with eigenvalues of at least ``least``, and of `TINY` times each matrix's largest."""
    values, vectors = np.linalg.eigh(0.5 * (covariances + np.swapaxes(covariances, -1, -2)))
    values = np.maximum(values, np.maximum(least, TINY * values[..., -1:]))
    return as_floats((vectors * values[..., None, :]) @ np.swapaxes(vectors, -1, -2))
