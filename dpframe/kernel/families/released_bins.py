"""Histograms of each column at once, by dyadic sizes and by released bins; and one of product cells."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from dpframe.kernel.exact import folds
from dpframe.kernel.operations import Batch, Exact, Folds, Statistic, wants
from dpframe.kernel.registry import register
from dpframe.proof.families.bins import DYADIC
from dpframe.proof.spaces import Domain, Rows, positive_whole

LOWEST = -1075
"""Exponent i of the first dyadic bin (2^i, 2^(i+1)]: it holds the smallest float64 above 0."""
FARTHEST = 2.0**52


def dyadic_bin(values: Any) -> Any:
    """Number of the bin (2^i, 2^(i+1)] that holds each ``|value|``, counted from `LOWEST`; −1 for 0.

    Examples
    --------
    >>> (dyadic_bin(np.array([1.0, 1.5, 2.0, -3.0, 0.0, 5e-324])) + LOWEST).tolist()
    [-1, 0, 0, 1, -1076, -1075]
    """
    fraction, exponent = np.frexp(np.abs(values))
    power = np.where(fraction == 0.5, exponent - 2, exponent - 1)
    return np.where(fraction > 0, power - LOWEST, -1)


@attrs.frozen
class _EachColumn(Statistic):
    """d histograms of the same rows, one a column: (d, bins) counts."""

    def value(self, fold: Any) -> Exact:
        """The counts, a row a column."""
        return Exact(np.array([column.value for column in fold.each]))


@register("dyadic_counts")
@attrs.frozen
class DyadicCounts(_EachColumn):
    """How many rows have ``|x_j|`` in (2^i, 2^(i+1)], for each column j and every exponent i of float64.

    All bins are counted, so no δ is spent on which of them are occupied. A value of exactly 0 falls in no bin: of
    pairs of rows, exact ties have no scale.

    Formal guarantees
    -----------------
    Sensitivity: at most one bin a column and row (``histograms``, with d histograms).

    References
    ----------
    AAL21, Algorithm 3, there with a stable histogram; docs/theory/corrections.md#t1.

    Examples
    --------
    >>> counts = DyadicCounts()
    >>> fold = counts.start(Rows(1))
    >>> counts.update(fold, Batch(0, np.array([[0.75], [-3.0], [4.0], [0.0]]), np.ones(4, dtype=bool)))
    >>> bins = counts.value(fold).integers[0]
    >>> {int(i) + LOWEST: int(bins[i]) for i in np.flatnonzero(bins)}  # one in (1/2, 1], two in (2, 4]
    {-1: 1, 1: 2}
    """

    def start(self, domain: Domain, *params: Any) -> Any:
        """Empty bins."""
        return Folds(tuple(folds.HistogramFold(DYADIC) for _ in range(wants(domain, Rows, self.name).d)))

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Bin a batch; empty rows fall in no bin."""
        for j, column in enumerate(fold.each):
            column.update(np.where(batch.valid, dyadic_bin(batch.values[:, j]), -1))


def ordered(edges: Any) -> Any:
    """Edges of each column in increasing order; equal ones make a bin that nothing falls in."""
    return np.sort(np.asarray(edges, dtype=np.float64), axis=1)


def bin_of(values: Any, edges: Any) -> Any:
    """Number of edges at or below each value."""
    return np.searchsorted(edges, values, side="right").astype(np.int64)


def bins_at(values: Any, offset: Any, size: Any) -> Any:
    """Number i of the bin ``offset + size·[i, i + 1)`` of each value; far ones are held at ±2^52."""
    with np.errstate(all="ignore"):
        cell = np.floor((values - offset) / size)
    return np.clip(np.nan_to_num(cell, nan=0.0), -FARTHEST, FARTHEST).astype(np.int64)


@register("marginal_counts")
@attrs.frozen
class MarginalCounts(_EachColumn):
    """Counts of (−∞, e₀), [e₀, e₁), …, [e_last, ∞) in each column, by released edges.

    Released edges are sorted; equal ones make a bin that nothing falls in, which is how a shorter list is padded.

    Formal guarantees
    -----------------
    Sensitivity: one one-hot vector a column and row (``histograms``, with d histograms), whatever the edges are.
    Values are only compared with edges, so the count is exact.

    Examples
    --------
    >>> counts, edges = MarginalCounts(), np.array([[0.0, 10.0], [1.0, 1.0]])
    >>> fold = counts.start(Rows(2), edges)
    >>> counts.update(fold, Batch(0, np.array([[5.0, 0.0], [12.0, 3.0]]), np.ones(2, dtype=bool)), edges)
    >>> counts.value(fold).integers.tolist()  # of the second column the middle bin is empty: a padded list
    [[0, 1, 1], [1, 0, 1]]
    """

    def start(self, domain: Domain, *params: Any) -> Any:
        """Empty bins."""
        return Folds(tuple(folds.HistogramFold(len(row) + 1) for row in ordered(params[0])))

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Bin a batch; empty rows fall in no bin."""
        for j, (column, edges) in enumerate(zip(fold.each, ordered(params[0]), strict=True)):
            column.update(np.where(batch.valid, bin_of(batch.values[:, j], edges), -1))


@register("product_counts")
@attrs.frozen
class ProductCounts(Statistic):
    """Counts of the product cells of released edges in every column, the last column running fastest.

    Formal guarantees
    -----------------
    Sensitivity: a one-hot vector a row (``histograms``), whatever the edges are.

    Examples
    --------
    >>> counts, edges = ProductCounts(), np.array([[0.0], [10.0]])
    >>> fold = counts.start(Rows(2), edges)
    >>> counts.update(fold, Batch(0, np.array([[-1.0, 5.0], [1.0, 5.0], [1.0, 50.0]]), np.ones(3, dtype=bool)), edges)
    >>> counts.value(fold).integers.tolist()  # low low, low high, high low, high high
    [1, 0, 1, 1]
    """

    def start(self, domain: Domain, *params: Any) -> Any:
        """Empty cells."""
        d, m = np.shape(params[0])
        return folds.HistogramFold((m + 1) ** d)

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Cell of each row."""
        edges = ordered(params[0])
        cell = np.zeros(len(batch.valid), dtype=np.int64)
        for j, row in enumerate(edges):
            cell = cell * (len(row) + 1) + bin_of(batch.values[:, j], row)
        fold.update(np.where(batch.valid, cell, -1))

    def value(self, fold: Any) -> Exact:
        """The counts."""
        return Exact(fold.value)


@register("column_cells")
@attrs.frozen
class ColumnCells(Statistic):
    """Occupied bins of up to ``levels`` one-dimensional grids, each of one column, with their counts.

    Row l of the released grids is (column, offset, size): bin i is ``offset + size·[i, i + 1)``. A size that is not
    positive ends the list, so its length is a released number.

    Parameters
    ----------
    levels : int
        Static bound on the number of grids.

    Formal guarantees
    -----------------
    Sensitivity: ``levels`` one-hot vectors a row (``histograms``). Which bins are occupied is private; only
    ``stable_histogram`` takes them.

    References
    ----------
    AAL21, Algorithms 2 and 5; docs/theory/corrections.md#t1.

    Examples
    --------
    >>> cells, grids = ColumnCells(levels=2), np.array([[1.0, 0.0, 10.0], [0.0, 0.0, 0.0]])  # one grid, on column 1
    >>> fold = cells.start(Rows(2), grids)
    >>> cells.update(fold, Batch(0, np.array([[7.0, 25.0], [8.0, -1.0]]), np.ones(2, dtype=bool)), grids)
    >>> [(ids.tolist(), counts.tolist()) for ids, counts in cells.value(fold).integers]
    [([[-1], [2]], [1, 1])]
    """

    levels: int = attrs.field(kw_only=True, validator=positive_whole)

    def start(self, domain: Domain, *params: Any) -> Any:
        """No bin is occupied."""
        sizes = np.append(np.asarray(params[0], dtype=np.float64)[:, 2], 0.0)
        return Folds(tuple(folds.SparseHistogramFold(1) for _ in range(int(np.argmax(~(sizes > 0))))))

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Bin of each row at each level; far rows are held at the edge of the whole numbers."""
        for level, (column, offset, size) in zip(fold.each, np.asarray(params[0]), strict=False):
            values = batch.values[:, min(max(int(column), 0), batch.values.shape[1] - 1)]
            level.update(bins_at(values, offset, size)[:, None], batch.valid)

    def value(self, fold: Any) -> Exact:
        """A list of (ids, counts), a level each."""
        return Exact([level.value for level in fold.each])


@register("box_cells")
@attrs.frozen
class BoxCells(Statistic):
    """Occupied product bins of up to ``levels`` grids with a size of their own in each column, with their counts.

    Row l of the released grids is (offsets, sizes): bin i is the product of ``offset_j + size_j·[i_j, i_j + 1)``. A row
    whose sizes are not all positive ends the list.

    Parameters
    ----------
    levels : int
        Static bound on the number of grids.

    Formal guarantees
    -----------------
    Sensitivity: ``levels`` one-hot vectors a row (``histograms``). Which bins are occupied is private; only
    ``stable_histogram`` takes them.

    Examples
    --------
    >>> cells, grids = BoxCells(levels=1), np.array([[0.0, 0.0, 10.0, 1.0]])  # bins of 10 by 1
    >>> fold = cells.start(Rows(2), grids)
    >>> cells.update(fold, Batch(0, np.array([[25.0, 0.5], [25.0, 2.5]]), np.ones(2, dtype=bool)), grids)
    >>> [(ids.tolist(), counts.tolist()) for ids, counts in cells.value(fold).integers]
    [([[2, 0], [2, 2]], [1, 1])]
    """

    levels: int = attrs.field(kw_only=True, validator=positive_whole)

    def start(self, domain: Domain, *params: Any) -> Any:
        """No bin is occupied."""
        d = wants(domain, Rows, self.name).d
        used = np.append((np.asarray(params[0], dtype=np.float64)[:, d:] > 0).all(axis=1), False)
        return Folds(tuple(folds.SparseHistogramFold(d) for _ in range(int(np.argmin(used)))))

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Bin of each row at each level."""
        d = batch.values.shape[1]
        for level, grid in zip(fold.each, np.asarray(params[0], dtype=np.float64), strict=False):
            level.update(bins_at(batch.values, grid[:d], grid[d:]), batch.valid)

    def value(self, fold: Any) -> Exact:
        """A list of (ids, counts), a level each."""
        return Exact([level.value for level in fold.each])
