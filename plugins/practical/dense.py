"""In at most three directions every cell of a few grids is counted, and no threshold hides small clusters.

A stable histogram publishes cells above some 5.3 deviations of its noise, since the occupied cells themselves are
private. The cells of a fixed grid over the located ball are public: all are counted with noise, and what is published
is left to this module. A child of a published cell needs to stand out among its siblings only. The directions are the
columns, or what a noisy Gram matrix shows where rows are scarce: there a threshold costs most.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import attrs
import numpy as np

from .records import Cells, Floats, as_floats
from .trees import MOST_LEAVES, Grid, Tree, planted

MOST_COLUMNS = 3
SPAN = 1.25
"""Grids reach this far from the centre of the located ball, in its radii; the outermost cells hold all beyond."""
SIDES = {1: (5, 8, 11), 2: (3, 5, 7), 3: (3, 5)}
"""Binary logarithms of the number of cells along a column, by the number of columns. In three a cell is .08 radii wide:
clusters 8 deviations apart with another one 700 away were lost at n=2e4 (found at 170 away, or at n=1e5)."""
COARSEST = 2
SPLIT = 2.0
"""Deviations of a finest cell's noise in a cell that is looked into: see `nested`."""
ABOVE = 0.5
"""Deviations above ``sqrt(2 ln cells)`` that a cell needs to be published: one level in twenty shows an empty one."""


def edges(columns: int, side: int) -> list[list[float]]:
    """Inner edges of 2^side cells in each column, in frame units.

    Examples
    --------
    >>> edges(1, 2)
    [[-0.625, 0.0, 0.625]]
    """
    inner = np.linspace(-SPAN, SPAN, 2**side + 1)[1:-1]
    return [[float(e) for e in inner]] * columns


def coarser(counts: Floats) -> Floats:
    """Counts on the grid of half as many cells in each column."""
    shape = [n for side in counts.shape for n in (side // 2, 2)]
    return as_floats(counts.reshape(shape).sum(axis=tuple(range(1, len(shape), 2))))


def published(counts: Floats, std: float, parents: Floats | None) -> Floats:
    """Which cells stand out of the noise, among all or among the children of published parents."""
    chosen = counts > std * (math.sqrt(2.0 * math.log(counts.size)) + ABOVE)
    if parents is not None and parents.any():
        children = parents
        for axis in range(counts.ndim):
            children = np.repeat(children, 2, axis=axis)
        few = math.sqrt(2.0 * math.log(max(float(children.sum()), 2.0)))
        chosen |= children.astype(bool) & (counts > std * (few + ABOVE))
    return as_floats(chosen)


def levels(released: Sequence[Floats], std: Sequence[float], columns: int) -> tuple[list[Cells], Floats]:
    """Published cells from the coarsest grid to the finest that shows one, and their corner; none where none shows one.

    Parameters
    ----------
    released : sequence of arrays
        Noisy counts of the grids of `SIDES`.
    std : sequence of float
        Their noise.
    columns : int

    Notes
    -----
    A grid between two released ones adds up cells of the next finer one.
    """
    grids: list[tuple[int, Floats, float]] = []
    above = COARSEST
    for side, flat, noise in zip(SIDES[columns], released, std, strict=True):
        counts, own = as_floats(flat).reshape((2**side,) * columns), noise
        found = []
        for at in range(side, above - 1, -1):
            found.append((at, counts, own))
            counts, own = coarser(counts), own * 2.0 ** (0.5 * columns)
        grids += found[::-1]
        above = side + 1
    result, parents = [], None
    for side, counts, noise in grids:
        parents = published(counts, noise, parents)
        chosen = parents > 0
        result.append(Cells(2.0 * SPAN / 2**side, np.argwhere(chosen), counts[chosen]))
    while result and not len(result[-1].counts):
        result.pop()
    return result, np.full(columns, -SPAN)


def nested(released: Sequence[Floats], std: Sequence[float], columns: int, rows: tuple[float, float]) -> Tree:
    """All counts as a tree: a cell with some deviations of a finest cell's noise in it is halved along every column.

    Parameters
    ----------
    released, std, columns
        As for `levels`.
    rows : (float, float)
        Noisy number of rows, and the variance of its noise.

    Notes
    -----
    A leaf's count is the mean of what all grids from its own down say of it, weighted by their noise; a cell above it
    has its own grid's.
    """
    sides = SIDES[columns]
    counts = {s: as_floats(r).reshape((2**s,) * columns) for s, r in zip(sides, released, strict=True)}
    sums: dict[int, tuple[Floats, float]] = {}
    total, weight = np.zeros((2 ** sides[-1],) * columns), 0.0  # over variances, as in a mean
    for side in range(sides[-1], COARSEST - 1, -1):
        if side in counts:
            noise = std[sides.index(side)] ** 2
            total, weight = total + counts[side] / noise, weight + 1.0 / noise
        sums[side] = total / weight, 1.0 / weight
        total, weight = coarser(total) / 2.0**columns, weight / 2.0**columns
    for times in (SPLIT * 2.0**i for i in range(60)):
        grids, there = [], np.ones((2**COARSEST,) * columns, dtype=bool)
        for side in range(COARSEST, sides[-1] + 1):
            mean, variance = sums[side]
            split = there & (mean > times * std[-1]) & (side < sides[-1])
            own, noise = (counts[side], std[sides.index(side)] ** 2) if side in counts else (mean, math.inf)
            index = np.argwhere(there)
            inner = split[there]
            found = np.where(inner, own[there], mean[there]), np.where(inner, noise, variance)
            grids.append(Grid(side, 2.0 * SPAN / 2**side, index, *found))
            there = split
            for axis in range(columns):
                there = np.repeat(there, 2, axis=axis)
            if not there.any():
                break
        if sum(len(g.index) for g in grids) <= MOST_LEAVES:
            break
    tree = planted(grids, np.full(columns, -SPAN), rows, SPAN * (1.0 - 1e-9))
    size = grids[-1].size
    middles = -SPAN + size * (np.indices((round(2.0 * SPAN / size),) * columns) + 0.5)
    return attrs.evolve(tree, finest=tree.places(as_floats(np.moveaxis(middles, 0, -1))))
