r"""What several noisy histograms of one column say together of its distribution function: weighted least squares.

The unknowns are the numbers of rows in the cells between all edges. The first histogram is what it is; when a later
one has edges inside a cell, the cell is split in proportion to width, with a variance that says how little that is
worth, and its counts are taken in by least squares (a Kalman step). What is stated of the noise follows from the noise
of the histograms alone, through the same linear maps.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
SPLIT = 0.02
"""Variance of the share of a cell that lies on one side of a new edge, over that of a fair coin.

Densities change little across a cell, and counts that say otherwise are believed as their noise allows. With .25
quantiles err by a third more.
"""
ATOMS = 1.0
"""The same where many rows share one value: all of a cell's rows may lie on one side of a new edge."""
HUGE = 1e12
"""Counts are taken within this, so that nonsense that was released makes numbers."""


FARTHEST = 2.0**500


class Distribution:
    """One column: edges, rows of the cells between (and beyond) them, and two covariances of these.

    Attributes
    ----------
    edges : (m,)
    rows : (m + 1,)
    spread : (m + 1, m + 1)
        Covariance of their errors, for what a cell's split is not known included.
    gain : (m + 1, noises)
        Response of the cells to the unit noises of all counts that were taken in.
    evidence : float
        Logarithm of how likely the counts that were taken in were, but for a constant.

    Examples
    --------
    >>> seen = Distribution(np.array([0.0, 2.0]), np.array([0.0, 100.0, 0.0]), 1.0)
    >>> seen.add(np.array([1.0]), np.array([20.0, 80.0]), 1.0)
    >>> seen.edges.tolist(), seen.below().round(1).tolist()
    ([0.0, 1.0, 2.0], [0.0, 0.2, 1.0])
    """

    def __init__(self, edges: Floats, counts: Floats, std: float, loose: float = SPLIT) -> None:
        self.loose, self.surprise, self.told, self.evidence = loose, 0.0, 0, 0.0
        self.edges, self.rows = ordered(edges), np.clip(np.nan_to_num(counts), -HUGE, HUGE)
        std = float(np.clip(std, 1e-6, HUGE))
        self.spread, self.gain = std**2 * np.eye(len(counts)), std * np.eye(len(counts))

    def split(self, edges: Floats) -> None:
        """Cut cells at new edges."""
        every = np.unique(np.concatenate([self.edges, edges]))
        low, high = self.edges[0], self.edges[-1]
        ends = np.concatenate([[min(low, every[0])], every, [max(high, every[-1])]])
        old = np.searchsorted(self.edges, every, side="right")
        parent = np.concatenate([[0], old])
        width = np.maximum(np.diff(ends), 0.0)
        total = np.bincount(parent, width, minlength=len(self.rows))
        several = np.bincount(parent, minlength=len(self.rows))
        with np.errstate(all="ignore"):
            part = np.where(total[parent] > 0, width / total[parent], 1.0 / several[parent])
        cut = np.zeros((len(parent), len(self.rows)))
        cut[np.arange(len(parent)), parent] = part
        same = parent[:, None] == parent
        loose = self._scatter()[parent][:, None] * same * (np.diag(part) - np.outer(part, part))
        self.edges, self.rows = every, cut @ self.rows
        self.spread, self.gain = cut @ self.spread @ cut.T + loose, cut @ self.gain

    def _scatter(self) -> Floats:
        """Variance of a cell's rows on one side of a cut, over that of a fair coin; that they are drawn is in it."""
        own = np.maximum(np.abs(self.rows), np.sqrt(np.maximum(np.diagonal(self.spread), 0.0)))
        return np.asarray(self.loose * own**2 + own)

    def add(self, edges: Floats, counts: Floats, std: float) -> None:
        """Take in counts of the bins between these edges, with independent noise."""
        edges = ordered(edges)
        self.split(edges)
        std = float(np.clip(std, 1e-6, HUGE))
        bins = np.concatenate([[0], np.searchsorted(edges, self.edges, side="right")])
        seen = (np.arange(len(counts))[:, None] == bins).astype(np.float64)
        cross = self.spread @ seen.T
        expected, off = seen @ cross + std**2 * np.eye(len(counts)), np.clip(np.nan_to_num(counts), -HUGE, HUGE)
        off = off - seen @ self.rows
        weight = np.linalg.lstsq(expected, cross.T, rcond=None)[0].T
        surprise = float(off @ np.linalg.lstsq(expected, off, rcond=None)[0])
        self.surprise, self.told = self.surprise + surprise, self.told + len(counts)
        self.evidence -= 0.5 * (surprise + float(np.linalg.slogdet(expected)[1]))
        keep = np.eye(len(self.rows)) - weight @ seen
        self.rows = self.rows + weight @ off
        self.spread = keep @ self.spread @ keep.T + std**2 * weight @ weight.T
        self.gain = np.concatenate([keep @ self.gain, std * weight], axis=1)

    @property
    def total(self) -> float:
        """Number of all rows."""
        return float(self.rows.sum())

    @property
    def lumpy(self) -> bool:
        """Whether counts were further from what was expected of them than noise takes them, as where values are shared.

        Of a column whose density changes little across a cell this is χ² of as many degrees as there were counts.
        """
        return self.strange > 5.0

    @property
    def strange(self) -> float:
        """Deviations by which that χ² exceeds its mean."""
        return float((self.surprise - self.told) / np.sqrt(2.0 * max(self.told, 1)))

    @property
    def doubt(self) -> float:
        """Deviation of the noise in that total."""
        return float(np.linalg.norm(self.gain.sum(axis=0)))

    def below(self) -> Floats:
        """Shares of the rows below each edge, increasing."""
        return cumulated(self.rows)

    def errors(self, asked: Floats, at: Floats, *, noise: bool = False, cut: bool = False) -> Floats:
        """Deviation of rows(below ``at``) − ``asked``·total, over the total: of noise alone, or of all unknowns.

        With ``cut``, of how a cell's rows lie to either side of ``at`` too.
        """
        cell = np.searchsorted(self.edges, at, side="right")
        low, high = self.edges[np.maximum(cell - 1, 0)], self.edges[np.minimum(cell, len(self.edges) - 1)]
        with np.errstate(all="ignore"):
            inside = np.nan_to_num(np.clip((at - low) / (high - low), 0.0, 1.0))
        weights = np.clip(cell[:, None] - np.arange(len(self.rows)), 0.0, 1.0)
        weights[np.arange(len(cell)), cell] = inside
        weights -= np.asarray(asked)[:, None]
        if noise:
            found = np.linalg.norm(weights @ self.gain, axis=1)
        else:
            known = np.maximum(np.einsum("ij,jk,ik->i", weights, self.spread, weights), 0.0)
            found = np.sqrt(known + cut * self._scatter()[cell] * inside * (1.0 - inside))
        return np.asarray(found / max(abs(self.total), 1.0))

    def around(self, asked: Floats, size: int) -> Floats:
        """Edges spread over where each quantile may lie, three deviations to either side in whole cells."""
        below, edges = self.below(), self.edges
        if not edges[-1] > edges[0]:
            return np.full(size, edges[0])
        weights, widths = np.full(len(edges) - 1, 1e-3), np.diff(edges)
        slack = 3.0 * self.errors(asked, inverse(edges, below, asked))
        lows = inverse(edges, below, np.maximum(asked - slack, 0.0))
        highs = inverse(edges, below, np.minimum(asked + slack, 1.0))
        firsts = np.clip(np.searchsorted(edges, lows, side="right") - 1, 0, len(weights) - 1)
        lasts = np.clip(np.searchsorted(edges, highs, side="left"), firsts + 1, len(weights))
        for first, last in zip(firsts, lasts, strict=True):
            weights[first:last] += widths[first:last] / max(float(widths[first:last].sum()), np.finfo(float).tiny)
        place = np.concatenate([[0.0], np.cumsum(weights)])
        return np.asarray(np.interp(np.linspace(0.0, place[-1], size), place, edges))


def ordered(edges: Floats) -> Floats:
    """The same edges where they are increasing numbers, as released ones are; numbers whatever was released."""
    return np.sort(np.clip(np.nan_to_num(edges), -FARTHEST, FARTHEST))


def cumulated(counts: Floats) -> Floats:
    """Shares of the rows below each edge of a column, increasing, from noisy counts of the bins between.

    The cumulated counts are made monotone by pooling neighbours that violate it (isotonic regression).

    Examples
    --------
    >>> cumulated(np.array([10.0, -2.0, 12.0, 20.0])).round(3).tolist()
    [0.225, 0.225, 0.5]
    """
    total = float(counts.sum())
    blocks: list[list[float]] = []
    for value in np.cumsum(counts)[:-1] / total:
        blocks.append([float(value), 1.0])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (a, m), (b, n) = blocks[-2:]
            blocks[-2:] = [[(a * m + b * n) / (m + n), m + n]]
    values = np.concatenate([np.full(int(n), a) for a, n in blocks])
    return np.asarray(np.clip(values, 0.0, 1.0))


def inverse(edges: Floats, below: Floats, asked: Any) -> Floats:
    """Where a piecewise linear distribution function takes these values; the outermost edges outside."""
    rising = below + np.arange(len(below)) * 1e-15
    return np.asarray(np.interp(asked, rising, edges))
