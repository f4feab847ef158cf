"""Exact histograms of bin numbers: dense, or keyed by the occupied bins only."""

from __future__ import annotations

from typing import Any, final

import numpy as np
import numpy.typing as npt

from dpframe.kernel.exact.folds import spilling
from dpframe.kernel.exact.folds.base import Fold, check_alike, check_shape, check_size
from dpframe.kernel.exact.folds.spilling import Int64s

_PENDING = 2**17


@final
class HistogramFold(Fold):
    """Counts of bins 0..bins−1; a row with any other number falls in no bin.

    Parameters
    ----------
    bins : int
        Number of bins, all of them kept.

    Notes
    -----
    *Formal guarantee.* A row adds 1 to at most one bin: L1 and L2 sensitivity 1 under one addition or
    removal, 2 and √2 under a replacement.

    Examples
    --------
    >>> fold = HistogramFold(3)
    >>> fold.update(np.array([2, 0, 2, -1, 7]))
    >>> fold.value
    array([1, 0, 2])
    """

    __slots__ = ("_counts", "bins")

    def __init__(self, bins: int) -> None:
        self.bins = check_size("bins", bins, 1, 2**28)
        self._counts: Int64s = np.zeros(bins, dtype=np.int64)

    def update(self, ids: Int64s) -> None:
        """Count the bin numbers `ids` (m,)."""
        check_shape("bin numbers", ids, (None,))
        inside = ids[(ids >= 0) & (ids < self.bins)]
        if inside.size:
            counts = np.bincount(inside)
            self._counts[: counts.size] += counts

    def merge(self, other: HistogramFold) -> None:
        """Add another histogram of as many bins."""
        check_alike((self.bins,), (other.bins,))
        self._counts += other._counts

    @property
    def value(self) -> Int64s:
        """(bins,) counts."""
        return self._counts.copy()


@final
class SparseHistogramFold(Fold):
    """Counts of the occupied bins of an unbounded grid, each bin a tuple of integers.

    Memory grows neither with the grid nor, beyond `spilling.HELD` bytes, with the number of occupied bins: sorted
    runs of them go to a file without a name. Which bins are occupied is private: only a mechanism with a threshold
    (a stable histogram) may look at the keys.

    Parameters
    ----------
    columns : int
        Integers in a key.

    Notes
    -----
    *Formal guarantee.* As for `HistogramFold`, over the countable set of all keys. The value is sorted by
    key, so it is a function of the multiset of keys alone.

    Examples
    --------
    >>> fold = SparseHistogramFold(2)
    >>> fold.update(np.array([[5, -1], [0, 0], [5, -1], [9, 9]]), np.array([True, True, True, False]))
    >>> fold.value
    (array([[ 0,  0],
           [ 5, -1]]), array([1, 2]))
    """

    __slots__ = ("_counts", "_keys", "_pending", "_runs", "_waiting", "columns")

    def __init__(self, columns: int) -> None:
        self.columns = check_size("columns", columns, 1, 2**22)
        self._keys: Int64s = np.empty((0, columns), dtype=np.int64)
        self._counts: Int64s = np.empty(0, dtype=np.int64)
        self._pending: list[tuple[Int64s, Int64s]] = []
        self._waiting = 0
        self._runs: spilling.Runs | None = None

    def update(self, keys: Int64s, valid: npt.NDArray[np.bool_]) -> None:
        """Count the keys (m, columns) of the rows flagged in `valid` (m,)."""
        check_shape("keys", keys, (None, self.columns))
        check_shape("valid", valid, (len(keys),))
        chosen = np.ascontiguousarray(keys[valid], dtype=np.int64)
        if len(chosen):
            self._append(*spilling.aggregate(chosen, np.ones(len(chosen), dtype=np.int64)))

    def merge(self, other: SparseHistogramFold) -> None:
        """Add another histogram with keys of the same length."""
        check_alike((self.columns,), (other.columns,))
        for part in spilling.chunks(other.value):
            self._append(*part)

    def _append(self, keys: Int64s, counts: Int64s) -> None:
        self._pending.append((keys, counts))
        self._waiting += len(keys)
        if self._waiting > max(_PENDING, len(self._keys)):
            self._compact()

    def _compact(self) -> None:
        if self._pending:
            keys, counts = zip((self._keys, self._counts), *self._pending, strict=True)
            self._pending, self._waiting = [], 0
            self._keys, self._counts = spilling.aggregate(np.concatenate(keys), np.concatenate(counts))
        if self._keys.nbytes + self._counts.nbytes > spilling.HELD:
            self._runs = self._runs or spilling.Runs(self.columns)
            self._runs.append(self._keys, self._counts)
            self._keys, self._counts = self._keys[:0].copy(), self._counts[:0].copy()

    @property
    def value(self) -> tuple[Int64s, Int64s] | spilling.StoredBins:
        """Occupied keys (b, columns) in lexicographic order, and their counts (b,)."""
        self._compact()
        if self._runs is not None:
            return spilling.StoredBins(self._runs, self._keys, self._counts)
        return self._keys.copy(), self._counts.copy()

    def __reduce__(self) -> Any:
        """What another process is sent: all bins, since a file without a name can't be."""
        return _restored, (self.columns, *self.value)


def _restored(columns: int, keys: Int64s, counts: Int64s) -> SparseHistogramFold:
    fold = SparseHistogramFold(columns)
    fold._append(keys, counts)
    return fold
