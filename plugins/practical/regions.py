"""Mixtures on released cells by the mass that a component has in a cell: right where clusters are smaller than cells.

A row of a cell is *not* its centre plus noise where the cluster is narrow: a cluster at a corner fills the cells around
it evenly, and points at their centres look like clusters of their own. The mass of a Gaussian in a box, and mean and
variance of its rows there, are those of truncated normals, column by column (exact for spheres). A
published cell whose published children hold part of its rows stands for the rest: the box without these holes.
Post-processing of released cells.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import attrs
import numpy as np
from numpy.typing import NDArray

from .cells import Points
from .records import Cells, Floats, as_floats

HALF_LOG = 0.5 * math.log(2.0 * math.pi)
FAR = 1e6
"""Deviations at which edges are held: farther ones leave no mass that could be told from none."""
LEAST, CERTAIN = 1e-9, 1e-3
"""Least part of a box's mass outside its holes, and the part below which the difference says nothing of moments."""


@attrs.frozen(eq=False)
class Regions(Points):
    """Weighted boxes with holes; positions are the centres of the boxes, ``variances`` a twelfth of squared sides.

    Parameters
    ----------
    holes : array of shape (h, p)
        Centres.
    hole_variances : array of shape (h,)
        A twelfth of squared sides.
    owners : array of shape (h,)
        The region that each hole is in, in increasing order.
    """

    holes: Floats = attrs.field(converter=as_floats)
    hole_variances: Floats = attrs.field(converter=as_floats)
    owners: NDArray[np.intp]

    def part(self, chosen: NDArray[np.bool_], weights: Floats) -> Regions:
        """Some regions with other weights."""
        held = chosen[self.owners]
        new = (np.cumsum(chosen) - 1)[self.owners[held]]
        return Regions(
            self.positions[chosen], weights, self.variances[chosen], self.holes[held], self.hole_variances[held], new
        )

    def log_volumes(self) -> Floats:
        """Of the boxes without their holes."""
        p = self.positions.shape[1]
        parts = (self.hole_variances / self.variances[self.owners]) ** (0.5 * p)
        lost = np.bincount(self.owners, weights=parts, minlength=len(self.weights))
        return as_floats(0.5 * p * np.log(12.0 * self.variances) + np.log(np.maximum(1.0 - lost, LEAST)))


def regions(levels: Sequence[Cells], offset: Floats) -> Regions | None:
    """Every published cell without its published children; None where nothing was published.

    What is left of a cell counts if it is more than half the smallest published count.

    Parameters
    ----------
    levels : sequence of Cells
        Coarsest first; sides halve, and child ``i`` of a grid lies in parent ``floor(i / 2)``.
    offset : array of shape (p,)
    """
    least = 0.5 * min((float(c.counts.min()) for c in levels if len(c.counts)), default=math.inf)
    if math.isinf(least):
        return None
    centres: list[Floats] = []
    weights: list[float] = []
    variances: list[float] = []
    holes: list[Floats] = []
    sizes: list[float] = []
    owners: list[int] = []
    for depth, cells in enumerate(levels):
        below: dict[tuple[int, ...], list[int]] = {}
        finer = levels[depth + 1] if depth + 1 < len(levels) else None
        if finer is not None:
            for i, row in enumerate((finer.index // 2).tolist()):
                below.setdefault(tuple(row), []).append(i)
        for i, row in enumerate(cells.index.tolist()):
            children = below.get(tuple(row), [])
            left = float(cells.counts[i])
            if finer is not None and children:
                left -= float(finer.counts[children].sum())
                if left <= least or len(children) >= 2.0 ** len(offset):
                    continue
                holes += [offset + finer.size * (finer.index[j] + 0.5) for j in children]
                sizes += [finer.size**2 / 12.0] * len(children)
                owners += [len(weights)] * len(children)
            centres.append(offset + cells.size * (cells.index[i] + 0.5))
            weights.append(left)
            variances.append(cells.size**2 / 12.0)
    gone = np.array(holes).reshape(-1, len(offset))
    return Regions(
        np.array(centres),
        np.array(weights),
        np.array(variances),
        gone,
        np.array(sizes),
        np.array(owners, dtype=np.intp),
    )


def truncated(low: Floats, high: Floats) -> tuple[Floats, Floats, Floats]:
    """Log mass, mean and variance of a standard normal between two numbers, element by element.

    Examples
    --------
    >>> [round(float(v[0]), 6) for v in truncated(np.array([-1.0]), np.array([1.0]))]
    [-0.381715, 0.0, 0.291125]
    """
    from scipy.special import log_ndtr

    low, high = np.clip(low, -FAR, FAR), np.clip(high, -FAR, FAR)
    flip = low + high > 0.0
    low, high = np.where(flip, -high, low), np.where(flip, -low, high)
    top = log_ndtr(high)
    mass = top + np.log1p(-np.exp(np.minimum(log_ndtr(low) - top, -1e-15)))
    below, above = (np.exp(-0.5 * edge * edge - HALF_LOG - mass) for edge in (low, high))
    mean = np.clip(below - above, low, high)
    variance = np.clip(1.0 + low * below - high * above - mean**2, 0.0, (high - low) ** 2 / 12.0)
    return as_floats(mass), as_floats(np.where(flip, -mean, mean)), as_floats(variance)


def _boxes(centres: Floats, variances: Floats, means: Floats, covariances: Floats) -> tuple[Floats, Floats, Floats]:
    """Log masses (k, m), first (p, k, m) and second moments (p, p, k, m) about the means of components in boxes.

    Column by column: truncating one moves and narrows the others, as if what is left were Gaussian. Boxes lie in a
    row, for long inner loops.
    """
    half = 0.5 * np.sqrt(12.0 * variances)
    away = centres.T[:, None] - means.T[:, :, None]
    mass = np.zeros(away.shape[1:])
    first = np.zeros_like(away)
    shape = np.repeat(np.moveaxis(covariances, 0, 2)[..., None], len(centres), axis=3)
    for a in range(len(away)):
        size = np.maximum(shape[a, a], 1e-12 * covariances[:, a, a, None])
        sd = np.sqrt(size)
        gap = away[a] - first[a]
        log, shift, width = truncated((gap - half) / sd, (gap + half) / sd)
        mass += log
        slope = shape[a] / size
        first += slope * (shift * sd)
        slope *= np.sqrt(size * (1.0 - width))
        shape -= slope[:, None] * slope
    return as_floats(mass), first, shape + first[:, None] * first


def _spheres(centres: Floats, variances: Floats, means: Floats, covariances: Floats) -> tuple[Floats, Floats, Floats]:
    """As `_boxes` for multiples of I, all columns at once, and exact."""
    sd = np.sqrt(covariances[:, 0, 0])[:, None]
    half = 0.5 * np.sqrt(12.0 * variances)
    away = centres.T[:, None] - means.T[:, :, None]
    mass, shift, width = truncated((away - half) / sd, (away + half) / sd)
    first = shift * sd
    second = first[:, None] * first
    every = np.arange(means.shape[1])
    second[every, every] += width * sd**2
    return as_floats(mass.sum(axis=0)), as_floats(first), second


def seen(data: Regions, means: Floats, covariances: Floats, *, spheres: bool = False) -> tuple[Floats, Floats, Floats]:
    """Log mean densities (k, m), first (k, m, p) and second moments (k, m, p, p) about the means of Gaussians."""
    law = _spheres if spheres else _boxes
    mass, first, second = law(data.positions, data.variances, means, covariances)
    if len(data.owners):
        out, one, two = law(data.holes, data.hole_variances, means, covariances)
        part = np.exp(np.minimum(out - mass[:, data.owners], 0.0))
        left, moved, spread = np.ones_like(mass), first.copy(), second.copy()
        held, at = np.unique(data.owners, return_index=True)
        left[:, held] -= np.add.reduceat(part, at, axis=1)
        moved[..., held] -= np.add.reduceat(part * one, at, axis=2)
        spread[..., held] -= np.add.reduceat(part * two, at, axis=3)
        certain = left > CERTAIN
        left = np.maximum(left, LEAST)
        mass = mass + np.log(left)
        first = np.where(certain, moved / left, first)
        second = np.where(certain, spread / left, second)
    return as_floats(mass - data.log_volumes()), np.moveaxis(first, 0, 2), np.moveaxis(second, (0, 1), (2, 3))
