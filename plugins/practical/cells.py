"""From published cells of nested grids to weighted points: a parent gives way to its children."""

from __future__ import annotations

from collections.abc import Sequence

import attrs
import numpy as np
from numpy.typing import NDArray

from .records import Cells, Floats, as_floats


@attrs.frozen(eq=False)
class Points:
    """Weighted points in the subspace: centres of cells.

    Parameters
    ----------
    positions : array of shape (m, p)
    weights : array of shape (m,)
        Noisy counts, positive.
    variances : array of shape (m,)
        Variance of a uniform row within the cell, per coordinate: ``size^2 / 12``.
    """

    positions: Floats = attrs.field(converter=as_floats)
    weights: Floats = attrs.field(converter=as_floats)
    variances: Floats = attrs.field(converter=as_floats)

    def log_volumes(self) -> Floats:
        """Logarithms of the volumes of the cells."""
        return as_floats(0.5 * self.positions.shape[1] * np.log(12.0 * self.variances))

    def part(self, chosen: NDArray[np.bool_], weights: Floats) -> Points:
        """Some points with other weights."""
        return Points(self.positions[chosen], weights, self.variances[chosen])


def leaves(levels: Sequence[Cells]) -> list[tuple[int, int]]:
    """(level, row) of the cells that stay: a parent is dropped where its published children hold more than half.

    Parameters
    ----------
    levels : sequence of Cells
        Coarsest first; sides halve, and child ``i`` of a grid lies in parent ``floor(i / 2)``.
    """
    return _walk(levels)[0]


def _walk(levels: Sequence[Cells]) -> tuple[list[tuple[int, int]], list[tuple[int, int, float]]]:
    """The cells that stay, and those that give way with what they hold beyond their published children."""
    children: list[dict[int, list[int]]] = []
    orphans: list[tuple[int, int]] = []
    for depth, cells in enumerate(levels):
        if depth == 0:
            orphans += [(0, i) for i in range(len(cells.counts))]
            continue
        parents = {tuple(row): i for i, row in enumerate(levels[depth - 1].index.tolist())}
        below: dict[int, list[int]] = {}
        for i, row in enumerate((cells.index // 2).tolist()):
            parent = parents.get(tuple(row))
            if parent is None:
                orphans.append((depth, i))
            else:
                below.setdefault(parent, []).append(i)
        children.append(below)
    kept: list[tuple[int, int]] = []
    split: list[tuple[int, int, float]] = []
    stack = orphans[::-1]
    while stack:
        depth, i = stack.pop()
        below_i = children[depth].get(i, []) if depth < len(children) else []
        held = sum(float(levels[depth + 1].counts[j]) for j in below_i)
        if below_i and held > 0.5 * float(levels[depth].counts[i]):
            stack += [(depth + 1, j) for j in reversed(below_i)]
            split.append((depth, i, float(levels[depth].counts[i]) - held))
        else:
            kept.append((depth, i))
    return kept, split


def points(levels: Sequence[Cells], offset: Floats) -> Points | None:
    """Weighted points of the cells that stay, or None where nothing was published.

    Parameters
    ----------
    levels : sequence of Cells
        Coarsest first.
    offset : array of shape (p,)
        Corner of the grids (shared by all levels): cell ``i`` starts at ``offset + size * i``.
    """
    kept = leaves(levels)
    if not kept:
        return None
    positions = [offset + levels[depth].size * (levels[depth].index[i] + 0.5) for depth, i in kept]
    weights = [float(levels[depth].counts[i]) for depth, i in kept]
    variances = [levels[depth].size ** 2 / 12.0 for depth, _ in kept]
    return Points(np.array(positions), np.array(weights), np.array(variances))


MOST_POINTS = 4000
"""Where fits of full covariances would take too long, the finest cells are left out."""


def few_points(levels: Sequence[Cells], offset: Floats) -> Points:
    """As `points`, with what a parent holds beyond its children that stay, and without the finest levels if too many.

    A remainder stands at the parent's centre if it is more than half the smallest published count.
    """
    most = next((m for m in range(len(levels), 1, -1) if len(leaves(levels[:m])) <= MOST_POINTS), 1)
    levels = levels[:most]
    found = points(levels, offset)
    if found is None:
        raise ValueError("no cell was published")
    least = 0.5 * float(found.weights.min())
    rest = [(levels[depth], i, left) for depth, i, left in _walk(levels)[1] if left > least]
    if not rest:
        return found
    return Points(
        np.concatenate([found.positions, [offset + c.size * (c.index[i] + 0.5) for c, i, _ in rest]]),
        np.concatenate([found.weights, [left for _, _, left in rest]]),
        np.concatenate([found.variances, [c.size**2 / 12.0 for c, _, _ in rest]]),
    )


def grid_offset(sizes: Floats, dimension: int, seed: int) -> Floats:
    """Public random corner of the grids: ``-size_0 U`` with ``U`` uniform in the unit cube."""
    return -float(sizes[0]) * np.random.default_rng(seed).random(dimension)
