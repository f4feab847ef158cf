"""``cells``: nested sparse histograms of rows on released grids."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from dpframe.errors import DomainError
from dpframe.kernel.exact import folds
from dpframe.kernel.operations import Batch, Exact, Folds, Statistic, wants
from dpframe.kernel.registry import register
from dpframe.proof.spaces import Domain, Rows, positive_whole

FARTHEST = 2.0**40


@attrs.frozen(eq=False)
class Grids:
    """Released grids: cell i of level l is ``offset + size_l·(i + [0, 1]^p)``; ``offset`` (p,), ``sizes`` (m,)."""

    offset: np.ndarray[Any, np.dtype[np.float64]]
    sizes: np.ndarray[Any, np.dtype[np.float64]]


def cell_of(values: Any, offset: Any, size: float) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Cell of each point; far ones are held at the edge of the integers."""
    with np.errstate(all="ignore"):
        cell = np.floor((values - offset) / size)
    held: np.ndarray[Any, np.dtype[np.int64]] = np.clip(np.nan_to_num(cell, nan=0.0), -FARTHEST, FARTHEST).astype(
        np.int64
    )
    return held


@register("cells")
@attrs.frozen
class CellCounts(Statistic):
    """Occupied cells of up to ``levels`` grids, with their counts.

    Parameters
    ----------
    levels : int
        Static bound on the number of grids; released grids beyond it are ignored.

    Formal guarantees
    -----------------
    Sensitivity: ``levels`` one-hot vectors a row (``histograms``). Which cells are occupied is private; only
    ``stable_histogram`` takes them.

    Examples
    --------
    >>> cells, grids = CellCounts(levels=1), Grids(offset=np.zeros(2), sizes=np.array([10.0]))
    >>> fold = cells.start(Rows(2), grids)
    >>> cells.update(fold, Batch(0, np.array([[1.0, 1.0], [9.0, 2.0], [-1.0, 5.0]]), np.ones(3, dtype=bool)), grids)
    >>> [(ids.tolist(), counts.tolist()) for ids, counts in cells.value(fold).integers]
    [([[-1, 0], [0, 0]], [1, 2])]
    """

    levels: int = attrs.field(kw_only=True, validator=positive_whole)

    def start(self, domain: Domain, *params: Any) -> Any:
        """No cell is occupied."""
        columns, grids = wants(domain, Rows, "cells").d, params[0]
        if np.shape(grids.offset) != (columns,) or np.ndim(grids.sizes) != 1:
            raise DomainError(
                f"cells: released grids of {np.size(grids.offset)} columns for rows of {columns}",
                fix="make grids with as many columns as the rows",
            )
        count = min(self.levels, len(grids.sizes))
        return Folds(tuple(folds.SparseHistogramFold(columns) for _ in range(count)))

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Cell of each row at each level; far rows are held at the edge of the integers."""
        grids: Grids = params[0]
        for level, size in zip(fold.each, grids.sizes, strict=False):
            level.update(cell_of(batch.values, grids.offset, size), batch.valid)

    def value(self, fold: Any) -> Exact:
        """A list of (ids, counts), a level each."""
        return Exact([level.value for level in fold.each])
