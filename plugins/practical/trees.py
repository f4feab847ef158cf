"""Released cells as a tree of noisy counts: how likely they are under expected counts, and what these become by them.

A cell's count is Poisson about what a mixture expects there, and is released with Gaussian noise. Cells of nested grids
count the same rows, so a parent's count says something of the sum of its children's. Poisson laws are taken for
Gaussian ones: then all counts given all releases follow by one walk up the tree and one down, exactly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import attrs
import numpy as np
from numpy.typing import NDArray

from .records import Floats, as_floats

Ints = NDArray[np.int64]
MOST_LEAVES = 4096
NOWHERE = 1e-9
"""Expected rows in a leaf that no component reaches."""


@attrs.frozen(eq=False)
class Layer:
    """Nodes at the same number of steps from the root.

    Parameters
    ----------
    parent : array of shape (m,)
        Place of each node's parent in the layer above; -1 for the root.
    leaf : array of shape (m,)
        Its number among the leaves, -1 for others.
    measured : array of shape (m,)
        The released count; 0 where there is none.
    variance : array of shape (m,)
        Of its noise; infinite where there is none.
    centre : array of shape (m, p)
    size : array of shape (m,)
        Side of its cell.
    """

    parent: Ints
    leaf: Ints
    measured: Floats
    variance: Floats
    centre: Floats
    size: Floats


@attrs.frozen(eq=False)
class Tree:
    """Cells in cells, to the leaves that part the whole space.

    Parameters
    ----------
    layers : tuple of Layer
        The root, which is the whole space with the noisy number of rows, first.
    volumes : array of shape (leaves,)
        Shares of the box that all cells lie in.
    grids : tuple of (float, array, array)
        Coarsest first: side, sorted keys of cells, and the leaf that each is, or that the rest of it is.
    offset : array of shape (p,)
        Corner of cell 0.
    reach : float
        Positions farther from 0 along a column count where they leave this box: the outermost cells hold all beyond.
    finest : array of shape (2^s, ..., 2^s) or None
        The leaf of every cell of the finest grid from cell 0 on, where these are all.
    """

    layers: tuple[Layer, ...]
    volumes: Floats
    grids: tuple[tuple[float, NDArray[np.uint64], Ints], ...]
    offset: Floats
    reach: float = math.inf
    finest: Ints | None = None

    @property
    def rows(self) -> float:
        """The noisy number of all rows, at least 1."""
        return max(float(self.layers[0].measured[0]), 1.0)

    def places(self, positions: Floats) -> Ints:
        """The leaf that each position (…, p) lies in."""
        positions = np.clip(positions, -self.reach, self.reach)
        if self.finest is not None:
            cells = ((positions - self.offset) / self.grids[-1][0]).astype(np.intp)
            return np.asarray(self.finest[tuple(np.moveaxis(cells, -1, 0))])
        found = np.zeros(positions.shape[:-1], dtype=np.int64)  # leaf 0 is what no cell holds
        for size, known, leaf in self.grids:
            key = keys(np.floor((positions - self.offset) / size).astype(np.int64))
            at = np.minimum(np.searchsorted(known, key), len(known) - 1)
            found = np.where(known[at] == key, leaf[at], found)
        return found

    def _up(self, expected: Floats, spread: Floats) -> list[tuple[Floats, Floats, Floats]]:
        """Of every layer, the root's last: expected counts and variances before they meet releases, and residuals."""
        found = []
        means, variances = np.zeros(0), np.zeros(0)
        below: Layer | None = None
        for layer in self.layers[::-1]:
            size = len(layer.parent)
            first, second = np.zeros(size), np.zeros(size)
            if below is not None:
                first += np.bincount(below.parent, weights=means, minlength=size)
                second += np.bincount(below.parent, weights=variances, minlength=size)
            ends = layer.leaf >= 0
            first[ends], second[ends] = expected[layer.leaf[ends]], spread[layer.leaf[ends]]
            off = np.where(np.isfinite(layer.variance), layer.measured - first, 0.0)
            found.append((first, second, off))
            gain = second / (second + layer.variance)
            means, variances, below = first + gain * off, second * (1.0 - gain), layer
        return found

    def evidence(self, expected: Floats, spread: Floats) -> float:
        """Log density of all releases under expected counts of the leaves that are off by this much (variances)."""
        total = 0.0
        for layer, (_, second, off) in zip(self.layers[::-1], self._up(expected, spread), strict=True):
            here = np.isfinite(layer.variance)
            wide = (second + layer.variance)[here]
            total -= 0.5 * float((off[here] ** 2 / wide + np.log(wide)).sum())
        return total

    def posterior(self, expected: Floats, spread: Floats) -> tuple[Floats, float]:
        """Mean counts of the leaves given all releases, none below 0, and the `evidence`."""
        total, out = 0.0, np.zeros(len(self.volumes))
        walked = self._up(expected, spread)
        change = np.zeros(1)
        whole = np.ones(1)
        for layer, (first, second, off) in zip(self.layers, walked[::-1], strict=True):
            here = np.isfinite(layer.variance)
            wide = second + layer.variance
            total -= 0.5 * float((off[here] ** 2 / wide[here] + np.log(wide[here])).sum())
            gain = second / wide
            own, left = gain * off, second * (1.0 - gain)
            if layer.parent[0] >= 0:
                own += left / np.maximum(whole[layer.parent], 1e-300) * change[layer.parent]
            ends = layer.leaf >= 0
            out[layer.leaf[ends]] = np.maximum(first[ends] + own[ends], 0.0)
            # what a parent's sum of children changes by, and the variance it is shared by
            change, whole = own, second
        return out, total

    def residuals(self, expected: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Of all nodes below the root: deviations above what is expected, rows above it, centres, sides."""
        parts = []
        for layer, (first, _, _) in zip(self.layers[::-1], self._up(expected, np.zeros(len(expected))), strict=True):
            here = np.isfinite(layer.variance) & (layer.parent >= 0)
            over = (layer.measured - first)[here]
            parts.append(
                (over / np.sqrt(first[here] + layer.variance[here]), over, layer.centre[here], layer.size[here])
            )
        return tuple(np.concatenate(each) for each in zip(*parts, strict=True))  # type: ignore[return-value]


def keys(index: Ints) -> NDArray[np.uint64]:
    """One number for each cell (…, p): two of some thousand cells have the same with probability 1e-12."""
    factors = np.random.default_rng(index.shape[-1]).integers(2**63, size=index.shape[-1], dtype=np.uint64) * 2 + 1
    return np.asarray((index.astype(np.uint64) * factors).sum(axis=-1, dtype=np.uint64))


@attrs.frozen(eq=False)
class Grid:
    """Cells of a grid with their counts: how often sides were halved, side, indices (m, p), counts, variances (m,)."""

    level: int
    size: float
    index: Ints
    counts: Floats
    variances: Floats


def planted(grids: Sequence[Grid], offset: Floats, rows: tuple[float, float], reach: float = math.inf) -> Tree:
    """The tree of some cells of nested grids.

    Parameters
    ----------
    grids : sequence of Grid
        Coarsest first, none empty; child ``i`` of a grid lies in parent ``floor(i / 2)`` of the next coarser one.
    offset : array of shape (p,)
    rows : (float, float)
        Number of all rows, and the variance of its noise.
    reach : float
        As in `Tree`.

    Notes
    -----
    A cell without its parent is a child of the next cell above. What the children of a cell leave of it is a leaf of
    its own, which nothing has counted.
    """
    p = len(offset)
    low = np.min([offset + g.size * g.index.min(axis=0) for g in grids], axis=0)
    high = np.max([offset + g.size * (g.index.max(axis=0) + 1.0) for g in grids], axis=0)
    starts = np.cumsum([1, *(len(g.index) for g in grids)])
    parent = np.full(starts[-1], -1, dtype=np.int64)
    depth = np.zeros(starts[-1], dtype=np.int64)
    volume = np.ones(starts[-1])
    known: list[tuple[NDArray[np.uint64], Ints]] = []
    for at, grid in enumerate(grids):
        mine = slice(starts[at], starts[at + 1])
        above = np.zeros(len(grid.index), dtype=np.int64)
        for coarse, (sorted_keys, node) in zip(grids, known, strict=False):
            key = keys(grid.index >> (grid.level - coarse.level))
            place = np.minimum(np.searchsorted(sorted_keys, key), len(sorted_keys) - 1)
            above = np.where(sorted_keys[place] == key, node[place], above)
        parent[mine], depth[mine] = above, depth[above] + 1
        volume[mine] = np.prod(grid.size / (high - low))
        own = keys(grid.index)
        order = np.argsort(own)
        known.append((own[order], starts[at] + order))
    inside = np.bincount(parent[1:], weights=volume[1:], minlength=len(parent))
    left = volume - inside
    rest = np.flatnonzero((left > 1e-6 * volume) & (inside > 0.0) | (np.arange(len(parent)) == 0))
    leaf = np.full(len(parent) + len(rest), -1, dtype=np.int64)
    leaf[len(parent) :] = np.arange(len(rest))  # the root's is 0
    ends = np.flatnonzero(inside == 0.0)
    leaf[ends] = len(rest) + np.arange(len(ends))
    holder = leaf[: len(parent)].copy()
    holder[rest] = np.arange(len(rest))
    centre = np.concatenate(
        [np.zeros((1, p)), *(offset + g.size * (g.index + 0.5) for g in grids), np.zeros((len(rest), p))]
    )
    size = np.concatenate([[1.0], *(np.full(len(g.index), g.size) for g in grids), np.ones(len(rest))])
    counts = np.concatenate([[rows[0]], *(g.counts for g in grids), np.zeros(len(rest))])
    variances = np.concatenate([[rows[1]], *(g.variances for g in grids), np.full(len(rest), math.inf)])
    parent, depth = np.concatenate([parent, rest]), np.concatenate([depth, depth[rest] + 1])
    layers, place = [], np.zeros(len(parent), dtype=np.int64)
    for step in range(int(depth.max()) + 1):
        here = np.flatnonzero(depth == step)
        place[here] = np.arange(len(here))
        above = np.where(parent[here] < 0, -1, place[parent[here]])
        layers.append(Layer(above, leaf[here], counts[here], variances[here], centre[here], size[here]))
    volumes = np.concatenate([np.maximum(left[rest], 0.0), volume[ends]])
    found = tuple((g.size, sorted_keys, holder[node]) for g, (sorted_keys, node) in zip(grids, known, strict=True))
    return Tree(tuple(layers), as_floats(volumes), found, offset, reach)
