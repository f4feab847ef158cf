"""Quantiles of a column whose rows may share values: read by the model under which its counts were likeliest.

Three are compared: a density that changes little across a cell, atoms anywhere, and a lattice of a round spacing (whole
numbers, cents, thousands), in which a cell is as wide as the lattice points in it are many. All are post-processing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import attrs
import numpy as np
from numpy.typing import NDArray

from .cumulative import ATOMS, SPLIT, Distribution, inverse, ordered

Floats = NDArray[np.float64]
MARGIN, ROUND = 5.0, 2.0
"""Nats by which a density is left for atoms, and what more a lattice takes, since many are tried."""
FITS = 5.0
"""Deviations of χ² by which counts may be off what a lattice expects."""
STEPS = (5.0, 2.5, 2.0, 1.0)
"""Round spacings, times powers of ten; the coarsest of those that are as likely is taken."""
LARGEST = 2.0**50
"""Most lattice points within an edge of 0."""
NORMAL = np.linspace(-4.0, 4.0, 65)
WEIGHTS = np.exp(-0.5 * NORMAL**2) / np.exp(-0.5 * NORMAL**2).sum()
"""Places and weights of a standard normal number."""


def column(arrays: Sequence[Floats], noise: Sequence[float], loose: float, spacing: float = 0.0) -> Distribution:
    """Histograms of one column, edges and counts in turn, taken together; edges in points of a lattice, if given."""
    edges = [ordered(each) for each in arrays[0::2]]
    if spacing:
        edges = [np.ceil(each / spacing) for each in edges]
    seen = Distribution(edges[0], arrays[1], noise[1], loose)
    for at, each in enumerate(edges[1:], 1):
        seen.add(each, arrays[2 * at + 1], noise[2 * at + 1])
    return seen


@attrs.frozen(eq=False)
class Reading:
    """A column's distribution function, over values or over the points of a lattice; and all edges, as values.

    ``dense`` says that no other model was as likely as a density.
    """

    seen: Distribution
    spacing: float
    edges: Floats
    dense: bool

    @classmethod
    def best(cls, arrays: Sequence[Floats], noise: Sequence[float]) -> Reading:
        """By the model under which the later counts are likeliest, a density in doubt.

        Examples
        --------
        >>> rows, edges = np.repeat(np.arange(10.0), 1000), [np.arange(-5.0, 15.0, 5.0), np.linspace(2.05, 7.95, 24)]
        >>> counts = [np.histogram(rows, [-99.0, *each, 99.0])[0] for each in edges]
        >>> found = Reading.best([edges[0], counts[0], edges[1], counts[1]], [0.0, 9.0, 0.0, 9.0])
        >>> found.spacing, found.values(np.array([0.42, 0.68])).tolist()
        (1.0, [4.0, 6.0])
        """
        density, atoms = (column(arrays, noise, loose) for loose in (SPLIT, ATOMS))
        chosen, spacing = (atoms, 0.0) if atoms.evidence > density.evidence + MARGIN else (density, 0.0)
        dense = atoms.evidence < density.evidence
        least = max(chosen.evidence, density.evidence + MARGIN) + ROUND
        for step in spacings(arrays):
            lattice = column(arrays, noise, SPLIT, step)
            dense = dense and lattice.evidence < density.evidence + ROUND
            if lattice.evidence > least and lattice.strange <= FITS:
                chosen, spacing, least = lattice, step, lattice.evidence + 0.5 * ROUND
        return cls(chosen, spacing, np.unique(np.concatenate([ordered(each) for each in arrays[0::2]])), dense)

    def values(self, asked: Floats) -> Floats:
        """Quantiles, in the units of the table."""
        return self._there(self.places(asked))

    def places(self, asked: Floats) -> Floats:
        """Quantiles where the distribution function is given."""
        return inverse(self.seen.edges, self.seen.below(), asked)

    def _there(self, places: Floats) -> Floats:
        return (np.ceil(places) - 1.0) * self.spacing if self.spacing else places

    def sampling(self, asked: Floats) -> Floats:
        """How far a quantile moves where other rows are drawn, read off the distribution function."""
        off = np.sqrt(asked * (1.0 - asked) / self.seen.total) * NORMAL[:, None]
        moved = self._there(self.places(np.clip(asked + off, 0.0, 1.0)))
        return np.asarray(np.sqrt(WEIGHTS @ (moved - self.values(asked)) ** 2))

    def noise(self, asked: Floats) -> Floats:
        """How far a quantile may be off: by the distribution function's error there, where it is that of a density.

        Where rows may share values, by what is known at all edges, and where they do, by how they may lie in a cell.
        """
        found, places = self.values(asked), self.places(asked)
        if self.dense:
            moved = asked + self.seen.errors(asked, places, cut=True) * NORMAL[:, None]
            moved = self.places(np.clip(moved, 0.0, 1.0))
            return np.asarray(np.sqrt(WEIGHTS @ (moved - found) ** 2))
        off = np.array([self._reach(one, at) for one, at in zip(asked.tolist(), found.tolist(), strict=True)])
        tied = self.spacing or self.seen.loose != SPLIT
        return np.hypot(off, lumps(self.edges, found)) if tied else off

    def _reach(self, asked: float, found: float) -> float:
        """Off an edge the distribution function is as sure as it is there: the farthest that is not told apart counts.

        What lies beyond the outermost edges is taken to lie as far beyond as these are apart.
        """
        edges = self.seen.edges
        sigma = self.seen.errors(np.full(len(edges), asked), edges)
        apart = (self.seen.below() - asked) / np.maximum(sigma, 1e-12)
        rise = 1e-12 * np.arange(len(edges))
        low, high = np.maximum.accumulate(apart) + rise, np.minimum.accumulate(apart[::-1])[::-1] + rise
        span = float(edges[-1] - edges[0])
        above = np.interp(NORMAL, high, edges, right=edges[-1] + span)
        below = np.interp(NORMAL, low, edges, left=edges[0] - span)
        with np.errstate(over="ignore"):
            moved = self._there(np.where(NORMAL > 0.0, above, below)) - found
        size = float(np.abs(moved).max())
        return size * math.sqrt(float(WEIGHTS @ (moved / size) ** 2)) if 0.0 < size < math.inf else size


def spacings(arrays: Sequence[Floats]) -> Iterator[float]:
    """Round ones that edges could tell, from the coarsest: as wide as a gap of a later histogram, or as all of it."""
    every = [ordered(each) for each in arrays[0::2]]
    finer = every[1:] or every
    gaps, far = np.concatenate([np.diff(each) for each in finer]), float(np.abs(np.concatenate(every)).max())
    gaps = gaps[gaps > 0.0]
    if not gaps.size or not 1e-100 < float(gaps.min()) < 1e100:
        return
    most, least = float(max(each[-1] - each[0] for each in finer)), max(float(gaps.min()), far / LARGEST)
    for power in range(math.floor(math.log10(most)), math.floor(math.log10(least)) - 1, -1):
        for step in STEPS:
            spacing = step * 10.0**power if power >= 0 else step / 10.0**-power
            if least <= spacing <= most:
                yield spacing


def lumps(edges: Floats, at: Floats) -> Floats:
    """How far off a point is of itself where rows share values: all rows of its cell may lie anywhere in it.

    Against a place that is uniform in the cell this is the point's error.

    Examples
    --------
    >>> lumps(np.array([0.0, 1.0, 4.0]), np.array([0.5, 1.0])).round(3).tolist()
    [0.289, 1.732]
    """
    if len(edges) < 2:
        return np.zeros(len(at))
    cell = np.clip(np.searchsorted(edges, at, side="right") - 1, 0, len(edges) - 2)
    width = np.diff(edges)[cell]
    with np.errstate(all="ignore"):
        inside = np.nan_to_num(np.clip((at - edges[cell]) / width, 0.0, 1.0), nan=0.5)
    return np.asarray(width * np.sqrt((inside**3 + (1.0 - inside) ** 3) / 3.0))
