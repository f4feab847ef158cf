"""Cells that follow listed components of one column, and what total variation they hide."""

from __future__ import annotations

from typing import Any

import numpy as np

EDGES = 4095
REACH = 8.0
FINEST = 32
WITHIN = 0.4
"""Above 2φ(0)/2: of two mixtures with deviations of at least h·m in cells of width h, at most WITHIN/m is hidden."""


def hidden(finest: int) -> float:
    """Most total variation between two mixtures of listed components that their cells do not show; 1 where unknown.

    Examples
    --------
    >>> hidden(32), hidden(0)
    (0.0125, 1.0)
    """
    return WITHIN / finest if finest else 1.0


def lattice_edges(parts: Any, most: int) -> Any:
    """At most so many edges around (mean, deviation) pairs."""
    return lattice(parts, most)[0]


def lattice(parts: Any, most: int) -> tuple[Any, int]:
    """At most so many edges around (mean, deviation) pairs, and how many cells a deviation has at least; 0: none."""
    finest = FINEST
    while finest:
        with np.errstate(all="ignore"):
            steps = 2.0 ** np.floor(np.log2(parts[:, 1] / finest))
            found = [_grid(parts[steps == step], float(step), most) for step in np.unique(steps)]
        if all(grid is not None for grid in found):
            edges = np.unique(np.concatenate(found))
            if len(edges) <= most and np.isfinite(edges).all():
                return edges, finest
        finest //= 2
    places = np.linspace(0, len(parts) - 1, most).round().astype(np.int64)
    return np.unique(parts[places, 0]), 0


def _grid(parts: Any, step: float, most: int) -> Any:
    """Multiples of the step within REACH deviations of a mean; nothing where they are too many."""
    low, high = (np.floor((parts[:, 0] + s * REACH * parts[:, 1]) / step) for s in (-1.0, 1.0))
    ranges: list[list[float]] = []
    for i in np.argsort(low, kind="stable"):
        if ranges and low[i] <= ranges[-1][1] + 1:
            ranges[-1][1] = max(ranges[-1][1], float(high[i]))
        else:
            ranges.append([float(low[i]), float(high[i])])
    if not sum(b - a + 2 for a, b in ranges) <= most:
        return None
    return np.concatenate([np.arange(a, b + 2) * step for a, b in ranges])
