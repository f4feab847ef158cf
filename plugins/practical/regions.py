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
FAR, EDGE = 1e6, 30.0
"""Deviations at which outer and inner edges are held: farther ones leave no mass that could be told from none."""
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
        """Logarithms of the volumes of the boxes without their holes."""
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


def truncated(centre: Floats, half: Floats) -> tuple[Floats, Floats, Floats]:
    """Log mass, mean and variance of a standard normal up to ``half`` from ``centre``, element by element.

    Reflected to the left of 0, so that masses of tails are told from one another; an inner edge farther than `EDGE` is
    taken to lie there.

    Examples
    --------
    >>> [round(float(v[0]), 6) for v in truncated(np.array([0.0]), np.array([1.0]))]
    [-0.381715, 0.0, 0.291125]
    """
    from scipy.special import ndtr

    away, half = np.minimum(np.abs(centre), FAR), np.minimum(half, FAR)
    low, high = -away - half, np.maximum(half - away, -EDGE)
    below, above = (np.exp(-0.5 * edge * edge - HALF_LOG) for edge in (low, high))
    mass = np.maximum(ndtr(high) - ndtr(low), below * (high - low))  # the density is least at the outer edge
    below /= mass
    above /= mass
    mean = np.clip(below - above, low, high)
    variance = np.clip(1.0 + low * below - high * above - mean * mean, 0.0, np.minimum(half * half / 3.0, 1.0))
    return np.log(mass), np.copysign(mean, centre), variance


@attrs.frozen(eq=False)
class Law:
    """Gaussians in boxes: log masses (..., k, m), means (..., k, p, m) about their own, their rows' covariances there.

    These are ``whole``, less ``lost @ lost.T`` for each of the lost parts, and ``own``, if any, on the diagonal, of the
    means' shape: one is never written down for each box. Leading axes are mixtures of a batch.
    """

    mass: Floats
    first: Floats
    whole: Floats
    lost: Sequence[Floats] = ()
    own: Floats | None = None

    def moments(self, weights: Floats) -> tuple[Floats, Floats]:
        """First (..., k, p) and second moments (..., k, p, p) about the components' means, with weights (..., k, m)."""
        first = (self.first @ weights[..., None])[..., 0]
        second = _outer(self.first, weights) + weights.sum(axis=-1)[..., None, None] * self.whole
        for part in self.lost:
            second -= _outer(part, weights)
        if self.own is not None:
            every = np.arange(first.shape[-1])
            second[..., every, every] += (self.own @ weights[..., None])[..., 0]
        return as_floats(first), as_floats(second)


def _outer(rows: Floats, weights: Floats) -> Floats:
    return as_floats((rows * weights[..., None, :]) @ np.swapaxes(rows, -1, -2))


def _boxes(centres: Floats, variances: Floats, means: Floats, covariances: Floats) -> Law:
    """Components in boxes, column by column: truncating one moves and narrows the others, as of a Gaussian.

    Boxes lie in a row, for long inner loops.
    """
    half = 0.5 * np.sqrt(12.0 * variances)
    away = centres.T - means[..., None]
    mass, first = np.zeros((*means.shape[:-1], len(centres))), np.zeros_like(away)
    lost: list[Floats] = []
    for a in range(means.shape[-1]):
        slope = np.repeat(covariances[..., a, None], len(centres), axis=-1)
        for part in lost:
            slope -= part[..., a, None, :] * part
        size = np.maximum(slope[..., a, :], 1e-12 * covariances[..., a, a, None])
        scale = 1.0 / np.sqrt(size)
        log, shift, width = truncated((away[..., a, :] - first[..., a, :]) * scale, half * scale)
        mass += log
        slope *= scale[..., None, :]
        first += slope * shift[..., None, :]
        slope *= np.sqrt(1.0 - width)[..., None, :]
        lost.append(slope)
    return Law(mass, first, covariances, lost)


def _spheres(centres: Floats, variances: Floats, means: Floats, covariances: Floats) -> Law:
    """As `_boxes` for multiples of I, all columns at once, and exact."""
    sd = np.sqrt(covariances[..., 0, 0])[..., None, None]
    half = 0.5 * np.sqrt(12.0 * variances)
    mass, shift, width = truncated((centres.T - means[..., None]) / sd, half / sd)
    return Law(as_floats(mass.sum(axis=-2)), shift * sd, np.zeros_like(covariances), own=width * sd**2)


@attrs.frozen(eq=False)
class Seen:
    """Gaussians in regions: log mean densities (..., k, m), and what their rows there add up to.

    ``inside`` is what each has in boxes and holes; ``boxes`` (..., k, m), ``holes`` (..., k, h) what they count for.
    """

    densities: Floats
    inside: Law
    boxes: Floats
    holes: Floats
    owners: NDArray[np.intp]

    def moments(self, share: Floats) -> tuple[Floats, Floats]:
        """First (..., k, p) and second moments about the Gaussians' means, with weights (..., k, m) of the regions."""
        return self.inside.moments(np.concatenate([share * self.boxes, share[..., self.owners] * self.holes], axis=-1))


def seen(data: Regions, means: Floats, covariances: Floats, *, spheres: bool = False) -> Seen:
    """Gaussians in regions: a box without its holes has its mass less theirs, and moments of what is left."""
    law = _spheres if spheres else _boxes
    m, centres, sizes = len(data.weights), data.positions, data.variances
    if len(data.owners):
        centres, sizes = np.concatenate([centres, data.holes]), np.concatenate([sizes, data.hole_variances])
    inside = law(centres, sizes, means, covariances)
    mass = inside.mass[..., :m]
    boxes, holes = np.ones_like(mass), np.empty((*means.shape[:-1], 0))
    if len(data.owners):
        holes = -np.exp(np.minimum(inside.mass[..., m:] - mass[..., data.owners], 0.0))
        left = np.ones_like(mass)
        held, at = np.unique(data.owners, return_index=True)
        left[..., held] += np.add.reduceat(holes, at, axis=-1)
        certain = left > CERTAIN
        left = np.maximum(left, LEAST)
        mass = mass + np.log(left)
        boxes = np.where(certain, 1.0 / left, 1.0)
        holes *= np.where(certain, boxes, 0.0)[..., data.owners]
    return Seen(as_floats(mass - data.log_volumes()), inside, boxes, holes, data.owners)
