"""Starts for the fits: EM with diagonal covariances on the cells that stand out of their noise, many restarts at once.

A seed is public and cells are released, so every model here is post-processing.
"""

from __future__ import annotations

import math

import attrs
import numpy as np
from numpy.typing import NDArray

from .fitting import Cells, Floats, Model

RESTARTS, SHORT, LONG = 24, 25, 60
BACKGROUND = 0.03
ENOUGH = 0.8
STANDING_OUT = 3.0
MOST_POINTS = 1500


@attrs.frozen(eq=False)
class Points:
    """Cells that stand out: centres (m, d), variances within them (m, d), counts (m,)."""

    centres: Floats
    variances: Floats
    counts: Floats


def coarsened(cells: Cells) -> Cells:
    """Neighbouring cells merged two by two in every column: counts add, and so do the variances of their noise."""
    counts, edges, pairs = cells.counts, [], 0
    for j, own in enumerate(cells.edges):
        m = counts.shape[j]
        counts = np.add.reduceat(counts, np.arange(0, m, 2), axis=j)
        edges.append(own[1::2])
        pairs += 1
    return attrs.evolve(cells, edges=tuple(edges), counts=counts, noise=cells.noise * 2.0 ** (pairs / 2))


def centres(edges: Floats) -> tuple[Floats, Floats]:
    """Centre and width of each bin; the outer ones count as wide as their neighbours."""
    if len(edges) == 0:
        return np.zeros(1), np.ones(1)
    widths = np.diff(edges)
    first, last = (widths[0], widths[-1]) if len(widths) else (1.0, 1.0)
    full = np.concatenate([[edges[0] - first], edges, [edges[-1] + last]])
    return (full[1:] + full[:-1]) / 2, np.diff(full)


def points(cells: Cells) -> Points | None:
    """What stands out, on the finest grid on which most of the rows do; None where nothing does."""
    while True:
        kept = cells.counts > STANDING_OUT * cells.noise
        total = float(cells.counts.sum())
        if float(cells.counts[kept].sum()) >= ENOUGH * total and np.count_nonzero(kept) <= MOST_POINTS:
            break
        if max(cells.counts.shape) <= 6:
            break
        cells = coarsened(cells)
    index = np.argwhere(kept)
    if not len(index):
        return None
    middle = [centres(e) for e in cells.edges]
    where = np.stack([middle[j][0][index[:, j]] for j in range(cells.d)], axis=1)
    widths = np.stack([middle[j][1][index[:, j]] for j in range(cells.d)], axis=1)
    return Points(where, widths**2 / 12.0, cells.counts[kept])


@attrs.frozen(eq=False)
class Batch:
    """Restarts side by side: weights (r, k), means (r, k, d), variances (r, k, d)."""

    weights: Floats
    means: Floats
    variances: Floats

    def take(self, rows: NDArray[np.intp]) -> Batch:
        """Some of the restarts."""
        return Batch(self.weights[rows], self.means[rows], self.variances[rows])


def _plus_plus(data: Points, k: int, restarts: int, rng: np.random.Generator) -> Floats:
    spread = data.counts @ ((data.centres - data.counts @ data.centres / data.counts.sum()) ** 2) / data.counts.sum()
    scaled = data.centres / np.sqrt(np.maximum(spread, data.variances.min(axis=0)))
    starts = np.empty((restarts, k, data.centres.shape[1]))
    for r in range(restarts):
        distance = np.ones(len(scaled))
        for j in range(k):
            mass = data.counts * distance
            total = float(mass.sum())
            pick = rng.choice(len(scaled), p=mass / total) if total > 0 else rng.integers(len(scaled))
            starts[r, j] = data.centres[pick]
            gap = ((scaled - scaled[pick]) ** 2).sum(axis=1)
            distance = gap if j == 0 else np.minimum(distance, gap)
    return starts


def _squares(data: Points, means: Floats, j: int) -> Floats:
    """Mean square distance of a row in each cell to each mean, in column j: (r, k, m), with no digits cancelled."""
    gap = data.centres[:, j] - means[:, :, None, j]
    return np.asarray(gap * gap + data.variances[:, j])


def _step(data: Points, model: Batch, floor: Floats, stray: float, sds: Floats | None) -> tuple[Batch, Floats]:
    d = data.centres.shape[1]
    with np.errstate(divide="ignore"):
        logs = np.log(model.weights)[:, :, None] - 0.5 * np.log(2.0 * math.pi * model.variances).sum(axis=2)[:, :, None]
    for j in range(d):
        logs = logs - 0.5 * _squares(data, model.means, j) / model.variances[:, :, None, j]
    top = np.maximum(logs.max(axis=1, keepdims=True), stray)
    joint = np.exp(logs - top)
    norm = joint.sum(axis=1, keepdims=True) + np.exp(stray - top)
    score = ((top + np.log(norm))[:, 0, :] * data.counts).sum(axis=1)
    share = joint / norm * data.counts
    mass = share.sum(axis=2) + 1e-9 * data.counts.sum()
    means = share @ data.centres / mass[:, :, None]
    variances = np.empty_like(means)
    for j in range(d):
        variances[:, :, j] = (share * _squares(data, means, j)).sum(axis=2) / mass
    variances = np.maximum(variances, floor) if sds is None else np.broadcast_to(sds**2, means.shape)
    return Batch(mass / mass.sum(axis=1, keepdims=True), means, variances), np.asarray(score)


def _nearest_variances(data: Points, means: Floats, floor: Floats, broad: Floats) -> Floats:
    """Variance of the cells nearest to each mean of one restart, (k, d)."""
    gaps = ((data.centres[:, None, :] - means) ** 2 / broad).sum(axis=2)
    nearest = np.argmin(gaps, axis=1)
    out = np.empty_like(means)
    for c, mean in enumerate(means):
        mine = nearest == c
        weights = np.where(mine, data.counts, 0.0)
        square = (weights[:, None] * ((data.centres - mean) ** 2 + data.variances)).sum(axis=0)
        out[c] = np.maximum(square / max(float(weights.sum()), 1.0), floor)
    return out


def starts(cells: Cells, k: int, seed: int, *, restarts: int = RESTARTS) -> list[Model]:
    """Models from EM, the likeliest first; empty where no cell stands out."""
    data = points(cells)
    if data is None:
        return []
    rng = np.random.default_rng(seed)
    total = float(data.counts.sum())
    mean = data.counts @ data.centres / total
    spread = data.counts @ ((data.centres - mean) ** 2 + data.variances) / total
    floor = np.maximum(data.variances.min(axis=0), cells.narrowest**2)
    sides = data.centres.max(axis=0) - data.centres.min(axis=0) + np.sqrt(12.0 * data.variances.max(axis=0))
    stray = math.log(BACKGROUND) - float(np.log(sides).sum())
    shape = (restarts, k, cells.d)
    first = np.broadcast_to(np.maximum(spread / k ** (2.0 / cells.d), floor), shape).copy()
    if cells.sds is not None:
        first = np.broadcast_to(cells.sds**2, shape).copy()
    means = _plus_plus(data, k, restarts, rng)
    if cells.sds is None:  # half of the restarts begin narrow: components of very different scales are found from there
        for r in range(0, restarts, 2):
            first[r] = _nearest_variances(data, means[r], floor, np.maximum(spread, floor))
    model = Batch(np.full((restarts, k), 1.0 / k), means, first)
    for _ in range(SHORT):
        model, score = _step(data, model, floor, stray, cells.sds)
    model = model.take(np.argsort(-score, kind="stable")[: max(4, restarts // 3)])
    for _ in range(LONG):
        model, score = _step(data, model, floor, stray, cells.sds)
    order = np.argsort(-score, kind="stable")
    return [Model(model.weights[r] * total, model.means[r], np.sqrt(model.variances[r])) for r in order]
