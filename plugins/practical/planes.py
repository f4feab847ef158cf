"""All cells of many planes are counted, where rows are scarce and more than three directions have too many cells.

Cells of all directions are too many to be counted, and a stable histogram shows only those with some 150 rows, which
hold little of a cluster that many edges cut. In a plane a cluster fills a few cells, and no threshold hides it; in one
plane clusters lie over one another, but a mixture has to explain every plane at once (`plane_fits`).
"""

from __future__ import annotations

import math

import attrs
import numpy as np

from .records import Floats, as_floats

SIDE, FINE = 16, 32
"""Cells along a side, and where components have rows enough. The noise of a cell is the same whatever its size, and
finer ones show less of a cluster each."""
SPAN = 1.0
"""Grids reach this far from the centre of the located ball, in its radii; the outermost cells hold all beyond."""
FEW, MANY, WIDE = 24, 36, 8
"""Planes up to so many directions, and beyond. A place where no cluster is lies over clusters in some planes, too."""
STRAY = 0.02
"""Share of rows anywhere in the planes."""


def planes_for(rank: int) -> int:
    """How many planes are counted in so many directions."""
    return FEW if rank <= WIDE else MANY


def frames(rank: int, seed: int) -> Floats:
    """Orthonormal pairs of directions (planes, rank, 2): those of one random rotation span different directions.

    Examples
    --------
    >>> pairs = frames(5, 0)
    >>> pairs.shape, bool(np.allclose(pairs[0].T @ pairs[1], 0.0))
    ((24, 5, 2), True)
    """
    rng = np.random.default_rng([seed, 6])
    found: list[Floats] = []
    while len(found) < planes_for(rank):
        turned = np.linalg.qr(rng.standard_normal((rank, rank)))[0]
        found += [turned[:, i : i + 2] for i in range(0, rank - 1, 2)]
    return as_floats(found[: planes_for(rank)])


def edges(side: int) -> list[list[float]]:
    """Inner edges of so many cells along both sides of a plane, in frame units."""
    inner = np.linspace(-SPAN, SPAN, side + 1)[1:-1]
    return [[float(e) for e in inner]] * 2


@attrs.frozen(eq=False)
class Planes:
    """Noisy counts of the cells of some planes.

    Parameters
    ----------
    frames : array of shape (planes, p, 2)
    counts : array of shape (planes, side, side)
    noise : float
        Variance of a count's noise.
    rows : float
        The noisy number of all rows, at least 1.
    """

    frames: Floats = attrs.field(converter=as_floats)
    counts: Floats = attrs.field(converter=as_floats)
    noise: float
    rows: float

    @property
    def side(self) -> float:
        """Side of a cell."""
        return 2.0 * SPAN / float(self.counts.shape[1])

    @property
    def width(self) -> float:
        """Variance of a row within its cell, along a side."""
        return self.side**2 / 12.0

    @property
    def middles(self) -> Floats:
        """Middles of the cells along a side."""
        return as_floats(-SPAN + self.side * (np.arange(self.counts.shape[1]) + 0.5))

    @property
    def stray(self) -> float:
        """Expected stray rows in a cell."""
        return STRAY * self.rows / float(self.counts[0].size)


@attrs.frozen(eq=False)
class Parts:
    """One mixture: weights (k,), means (k, p), covariances (k, p, p)."""

    weights: Floats
    means: Floats
    covariances: Floats

    @property
    def sizes(self) -> Floats:
        """Mean variances of the components."""
        return as_floats(np.trace(self.covariances, axis1=1, axis2=2) / self.means.shape[1])

    def without(self, gone: int) -> Parts:
        """The parts without one component."""
        weights = np.delete(self.weights, gone)
        return Parts(weights / weights.sum(), np.delete(self.means, gone, 0), np.delete(self.covariances, gone, 0))

    def beside(self, weight: float, mean: Floats, size: float) -> Parts:
        """The parts and one more component, a sphere."""
        new = size * np.eye(len(mean))[None]
        return Parts(
            np.append(self.weights * (1.0 - weight), weight),
            np.concatenate([self.means, mean[None]]),
            np.concatenate([self.covariances, new]),
        )


@attrs.frozen(eq=False)
class View:
    """What a mixture expects in the cells.

    Parameters
    ----------
    parts : array of shape (planes, k, side, side)
        Rows of each component.
    total : array of shape (planes, side, side)
        All, stray rows among them.
    inverse : array of shape (planes, k, 2, 2)
        Inverse covariances of the components in the planes, with a cell's width.
    across, up : arrays of shape (planes, k, side)
        Cells' middles less the components' means, along both sides.
    """

    parts: Floats
    total: Floats
    inverse: Floats
    across: Floats
    up: Floats


def view(data: Planes, model: Parts) -> View:
    """What a mixture expects: a component in a cell as its density in the middle, with the cell's width added."""
    frames = data.frames
    means = np.einsum("hra,kr->hka", frames, model.means)
    shape = np.einsum("hra,krs,hsb->hkab", frames, model.covariances, frames, optimize=True) + data.width * np.eye(2)
    inverse = np.linalg.inv(shape)
    across, up = data.middles - means[..., :1], data.middles - means[..., 1:]
    tilt = -inverse[..., 0, 1, None] * across
    logs = tilt[..., :, None] * up[..., None, :]
    logs -= (0.5 * inverse[..., 0, 0, None] * across**2)[..., :, None]
    logs -= (0.5 * inverse[..., 1, 1, None] * up**2)[..., None, :]
    parts = np.exp(np.maximum(logs, -40.0))
    density = model.weights / (2.0 * math.pi) * np.sqrt(np.linalg.det(inverse))
    parts *= ((1.0 - STRAY) * data.rows * data.side**2 * density)[..., None, None]
    return View(as_floats(parts), parts.sum(axis=1) + data.stray, inverse, across, up)


def evidence(data: Planes, total: Floats) -> float:
    """Log likelihood of the counts, up to a constant: Poisson counts taken for Gaussian ones, planes for independent.

    The same rows fall in every plane, so this is a composite likelihood.
    """
    spread = total + data.noise
    return -0.5 * float(((data.counts - total) ** 2 / spread + np.log(spread)).sum())
